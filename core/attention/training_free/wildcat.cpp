#include "core/attention/training_free/wildcat.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cpu_coreset.h"
#include "core/attention/numerics/fallbacks.h"
#include "core/attention/recorded_options.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attnscope {

namespace {

constexpr double smallestResidual = 1e-6;

constexpr Fallback tooSteep{
    "the similarities of keys were too steep for float32, and the coreset was computed in float64"};

/// W₀(y) of y ≥ 0: x eˣ = y, by Newton's method.
at::Tensor lambertW(const at::Tensor& y)
{
    at::Tensor x = y.log1p();
    for (int i = 0; i < 30; ++i) {
        const auto e = x.exp();
        x = x - (x * e - y) / (e * (x + 1));
    }
    return x;
}

/// Chosen keys of every head, of which some may have fewer than others.
struct Pivots {
    at::Tensor index;  ///< (P,r)
    at::Tensor valid;  ///< (P,r)
};

/// Randomly pivoted Cholesky of exp(−½‖g_x − g_y‖²), g (P,M,D) in float64: pivot i is the first m with u_i < (p_1 + … + p_m) / Σ p, where
/// p_m = d_m exp(‖g_m‖² + 2w_m) and d is the diagonal of what the pivots so far leave. u (P,r); undefined: the m with the largest p.
Pivots choosePivots(const at::Tensor& g, const at::Tensor& logWeights, const at::Tensor& u, int64_t count)
{
    const at::NoGradGuard constants;
    const int64_t heads = g.size(0), keys = g.size(1);
    at::Tensor logProbability = g.square().sum(-1);  // (P,M)
    if (logWeights.defined())
        logProbability = logProbability + 2 * logWeights;
    const auto weight = (logProbability - logProbability.amax(-1, true)).exp();
    at::Tensor residual = at::ones({heads, keys}, g.options());
    const auto factor = at::zeros({heads, count, keys}, g.options());
    const Pivots found{at::zeros({heads, count}, g.options().dtype(at::kLong)),
                       at::zeros({heads, count}, g.options().dtype(at::kBool))};
    for (int64_t i = 0; i < count; ++i) {
        const auto going = residual.amax(-1, true) >= smallestResidual;  // (P,1)
        if (!going.any().item<bool>())
            break;
        const auto probability = residual * weight;
        at::Tensor pivot;
        if (u.defined()) {
            const auto sums = probability.cumsum(-1);
            pivot = at::searchsorted(sums, (u.slice(1, i, i + 1) * sums.slice(1, keys - 1)).contiguous(), false,
                                     /*right=*/true)
                        .clamp_max(keys - 1);
        } else {
            pivot = probability.argmax(-1, true);
        }
        pivot = at::where(residual.gather(1, pivot) < smallestResidual, residual.argmax(-1, true),
                          pivot);  // (P,1)
        const auto own = g.gather(1, pivot.unsqueeze(-1).expand({heads, 1, g.size(2)}));
        at::Tensor column = (-0.5 * (g - own).square().sum(-1)).exp();
        if (i > 0) {
            const auto known = factor.slice(1, 0, i);
            const auto row =
                known.gather(2, pivot.unsqueeze(-1).expand({heads, i, 1})).transpose(1, 2);  // (P,1,i)
            column = column - at::matmul(row, known).squeeze(1);
        }
        column = column / column.gather(1, pivot).clamp_min(smallestResidual).sqrt();
        factor.select(1, i).copy_(at::where(going, column, at::zeros_like(column)));
        residual = (residual - factor.select(1, i).square()).clamp_min(0).scatter(1, pivot, 0);
        found.index.select(1, i).copy_(pivot.squeeze(1));
        found.valid.select(1, i).copy_(going.squeeze(1));
    }
    return found;
}

/// The coresets of P heads: r chosen keys each, those that are not `valid` without weight.
struct Coreset {
    at::Tensor mean;               ///< of all keys (P,1,D)
    at::Tensor index;              ///< (P,r)
    at::Tensor keys;               ///< minus their mean (P,r,D)
    at::Tensor bias;               ///< −½‖g_r‖², or −∞ (P,1,r)
    at::Tensor values;             ///< Σ_m W_rm u_m (v_m − middle), (P,r,Dv)
    at::Tensor masses;             ///< Σ_m W_rm u_m, (P,r,1)
    at::Tensor top;                ///< log of the masses' unit (P,1)
    at::Tensor low, middle, high;  ///< of the values (P,1,Dv)
};

/// What every query gives the chosen keys.
struct QueryWeights {
    at::Tensor weights;      ///< e_nr (P,N,r)
    at::Tensor largest;      ///< logit that they are relative to (P,N,1)
    at::Tensor denominator;  ///< Σ_r e_nr n_r (P,N,1)
    at::Tensor spread;       ///< Σ_r e_nr |n_r| (P,N,1)
};

class WildcatAttention : public AttentionBackend {
public:
    WildcatAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_samples(spec.integer("samples"))
        , m_bins(spec.integer("bins"))
        , m_greedy(spec.choice("pivots") == "greedy")
        , m_clip(spec.flag("clip"))
        , m_rule(spec.choice("temperature"))
        , m_temperature(spec.real("tau"))
        , m_ownKernels(spec.choice("kernel") == "auto")
    {
        if (m_bins > m_samples)
            throw UsageError(spec.canonical(),
                             "a coreset of " + counted(m_samples, "key") + " leaves some of "
                                 + counted(m_bins, "bin") + " empty",
                             "bins is an integer from 1 to samples, " + std::to_string(m_samples));
    }

