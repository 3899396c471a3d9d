#include "core/nn/query_keys.h"

#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/parallel.h"

#include <algorithm>

namespace attnscope::packedWeights {

namespace {

/// The queries and keys of some tokens of one sample.
class QueryKeysCall {
public:
    QueryKeysCall(const at::Tensor& qkv, const QueryKeys& parts)
        : m_cpu(kernels::cpuKernels())
        , m_parts(parts)
        , m_packed(qkv.scalar_type() == at::kBFloat16)
        , m_data(static_cast<float*>(qkv.mutable_data_ptr()))
        , m_sample(inRow(qkv.stride(0)))
        , m_token(inRow(qkv.stride(1)))
    {}

    void run(int64_t sample, int64_t begin, int64_t end) const
    {
        float* const tokens = m_data + sample * m_sample;
        const int64_t queries = inRow(m_parts.queryHeads * m_parts.width);
        for (int64_t n = begin; n < end; ++n) {
            norm(m_parts.queryNorm, tokens + n * m_token, m_parts.queryHeads);
            norm(m_parts.keyNorm, tokens + n * m_token + queries, m_parts.keyHeads);
        }
        const int64_t first = std::max(begin, m_parts.prefix);
        if (!m_parts.cosine.defined() || first >= end)
            return;
        rotate(tokens + first * m_token, first - m_parts.prefix, end - first, m_parts.queryHeads);
        rotate(tokens + first * m_token + queries, first - m_parts.prefix, end - first, m_parts.keyHeads);
    }

private:
    /// Packed bfloat16 counts as one float32.
    int64_t inRow(int64_t channels) const { return m_packed ? channels / 2 : channels; }

    void norm(const Layer* layer, float* heads, int64_t count) const
    {
        if (layer == nullptr)
            return;
        const int64_t stride = inRow(m_parts.width);
        (m_packed ? m_cpu.normBfloat16 : m_cpu.normRows)({.x = {heads, stride},
                                                          .rows = count,
                                                          .width = m_parts.width,
                                                          .centred = !layer->rms,
                                                          .weight = layer->packedInputs.const_data_ptr<float>(),
                                                          .bias = layer->bias.const_data_ptr<float>(),
                                                          .eps = float(m_parts.eps),
                                                          .out = {heads, stride}});
    }

    void rotate(float* heads, int64_t patch, int64_t rows, int64_t count) const
    {
        const at::Tensor &cosine = m_parts.cosine, &sine = m_parts.sine;
        const int64_t angles = m_parts.width / 2;
        const bool each = cosine.dim() == 3;
        (m_packed ? m_cpu.rotateBfloat16
                  : m_cpu.rotateRows)({.x = {heads, m_token},
                                       .rows = rows,
                                       .heads = count,
                                       .width = m_parts.width,
                                       .cosine = {cosine.const_data_ptr<float>() + patch * angles, angles},
                                       .sine = {sine.const_data_ptr<float>() + patch * angles, angles},
                                       .tables = each ? cosine.size(0) : 1,
                                       .tableStride = each ? cosine.stride(0) : 0,
                                       .interleaved = m_parts.interleaved});
    }

    const kernels::CpuKernels& m_cpu;
    const QueryKeys& m_parts;
    bool m_packed;
    float* m_data;
    int64_t m_sample, m_token;  ///< floats from one to the next
};

bool fitsAngles(const at::Tensor& angles, const QueryKeys& parts)
{
    const bool each = angles.dim() == 3;  // by head
    return angles.is_cpu() && angles.scalar_type() == at::kFloat && angles.is_contiguous()
           && angles.size(-1) == parts.width / 2
           && (!each || (angles.size(0) == parts.queryHeads && angles.size(0) == parts.keyHeads));
}

}

bool fits(const at::Tensor& qkv, const QueryKeys& parts)
{
    const bool packed = qkv.scalar_type() == at::kBFloat16;
    const int64_t unit = parts.queryNorm != nullptr ? 16 : 4;
    if (!qkv.is_cpu() || (!packed && qkv.scalar_type() != at::kFloat) || qkv.requires_grad() || qkv.stride(2) != 1
        || parts.width % unit != 0)
        return false;
    if (packed && (qkv.stride(0) % 2 != 0 || qkv.stride(1) % 2 != 0 || qkv.storage_offset() % 2 != 0))
        return false;
    for (const Layer* norm : {parts.queryNorm, parts.keyNorm})
        if (norm != nullptr && (!norm->defined() || norm->packed != packed))
            return false;
    return !parts.cosine.defined() || (fitsAngles(parts.cosine, parts) && fitsAngles(parts.sine, parts));
}

void finishQueryKeys(const at::Tensor& qkv, const QueryKeys& parts)
{
    const QueryKeysCall call(qkv, parts);
    constexpr double perNumber = 4;  // in multiply-adds
    const auto cost = perNumber * double((parts.queryHeads + parts.keyHeads) * parts.width);
    const int64_t tokens = qkv.size(1);
    kernels::forEachChunk(qkv.size(0) * tokens, kernels::grainOf(cost), [&](int64_t begin, int64_t end, int) {
        while (begin < end) {
            const int64_t sample = begin / tokens, last = std::min(end, (sample + 1) * tokens);
            call.run(sample, begin - sample * tokens, last - sample * tokens);
            begin = last;
        }
    });
}

}
