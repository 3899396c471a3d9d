#include "core/attention/training_free/monarch.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/fused/cpu_attention.h"
#include "core/attention/fused/cpu_monarch.h"
#include "core/attention/methods/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

/// `rows` zeros (or `value`) behind the tokens, which are then cut into blocks of b: (B,H,N,…) → (B,H,blocks,b,…).
at::Tensor inBlocks(const at::Tensor& x, int64_t blocks, int64_t b, double value = 0)
{
    const int64_t missing = blocks * b - x.size(2);
    if (missing == 0)
        return x.unflatten(2, {blocks, b});
    auto sizes = x.sizes().vec();
    sizes[2] = missing;
    return at::cat({x, at::full(sizes, value, x.options())}, 2).unflatten(2, {blocks, b});
}

class MonarchAttention : public AttentionBackend {
public:
    MonarchAttention(const AttentionSpec& spec, const BackendContext& context)
        : AttentionBackend(spec)
        , m_block(spec.integer("block"))
        , m_steps(spec.integer("steps"))
        , m_ownKernels(spec.choice("kernel") == "auto")
        , m_columns(context.tokens.columns)
    {}

    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const int64_t each = s.keys / s.keyGroups,
                      block = m_block > 0
                                  ? m_block
                                  : automatic(each, m_columns > 0 && each % m_columns == 0 ? m_columns : 0);
        const auto b = double(std::min(block, each)), keys = double(each), queries = double(s.queries);
        const auto blocks = std::ceil(keys / b), width = double(s.width), values = double(s.valueDim);
        const auto steps = double(m_steps);
        const double perStep = 2 * keys * b * width + queries * blocks * width;
        const double head = steps * perStep + (steps - 1) * queries * blocks * width + keys * b * values
                            + queries * blocks * values;
        return double(s.heads * s.keyGroups) * head;
    }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource& noise) const override
    {
        return computePart(in, noise).out;
    }

    AttentionPart computePart(const AttentionInput& in, NoiseSource&) const override
    {
        const int64_t b = std::min(blockOf(in), std::max(in.q.size(2), in.k.size(2)));
        if (m_ownKernels && fitsCpuKernels(in, KeyWeights::Taken))
            return monarchOnCpu(in, {.block = b, .steps = m_steps});
        const int64_t queryBlocks = (in.q.size(2) + b - 1) / b, keyBlocks = (in.k.size(2) + b - 1) / b;
        const auto q = inBlocks(in.q, queryBlocks, b), k = inBlocks(in.k, keyBlocks, b),
                   v = inBlocks(in.v, keyBlocks, b);
        const auto weights = in.keyLogWeights.defined() ? in.keyLogWeights
                                                        : at::zeros(in.k.sizes().slice(0, 3), in.k.options());
        const auto w = inBlocks(weights, keyBlocks, b, -std::numeric_limits<double>::infinity());  // (B,H,k,b)
        auto x = q;
        if (queryBlocks != keyBlocks)
            x = offsetMeans(in, b).expand({-1, -1, keyBlocks, -1, -1});
        at::Tensor right, scores;
        for (int64_t step = 0; step < m_steps; ++step) {
            if (step > 0)
                x = lookingQueries(in, q, scores.softmax(-1));
            const auto logits = in.scale * at::matmul(x, k.transpose(-1, -2)) + w.unsqueeze(-2);  // (B,H,k,j,i)
            right = distribution(logits);
            const auto meanKeys = at::matmul(right, k);                                    // (B,H,k,j,D)
            const auto offset = finiteLogSum(logits) - in.scale * (x * meanKeys).sum(-1);  // (B,H,k,j)
            scores = in.scale * at::matmul(q.transpose(2, 3), meanKeys.transpose(2, 3).transpose(-1, -2))
                     + offset.transpose(2, 3).unsqueeze(-2);
        }
        const auto values = at::matmul(right, v).transpose(2, 3);                               // (B,H,j,k,Dv)
        const auto out = at::matmul(scores.softmax(-1), values).transpose(2, 3).flatten(2, 3);  // (B,H,N',Dv)
        const auto bound = scores.logsumexp(-1).transpose(2, 3).flatten(2, 3);
        return {out.slice(2, 0, in.q.size(2)), bound.slice(2, 0, in.q.size(2))};
    }