    bool deterministic() const override { return m_greedy; }

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const int64_t perGroup = s.keys / s.keyGroups;
        const auto keys = double(perGroup), queries = double(s.queries),
                   chosen = std::min(double(m_samples), keys), both = double(s.width + s.valueDim);
        const double perBin = chosen / double(m_bins);  // a pivot is compared with the keys of its bin
        const double choice = keys * perBin * (double(s.width) + perBin) + keys * perBin * double(s.valueDim);
        return double(s.heads * s.keyGroups) * (choice + queries * chosen * both);
    }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override
    {
        return attendTo(in, noise, false).out;
    }

    AttentionPart computePart(const AttentionInput& in, NoiseSource& noise) const override
    {
        return attendTo(in, noise, true);
    }

    /// QueryWeights of the chosen keys in a query's denominator: they may be negative.
    std::optional<LandmarkWeights> computeLandmarkWeights(const AttentionInput& in, NoiseSource& noise,
                                                          int64_t query) const override
    {
        if (in.k.size(2) != in.q.size(2))
            return {};  // keys of their own have no place among the queries' tokens
        const Coreset coreset = coresetOf(in, uniform(in, noise));
        const QueryWeights given = weighed(in.q.to(at::kDouble).flatten(0, 1).narrow(1, query, 1), coreset,
                                           in.scale);
        const auto weights =
            (given.weights * coreset.masses.transpose(1, 2) / given.denominator).squeeze(1);  // (P,r)
        const auto sizes = in.q.sizes().slice(0, 2);
        return LandmarkWeights{weights.unflatten(0, sizes), coreset.index.unflatten(0, sizes), 0};
    }

    /// Keys without a place in the coreset have NaN.
    std::vector<TokenMap> computeTokenMaps(const AttentionInput& in, NoiseSource& noise,
                                           std::optional<int64_t> query) const override
    {
        const Coreset coreset = coresetOf(in, uniform(in, noise));
        const auto standsFor = coreset.masses.squeeze(-1)
                               * (coreset.bias.squeeze(1) + coreset.top).exp().clamp_max(1e30);  // (P,r)
        const auto atKeys = [&](const at::Tensor& ofChosen) {
            const int64_t keys = in.k.size(2);
            const auto valid = coreset.bias.squeeze(1).isfinite();
            const auto place = at::where(valid, coreset.index, at::full({}, keys, coreset.index.options()));
            const auto map = at::full({ofChosen.size(0), keys + 1}, std::nan(""), ofChosen.options())
                                 .scatter(1, place, ofChosen);
            return map.slice(1, 0, keys).unflatten(0, in.q.sizes().slice(0, 2));
        };
        if (!query)
            return {{"coreset", atKeys(standsFor)}};
        const QueryWeights given = weighed(in.q.to(at::kDouble).flatten(0, 1).narrow(1, *query, 1), coreset,
                                           in.scale);
        return {{"coreset-weights",
                 atKeys((given.weights * coreset.masses.transpose(1, 2) / given.denominator).squeeze(1))}};
    }

