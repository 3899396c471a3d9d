#include "core/attention/methods/lara.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cuda_attention.h"
#include "core/attention/lara_proposals.h"
#include "core/attention/random_feature_kernel.h"
#include "core/attention/recorded_options.h"
#include "core/attention/reparametrisation.h"
#include "core/attention/training_free/directions.h"
#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

enum class Weighting { Balance, Coupled, Decoupled, Query };

Weighting weightingOf(const AttentionSpec& spec)
{
    const std::string& name = spec.choice("weights");
    return name == "balance"   ? Weighting::Balance
           : name == "coupled" ? Weighting::Coupled
           : name == "query"   ? Weighting::Query
                               : Weighting::Decoupled;
}

/// log |w| and, if weights may be negative, their sign; both (B,H,N or 1,S).
struct LogWeights {
    at::Tensor logSize, sign;
};

class LaraAttention : public AttentionBackend {
public:
    LaraAttention(const AttentionSpec& spec, const BackendContext& context)
        : AttentionBackend(spec)
        , m_proposals(spec, context)
        , m_weighting(weightingOf(spec))
        , m_beta(spec.real("beta"))
        , m_stretch(spec.real("stretch"))
        , m_floor(spec.real("alpha_floor"))
        , m_copies(spec.integer("copies"))
        , m_directions(directionsOf(spec))
        , m_antithetic(spec.flag("antithetic"))
        , m_hyperbolic(spec.choice("features") == "hyperbolic")
        , m_ownKernels(spec.choice("kernel") == "auto")
    {
        for (const std::string& text : m_proposals.notes())
            note(text);
    }

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const auto groups = double(s.keyGroups);
        if (s.keyGroups > 1 && !m_proposals.sharedByGroups())
            return groups * countMultiplyAdds({s.heads, s.queries, s.keys / s.keyGroups, s.width, s.valueDim});
        const auto queries = double(s.queries), keys = double(s.keys);
        const auto width = double(s.width), valueDim = double(s.valueDim);
        const auto landmarks = double(m_proposals.count(s.keys));
        const double samples = landmarks * double(drawsPerProposal()) * (m_hyperbolic ? 2 : 1);
        double head = samples
                          * ((queries + keys) * width
                             + (keys + groups * queries) * valueDim)  // features, values in and out
                      + samples * landmarks * width;                  // densities
        if (m_weighting != Weighting::Balance)
            head += landmarks * queries * width;  // r_nc
        if (m_weighting == Weighting::Coupled)
            head += landmarks * samples * queries;  // posterior times r
        return double(s.heads) * head + m_proposals.multiplyAdds(s);
    }

    bool deterministic() const override { return !stddev(1, false) && m_proposals.deterministic(); }

    /// Not with weights that do not sum to 1, or that may be negative.
    bool estimatesNormaliser() const override { return m_weighting != Weighting::Query && m_floor > 0; }

protected:
    /// Not if a landmark map is being trained: the operators then convert to float32.
    bool takesHalf(const AttentionInput& in) const override
    {
        return !at::GradMode::is_enabled() && fitsOwnKernels(in) && cudaAttention(in) != nullptr;
    }

    /// Groups share proposals, weights and the features of queries and keys unless a proposal depends on individual keys.
    at::Tensor computeGroups(const AttentionInput& in, NoiseSource& noise) const override
    {
        const AttentionInput shared = m_proposals.withSharedLandmarks(in);
        return m_proposals.sharedByGroups() ? compute(shared, noise)
                                            : AttentionBackend::computeGroups(shared, noise);
    }

    at::Tensor compute(const AttentionInput& given, NoiseSource& noise) const override
    {
        const AttentionInput input = centred(given);
        const auto part = byKernels(input, noise, false);
        return part ? part->out : selfNormalised(features(stretched(input), noise));
    }

    AttentionPart computePart(const AttentionInput& given, NoiseSource& noise) const override
    {
        const AttentionInput input = centred(given);
        AttentionPart part = estimate(input, noise);
        if (centerOf(spec()) != Center::None) {
            part.centring = centringOffset(given, tokenMeans(given, spec()).keys);
            part.logNormaliser = part.logNormaliser + part.centring;
        }
        return part;
    }

    AttentionInput withFixedWeights(AttentionInput in) const override
    {
        return m_proposals.withFixedValues(std::move(in));
    }

    /// A proposal's weight is the sum over its samples.
    std::optional<LandmarkWeights> computeLandmarkWeights(const AttentionInput& given, NoiseSource& noise,
                                                          int64_t query) const override
    {
        const AttentionInput input = centred(given);
        if (input.keyGroups > 1)
            return {};  // one normaliser per frame: there is no single weight
        FeatureAttention one = features(stretched(input), noise);
        const auto row = [&](at::Tensor& x) {
            if (x.defined() && x.size(2) > 1)
                x = x.narrow(2, query, 1);
        };
        row(one.queryHat);
        row(one.logWeight);
        row(one.sign);
        const auto weights = sampleWeights(one).select(2, 0);  // (B,H,S)
        const auto count = weights.size(-1) / (drawsPerProposal() * (m_hyperbolic ? 2 : 1));
        return LandmarkWeights{weights.unflatten(-1, {-1, count}).sum(-2), {}, m_proposals.side()};
    }

