#pragma once

#include "core/attention/fused/cpu_attention.h"

/// Attention by the kernels of core/kernels/cuda: the functions of cpu_attention.h for tensors on NVIDIA GPUs, on the current stream. They
/// throw KernelRefused where the GPU cannot launch one, and GpuLost where it has failed.
namespace attnscope {

struct CudaAttention {
    /// Normalisers only with `normalises`: without their term −½‖q̂‖².
    AttentionPart (*positiveFeatures)(const AttentionInput& in, const at::Tensor& omega, bool normalises);
    at::Tensor (*fourierFeatures)(const AttentionInput& in, const at::Tensor& omega, double floor);
    AttentionPart (*lara)(const AttentionInput& in, const CpuLara& lara, bool normalises);
    at::Tensor (*randomized)(const AttentionInput& in, const CpuRandomized& randomized, NoiseSource& noise);
};

/// The kernels, if they can take these tensors: on a GPU of compute capability 8.0 or later, in a build that has them (CMake reports
/// whether it does), float32 or bfloat16, contiguous channels, head dimensions up to 128, no gradient required. Else null.
const CudaAttention* cudaAttention(const AttentionInput& in);

/// Whether the kernels can take these tensors, regardless of their device; not while OperatorsOnly lives. RFA's kernels take float32 only.
bool fitsCudaKernels(const AttentionInput& in);
const CudaAttention& cudaKernels();

/// The cudaStream_t to which work on this device is queued.
void* currentStream(const at::Device& device);

}