    Cancellation computeCancellation(const AttentionInput& in, NoiseSource& noise) const override
    {
        if (in.keyGroups > 1)
            return {};
        const QueryWeights given = weighed(in.q.to(at::kDouble).flatten(0, 1), coresetOf(in, uniform(in, noise)),
                                           in.scale);
        const auto cancelled = (given.denominator <= Cancellation::nearly * given.spread).sum().item<int64_t>();
        return {given.denominator.numel(), cancelled};
    }

private:
    /// Numbers of the pivots, (B,H,samples); undefined if they are not drawn.
    at::Tensor uniform(const AttentionInput& in, NoiseSource& noise) const
    {
        return m_greedy
                   ? at::Tensor()
                   : noise.uniform("u", {in.q.size(0), in.q.size(1), m_samples}, in.q.options().dtype(at::kFloat));
    }

    AttentionPart attendTo(const AttentionInput& in, NoiseSource& noise, bool normaliser) const
    {
        const at::Tensor u = uniform(in, noise);
        if (m_ownKernels && fitsCpuKernels(in, KeyWeights::Taken)) {
            const CpuCentredKeys centred = centredKeysOnCpu(in);
            const auto temperature = temperatureOf(centred.queryRadius.to(at::kDouble),
                                                   centred.keyRadius.to(at::kDouble), in.k.size(2), in.scale);
            // Masses and the queries' weights undo each other: beyond this, with a width far below `auto`, float32 has no room for both.
            const auto exponents = 0.5 * in.scale * (centred.keyRadius.to(at::kDouble) / temperature).square();
            FallenHeads fallen(tooSteep);
            fallen.where([&] { return exponents > 40; });
            if (exponents.max().item<double>() > 40)
                return attendPlainly(in, u);
            return coresetOnCpu(in, {.centred = centred,
                                     .temperature = temperature.to(at::kFloat).contiguous(),
                                     .uniform = u,
                                     .samples = m_samples,
                                     .bins = m_bins,
                                     .clip = m_clip && !in.linear,
                                     .normaliser = normaliser});
        }
        return attendPlainly(in, u);
    }

    /// τ from the largest lengths of queries and of centred keys.
    at::Tensor temperatureOf(const at::Tensor& queryRadius, const at::Tensor& keyRadius, int64_t keys,
                             double scale) const
    {
        const auto queries = queryRadius.clamp_min(1e-12), ratio = keyRadius.clamp_min(1e-12) / queries;
        if (m_rule == "auto")
            return (3.94582 * ratio).sqrt();
        if (m_rule == "fixed")
            return at::full_like(queries, m_temperature);
        const auto root = lambertW(at::full({}, 2 * std::exp(-2.0), queries.options()));
        const auto least = (1 + (2 * root + 2).exp()).sqrt();  // ρ₀
        const auto b = std::log(double(keys)) / (scale * queries * ratio * queries) + 2;
        return (ratio * b / (2 * lambertW(b / (2 * least)))).sqrt();
    }