private:
    AttentionInput centred(const AttentionInput& in) const
    {
        if (centerOf(spec()) == Center::None)
            return in;
        if (in.keyGroups > 1)
            throw UsageError(spec().canonical(), "frames that are attended to one by one are not centred",
                             "use center=none");
        return centredInput(in, tokenMeans(in, spec()));
    }

    /// Of centred tokens.
    AttentionPart estimate(const AttentionInput& input, NoiseSource& noise) const
    {
        if (auto part = byKernels(input, noise, true)) {
            const auto squares = input.q.to(at::kFloat).square().sum(-1);
            part->logNormaliser = part->logNormaliser - squares * (input.scale * m_stretch * m_stretch / 2);
            return *part;
        }
        AttentionPart part = selfNormalisedPart(features(stretched(input), noise));
        if (m_hyperbolic)
            part.logNormaliser = part.logNormaliser - std::log(2.0);
        return part;
    }

    /// Of centred tokens, by kernels of ours if they take them. Normalisers only with `normalises`: without their term −½‖q̂‖².
    std::optional<AttentionPart> byKernels(const AttentionInput& input, NoiseSource& noise, bool normalises) const
    {
        if (!fitsOwnKernels(input))
            return {};
        const CudaAttention* const cuda = cudaAttention(input);
        const AttentionInput in = cuda != nullptr ? stretched(input) : withStretchedLandmarks(input);
        const auto lara = fused(in, keyHatOf(input), noise);
        if (!lara)
            return {};
        if (cuda != nullptr)
            return cuda->lara(in, *lara, normalises);
        return normalises ? laraPartOnCpu(in, *lara) : AttentionPart{laraOnCpu(in, *lara), {}, {}};
    }

    /// What the kernels need; empty where a landmark map is being trained. `in` has stretched landmarks.
    std::optional<CpuLara> fused(const AttentionInput& in, const at::Tensor& keyHat, NoiseSource& noise) const
    {
        const Proposals proposals = m_proposals.make(in, keyHat, noise);
        if (at::GradMode::is_enabled() && proposals.mean.requires_grad())
            return {};
        return CpuLara{.mean = proposals.mean,
                       .omega = sample(proposals, noise),
                       .queryLandmarks = proposals.queryLandmarks,
                       .beta = m_weighting == Weighting::Decoupled ? std::optional(m_beta) : std::nullopt,
                       .floor = m_floor,
                       .stretch = m_stretch};
    }

    /// Of stretched keys; undefined for proposals that do not need them.
    at::Tensor keyHatOf(const AttentionInput& input) const
    {
        return m_proposals.sharedByGroups() ? at::Tensor() : scaledInput(input.k, input.scale) / m_stretch;
    }

    /// c·q and k/c with their landmarks alike: softmax stays the same, its estimate does not. Without noise it tends, as c grows, to exact
    /// attention of the nearest landmark query.
    AttentionInput stretched(const AttentionInput& input) const
    {
        AttentionInput in = withStretchedLandmarks(input);
        if (m_stretch == 1)
            return in;
        in.q = in.q * m_stretch;
        in.k = in.k / m_stretch;
        return in;
    }

    AttentionInput withStretchedLandmarks(const AttentionInput& input) const
    {
        if (m_stretch == 1)
            return input;
        AttentionInput in = m_proposals.withLandmarks(input);
        in.queryLandmarks = in.queryLandmarks * m_stretch;
        if (in.keyLandmarks.defined())
            in.keyLandmarks = in.keyLandmarks / m_stretch;
        return in;
    }

    FeatureAttention features(const AttentionInput& in, NoiseSource& noise) const
    {
        const auto queryHat = scaledInput(in.q, in.scale), keyHat = scaledInput(in.k, in.scale);
        const Proposals proposals = m_proposals.make(in, keyHat, noise);
        const auto omega = sample(proposals, noise);                                 // (B,H,S,D)
        const auto density = proposals.logDensity(omega, keyHat, in.keyLogWeights);  // (B,H,S,C)
        const auto own = ownDensity(density);                                        // (B,H,1,S)
        LogWeights weights = logAlpha(proposals, queryHat, density, own);
        weights.logSize = weights.logSize - own;
        if (!m_hyperbolic)
            return {omega, queryHat, keyHat, in.v, weights.logSize, weights.sign, in.keyGroups, in.keyLogWeights};
        const auto twice = [](const at::Tensor& x) { return x.defined() ? at::cat({x, x}, -1) : x; };
        return {at::cat({omega, -omega}, -2), queryHat,     keyHat,          in.v, twice(weights.logSize),
                twice(weights.sign),          in.keyGroups, in.keyLogWeights};
    }

    /// One sample per proposal and Gaussian proposals, weighted by the balance heuristic or decoupled.
    bool fitsOwnKernels(const AttentionInput& in) const
    {
        return m_ownKernels && (m_weighting == Weighting::Balance || m_weighting == Weighting::Decoupled)
               && drawsPerProposal() == 1 && !m_hyperbolic && m_proposals.deterministic()
               && (fitsCpuKernels(in, KeyWeights::Taken) || cudaAttention(in) != nullptr);
    }

    int64_t drawsPerProposal() const { return m_copies * (m_antithetic ? 2 : 1); }

    std::optional<double> stddev(int64_t width, bool recorded) const
    {
        return noiseStddev(spec(), is_training() || recorded, width);
    }

    at::Tensor sample(const Proposals& proposals, NoiseSource& noise) const
    {
        const at::Tensor& mean = proposals.mean;  // (B,H,C,D)
        const auto scale = stddev(mean.size(3), noise.holds("eps"));
        if (!scale)
            return mean;
        const int64_t rows = m_copies * mean.size(2);
        auto eps = ownSamples(noise, m_directions, {mean.size(0), mean.size(1), rows, mean.size(3)},
                              mean.options());
        if (m_antithetic)
            eps = at::cat({eps, -eps}, 2);
        // Copies of the whole list, concatenated: [µ; µ] + [ε1; ε2].
        return mean.repeat({1, 1, eps.size(2) / mean.size(2), 1}) + eps * *scale;
    }

    /// log q_c(ω_c)/N(ω_c;0,I) of each sample's own proposal: density (B,H,R·C,C) → (B,H,1,R·C).
    static at::Tensor ownDensity(const at::Tensor& density)
    {
        const auto count = density.size(3), copies = density.size(2) / count;
        const auto blocks = density.reshape({density.size(0), density.size(1), copies, count, count});
        return blocks.diagonal(0, -2, -1).reshape({density.size(0), density.size(1), 1, copies * count});
    }

    LogWeights logAlpha(const Proposals& proposals, const at::Tensor& queryHat, const at::Tensor& density,
                        const at::Tensor& own) const
    {
        const auto copies = density.size(2) / density.size(3);
        const auto total = (density.logsumexp(-1) + std::log(double(copies))).unsqueeze(-2);  // (B,H,1,S)
        const auto logBalance = own - total;
        if (m_weighting == Weighting::Balance)
            return {logBalance, {}};
        const auto repeated = [&](const at::Tensor& x) { return copies == 1 ? x : x.repeat({1, 1, 1, copies}); };
        if (m_weighting == Weighting::Query)
            return {logBalance + repeated(at::matmul(queryHat, proposals.mean.transpose(-1, -2))), {}};
        // r_nc: softmax over the queries of q̂_n·q̂̃_c, stored as (B,H,N,C).
        const auto r = at::matmul(queryHat, proposals.queryLandmarks.transpose(-1, -2)).softmax(-2);
        return signedOrFloored(correctedBalance(r, repeated(r), density, logBalance.exp()));
    }

    at::Tensor correctedBalance(const at::Tensor& r, const at::Tensor& rOwn, const at::Tensor& density,
                                const at::Tensor& balance) const
    {
        if (m_weighting == Weighting::Coupled) {
            const auto posterior = density.softmax(-1);  // (B,H,S,C), all densities at the same ω_s
            return balance * (1 + m_beta * (rOwn - at::matmul(r, posterior.transpose(-1, -2))));
        }
        const auto copies = double(density.size(2)) / double(density.size(3));
        return balance + (m_beta / copies) * (rOwn - r.mean(-1, true));
    }

    LogWeights signedOrFloored(const at::Tensor& alpha) const
    {
        if (m_floor > 0)
            return {alpha.clamp_min(m_floor).log(), {}};
        return {alpha.abs().log(), alpha.sign()};
    }

    ProposalMaker m_proposals;
    Weighting m_weighting;
    double m_beta, m_stretch, m_floor;
    int64_t m_copies;
    Directions m_directions;  // of the noise of all proposals
    bool m_antithetic, m_hyperbolic, m_ownKernels;
};

