#pragma once

#include "core/kernels/cpu/softmax_columns.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// For one block of queries: the sum of each tile's weights for each query, relative to the largest logit up to that tile.
struct TileSums {
    float *sums, *maxima;  ///< a row of queryBlock for each tile
    int64_t tile = 0, tiles = 0;
};

/// Finds the key at which the running sum of a query's weights first exceeds `level`, in units of 2^maximum.
inline int64_t findKey(const DrawKeys& task, int64_t n, float maximum, const TileSums& sums, double level,
                       float* row)
{
    double sum = 0;
    int64_t t = 0;
    for (; t + 1 < sums.tiles; ++t) {
        const double next = sum + double(sums.sums[t * queryBlock + n]);
        if (level < next)
            break;
        sum = next;
    }
    const int64_t begin = t * sums.tile, count = min(sums.tile, task.count - begin);
    for (int64_t j = 0; j < count; ++j)
        row[j] = innerProduct(task.queries + n * task.width, task.keys.data + (begin + j) * task.keys.stride,
                              task.width);
    for (int64_t j = 0; j < count; j += lanes)
        store(row + j, powerOfTwo(fma(load(row + j), broadcast(task.factor * log2e), broadcast(-maximum))));
    for (int64_t j = 0; j < count; ++j) {
        sum += double(row[j]);
        if (level < sum)
            return begin + j;
    }
    return begin + count - 1;
}

/// Exact categorical sampling in O(N) memory in two passes: the first sums up tiles, the second revisits only the tile that contains the
/// sample.
inline void drawKeys(const DrawKeys& task)
{
    const int64_t columns = paddedQueries(task.rows), tile = keysOfTile(task.count);
    float* const scores = task.scratch;
    const ColumnState state(scores + keyTile * queryBlock);
    TileSums sums{.sums = state.factors + queryBlock,
                  .maxima = nullptr,
                  .tile = tile,
                  .tiles = (task.count + tile - 1) / tile};
    sums.maxima = sums.sums + sums.tiles * queryBlock;
    for (int64_t t = 0; t < sums.tiles; ++t) {
        const int64_t begin = t * tile, count = min(tile, task.count - begin);
        multiply<Into::Store>({task.keys.data + begin * task.keys.stride, task.keys.stride, 1},
                              {task.columns, queryBlock}, {scores, queryBlock}, count, columns, task.width);
        fill(state.sums, queryBlock, 0);
        softenTile(scores, count, columns, task.factor * log2e, nullptr, state);
        for (int64_t n = 0; n < columns; n += lanes) {
            store(sums.sums + t * queryBlock + n, load(state.sums + n));
            store(sums.maxima + t * queryBlock + n, load(state.maxima + n));
        }
    }
    for (int64_t t = 0; t < sums.tiles; ++t)
        for (int64_t n = 0; n < columns; n += lanes)
            store(sums.sums + t * queryBlock + n,
                  load(sums.sums + t * queryBlock + n)
                      * powerOfTwo(load(sums.maxima + t * queryBlock + n) - load(state.maxima + n)));
    for (int64_t n = 0; n < task.rows; ++n) {
        double sum = 0;
        for (int64_t t = 0; t < sums.tiles; ++t)
            sum += double(sums.sums[t * queryBlock + n]);
        for (int64_t s = 0; s < task.draws; ++s)
            task.drawn[n * task.draws + s] = findKey(task, n, state.maxima[n], sums,
                                                     sum * double(task.uniform[n * task.draws + s]), scores);
    }
}

}
