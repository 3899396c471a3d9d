#include "core/attention/training_free/thin.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/training_free/chosen_keys.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnscope {

namespace {

/// Runs of one round: `full` of `length` keys, and one of the `rest`.
struct HalvingRound {
    int64_t keys = 0, length = 0;

    int64_t full() const { return keys / length; }
    int64_t rest() const { return keys % length; }
    int64_t buckets() const { return full() + (rest() > 0 ? 1 : 0); }
    int64_t pairs() const { return full() * (length / 2) + rest() / 2; }
    int64_t left() const { return full() * ((length + 1) / 2) + (rest() + 1) / 2; }
};

std::vector<HalvingRound> halvingRounds(int64_t keys, int64_t rounds, int64_t bucket)
{
    std::vector<HalvingRound> plan;
    for (int64_t round = 0; round < rounds; ++round) {
        plan.push_back({keys, std::min(bucket << round, keys)});
        keys = plan.back().left();
    }
    return plan;
}

/// The present keys of all heads: their numbers and log-weights, (B,H,m).
struct PresentKeys {
    at::Tensor index, logWeights;
};

/// What the kernel compares keys by, of all keys, in float64.
struct Compared {
    at::Tensor keys;    ///< k̂ (B,H,M,D)
    at::Tensor values;  ///< (B,H,M,Dv)
    at::Tensor shift;   ///< max‖k̂‖² (B,H,1,1,1)
    at::Tensor square;  ///< max|v|² (B,H,1,1,1)
};

at::Tensor rowsAt(const at::Tensor& x, const at::Tensor& index)  // (B,H,M,·), (B,H,R,n) → (B,H,R,n,·)
{
    const auto flat = index.flatten(2, 3);
    return x.gather(2, flat.unsqueeze(-1).expand({-1, -1, -1, x.size(3)}))
        .unflatten(2, {index.size(2), index.size(3)});
}

/// Of each pair of neighbours in runs of n keys, whether the second survives: index, logWeights (B,H,R,n), u (B,H,R,pairs), flip (B,H,R) →
/// (B,H,R,pairs). `bound`: ½ + log(2n/δ').
at::Tensor secondSurvives(const Compared& all, const at::Tensor& index, const at::Tensor& logWeights,
                          const at::Tensor& u, const at::Tensor& flip, double bound)
{
    const at::NoGradGuard constants;
    const int64_t pairs = index.size(3) / 2;
    const auto keys = rowsAt(all.keys, index.slice(3, 0, 2 * pairs)),
               values = rowsAt(all.values, index.slice(3, 0, 2 * pairs));
    const auto kernel = (at::matmul(keys, keys.transpose(3, 4)) - all.shift).exp()
                        * (at::matmul(values, values.transpose(3, 4)) + all.square);
    const auto own = logWeights.detach();
    const auto most = own.amax(-1, true);
    const auto weight =
        at::where(most.isneginf(), at::zeros_like(own), own - most).exp();  // a run without keys is as good as any
    // Keeping the first instead of the pair changes the measure by what the second weighs, and the other way round.
    const auto first = weight.slice(3, 1, 2 * pairs, 2),
               second = weight.slice(3, 0, 2 * pairs, 2);  // (B,H,R,pairs)
    const auto part = [&](int64_t row, int64_t column) {
        return kernel.slice(3, row, 2 * pairs, 2).slice(4, column, 2 * pairs, 2);
    };
    const auto side = [](const at::Tensor& a, const at::Tensor& b) { return a.unsqueeze(-1) * b.unsqueeze(-2); };
    const auto difference = side(first, first) * part(0, 0) - side(first, second) * part(0, 1)
                            - side(second, first) * part(1, 0)
                            + side(second, second) * part(1, 1);  // (B,H,R,pairs,pairs)
    const auto root = difference.diagonal(0, 3, 4).clamp_min(0).sqrt();
    const auto limit = root * std::get<0>(root.cummax(-1)) * bound;
    const auto swaps = at::zeros(root.sizes(), root.options().dtype(at::kBool));
    at::Tensor sum = difference.select(3, 0);
    for (int64_t i = 1; i < pairs; ++i) {
        const auto swap = (2 * u.select(3, i) - 1) * limit.select(3, i) <= sum.select(3, i);  // (B,H,R)
        swaps.select(3, i).copy_(swap);
        sum = sum + at::where(swap, -1.0, 1.0).unsqueeze(-1) * difference.select(3, i);
    }
    return swaps.logical_xor((flip >= 0.5).unsqueeze(-1));
}

class ThinAttention : public AttentionBackend {
public:
    ThinAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_rounds(spec.integer("rounds"))
        , m_bucket(spec.integer("bucket"))
        , m_delta(spec.real("delta"))
    {}

