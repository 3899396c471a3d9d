#pragma once

#include "core/kernels/cpu/feature_rows.h"
#include "core/kernels/cpu/query_columns.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// Keys per tile: tiles are of nearly equal length, in whole blocks of the product.
ATTNSCOPE_INLINE int64_t keysOfTile(int64_t count)
{
    const int64_t tiles = (count + keyTile - 1) / keyTile;
    return ((count + tiles - 1) / tiles + 7) / 8 * 8;
}

/// Queries of a block, rounded up to whole vectors.
ATTNSCOPE_INLINE int64_t paddedQueries(int64_t rows)
{
    return (rows + lanes - 1) / lanes * lanes;
}

/// The maximum of each column over `count` rows, for one vector of queries. Four chains at a time, as each maximum depends on the one
/// before.
ATTNSCOPE_INLINE Floats largestOfColumn(const float* scores, int64_t count)
{
    Floats found[4];
    for (Floats& one : found)
        one = load(scores);
    int64_t j = 0;
    for (; j + 4 <= count; j += 4)
        for (int i = 0; i < 4; ++i)
            found[i] = max(load(scores + (j + i) * queryBlock), found[i]);
    for (; j < count; ++j)
        found[0] = max(load(scores + j * queryBlock), found[0]);
    return max(max(found[0], found[1]), max(found[2], found[3]));
}

/// Running state over the keys so far, for each query of a block, in units of 2^maximum.
struct ColumnState {
    float *maxima, *sums, *factors;  ///< queryBlock numbers each

    explicit ColumnState(float* memory)
        : maxima(memory)
        , sums(maxima + queryBlock)
        , factors(sums + queryBlock)
    {
        fill(maxima, queryBlock, paddedLogit);
        fill(sums, queryBlock, 0);
    }
};

/// Every query sees every key.
struct EveryKey {
    ATTNSCOPE_INLINE Floats seen(int64_t, Floats x) const { return x; }
};

/// For one vector of queries: logits → 2^(times · logit − maximum), in place, with the state updated to the new maxima; 0 for keys that
/// are not `seen`. Returns whether a maximum rose.
template <typename Keys>
ATTNSCOPE_INLINE bool softenColumn(float* column, int64_t count, Floats times, const Keys& keys,
                                   const ColumnState& state, int64_t n)
{
    const Floats before = load(state.maxima + n);
    const Floats maximum = max(largestOfColumn(column, count) * times, before);
    const Floats correction = powerOfTwo(before - maximum);
    Floats sum = load(state.sums + n) * correction;
    for (int64_t j = 0; j < count; ++j) {
        const Floats x = keys.seen(j, powerOfTwo(fma(load(column + j * queryBlock), times, -maximum)));
        store(column + j * queryBlock, x);
        sum = sum + x;
    }
    store(state.maxima + n, maximum);
    store(state.sums + n, sum);
    store(state.factors + n, correction);
    bool rose = false;
    for (int i = 0; i < lanes; ++i)
        rose = rose || maximum[i] != before[i];
    return rose;
}

/// scores[j][n] → 2^(factor · score + bias_j − maximum_n), in place, with the state updated to the new maxima. bias, in units of ln 2, may
/// be null. Returns whether a maximum rose.
inline bool softenTile(float* scores, int64_t count, int64_t columns, float factor, const float* bias,
                       const ColumnState& state)
{
    bool rose = false;
    for (int64_t n = 0; n < columns; n += lanes) {
        float* const column = scores + n;
        if (bias != nullptr)
            for (int64_t j = 0; j < count; ++j)
                store(column + j * queryBlock,
                      fma(load(column + j * queryBlock), broadcast(factor), broadcast(bias[j] * log2e)));
        rose = softenColumn(column, count, broadcast(bias != nullptr ? 1.0f : factor), EveryKey(), state, n)
               || rose;
    }
    return rose;
}

/// Rescales the output rows so far from the old maxima to the new ones.
inline void correctRows(float* rows, int64_t count, int64_t padded, const float* factors)
{
    for (int64_t n = 0; n < count; ++n) {
        if (factors[n] == 1.0f)
            continue;
        for (int64_t d = 0; d < padded; d += lanes)
            store(rows + n * padded + d, load(rows + n * padded + d) * broadcast(factors[n]));
    }
}

/// Writes rows times `outputFactor` divided by their sums to out, or adds them to it.
inline void writeRows(const float* rows, int64_t padded, const float* sums, const SoftmaxRows& task)
{
    for (int64_t n = 0; n < task.rows; ++n) {
        const float factor = task.outputFactor / sums[n];
        const float* in = rows + n * padded;
        float* to = task.out.data + n * task.out.stride;
        int64_t d = 0;
        for (; d + lanes <= task.valueDim; d += lanes)
            store(to + d, task.add ? fma(load(in + d), broadcast(factor), load(to + d))
                                   : load(in + d) * broadcast(factor));
        for (; d < task.valueDim; ++d)
            to[d] = task.add ? in[d] * factor + to[d] : in[d] * factor;
    }
}

/// Flash attention (Dao et al., 2022; online softmax of Milakov and Gimelshein, 2018) on transposed scores: a lane is a query, so that
/// maxima and sums need no reduction across lanes, and keys are read as stored.
inline void softmaxRows(const SoftmaxRows& task)
{
    const int64_t padded = (task.valueDim + lanes - 1) / lanes * lanes, columns = paddedQueries(task.rows);
    float* const scores = task.scratch;
    float* const output = scores + keyTile * queryBlock;
    float* const copy = output + queryBlock * padded;
    const ColumnState state(copy + keyTile * padded);
    bool first = true;
    for (int64_t run = -1; run < task.furtherCount; ++run) {
        const KeyRun own = run < 0 ? KeyRun{task.keys, task.values, task.count, task.bias} : task.further[run];
        const int64_t tile = keysOfTile(own.count);
        for (int64_t begin = 0; begin < own.count; begin += tile) {
            const int64_t count = min(tile, own.count - begin);
            multiply<Into::Store>({own.keys.data + begin * own.keys.stride, own.keys.stride, 1},
                                  {task.columns, queryBlock}, {scores, queryBlock}, count, columns, task.width);
            const bool rose = softenTile(scores, count, columns, task.factor * log2e,
                                         own.bias == nullptr ? nullptr : own.bias + begin, state);
            const Right right = paddedRows({own.values.data + begin * own.values.stride, own.values.stride}, count,
                                           task.valueDim, padded, copy);
            const Left weights{scores, 1, queryBlock};
            if (first) {
                multiply<Into::Store>(weights, right, {output, padded}, task.rows, padded, count);
                first = false;
                continue;
            }
            if (rose)
                correctRows(output, task.rows, padded, state.factors);
            multiply<Into::Add>(weights, right, {output, padded}, task.rows, padded, count);
        }
    }
    writeRows(output, padded, state.sums, task);
    if (task.logNormaliser == nullptr)
        return;
    for (int64_t n = 0; n < columns; n += lanes)
        store(state.factors + n,
              fma(load(state.maxima + n), broadcast(1 / log2e), logarithm(load(state.sums + n))));
    for (int64_t n = 0; n < task.rows; ++n)
        task.logNormaliser[n] = state.factors[n];
}

}
