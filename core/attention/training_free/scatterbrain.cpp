#include "core/attention/training_free/scatterbrain.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/reparametrisation.h"
#include "core/attention/training_free/directions.h"
#include "core/attention/training_free/token_blocks.h"

#include <cmath>

namespace attnscope {

namespace {

/// Σ_m ξ(k̂_m,ω_s) v_m / Σ_m ξ(k̂_m,ω_s) and log of the denominator, of the keys of some blocks: a part whose queries are the samples.
using FeatureSums = AttentionPart;

class ScatterbrainAttention : public AttentionBackend {
public:
    ScatterbrainAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_block(spec.integer("block"))
        , m_samples(spec.integer("samples"))
        , m_order(blockOrderOf(spec))
        , m_center(centerOf(spec))
        , m_directions(directionsOf(spec))
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const int64_t keys = s.keys / s.keyGroups, block = std::min(m_block, keys);
        const auto both = double(s.width + s.valueDim), samples = double(m_samples);
        const double own = double(s.queries * block) * both;
        const double far =
            block < keys
                ? samples * (double(s.queries + keys) * both + 2 * double(blockCount(keys, m_block) * s.valueDim))
                : 0;
        return double(s.heads * s.keyGroups) * (own + far);
    }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override
    {
        return computePart(in, noise).out;
    }

    AttentionPart computePart(const AttentionInput& in, NoiseSource& noise) const override
    {
        const auto omega = sharedSamples(noise, m_directions, {in.q.size(1), m_samples, in.q.size(3)},
                                         in.q.options());
        at::Tensor planes;
        if (m_order == BlockOrder::Hashes)
            planes = noise.sharedNormal("planes", {in.q.size(1), spec().integer("bits"), in.q.size(3)},
                                        in.q.options());
        const TokenBlocks blocks = tokenBlocks(in, m_block, m_order, planes);
        const AttentionInput sorted = blocks.sorted(in);
        const std::vector<FeatureSums> others = blocks.count() > 1 ? sumsOfOthers(sorted, omega, blocks)
                                                                   : std::vector<FeatureSums>();
        return attendToOwnBlocks(sorted, blocks, [&](int64_t i, const AttentionInput& own) {
            const FeatureSums& sums = others[size_t(i)];
            const auto q = scaledInput(own.q, in.scale);
            const auto logits = at::matmul(q, omega.transpose(-1, -2))
                                + (sums.logNormaliser - std::log(double(m_samples))).unsqueeze(-2);
            return AttentionPart{at::matmul(logits.softmax(-1).nan_to_num(0), sums.out),
                                 logits.logsumexp(-1) - q.square().sum(-1) / 2,
                                 {}};
        });
    }

    std::optional<TokenMeans> subtractedMeans(const AttentionInput& in) const override
    {
        return m_center == Center::None ? std::nullopt : std::optional(tokenMeans(in, spec()));
    }

private:
    /// For each block, the sums over the keys of all others.
    static std::vector<FeatureSums> sumsOfOthers(const AttentionInput& sorted, const at::Tensor& omega,
                                                 const TokenBlocks& blocks)
    {
        const auto k = scaledInput(sorted.k, sorted.scale);
        const auto logKeys = withKeyWeights(at::matmul(omega, k.transpose(-1, -2))
                                                - (k.square().sum(-1) / 2).unsqueeze(-2),
                                            sorted.keyLogWeights);  // (B,H,S,M)
        const auto count = size_t(blocks.count());
        std::vector<FeatureSums> own;
        for (size_t i = 0; i < count; ++i) {
            const auto logits = logKeys.slice(-1, blocks.keyBounds[i], blocks.keyBounds[i + 1]);
            own.push_back({at::matmul(logits.softmax(-1).nan_to_num(0),
                                      sorted.v.slice(2, blocks.keyBounds[i], blocks.keyBounds[i + 1])),
                           logits.logsumexp(-1),
                           {}});
        }
        std::vector<FeatureSums> behind{own.back()};  // of blocks i …, from the last on
        for (size_t i = count - 1; i-- > 1;)
            behind.push_back(joined(own[i], behind.back()));
        std::vector<FeatureSums> others{behind.back()};
        FeatureSums before = own.front();
        for (size_t i = 1; i + 1 < count; ++i) {
            behind.pop_back();
            others.push_back(joined(before, behind.back()));
            before = joined(before, own[i]);
        }
        others.push_back(before);
        return others;
    }

    int64_t m_block, m_samples;
    BlockOrder m_order;
    Center m_center;
    Directions m_directions;
};

std::vector<OptionInfo> scatterbrainOptions()
{
    std::vector<OptionInfo> options{
        integerOption("block", "tokens of a block, about", 64, 1, 4096),
        integerOption("samples", "random features S for the other blocks", 64, 1, 4096)};
    for (OptionInfo& option : blockOrderOptions())
        options.push_back(std::move(option));
    for (OptionInfo& option : centeringOptions())
        options.push_back(std::move(option));
    options.push_back(directionsOption());
    options.push_back(keysOption());
    options.push_back(seedOption());
    return options;
}

}

BackendInfo scatterbrainInfo()
{
    return {.name = "scatterbrain",
            .title = "Scatterbrain",
            .help = "a query's own block exactly, the rest by random features, one normaliser: a baseline without "
                    "a kernel of its own, which needs "
                    "center=both over weights trained with softmax",
            .citation =
                "Chen et al., Scatterbrain: Unifying Sparse and Low-rank Attention Approximation, NeurIPS 2021",
            .complexity = "O(N·(b+S)·D)",
            .random = true,
            .everyKey = false,
            .normaliser = true,
            .exactPrefix = true,
            .look = {Hue::Softmax, Mark::Zigzag, {5, 2, 5, 4}},
            .options = scatterbrainOptions(),
            .make = makeMethod<ScatterbrainAttention>};
}

}