    /// In float64 whatever the inputs are: a chosen key's residual may be a millionth.
    Coreset coresetOf(const AttentionInput& in, const at::Tensor& u) const
    {
        const auto wide = [](const at::Tensor& x) { return x.defined() ? x.to(at::kDouble).flatten(0, 1) : x; };
        const auto q = wide(in.q), k = wide(in.k), v = wide(in.v), w = wide(in.keyLogWeights), draws = wide(u);
        const int64_t keys = k.size(1), bins = std::min(m_bins, keys), perBin = m_samples / m_bins;
        Coreset all;
        all.mean = k.mean(1, true);
        const auto centred = k - all.mean;
        const auto temperature = temperatureOf(q.norm(2, -1).amax(-1), centred.norm(2, -1).amax(-1), keys,
                                               in.scale);  // (P)
        const auto g = centred * (std::sqrt(in.scale) / temperature).view({-1, 1, 1});
        const auto half = 0.5 * g.square().sum(-1);  // (P,M)
        const auto logMass = w.defined() ? half + w : half;
        all.top = logMass.detach().amax(-1, true);
        const auto mass = (logMass - all.top).exp();
        all.low = v.amin(1, true), all.high = v.amax(1, true);
        all.middle = 0.5 * (all.low + all.high);
        const auto values = v - all.middle.detach();
        std::vector<at::Tensor> index, chosen, bias, sums, masses;
        int64_t begin = 0;
        for (int64_t bin = 0; bin < bins; ++bin) {
            const int64_t end = begin + (keys + bin) / bins, take = std::min(perBin, end - begin);
            const auto own = g.slice(1, begin, end);
            const Pivots pivots = choosePivots(
                own.detach(), w.defined() ? w.detach().slice(1, begin, end) : w,
                draws.defined() ? draws.slice(1, bin * perBin, bin * perBin + take) : draws, take);
            const auto weights = spreadOver(own, pivots) * mass.slice(1, begin, end).unsqueeze(1);  // (P,r,m)
            const auto at = pivots.index + begin;
            index.push_back(at);
            chosen.push_back(centred.gather(1, at.unsqueeze(-1).expand({-1, -1, k.size(2)})));
            bias.push_back((-half.gather(1, at))
                               .masked_fill(pivots.valid.logical_not(), -std::numeric_limits<double>::infinity()));
            sums.push_back(at::matmul(weights, values.slice(1, begin, end)));
            masses.push_back(weights.sum(-1, true));
            begin = end;
        }
        all.index = at::cat(index, 1), all.keys = at::cat(chosen, 1), all.bias = at::cat(bias, 1).unsqueeze(1);
        all.values = at::cat(sums, 1), all.masses = at::cat(masses, 1);
        return all;
    }

    /// W = H_SS⁻¹ H_S (P,r,M); 0 in rows of pivots that are not valid.
    static at::Tensor spreadOver(const at::Tensor& g, const Pivots& pivots)
    {
        const int64_t count = pivots.index.size(1);
        const auto chosen = g.gather(1, pivots.index.unsqueeze(-1).expand({-1, -1, g.size(2)}));
        const auto distances = chosen.square().sum(-1).unsqueeze(-1) + g.square().sum(-1).unsqueeze(1)
                               - 2 * at::matmul(chosen, g.transpose(1, 2));
        const auto similar = (-0.5 * distances).exp();  // (P,r,M)
        const auto between = similar.gather(2, pivots.index.unsqueeze(1).expand({-1, count, -1}));
        const auto valid = pivots.valid.unsqueeze(-1);
        const auto square = at::where(valid.logical_and(valid.transpose(1, 2)), between,
                                      at::eye(count, g.options()));
        const auto root = std::get<0>(at::linalg_cholesky_ex(square));
        return at::cholesky_solve(similar * valid, root);
    }

    static QueryWeights weighed(const at::Tensor& q, const Coreset& coreset, double scale)
    {
        const auto logits = scale * at::matmul(q, coreset.keys.transpose(1, 2)) + coreset.bias;  // (P,N,r)
        QueryWeights given;
        given.largest = logits.detach().amax(-1, true);
        given.weights = (logits - given.largest).exp();
        given.denominator = at::matmul(given.weights, coreset.masses);
        given.spread = at::matmul(given.weights, coreset.masses.abs());
        return given;
    }

