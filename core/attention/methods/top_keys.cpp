#include "core/attention/methods/top_keys.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"
#include "core/attention/key_sets.h"
#include "core/attention/methods/softmax.h"

#include <algorithm>
#include <limits>

namespace attnscope {

namespace {

/// The smallest of each query's `count` largest logits: (B,H,n,M) → (B,H,n,1).
at::Tensor minKept(const at::Tensor& logits, int64_t count)
{
    return std::get<0>(logits.detach().topk(std::min(count, logits.size(-1)), -1, true, false)).amin(-1, true);
}

/// The keys of a query's `count` largest logits, and those that tie with the last.
class TopKeySets : public KeySets {
public:
    TopKeySets(const AttentionInput& in, int64_t count)
        : m_queries(in.q)
        , m_keys((in.k * in.scale).transpose(-1, -2))
        , m_count(count)
    {}

    int64_t setOf(int64_t element, int64_t head) const override { return element * m_queries.size(1) + head; }
    at::Tensor rows(int64_t set, int64_t begin, int64_t end) const override
    {
        const int64_t element = set / m_queries.size(1), head = set % m_queries.size(1);
        const auto logits = at::matmul(m_queries[element][head].slice(0, begin, end), m_keys[element][head]);
        return (logits >= minKept(logits, m_count)).to(at::kCPU, at::kFloat);
    }

private:
    at::Tensor m_queries, m_keys;  // (B,H,N,D), (B,H,D,M)
    int64_t m_count;
};

class TopKeyAttention : public AttentionBackend {
public:
    TopKeyAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_samples(spec.integer("samples"))
        , m_block(spec.integer("block"))
    {}

    /// All logits are computed; of the values, only the selected ones are needed.
    double countMultiplyAdds(const AttentionShape& s) const override
    {
        const auto kept = double(std::min(m_samples, s.keys / s.keyGroups) * s.keyGroups);
        return double(s.heads * s.queries) * (double(s.keys * s.width) + kept * double(s.valueDim));
    }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override
    {
        const auto keys = (in.k * in.scale).transpose(-1, -2);
        std::vector<at::Tensor> blocks;
        for (int64_t begin = 0; begin < in.q.size(2); begin += m_block)
            blocks.push_back(attendBlock(in.q.slice(2, begin, begin + m_block), keys, in));
        return at::cat(blocks, 2);
    }

    std::shared_ptr<const KeySets> groupSets(const AttentionInput& in, NoiseSource&) const override
    {
        return std::make_shared<TopKeySets>(withWeightChannel(in), m_samples);
    }

private:
    at::Tensor attendBlock(const at::Tensor& queries, const at::Tensor& keys, const AttentionInput& in) const
    {
        auto logits = withKeyWeights(at::matmul(queries, keys), in.keyLogWeights);  // (B,H,n,M)
        if (m_samples < logits.size(-1))
            logits = logits.masked_fill(logits < minKept(logits, m_samples),
                                        -std::numeric_limits<double>::infinity());
        return at::matmul(logits.softmax(-1), in.v);
    }

    int64_t m_samples, m_block;
};

}

BackendInfo topKeysInfo()
{
    return {
        .name = "topk",
        .title = "Top-k",
        .help = "softmax over each query's largest logits only: a bound on the cost of dropping keys",
        .citation = "Gupta et al., Memory-efficient Transformers via Top-k Attention, 2021",
        .complexity = "O(N·M·D)",
        .tokenComplexity = {.time = 2, .memory = 1},
        .everyKey = false,
        .look = {Hue::Performer, Mark::Hourglass, {1, 2}},
        .options = {integerOption("samples", "keys that each query keeps", 32, 1, 16384),
                    advanced(computational(integerOption(
                        "block", "queries processed at a time; affects memory but not results", 128, 1, 65536))),
                    keysOption()},
        .make = makeMethod<TopKeyAttention>};
}

}
