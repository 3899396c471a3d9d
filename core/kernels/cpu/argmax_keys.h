#pragma once

#include "core/kernels/cpu/softmax_columns.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// The largest value so far in each lane, and its key.
struct LargestSoFar {
    Floats value = broadcast(-__builtin_inff());
    Floats index = broadcast(0);

    ATTNSCOPE_INLINE void take(Floats x, Floats key)
    {
        index = x > value ? key : index;
        value = x > value ? x : value;
    }
};

/// On transposed scores as in softmaxRows: a lane is a query.
inline void argmaxKeys(const ArgmaxKeys& task)
{
    const int64_t columns = paddedQueries(task.rows);
    LargestSoFar above[queryBlock / lanes], below[queryBlock / lanes];
    for (int64_t begin = 0; begin < task.count; begin += keyTile) {
        const int64_t count = min(keyTile, task.count - begin);
        multiply<Into::Store>({task.keys.data + begin * task.keys.stride, task.keys.stride, 1},
                              {task.columns, queryBlock}, {task.scratch, queryBlock}, count, columns, task.width);
        for (int64_t n = 0; n < columns; n += lanes) {
            LargestSoFar largest = above[n / lanes], lowest = below[n / lanes];
            for (int64_t j = 0; j < count; ++j) {
                const Floats x = load(task.scratch + j * queryBlock + n) + broadcast(task.bias[begin + j]);
                const Floats key = broadcast(float(begin + j));
                largest.take(x, key);
                if (task.bothSigns)
                    lowest.take(-x, key);
            }
            above[n / lanes] = largest, below[n / lanes] = lowest;
        }
    }
    for (int64_t n = 0; n < task.rows; ++n) {
        const LargestSoFar &positive = above[n / lanes], &negative = below[n / lanes];
        const int lane = int(n % lanes);
        const bool opposite = task.bothSigns && negative.value[lane] > positive.value[lane];
        task.found[n] = opposite ? int32_t(task.count) + int32_t(negative.index[lane])
                                 : int32_t(positive.index[lane]);
    }
}

}
