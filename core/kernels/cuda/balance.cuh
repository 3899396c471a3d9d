// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/cuda/device.cuh"

namespace attnscope::kernels::cuda {

/// One block per matrix, one thread per sample ω_s in turn: log densities of all proposals at it, of its own proposal, and its balance
/// weight. C²·D multiply-adds, few compared to the C·N·D of the attention; all threads read the same mean at a time.
template <typename T>
__global__ void balanceKernel(const Balance task)
{
    float* const squaresOver2 = reinterpret_cast<float*>(sharedMemory());
    const std::int64_t matrix = blockIdx.x, base = matrix * task.count;
    const T* const means = task.means + base * task.width;
    for (int c = static_cast<int>(threadIdx.x); c < task.count; c += static_cast<int>(blockDim.x)) {
        float square = 0;
        for (int d = 0; d < task.width; ++d)
            square = fmaf(means[c * task.width + d], means[c * task.width + d], square);
        squaresOver2[c] = square / 2;
    }
    __syncthreads();
    for (int s = static_cast<int>(threadIdx.x); s < task.count; s += static_cast<int>(blockDim.x)) {
        const T* sample = task.samples + (base + s) * task.width;
        float maximum = nothing, sum = 0, own = 0;
        for (int c = 0; c < task.count; ++c) {
            float density = -squaresOver2[c];
            for (int d = 0; d < task.width; ++d)
                density = fmaf(means[c * task.width + d], sample[d], density);
            const float raised = max(maximum, density);
            sum = sum * exponential(maximum - raised) + exponential(density - raised);
            maximum = raised;
            own = c == s ? density : own;
        }
        task.own[base + s] = own;
        task.fraction[base + s] = exponential(own - maximum) / sum;
    }
}

}  // namespace attnscope::kernels::cuda
