// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/fused/cpu_attention.h"

/// Attention by the kernels of core/kernels/cuda: the forms of cpu_attention.h for tensors on NVIDIA GPUs, on the current stream.
namespace attnscope {

struct CudaAttention {
    at::Tensor (*positiveFeatures)(const AttentionInput& in, const at::Tensor& omega);
    at::Tensor (*fourierFeatures)(const AttentionInput& in, const at::Tensor& omega, double floor);
    at::Tensor (*lara)(const AttentionInput& in, const CpuLara& lara);
    at::Tensor (*randomized)(const AttentionInput& in, const CpuRandomized& randomized, NoiseSource& noise);
};

/// The kernels, where they can take these tensors: on a GPU of compute capability 8.0 or later, in a build that has them (CMake says whether it
/// does), float32 or bfloat16, channels next to each other, heads of at most 128 channels, no gradient asked for. Else null.
const CudaAttention* cudaAttention(const AttentionInput& in);

/// Whether these tensors fit them, wherever they are. RFA's take float32 alone.
bool fitsCudaKernels(const AttentionInput& in);
const CudaAttention& cudaKernels();

/// The cudaStream_t that work on this device is queued in.
void* currentStream(const at::Device& device);

}  // namespace attnscope