std::vector<OptionInfo> laraOptions()
{
    return {
        integerOption(
            "samples",
            "proposals C, each with one landmark and one sample; a square number if landmarks come from a grid",
            49, 1, 16384),
        choiceOption("proposal", "mean of each proposal",
                     {{"mean-query-key", "query landmark + key landmark (equation 34)", {"segment"}},
                      {"mixed", "+ softmax mean of the key landmarks (equation 35)", {}},
                      {"vmixed", "as mixed, weighted by the norm of the value landmarks (authors' code)", {}},
                      {"attended", "+ softmax mean of all keys (equation 33)", {}},
                      {"mixture", "a mixture over all keys (equation 32)", {}}}),
        choiceOption("weights", "weights for multiple importance sampling",
                     {{"decoupled", "balance heuristic + query-specific correction (equation 38)", {}},
                      {"coupled", "balance heuristic times correction (equation 37)", {}},
                      {"balance", "balance heuristic only (equation 36)", {}},
                      {"query", "times exp(µ·q), not summing to 1 (authors' code)", {}}}),
        realOption("beta", "strength of the query-specific correction", 1, 0, 100),
        noiseOption(),
        realOption("stretch",
                   "factor of queries, whose inverse keys are given: about 2 for weights trained with softmax, 1 "
                   "as published",
                   1, 0.5, 16),
        advanced(centeringOptions()[0]),
        centeringOptions()[1],
        advanced(choiceOption("landmarks", "how tokens are pooled",
                              {{"auto", "2-D cells if the tokens are on a grid, otherwise segments", {}},
                               {"grid", "2-D cells, √C × √C", {}},
                               {"segments", "consecutive segments", {}}})),
        advanced(choiceOption("map", "learned map after the pooling (Linear, LayerNorm)",
                              {{"auto", "the checkpoint's, if it has one", {}}, {"none", "plain pooling", {}}})),
        advanced(realOption("alpha_floor", "lower bound of the weights; 0 keeps negative weights", 1e-8, 0, 1)),
        advanced(integerOption("copies", "samples per proposal", 1, 1, 64)),
        advanced(flagOption("antithetic", "every ε followed by −ε")),
        directionsOption(),
        advanced(featuresOption()),
        kernelOption(),
        keysOption(),
        seedOption()};
}

