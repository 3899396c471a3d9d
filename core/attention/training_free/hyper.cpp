#include "core/attention/training_free/hyper.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/input_parts.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/training_free/chosen_keys.h"
#include "core/attention/training_free/token_blocks.h"

#include <limits>

namespace attnscope {

namespace {

class HyperAttention : public AttentionBackend {
public:
    HyperAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_block(spec.integer("block"))
        , m_samples(spec.integer("samples"))
        , m_byValue(spec.choice("sampling") == "value")
        , m_order(blockOrderOf(spec))
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const int64_t keys = s.keys / s.keyGroups, block = std::min(m_block, keys);
        const auto both = double(s.width + s.valueDim);
        const double seen = double(s.queries * (block + (block < keys ? m_samples : 0))) * both;
        const bool hashes = m_order == BlockOrder::Hashes;
        const double hashing = hashes ? double((s.queries + keys) * spec().integer("bits") * s.width) : 0;
        return double(s.heads * s.keyGroups) * (seen + hashing);
    }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override
    {
        return computePart(in, noise).out;
    }

    AttentionPart computePart(const AttentionInput& given, NoiseSource& noise) const override
    {
        AttentionInput in = given;
        const at::Tensor norms = takeValueNorms(in);
        AttentionInput hashed = in;
        hashed.q = in.q - in.q.mean(2, true), hashed.k = in.k - in.k.mean(2, true);
        at::Tensor planes;
        if (m_order == BlockOrder::Hashes)
            planes = noise.sharedNormal("planes", {in.q.size(1), spec().integer("bits"), in.q.size(3)},
                                        in.q.options());
        const TokenBlocks blocks = tokenBlocks(hashed, m_block, m_order, planes);
        const auto u = noise.uniform("u", {in.q.size(0), in.q.size(1), m_samples},
                                     in.q.options().dtype(at::kDouble));
        const at::Tensor w = wideKeyWeights(in);
        const DrawnKeys drawn = drawKeys(w, probabilities(w, norms), u);
        const AttentionInput sampled = withChosenKeys(in, drawn.index, drawn.logWeights.to(in.q.scalar_type()));
        const at::Tensor block = blocks.blockOfKey(in).gather(2, drawn.index);
        return attendToOwnBlocks(blocks.sorted(in), blocks, [&](int64_t i, const AttentionInput& own) {
            AttentionInput others = sampled;
            others.q = own.q;
            others.keyLogWeights = sampled.keyLogWeights.masked_fill(block == i,
                                                                     -std::numeric_limits<double>::infinity());
            const EmptyGroups empty(others);  // all that were drawn may lie in the own block
            return empty.cleared(exactPart(others));
        });
    }

    /// Keys take the lengths of the values that they are drawn by along, as a channel for which queries have 0; valueLandmarks says so.
    AttentionInput withFixedWeights(AttentionInput in) const override
    {
        if (!m_byValue)
            return in;
        in.q = at::cat({in.q, at::zeros_like(in.q.slice(3, 0, 1))}, 3);
        in.k = at::cat({in.k, in.v.norm(2, {-1}, true)}, 3);
        in.valueLandmarks = in.v.slice(2, 0, 1);
        return in;
    }

private:
    /// ‖v‖ of each key (B,H,M), of the values that `withFixedWeights` has replaced if it has.
    static at::Tensor takeValueNorms(AttentionInput& in)
    {
        if (!in.valueLandmarks.defined())
            return in.v.norm(2, {-1}).to(at::kDouble);
        const int64_t width = in.q.size(3) - 1;
        const at::Tensor norms = in.k.select(3, width);
        in.q = in.q.slice(3, 0, width), in.k = in.k.slice(3, 0, width);
        in.valueLandmarks = at::Tensor();
        return norms.to(at::kDouble);
    }

    at::Tensor probabilities(const at::Tensor& w, const at::Tensor& norms) const
    {
        auto p = w.softmax(-1);
        if (!m_byValue)
            return p;
        const auto byValue = p * (1 / double(p.size(-1)) + norms / norms.sum(-1, true).clamp_min(1e-30));
        return byValue / byValue.sum(-1, true);
    }

    int64_t m_block, m_samples;
    bool m_byValue;
    BlockOrder m_order;
};

std::vector<OptionInfo> hyperOptions()
{
    std::vector<OptionInfo> options{
        integerOption("block", "tokens of a block, about", 64, 1, 4096),
        integerOption("samples", "keys S, drawn with replacement, for the other blocks", 64, 1, 16384)};
    for (OptionInfo& option : blockOrderOptions("lsh"))
        options.push_back(std::move(option));
    options.push_back(choiceOption(
        "sampling", "probability of a key",
        {{"uniform", "the same for all", {}}, {"value", "half of that, half by the length of its value", {}}}));
    options.push_back(keysOption());
    options.push_back(seedOption());
    return options;
}

}

BackendInfo hyperInfo()
{
    return {.name = "hyper",
            .title = "HyperAttention",
            .help = "blocks of similar tokens exactly and sampled keys for the rest: a baseline without a kernel "
                    "of its own, behind blocks, Monarch and "
                    "WildCat on every network measured",
            .citation = "Han et al., HyperAttention: Long-context Attention in Near-Linear Time, ICLR 2024; "
                        "Zandieh et al., KDEformer, ICML 2023",
            .complexity = "O(N·(b+S)·D)",
            .random = true,
            .everyKey = false,
            .normaliser = true,
            .exactPrefix = true,
            .look = {Hue::Rfa, Mark::Fan, {9, 1.5, 1, 1.5}},
            .options = hyperOptions(),
            .make = makeMethod<HyperAttention>};
}

}
