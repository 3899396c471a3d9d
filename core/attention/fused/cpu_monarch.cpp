#include "core/attention/fused/cpu_monarch.h"

#include "core/attention/fused/cpu_tensors.h"

#include <algorithm>
#include <vector>

namespace attnscope {

namespace {

/// Both factors are softmax attention by the usual kernel: within a block of keys, then for one offset over all blocks.
class MonarchCall {
public:
    MonarchCall(const AttentionInput& in, const CpuMonarch& monarch)
        : m_in(in)
        , m_b(monarch.block)
        , m_heads(in.q.size(1))
        , m_elements(in.q.size(0) * m_heads)
        , m_queries(in.q.size(2))
        , m_keys(in.k.size(2))
        , m_width(in.q.size(3))
        , m_valueDim(in.v.size(3))
        , m_queryBlocks((m_queries + m_b - 1) / m_b)
        , m_keyBlocks((m_keys + m_b - 1) / m_b)
        , m_keyValues(at::cat({in.k, in.v}, 3))
        , m_weights(in.keyLogWeights.defined() ? in.keyLogWeights.clamp_min(-1e30).contiguous() : at::Tensor())
        , m_means(emptyFloats({m_elements, m_keyBlocks * m_b, m_width + m_valueDim}))
        , m_bias(emptyFloats({m_elements, m_b, m_keyBlocks}))
        , m_normalisers(emptyFloats({in.q.size(0), m_heads, m_queries}))
        , m_scratch(emptyFloats({at::get_num_threads(), scratchLength() + kernels::queryBlock * (m_width + 1)}))
        , m_out(emptyFloats({in.q.size(0), m_queries, 1, m_heads, m_valueDim}))
    {}

    AttentionPart run(int64_t steps)
    {
        findLooking();
        for (int64_t step = 0; step < steps; ++step) {
            if (step > 0)
                updateLooking();
            attendWithinBlocks();
        }
        attendAcrossBlocks();
        return {m_out.byHead(), m_normalisers};
    }

private:
    int64_t scratchLength() const { return kernels::softmaxScratch(m_width + m_valueDim); }
    float* scratch(int thread) const { return m_scratch.mutable_data_ptr<float>() + thread * m_scratch.stride(0); }
    static float* row(const at::Tensor& x, int64_t at) { return x.mutable_data_ptr<float>() + at * x.stride(0); }

    /// The queries in blocks, zeros behind the last: (B·H,l,b,D). No copy if they fill their blocks.
    at::Tensor queriesInBlocks() const
    {
        auto q = m_in.q;
        if (const int64_t missing = m_queryBlocks * m_b - m_queries; missing > 0)
            q = at::cat({q, at::zeros({q.size(0), m_heads, missing, m_width}, q.options())}, 2);
        return q.unflatten(2, {m_queryBlocks, m_b}).flatten(0, 1);
    }

    /// x_kj before any step: query block k looks at key block k, or all at all where they differ in number.
    void findLooking()
    {
        m_looking = queriesInBlocks();
        if (m_queryBlocks == m_keyBlocks)
            return;
        auto count = at::full({m_b, 1}, m_queryBlocks, at::kFloat);
        if (m_queries % m_b != 0)
            count.slice(0, m_queries % m_b).sub_(1);
        m_looking = (m_looking.sum(1, true) / count.clamp_min(1)).expand({-1, m_keyBlocks, -1, -1});
    }

    /// x_kj of the next step: queries weighted by how much they look at block k.
    void updateLooking()
    {
        const auto q = queriesInBlocks().transpose(1, 2);  // (E,j,l,D)
        const auto meanKeys =
            m_means.slice(2, 0, m_width).unflatten(1, {m_keyBlocks, m_b}).transpose(1, 2);  // (E,j,k,D)
        auto left = at::baddbmm(m_bias.flatten(0, 1).unsqueeze(1), q.flatten(0, 1),
                                meanKeys.flatten(0, 1).transpose(-1, -2), 1, m_in.scale)
                        .softmax(-1);
        left = left.unflatten(0, {m_elements, m_b});  // (E,j,l,k)
        if (const int64_t real = m_queries % m_b; real != 0)
            left.slice(1, real).select(2, m_queryBlocks - 1).zero_();
        const auto total = left.sum(2).unsqueeze(-1);  // (E,j,k,1)
        const auto mean = at::matmul(left.transpose(-1, -2), q) / total.clamp_min(1e-30);
        m_looking = mean.masked_fill(total <= 1e-30, 0).transpose(1, 2);  // (E,k,j,D)
    }