/// Where landmarks do not fill a square grid, they are segments.
AttentionSpec withLandmarks(const AttentionSpec& spec, int64_t samples)
{
    const AttentionSpec changed = spec.with("samples", samples);
    const bool segments = spec.choice("landmarks") == "auto" && squareRoot(samples) == 0;
    return segments ? changed.with("landmarks", std::string("segments")) : changed;
}

/// Noise of R·C rows is that of R copies.
void readRecordedCopies(RecordedOptions& recorded)
{
    const auto samples = recorded.values.find("samples");
    if (samples == recorded.values.end() || recorded.epsRows == 0)
        return;
    const int64_t count = parseNumber<int64_t>(samples->second).value_or(0);
    if (count > 0 && recorded.epsRows > count && recorded.epsRows % count == 0)
        recorded.values.emplace("copies", std::to_string(recorded.epsRows / count));
}

/// `side` of the grid or `count` of the segments, and how landmarks are pooled.
void readRecordedLandmarks(RecordedOptions& recorded)
{
    const Json landmarks = recorded.header.value("landmarks", Json());
    const std::string how = landmarks.is_string() ? landmarks.get<std::string>() : "";
    const bool ours = how == "auto" || how == "grid" || how == "segments";
    if (recorded.header.contains("side")) {
        const int64_t side = recorded.wholeNumber("side");
        recorded.values["samples"] = std::to_string(side * side);
        recorded.values["landmarks"] = "grid";
    } else if (recorded.header.contains("count")) {
        recorded.values["samples"] = std::to_string(recorded.wholeNumber("count"));
        recorded.values["landmarks"] = "segments";
    } else if (ours) {
        recorded.values["landmarks"] = how;
    }
    const bool computable = ours || how.empty() || how.starts_with("pool") || how == "adaptive-1d";
    if (!computable && recorded.landmarks == 0)
        throw FileError(recorded.file,
                        "its landmarks are `" + printable(how) + "`, and it holds no q_land and k_land",
                        "add them, or use pool1d or pool2d");
    readRecordedCopies(recorded);
}