    bool deterministic() const override { return m_rounds == 0; }

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const int64_t keys = s.keys / s.keyGroups;
        const auto plan = halvingRounds(keys, m_rounds, m_bucket);
        const int64_t left = plan.empty() ? keys : plan.back().left();
        auto pairs = double(s.queries * left);
        for (const HalvingRound& round : plan)
            pairs += double(round.keys * round.length);
        return double(s.heads * s.keyGroups) * pairs * double(s.width + s.valueDim);
    }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override
    {
        return exactAttention(thinned(in, noise));
    }
    AttentionPart computePart(const AttentionInput& in, NoiseSource& noise) const override
    {
        return exactPart(thinned(in, noise));
    }

    /// Keys take the values that they are compared by along, as channels for which queries have 0; valueLandmarks says how many.
    AttentionInput withFixedWeights(AttentionInput in) const override
    {
        in.q = at::cat({in.q, at::zeros({in.q.size(0), in.q.size(1), in.q.size(2), in.v.size(3)}, in.q.options())},
                       3);
        in.k = at::cat({in.k, in.v}, 3);
        in.valueLandmarks = in.v.slice(2, 0, 1);
        return in;
    }

private:
    AttentionInput thinned(AttentionInput in, NoiseSource& noise) const
    {
        at::Tensor compared = in.v;
        if (in.valueLandmarks.defined()) {
            const int64_t width = in.k.size(3) - in.valueLandmarks.size(3);
            compared = in.k.slice(3, width);
            in.q = in.q.slice(3, 0, width), in.k = in.k.slice(3, 0, width);
            in.valueLandmarks = at::Tensor();
        }
        const int64_t batch = in.q.size(0), heads = in.q.size(1), keys = in.k.size(2);
        const auto plan = halvingRounds(keys, m_rounds, m_bucket);
        int64_t pairs = 0, buckets = 0;
        for (const HalvingRound& round : plan)
            pairs += round.pairs(), buckets += round.buckets();
        if (pairs == 0)
            return withChosenKeys(in, in.k, in.v, in.keyLogWeights);
        const auto options = in.q.options().dtype(at::kDouble);
        const auto u = noise.uniform("u", {batch, heads, pairs}, options),
                   flip = noise.uniform("flip", {batch, heads, buckets}, options);
        const auto k = scaledInput(in.k.detach().to(at::kDouble), in.scale), v = compared.detach().to(at::kDouble);
        const auto largest = [](const at::Tensor& x) {
            return x.amax(-1).amax(-1).view({x.size(0), x.size(1), 1, 1, 1});
        };
        const Compared all{k, v, largest(k.square().sum(-1, true)), largest(v.abs()).square()};
        PresentKeys present{at::arange(keys, options.dtype(at::kLong)).expand({batch, heads, keys}),
                            wideKeyWeights(in)};
        int64_t pair = 0, bucket = 0;
        for (const HalvingRound& round : plan) {
            present = halved(all, present, round, u.slice(2, pair, pair + round.pairs()),
                             flip.slice(2, bucket, bucket + round.buckets()));
            pair += round.pairs(), bucket += round.buckets();
        }
        return withChosenKeys(in, present.index, present.logWeights.to(in.q.scalar_type()));
    }