private:
    static int64_t automatic(int64_t tokens, int64_t columns)
    {
        return columns > 1 ? columns : int64_t(std::ceil(std::sqrt(double(tokens))));
    }

    int64_t blockOf(const AttentionInput& in) const
    {
        if (m_block > 0)
            return m_block;
        const TokenPlaces places = placesOf(in.k.size(2), in.keyLayout());
        return automatic(in.k.size(2), places.isLine() ? 0 : places.columns);
    }

    /// 0 where nothing is left.
    static at::Tensor distribution(const at::Tensor& logits) { return logits.softmax(-1).nan_to_num(0); }

    /// −∞ for a block without keys would make a gradient of nothing: a very small number does the same.
    static at::Tensor finiteLogSum(const at::Tensor& logits) { return logits.logsumexp(-1).clamp_min(-1e30); }

    /// Means of the queries of each offset: (B,H,1,b,D).
    static at::Tensor offsetMeans(const AttentionInput& in, int64_t b)
    {
        const auto offset =
            at::arange(in.q.size(2), at::TensorOptions(at::kLong).device(in.q.device())).remainder(b);
        const auto member = at::one_hot(offset, b).to(in.q.options());  // (N,b)
        const auto count = member.sum(0).clamp_min(1).unsqueeze(-1);
        return (at::matmul(member.t(), in.q) / count).unsqueeze(2);
    }

    /// Queries weighted by how much they look at a block: q (B,H,l,j,D), left (B,H,j,l,k) → (B,H,k,j,D); 0 where none does.
    static at::Tensor lookingQueries(const AttentionInput& in, const at::Tensor& q, const at::Tensor& left)
    {
        const auto number = at::arange(q.size(2) * q.size(3), at::TensorOptions(at::kLong).device(q.device()));
        const auto real =
            (number < in.q.size(2)).to(q.scalar_type()).view({q.size(2), q.size(3)}).t().unsqueeze(-1);  // (j,l,1)
        const auto weights = (left * real).transpose(-1, -2);  // (B,H,j,k,l)
        const auto total = weights.sum(-1, true);
        const auto mean = at::matmul(weights, q.transpose(2, 3)) / total.clamp_min(1e-30);  // (B,H,j,k,D)
        return mean.masked_fill(total <= 1e-30, 0).transpose(2, 3);
    }

    int64_t m_block, m_steps;
    bool m_ownKernels;
    int64_t m_columns;
};

}

BackendInfo monarchInfo()
{
    return {
        .name = "monarch",
        .title = "Monarch",
        .help = "two block-diagonal factors fitted to softmax: the cheapest good replacement where tokens are on "
                "a grid",
        .citation = "Yaras et al., MonarchAttention: Zero-Shot Conversion to Fast, Hardware-Aware Structured "
                    "Attention, 2025; our reading of the paper",
        .complexity = "O(N·√N·D)",
        .tokenComplexity = {.time = 1.5, .memory = 1},
        .normaliser = true,
        .exactPrefix = true,
        .look = {Hue::Ra, Mark::Gate, {6, 1.5, 3, 1.5}},
        .options = {integerOption("block", "tokens b of a block; 0: a row of the grid, or √N of a line", 0, 0,
                                  16384),
                    integerOption("steps", "alternating steps T; the published one, two and three differ little",
                                  1, 1, 16),
                    kernelOption(), keysOption()},
        .make = makeMethod<MonarchAttention>,
        .planCandidates = {"monarch", "monarch:steps=2"},
        .dropIn = "monarch"};
}

}