/// Where recorded landmarks come from: those of the file, a grid that is guessed, or segments.
AttentionSpec placeRecordedLandmarks(const AttentionSpec& spec, AttentionInput& in,
                                     std::vector<std::string>& notes)
{
    const int64_t samples = spec.integer("samples"), queries = in.q.size(2), side = squareRoot(queries);
    if (in.queryLandmarks.defined()) {
        const int64_t given = in.queryLandmarks.size(2);
        if (given != samples && given != std::min(samples, queries))
            throw UsageError(spec.canonical(),
                             "the file holds " + std::to_string(given) + " landmarks, not "
                                 + std::to_string(samples),
                             "use samples=" + std::to_string(given));
        notes.emplace_back("landmarks are those of the file");
        return in.tokens.hasGrid()
                   ? spec
                   : spec.with("landmarks", std::string("segments"));  // nothing is pooled: no grid needs to fit
    }
    const bool wanted = spec.choice("landmarks") == "grid";
    if (in.tokens.frames > 1) {
        notes.emplace_back("landmarks are means of segments of position-major tokens, shared by the frames");
    } else if (in.tokens.hasGrid() || spec.choice("landmarks") == "segments") {
        return spec;
    } else if (side > 0 && queries == in.k.size(2) && (squareRoot(samples) > 0 || wanted)) {
        in.tokens.rows = in.tokens.columns = side;
        notes.push_back("no grid was given: the tokens are taken as " + std::to_string(side) + "×"
                        + std::to_string(side));
    } else if (!wanted) {
        notes.emplace_back("no grid was given: landmarks are means of consecutive segments");
    }
    return spec;
}

}

BackendInfo laraInfo()
{
    // The DeiT recipe of the paper, for 196 and 784 tokens alike.
    const std::string recipe = "lara:samples=49,proposal=mixed,weights=decoupled,beta=2";
    return {.name = "lara",
            .title = "LARA",
            .help = "linear randomized attention: a few landmark proposals weighted for each query",
            .citation = "Zheng, Wang, Kong, Linear Complexity Randomized Self-attention Mechanism, ICML 2022",
            .complexity = "O(C·(N+M)·D + C²·D)",
            .random = true,
            .landmarks = true,
            .landmarkMaps = true,
            .normaliser = true,
            .look = {Hue::Lara, Mark::Square, {10, 3}},
            .options = laraOptions(),
            .make = makeMethod<LaraAttention>,
            .proposed = Proposed::ToTrain,
            .planCandidates = {"lara:samples=16", "lara", "lara:samples=100"},
            .dropIn = "lara:stretch=2,prefix_attention=rows",
            .paperSettings = {recipe, recipe},
            .published = {{1024, 2.11, 0.51},
                          {2048, 0.99, 0.24},
                          {3072, 0.47, 0.15},
                          {4096, 0.29, 0.1},
                          {8192, 0.12, 0.04}},
            .parameters = {"q_bar_gen.", "k_bar_gen."},
            .withSamples = withLandmarks,
            .recordedOptions = {"side", "count", "landmarks"},
            .readRecorded = readRecordedLandmarks,
            .fitRecorded = placeRecordedLandmarks};
}

}
