#pragma once

#include "core/attention/fused/cpu_tensors.h"
#include "core/attention/fused/cuda_attention.h"
#include "core/kernels/cuda/cuda_kernels.h"

#include <ATen/ATen.h>

/// Conversions between tensors and the kernels of core/kernels/cuda.
namespace attnscope {

/// x (B,H,N,D), or (H,S,D) if shared by all samples; a group has `each` rows, 0: all.
inline kernels::cuda::Matrices matricesOf(const at::Tensor& x, int64_t each = 0)
{
    if (x.dim() == 3)
        return {x.const_data_ptr(), 0, x.stride(0), 0, x.stride(1)};
    return {x.const_data_ptr(), x.stride(0), x.stride(1), each * x.stride(2), x.stride(2)};
}

inline kernels::cuda::ElementType elementTypeOf(const at::Tensor& x)
{
    return x.scalar_type() == at::kFloat ? kernels::cuda::ElementType::Float32
                                         : kernels::cuda::ElementType::BFloat16;
}

/// Log-weights of the keys as kernels read them, (B,H,M); undefined: none.
inline at::Tensor keyWeightsOf(const AttentionInput& in)
{
    return in.keyLogWeights.defined() ? in.keyLogWeights.to(at::kFloat).contiguous() : at::Tensor();
}

inline const float* floatsOrNull(const at::Tensor& x)
{
    return x.defined() ? x.const_data_ptr<float>() : nullptr;
}

/// The task that all methods start from for this input's keys.
inline kernels::cuda::FusedAttention fusedAttentionOf(const AttentionInput& in, kernels::cuda::Weights weights)
{
    const int64_t keys = in.k.size(2) / in.keyGroups;
    return {.number = elementTypeOf(in.q),
            .weights = weights,
            .counts = {in.q.size(0), in.q.size(1), in.keyGroups},
            .queries = matricesOf(in.q),
            .keys = matricesOf(in.k, keys),
            .values = matricesOf(in.v, keys),
            .queryCount = in.q.size(2),
            .keyCount = keys,
            .width = int(in.q.size(3)),
            .valueDim = int(in.v.size(3))};
}

/// Tokens with all heads contiguous, as the projection after an attention reads them: (B,N,G,H,Dv).
inline at::Tensor emptyTokenMajor(const AttentionInput& in)
{
    return at::empty({in.q.size(0), in.q.size(2), in.keyGroups, in.q.size(1), in.v.size(3)}, in.q.options());
}

inline kernels::cuda::Output outputIn(const at::Tensor& tokenMajor)
{
    return {tokenMajor.mutable_data_ptr(), tokenMajor.stride(0), tokenMajor.stride(3), tokenMajor.stride(2),
            tokenMajor.stride(1)};
}

inline float* floatsOf(const at::Tensor& x)
{
    return x.mutable_data_ptr<float>();
}

/// Queues the task; throws if the device rejects it.
void launch(kernels::cuda::FusedAttention task, const at::Device& device);
void launch(const kernels::cuda::DrawKeys& task, const at::Device& device);
void launch(const kernels::cuda::Balance& task, const at::Device& device);

at::Tensor randomizedOnCuda(const AttentionInput& in, const CpuRandomized& randomized, NoiseSource& noise);

}
