#pragma once

#include "core/kernels/cuda/fused_attention.cuh"

namespace attnscope::kernels::cuda {

/// Merges the chunks of the keys of each query: one warp per query.
template <typename T>
__global__ void mergeKernel(const FusedAttention task, int chunks)
{
    const int64_t at = (int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / lanesOfWarp;
    if (at >= task.counts.samples * task.counts.heads * task.counts.groups * task.queryCount)
        return;
    const Place place(task.counts, at / task.queryCount);
    const int64_t query = at % task.queryCount, row = task.valueDim + 2;
    const float* from = task.scratch + at * chunks * row;
    const bool waves = task.weights == Weights::FourierKeys;
    float maximum = nothing, sum = 0;
    for (int p = 0; p < chunks; ++p)
        maximum = max(maximum, from[p * row]);
    for (int p = 0; p < chunks; ++p)
        sum += from[p * row + 1] * exponential(from[p * row] - maximum);
    if (laneOf() == 0 && task.logSums != nullptr)
        task.logSums[at] = waves
                               ? sum
                               : maximum + logf(sum)
                                     - (task.shift == nullptr ? 0.0f
                                                              : task.shift[place.pair * task.queryCount + query]);
    if (task.output.data == nullptr)
        return;
    const int64_t base = place.sample * task.output.sample + place.head * task.output.head
                         + place.group * task.output.group + query * task.output.row;
    for (int column = laneOf(); column < task.valueDim; column += lanesOfWarp) {
        float value = 0;
        for (int p = 0; p < chunks; ++p)
            value += from[p * row + 2 + column] * exponential(from[p * row] - maximum);
        value = waves ? value : value / sum;
        if (task.output.float32)
            static_cast<float*>(task.output.data)[base + column] = value;
        else
            static_cast<T*>(task.output.data)[base + column] = narrowed<T>(value);
    }
}

}
