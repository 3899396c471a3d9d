// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/cpu/bfloat16.h"
#include "core/kernels/cpu/softmax_columns.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// Packs the weights of adjacent keys in place: row j holds keys 2j and 2j + 1.
inline void pairWeights(float* scores, std::int64_t count, std::int64_t columns)
{
    for (std::int64_t j = 0; j < count; j += 2)
        for (std::int64_t n = 0; n < columns; n += lanes)
            store(scores + j / 2 * queryBlock + n, paired(load(scores + j * queryBlock + n),
                                                          j + 1 < count ? load(scores + (j + 1) * queryBlock + n) : broadcast(0)));
}

/// Repacks bfloat16 rows that are paired along channels into pairs along rows, `width` words each.
inline void pairValues(Rows values, std::int64_t count, std::int64_t width, float* out)
{
    const auto bitsAt = [&](std::int64_t row, std::int64_t d) { return loadBfloat16Bits(values.data + row * values.stride + d / 2); };
    for (std::int64_t j = 0; j < count; j += 2)
        for (std::int64_t d = 0; d < width; d += lanes) {
            const Bits second = j + 1 < count ? bitsAt(j + 1, d) << 16 : Bits{};
            store(out + j / 2 * width + d, floatsOf(bitsAt(j, d) | second));
        }
}

/// softmaxRows of bfloat16: products of packed bfloat16, everything in between in float32.
inline void softmaxBfloat16(const SoftmaxRows& task)
{
    const std::int64_t width = task.valueDim, columns = paddedQueries(task.rows), tile = keysOfTile(task.count);
    float* const scores = task.scratch;
    float* const output = scores + keyTile * queryBlock;
    float* const values = output + queryBlock * width;
    const ColumnState state(values + keyTile * width);
    for (std::int64_t begin = 0; begin < task.count; begin += tile) {
        const std::int64_t count = min(tile, task.count - begin);
        multiply<Into::Store, Pair>({task.keys.data + begin * task.keys.stride, task.keys.stride, 1}, {task.columns, queryBlock},
                                    {scores, queryBlock}, count, columns, task.width);
        const bool rose = softenTile(scores, count, columns, task.factor * log2e, nullptr, state);
        pairWeights(scores, count, columns);
        pairValues({task.values.data + begin * task.values.stride, task.values.stride}, count, width, values);
        const Left weights{scores, 1, queryBlock};
        if (begin == 0) {
            multiply<Into::Store, Pair>(weights, {values, width}, {output, width}, task.rows, width, (count + 1) / 2);
            continue;
        }
        if (rose)
            correctRows(output, task.rows, width, state.factors);
        multiply<Into::Add, Pair>(weights, {values, width}, {output, width}, task.rows, width, (count + 1) / 2);
    }
    for (std::int64_t n = 0; n < task.rows; ++n)
        for (std::int64_t d = 0; d < width; d += lanes)
            storeBfloat16(task.out.data + n * task.out.stride + d / 2,
                          load(output + n * width + d) * broadcast(task.outputFactor / state.sums[n]));
}

}  // namespace attnscope::kernels::ATTNSCOPE_ISA
