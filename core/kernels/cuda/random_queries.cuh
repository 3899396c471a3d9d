#pragma once

#include "core/kernels/cuda/block.cuh"
#include "core/kernels/cuda/philox.cuh"

namespace attnscope::kernels::cuda {

/// Generates queries of randomized attention on the fly: ω = queryFactor q + meanFactor · mean + stddev ε for `rows` queries from `first`
/// on, four channels per thread, as a Philox block yields four numbers.
template <typename T>
ATTNSCOPE_DEVICE void makeQueries(const FusedAttention& task, const Place& place, int64_t first, int draw, T* tile,
                                  int stride, int rows)
{
    const RandomQueries& random = task.random;
    const int columns = wholeDepths(task.width);
    const T* const queries = place.template in<T>(task.queries);
    const T* const keys = place.template in<T>(task.keys);
    for (int i = int(threadIdx.x); i < rows * columns / 4; i += int(blockDim.x)) {
        const int row = i / (columns / 4), column = i % (columns / 4) * 4;
        const int64_t query = first + row;
        T* to = tile + row * stride + column;
        if (query >= task.queryCount || column >= task.width) {
            for (int j = 0; j < 4; ++j)
                to[j] = narrowed<T>(0);
            continue;
        }
        const int64_t own = place.pair * task.queryCount + query;  // index over all samples and heads
        const int64_t drawn = random.drawn == nullptr ? 0 : random.drawn[own * random.draws + draw];
        const int64_t ofSample = ((place.head * task.queryCount + query) * random.draws + draw) * task.width
                                 + column;
        float noise[4] = {0, 0, 0, 0};
        const bool whole = task.width % 4 == 0;
        if (random.stddev != 0 && random.noise == nullptr && whole)
            normalAt(random.lengths, random.angles, place.sample, static_cast<uint64_t>(ofSample) / 4, noise);
        for (int j = 0; j < 4; ++j) {
            if (column + j >= task.width) {
                to[j] = narrowed<T>(0);
                continue;
            }
            float mean;
            if (random.drawn != nullptr)
                mean = widened(keys[drawn * task.keys.row + column + j]);
            else
                mean = random.means[(random.sharedMean ? place.pair : own) * task.width + column + j];
            float eps = noise[j];
            if (random.stddev != 0 && random.noise != nullptr)
                eps = random.noise[(own * random.draws + draw) * task.width + column + j];
            else if (random.stddev != 0 && !whole)
                eps = normalOne(random.lengths, random.angles, place.sample, uint64_t(ofSample) + uint64_t(j));
            to[j] = narrowed<T>(random.queryFactor * widened(queries[query * task.queries.row + column + j])
                                + random.meanFactor * mean + random.stddev * eps);
        }
    }
}

}
