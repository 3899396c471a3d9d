#pragma once

#include "core/kernels/cpu/softmax_columns.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// On transposed scores as in softmaxRows: a lane is a query. All chosen keys at once: there are few.
inline void attendCoreset(const AttendCoreset& task)
{
    const int64_t padded = (task.valueDim + lanes - 1) / lanes * lanes, columns = paddedQueries(task.rows);
    float* const scores = task.scratch;
    float* const inverses = scores + queryBlock * task.count;
    float* const output = inverses + queryBlock;
    multiply<Into::Store>({task.keys, task.width, 1}, {task.columns, queryBlock}, {scores, queryBlock}, task.count,
                          columns, task.width);
    for (int64_t n = 0; n < columns; n += lanes) {
        float* const column = scores + n;
        Floats maximum = broadcast(paddedLogit);
        for (int64_t r = 0; r < task.count; ++r) {
            const Floats x = fma(load(column + r * queryBlock), broadcast(task.factor * log2e),
                                 broadcast(task.bias[r] * log2e));
            store(column + r * queryBlock, x);
            maximum = max(x, maximum);
        }
        Floats denominator = broadcast(0), spread = denominator;
        for (int64_t r = 0; r < task.count; ++r) {
            const Floats x = powerOfTwo(load(column + r * queryBlock) - maximum);
            const float mass = task.masses[r];
            store(column + r * queryBlock, x);
            denominator = fma(x, broadcast(mass), denominator);
            spread = fma(x, broadcast(mass < 0 ? -mass : mass), spread);
        }
        const Floats bound = spread * broadcast(1e-7f), zero = broadcast(0), tiny = broadcast(1e-37f);
        store(inverses + n, denominator > bound ? broadcast(1.0f) / denominator : zero);
        for (int i = 0; task.cancelled != nullptr && i < lanes && n + i < task.rows; ++i)
            *task.cancelled += inverses[n + i] == 0;
        if (task.logNormaliser == nullptr)
            continue;
        Floats log = fma(maximum, broadcast(1 / log2e),
                         logarithm(max(denominator > bound ? denominator : bound, tiny)));
        if (task.mean != nullptr)
            for (int64_t d = 0; d < task.width; ++d)
                log = fma(load(task.columns + d * queryBlock + n), broadcast(task.factor * task.mean[d]), log);
        for (int i = 0; i < lanes && n + i < task.rows; ++i)
            task.logNormaliser[n + i] = log[i];
    }
    multiply<Into::Store>({scores, 1, queryBlock}, {task.values, padded}, {output, padded}, task.rows, padded,
                          task.count);
    for (int64_t n = 0; n < task.rows; ++n) {
        float* const in = output + n * padded;
        float* const to = task.out.data + n * task.out.stride;
        for (int64_t d = 0; d < padded; d += lanes) {
            Floats x = fma(load(in + d), broadcast(inverses[n]), load(task.middle + d));
            if (task.low != nullptr)
                x = min(max(x, load(task.low + d)), load(task.high + d));
            if (d + lanes <= task.valueDim) {
                store(to + d, x);
                continue;
            }
            for (int i = 0; d + i < task.valueDim; ++i)
                to[d + i] = x[i];
        }
    }
}

}
