#pragma once

#include "core/kernels/cpu/bfloat16.h"
#include "core/kernels/cpu/pair_product.h"
#include "core/kernels/cpu/softmax_columns.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// Packs the weights of adjacent keys in place: row j holds keys 2j and 2j + 1.
inline void pairWeights(float* scores, int64_t count, int64_t columns)
{
    for (int64_t j = 0; j < count; j += 2)
        for (int64_t n = 0; n < columns; n += lanes)
            store(scores + j / 2 * queryBlock + n,
                  paired(load(scores + j * queryBlock + n),
                         j + 1 < count ? load(scores + (j + 1) * queryBlock + n) : broadcast(0)));
}

#if defined(__AMX_BF16__)

/// Rows become columns: 16 vectors of 16 packed.
ATTNSCOPE_INLINE void transpose(Floats (&x)[tileSide])
{
    // Blocks of 8, 4, 2 and 1 packed change places across the diagonal.
    const auto exchange = [&](auto low, auto high, int step) {
        for (int i = 0; i < tileSide; ++i)
            if ((i & step) == 0) {
                const Floats first = x[i], second = x[i + step];
                x[i] = low(first, second);
                x[i + step] = high(first, second);
            }
    };
    exchange(
        [](Floats a, Floats b) {
            return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
        },
        [](Floats a, Floats b) {
            return __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
        },
        8);
    exchange(
        [](Floats a, Floats b) {
            return __builtin_shufflevector(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27);
        },
        [](Floats a, Floats b) {
            return __builtin_shufflevector(a, b, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
        },
        4);
    exchange(
        [](Floats a, Floats b) {
            return __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
        },
        [](Floats a, Floats b) {
            return __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
        },
        2);
    exchange(
        [](Floats a, Floats b) {
            return __builtin_shufflevector(a, b, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30);
        },
        [](Floats a, Floats b) {
            return __builtin_shufflevector(a, b, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
        },
        1);
}

/// The weights of adjacent keys, a row of `packedRowsOf(count)` for each query.
struct PairedWeights {
    static constexpr int64_t row = keyTile / 2;
    alignas(64) float packed[queryBlock * row];

    /// Pairs of `count` keys, in whole tiles; those beyond are 0.
    static int64_t packedRowsOf(int64_t count) { return (count + 2 * tileSide - 1) / (2 * tileSide) * tileSide; }

    void fill(const float* scores, int64_t count, int64_t columns)
    {
        for (int64_t begin = 0; begin < packedRowsOf(count); begin += tileSide)
            for (int64_t n = 0; n < columns; n += lanes) {
                Floats block[tileSide];
                for (int64_t i = 0; i < tileSide; ++i) {
                    const int64_t j = 2 * (begin + i);
                    const auto weights = [&](int64_t key) {
                        return key < count ? load(scores + key * queryBlock + n) : broadcast(0);
                    };
                    block[i] = paired(weights(j), weights(j + 1));
                }
                transpose(block);
                for (int64_t i = 0; i < tileSide; ++i)
                    store(packed + (n + i) * row + begin, block[i]);
            }
    }
};

#else

/// The weights of adjacent keys, from pairWeights.
struct PairedWeights {
    const float* packed = nullptr;

    static int64_t packedRowsOf(int64_t count) { return (count + 1) / 2; }

    void fill(float* scores, int64_t count, int64_t columns)
    {
        pairWeights(scores, count, columns);
        packed = scores;
    }
};

#endif

/// Repacks bfloat16 rows that are paired along channels into `packedRows` rows of pairs along rows, `width` each; rows beyond `count` are 0.
inline void pairValues(Rows values, int64_t count, int64_t width, float* out, int64_t packedRows)
{
    const auto bitsAt = [&](int64_t row, int64_t d) {
        return loadBfloat16Bits(values.data + row * values.stride + d / 2);
    };
    for (int64_t j = 0; j < count; j += 2)
        for (int64_t d = 0; d < width; d += lanes) {
            const Bits second = j + 1 < count ? bitsAt(j + 1, d) << 16 : Bits{};
            store(out + j / 2 * width + d, floatsOf(bitsAt(j, d) | second));
        }
    fill(out + (count + 1) / 2 * width, (packedRows - (count + 1) / 2) * width, 0);
}

/// The logits of some keys: scores[j][n] = q_n·k_j.
inline void pairLogits(const SoftmaxRows& task, Rows keys, int64_t count, int64_t columns, float* scores)
{
#if defined(__AMX_BF16__)
    if (task.width % tileSide == 0)
        return multiplyByTiles<Into::Store>(keys, {task.columns, queryBlock}, {scores, queryBlock}, count, columns,
                                            task.width);
#endif
    multiply<Into::Store, Pair>({keys.data, keys.stride, 1}, {task.columns, queryBlock}, {scores, queryBlock},
                                count, columns, task.width);
}

/// Weighted sums of values, for the queries of a block.
template <Into into>
void addValues(const PairedWeights& weights, const float* values, int64_t packedRows, int64_t width, int64_t rows,
               float* output)
{
#if defined(__AMX_BF16__)
    multiplyByTiles<into>({weights.packed, PairedWeights::row}, {values, width}, {output, width}, rows, width,
                          packedRows);
#else
    multiply<into, Pair>({weights.packed, 1, queryBlock}, {values, width}, {output, width}, rows, width,
                         packedRows);
#endif
}

/// softmaxRows of bfloat16: products of packed bfloat16, everything in between in float32.
inline void softmaxBfloat16(const SoftmaxRows& task)
{
    const int64_t width = task.valueDim, columns = paddedQueries(task.rows), tile = keysOfTile(task.count);
    float* const scores = task.scratch;
    float* const output = scores + keyTile * queryBlock;
    float* const values = output + queryBlock * width;
    const ColumnState state(values + keyTile * width);
    PairedWeights weights;
    for (int64_t begin = 0; begin < task.count; begin += tile) {
        const int64_t count = min(tile, task.count - begin);
        pairLogits(task, {task.keys.data + begin * task.keys.stride, task.keys.stride}, count, columns, scores);
        const bool rose = softenTile(scores, count, columns, task.factor * log2e, nullptr, state);
        weights.fill(scores, count, columns);
        const int64_t packedRows = PairedWeights::packedRowsOf(count);
        pairValues({task.values.data + begin * task.values.stride, task.values.stride}, count, width, values,
                   packedRows);
        if (begin == 0) {
            addValues<Into::Store>(weights, values, packedRows, width, task.rows, output);
            continue;
        }
        if (rose)
            correctRows(output, task.rows, width, state.factors);
        addValues<Into::Add>(weights, values, packedRows, width, task.rows, output);
    }
#if defined(__AMX_BF16__)
    _tile_release();
#endif
    for (int64_t n = 0; n < task.rows; ++n)
        for (int64_t d = 0; d < width; d += lanes)
            storeBfloat16(task.out.data + n * task.out.stride + d / 2,
                          load(output + n * width + d) * broadcast(task.outputFactor / state.sums[n]));
}

}