    /// Mean key and value of R_kj, and the bias log Z_kj − s x_kj·y_kj of L's logits.
    void attendWithinBlocks()
    {
        const auto looking = m_looking.stride(3) == 1 ? m_looking : m_looking.contiguous();
        const auto cost = double(m_b * m_b * (2 * m_width + m_valueDim));
        forEachTask(m_elements * m_keyBlocks, cost, [&](int64_t task, int thread) {
            const int64_t element = task / m_keyBlocks, k = task % m_keyBlocks, first = k * m_b;
            const kernels::Rows x{looking.const_data_ptr<float>() + element * looking.stride(0)
                                      + k * looking.stride(1),
                                  looking.stride(2)};
            const kernels::Rows keys = rowsOf(m_keyValues, element / m_heads, element % m_heads, first);
            float* const own = scratch(thread);
            float *const columns = own + scratchLength(), *const normalisers = columns
                                                                               + kernels::queryBlock * m_width;
            for (int64_t j = 0; j < m_b; j += kernels::queryBlock) {
                const int64_t count = std::min(kernels::queryBlock, m_b - j);
                float* const means = row(m_means, element) + (first + j) * m_means.size(2);
                m_cpu.packQueries({.queries = {x.data + j * x.stride, x.stride},
                                   .count = count,
                                   .width = m_width,
                                   .columns = columns});
                m_cpu.softmaxRows({.columns = columns,
                                   .rows = count,
                                   .width = m_width,
                                   .keys = keys,
                                   .count = std::min(m_b, m_keys - first),
                                   .factor = float(m_in.scale),
                                   .bias = m_weights.defined()
                                               ? m_weights.const_data_ptr<float>() + element * m_keys + first
                                               : nullptr,
                                   .values = keys,
                                   .valueDim = m_width + m_valueDim,
                                   .out = {means, m_means.size(2)},
                                   .logNormaliser = normalisers,
                                   .scratch = own});
                for (int64_t i = 0; i < count; ++i) {
                    const float *const query = x.data + (j + i) * x.stride, *const key = means
                                                                                         + i * m_means.size(2);
                    float product = 0;
                    for (int64_t d = 0; d < m_width; ++d)
                        product += query[d] * key[d];
                    row(m_bias, element)[(j + i) * m_keyBlocks + k] = normalisers[i] - float(m_in.scale) * product;
                }
            }
        });
    }

    void attendAcrossBlocks()
    {
        const auto cost = double(m_queryBlocks * m_keyBlocks * (m_width + m_valueDim));
        forEachTask(m_elements * m_b, cost, [&](int64_t task, int thread) {
            const int64_t element = task / m_b, j = task % m_b, queries = (m_queries - j + m_b - 1) / m_b;
            const kernels::Rows q = rowsOf(m_in.q, element / m_heads, element % m_heads, j);
            const float* const means = row(m_means, element) + j * m_means.size(2);
            const kernels::OutputRows out = m_out.rows(element / m_heads, element % m_heads, j);
            float* const own = scratch(thread);
            float *const columns = own + scratchLength(), *const normalisers = columns
                                                                               + kernels::queryBlock * m_width;
            for (int64_t l = 0; l < queries; l += kernels::queryBlock) {
                const int64_t count = std::min(kernels::queryBlock, queries - l);
                m_cpu.packQueries({.queries = {q.data + l * m_b * q.stride, m_b * q.stride},
                                   .count = count,
                                   .width = m_width,
                                   .columns = columns});
                m_cpu.softmaxRows({.columns = columns,
                                   .rows = count,
                                   .width = m_width,
                                   .keys = {means, m_b * m_means.size(2)},
                                   .count = m_keyBlocks,
                                   .factor = float(m_in.scale),
                                   .bias = row(m_bias, element) + j * m_keyBlocks,
                                   .values = {means + m_width, m_b * m_means.size(2)},
                                   .valueDim = m_valueDim,
                                   .out = {out.data + l * m_b * out.stride, m_b * out.stride},
                                   .logNormaliser = normalisers,
                                   .scratch = own});
                for (int64_t i = 0; i < count; ++i)
                    m_normalisers.mutable_data_ptr<float>()[element * m_queries + (l + i) * m_b + j] =
                        normalisers[i];
            }
        });
    }

    const AttentionInput& m_in;
    const kernels::CpuKernels& m_cpu = kernels::cpuKernels();
    int64_t m_b, m_heads, m_elements, m_queries, m_keys, m_width, m_valueDim, m_queryBlocks, m_keyBlocks;
    at::Tensor m_keyValues, m_weights;  // (B,H,M,D + Dv), (B,H,M)
    at::Tensor m_looking;               // x_kj, (B·H,k,b,D)
    at::Tensor m_means, m_bias;         // of R_kj: key and value (B·H,k·b,D + Dv); of L's logits (B·H,b,k)
    at::Tensor m_normalisers, m_scratch;
    TokenMajorOutput m_out;
};

}

AttentionPart monarchOnCpu(const AttentionInput& in, const CpuMonarch& monarch)
{
    return MonarchCall(in, monarch).run(monarch.steps);
}

}
