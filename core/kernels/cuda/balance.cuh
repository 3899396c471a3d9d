#pragma once

#include "core/kernels/cuda/device.cuh"

namespace attnscope::kernels::cuda {

/// Bytes of shared memory: 32 proposals, and a maximum and a sum for each sample.
inline int64_t sharedForBalance(const Balance& task)
{
    return (int64_t(lanesOfWarp) * (task.width + 1) + 2 * task.count) * int64_t(sizeof(float));
}

/// One block per matrix. Of 32 proposals c at a time, one for each lane, each warp takes samples ω_s in turn: log density of every proposal at
/// the sample, ω·µ_c − ½‖µ_c‖², that of the sample's own, and its balance weight.
template <typename T>
__global__ void balanceKernel(const Balance task)
{
    const int threads = int(blockDim.x), thread = int(threadIdx.x), stride = task.width + 1;
    float* const means = reinterpret_cast<float*>(sharedMemory());
    float* const maxima = means + lanesOfWarp * stride;
    float* const sums = maxima + task.count;
    const int64_t base = int64_t(blockIdx.x) * task.count;
    for (int first = 0; first < task.count; first += lanesOfWarp) {
        __syncthreads();  // the proposals before may still be in use
        const int rows = min(lanesOfWarp, task.count - first);
        for (int i = thread; i < rows * task.width; i += threads)
            means[i / task.width * stride + i % task.width] = task.means[(base + first) * task.width + i];
        __syncthreads();
        const int c = first + laneOf();
        const float* const mean = means + min(laneOf(), rows - 1) * stride;
        for (int s = warpOf(); s < task.count; s += threads / lanesOfWarp) {
            const T* const sample = task.samples + (base + s) * task.width;
            float density = 0;
            for (int d = 0; d < task.width; ++d)
                density = fmaf(mean[d], sample[d] - mean[d] / 2, density);
            if (c == s)
                task.own[base + s] = density;
            density = c < task.count ? density : nothing;
            const float before = first == 0 ? nothing : maxima[s], raised = max(before, largestOfWarp(density));
            const float sum = (first == 0 ? 0 : sums[s] * exponential(before - raised))
                              + sumOfWarp(exponential(density - raised));
            __syncwarp();
            if (laneOf() == 0) {
                maxima[s] = raised;
                sums[s] = sum;
            }
        }
    }
    __syncthreads();
    for (int s = thread; s < task.count; s += threads)
        task.fraction[base + s] = exponential(task.own[base + s] - maxima[s]) / sums[s];
}

}
