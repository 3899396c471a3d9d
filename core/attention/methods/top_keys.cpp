// SPDX-License-Identifier: Apache-2.0
#include "core/attention/methods/top_keys.h"

#include "core/attention/attention_backend.h"
#include "core/attention/common_options.h"

#include <algorithm>
#include <limits>

namespace attnscope {

namespace {

class TopKeyAttention : public AttentionBackend {
public:
    TopKeyAttention(const AttentionSpec& spec, const BackendContext&)
        : AttentionBackend(spec)
        , m_samples(spec.integer("samples"))
        , m_block(spec.integer("block"))
    {}

    /// All logits are computed; of the values, only the selected ones are needed.
    double multiplyAdds(const AttentionShape& s) const override
    {
        const auto kept = static_cast<double>(std::min(m_samples, s.keys / s.keyGroups) * s.keyGroups);
        return static_cast<double>(s.heads * s.queries)
               * (static_cast<double>(s.keys * s.width) + kept * static_cast<double>(s.valueDim));
    }

protected:
    at::Tensor compute(const AttentionInput& in, NoiseSource&) const override
    {
        const auto keys = (in.k * in.scale).transpose(-1, -2);
        std::vector<at::Tensor> blocks;
        for (std::int64_t begin = 0; begin < in.q.size(2); begin += m_block)
            blocks.push_back(attendBlock(in.q.slice(2, begin, begin + m_block), keys, in.v));
        return at::cat(blocks, 2);
    }

private:
    at::Tensor attendBlock(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& v) const
    {
        auto logits = at::matmul(queries, keys);  // (B,H,n,M)
        const auto count = std::min(m_samples, logits.size(-1));
        if (count < logits.size(-1)) {
            const auto least = std::get<0>(logits.detach().topk(count, -1, true, false)).amin(-1, true);
            logits = logits.masked_fill(logits < least, -std::numeric_limits<double>::infinity());
        }
        return at::matmul(logits.softmax(-1), v);
    }

    std::int64_t m_samples, m_block;
};

}  // namespace

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
                    advanced(computational(integerOption("block", "queries processed at a time; affects memory but not results", 128, 1, 65536))),
                    keysOption()},
        .make = makeMethod<TopKeyAttention>};
}

}  // namespace attnscope