    AttentionPart attendPlainly(const AttentionInput& in, const at::Tensor& u) const
    {
        const Coreset coreset = coresetOf(in, u);
        const auto q = in.q.to(at::kDouble).flatten(0, 1);
        const QueryWeights given = weighed(q, coreset, in.scale);
        const auto bound = 1e-7 * given.spread;
        const auto good = given.denominator > bound;
        FallenHeads fallen(coresetCancelled);
        fallen.where([&] { return good.logical_not().flatten(1).any(-1); });
        const auto quotient = at::matmul(given.weights, coreset.values)
                              / at::where(good, given.denominator, at::ones_like(bound));
        // The middle is a constant but where it is the output: elsewhere it cancels.
        at::Tensor out = at::where(good, coreset.middle.detach() + quotient, coreset.middle);
        if (m_clip && !in.linear) {
            out = at::where(out < coreset.low, coreset.low, out);
            out = at::where(out > coreset.high, coreset.high, out);
        }
        const auto normaliser = at::where(good, given.denominator, bound.clamp_min(1e-300)).log() + given.largest
                                + in.scale * at::matmul(q, coreset.mean.transpose(1, 2));  // (P,N,1)
        const auto sizes = in.q.sizes().slice(0, 2);
        return {out.unflatten(0, sizes).to(in.q.scalar_type()),
                (normaliser.squeeze(-1) + coreset.top).unflatten(0, sizes).to(in.q.scalar_type())};
    }

    int64_t m_samples, m_bins;
    bool m_greedy, m_clip;
    std::string m_rule;
    double m_temperature;
    bool m_ownKernels;
};

/// A rule by its name, or a number.
void readRecordedTemperature(RecordedOptions& recorded)
{
    const auto temperature = recorded.header.find("temperature");
    if (temperature == recorded.header.end())
        return;
    if (temperature->is_number()) {
        recorded.values["temperature"] = "fixed";
        recorded.values["tau"] = toText(OptionValue(temperature->get<double>()));
    } else if (temperature->is_string()) {
        recorded.values["temperature"] = temperature->get<std::string>();
    } else {
        throw FileError(recorded.file, "`temperature` in its header is neither a rule nor a number",
                        "write auto, lambert or a number");
    }
}

}

BackendInfo wildcatInfo()
{
    return {
        .name = "wildcat",
        .title = "WildCat",
        .help = "a few keys carry the weights of all; nearly exact on small networks, whose attention has low "
                "rank, but on DINOv2 it needs 64 keys and "
                "more, and then methods that know the order of tokens do better",
        .citation = "WildCat, arXiv 2602.10056",
        .complexity = "O(C·(N+M)·D + M·C²), C steps one after another",
        .random = true,
        .landmarks = true,
        .normaliser = true,
        .exactPrefix = true,
        .look = {Hue::Nystrom, Mark::Octagon, {7, 1.5}},
        .options = {integerOption("samples", "chosen keys C, as many as there are at most; all of them are exact",
                                  64, 1, 4096),
                    choiceOption("pivots", "how keys are chosen",
                                 {{"random", "at random, by what the keys so far leave unexplained", {}},
                                  {"greedy", "always the one with the most left", {}}}),
                    advanced(
                        choiceOption("temperature", "width of the kernel by which keys are compared",
                                     {{"auto", "from the largest lengths of queries and keys", {}},
                                      {"lambert", "from these and the number of keys, as first published", {}},
                                      {"fixed", "tau", {}}})),
                    advanced(realOption("tau", "the width that temperature=fixed takes", 1, 0.1, 100)),
                    advanced(integerOption(
                        "bins", "runs of keys, each with a coreset of samples/bins: cheaper, worse", 1, 1, 4096)),
                    advanced(flagOption(
                        "clip", "keep outputs in the range of the values, as weights may be negative", true)),
                    kernelOption(), keysOption(), seedOption()},
        .make = makeMethod<WildcatAttention>,
        .tokenMaps = {{.name = "coreset",
                       .title = "Keys of the coreset",
                       .help = "how many keys each chosen key stands for",
                       .tokens = TokenMapInfo::Tokens::Keys},
                      {.name = "coreset-weights",
                       .title = "Weights of the coreset",
                       .help = "the query's weight on each chosen key",
                       .tokens = TokenMapInfo::Tokens::Keys,
                       .kind = TokenMapInfo::Kind::Weight,
                       .ofQuery = true}},
        .planCandidates = {"wildcat:samples=16", "wildcat:samples=32", "wildcat:samples=64"},
        .dropIn = "wildcat",
        .recordedOptions = {"temperature"},
        .readRecorded = readRecordedTemperature};
}

}