    PresentKeys halved(const Compared& all, const PresentKeys& present, const HalvingRound& round,
                       const at::Tensor& u, const at::Tensor& flip) const
    {
        const int64_t covered = round.full() * round.length, used = round.full() * (round.length / 2);
        std::vector<at::Tensor> index, logWeights;
        const auto take = [&](int64_t begin, int64_t end, int64_t length, const at::Tensor& own,
                              const at::Tensor& flips) {
            const auto runs = [&](const at::Tensor& x) {
                return x.slice(2, begin, end).unflatten(2, {(end - begin) / length, length});
            };
            const PresentKeys kept = halvedRuns(all, {runs(present.index), runs(present.logWeights)}, own, flips);
            index.push_back(kept.index), logWeights.push_back(kept.logWeights);
        };
        // A few runs at a time: each has a matrix of its own.
        const int64_t some = std::max<int64_t>(1, (1 << 17) / (round.length * round.length)),
                      pairs = round.length / 2;
        for (int64_t run = 0; run < round.full(); run += some) {
            const int64_t end = std::min(run + some, round.full());
            take(run * round.length, end * round.length, round.length, u.slice(2, run * pairs, end * pairs),
                 flip.slice(2, run, end));
        }
        if (round.rest() > 0)
            take(covered, round.keys, round.rest(), u.slice(2, used), flip.slice(2, round.full()));
        return {at::cat(index, 2), at::cat(logWeights, 2)};
    }

    /// Runs of equal length, (B,H,R,n) → (B,H,R·⌈n/2⌉).
    PresentKeys halvedRuns(const Compared& all, const PresentKeys& runs, const at::Tensor& u,
                           const at::Tensor& flip) const
    {
        const int64_t length = runs.index.size(3), even = length / 2 * 2;
        if (even == 0)
            return {runs.index.flatten(2, 3), runs.logWeights.flatten(2, 3)};
        const auto every = double(all.keys.size(2)), keys = double(length);
        const double failure = m_delta * keys * keys / (double(m_bucket) * double(m_rounds) * every);
        const auto swaps = secondSurvives(all, runs.index, runs.logWeights,
                                          u.unflatten(2, {runs.index.size(2), length / 2}), flip,
                                          0.5 + std::log(2 * keys / failure));
        const auto first = [&](const at::Tensor& x) { return x.slice(3, 0, even, 2); };
        const auto second = [&](const at::Tensor& x) { return x.slice(3, 1, even, 2); };
        const auto index = at::where(swaps, second(runs.index), first(runs.index));
        const auto logWeights = at::logaddexp(first(runs.logWeights), second(runs.logWeights));
        if (even == length)
            return {index.flatten(2, 3), logWeights.flatten(2, 3)};
        return {at::cat({index, runs.index.slice(3, even)}, 3).flatten(2, 3),
                at::cat({logWeights, runs.logWeights.slice(3, even)}, 3).flatten(2, 3)};
    }

    int64_t m_rounds, m_bucket;
    double m_delta;
};

}

BackendInfo thinInfo()
{
    return {
        .name = "thin",
        .title = "Thinformer",
        .help = "of each pair of neighbouring keys one survives, so that the rest balances; a yardstick without a "
                "kernel of its own: half of all keys "
                "leaves an error that WildCat beats with a few dozen",
        .citation = "Thinformer, arXiv 2502.12063",
        .complexity = "O(N·M·D/2^rounds + rounds·M·bucket·D)",
        .random = true,
        .tokenComplexity = {.time = 2, .memory = 1},
        .everyKey = false,
        .normaliser = true,
        .exactPrefix = true,
        .look = {Hue::Orthoformer, Mark::Spindle, {3, 1, 3, 4}},
        .options = {integerOption("rounds", "times that the keys are halved; 0: exact", 1, 0, 16),
                    integerOption("bucket", "keys of a run in the first round, twice as many in each that follows",
                                  64, 2, 4096),
                    advanced(realOption("delta", "probability with which the walk may leave its bounds", 0.5, 1e-6,
                                        0.999)),
                    keysOption(), seedOption()},
        .make = makeMethod<ThinAttention>};
}

}
