// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/cpu/feature_rows.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

inline void packKeys(const PackKeys& task)
{
    const float half = 0.5f * task.factor * task.factor;
    for (std::int64_t begin = 0; begin < task.count; begin += keyTile) {
        float* tile = task.tiles + begin * task.width;
        const std::int64_t count = least(keyTile, task.count - begin);
        for (std::int64_t j = 0; j < keyTile; ++j) {
            const float* key = task.keys.data + (begin + j) * task.keys.stride;
            for (std::int64_t d = 0; d < task.width; ++d)
                tile[d * keyTile + j] = j < count ? key[d] * task.factor : 0.0f;
            task.zeros[begin + j] = j < count ? 0.0f : paddedLogit;
            if (task.norms != nullptr)
                task.norms[begin + j] = j < count ? -half * squareOf(key, task.width) : paddedLogit;
        }
    }
}

/// Numbers of a tile that hold `count` keys, in whole vectors: the last tile is rarely full.
ATTNSCOPE_INLINE std::int64_t usedOfTile(std::int64_t count)
{
    return least(keyTile, (count + lanes - 1) / lanes * lanes);
}

/// scores[n][j] = q_n·k_j + bias_j of the tile that begins with key `begin`, of which `used` numbers are.
inline void scoreTile(const float* queries, std::int64_t rows, std::int64_t width, const float* tiles, const float* biases,
                      std::int64_t begin, std::int64_t used, float* scores)
{
    multiply<Into::Store>({queries, width, 1}, {tiles + begin * width, keyTile}, {scores, keyTile}, rows, used, width);
    for (std::int64_t n = 0; n < rows; ++n)
        for (std::int64_t j = 0; j < used; j += lanes)
            store(scores + n * keyTile + j, load(scores + n * keyTile + j) + load(biases + begin + j));
}

ATTNSCOPE_INLINE float largestOfRow(const float* row, std::int64_t used, float start)
{
    Floats found = splat(start);
    for (std::int64_t j = 0; j < used; j += lanes)
        found = larger(load(row + j), found);
    return largest(found);
}

/// row = exp(row − shift) → its sum.
ATTNSCOPE_INLINE float exponentials(float* row, std::int64_t used, float shift)
{
    Floats sum = splat(0);
    for (std::int64_t j = 0; j < used; j += lanes) {
        const Floats x = exponential(load(row + j) - splat(shift));
        store(row + j, x);
        sum = sum + x;
    }
    return total(sum);
}

ATTNSCOPE_INLINE float exponentialOf(float x)
{
    return exponential(splat(x))[0];
}

struct SoftmaxScratch {
    float *scores, *values, *sums, *maxima, *copy;

    SoftmaxScratch(float* scratch, std::int64_t padded)
        : scores(scratch)
        , values(scores + queryBlock * keyTile)
        , sums(values + queryBlock * padded)
        , maxima(sums + queryBlock)
        , copy(maxima + queryBlock)
    {
    }
};

/// Flash attention (Dao et al., 2022; online softmax of Milakov and Gimelshein, 2018).
inline void softmaxRows(const SoftmaxRows& task)
{
    const std::int64_t padded = (task.valueWidth + lanes - 1) / lanes * lanes;
    const SoftmaxScratch own(task.scratch, padded);
    fill(own.values, queryBlock * padded, 0);
    fill(own.sums, queryBlock, 0);
    fill(own.maxima, queryBlock, paddedLogit);
    for (std::int64_t begin = 0; begin < task.count; begin += keyTile) {
        const std::int64_t count = least(keyTile, task.count - begin), used = usedOfTile(count);
        scoreTile(task.queries, task.rows, task.width, task.tiles, task.biases, begin, used, own.scores);
        for (std::int64_t n = 0; n < task.rows; ++n) {
            float* row = own.scores + n * keyTile;
            const float maximum = largestOfRow(row, used, own.maxima[n]);
            if (maximum > own.maxima[n]) {
                const float factor = exponentialOf(own.maxima[n] - maximum);
                own.maxima[n] = maximum;
                own.sums[n] *= factor;
                for (std::int64_t d = 0; d < padded; d += lanes)
                    store(own.values + n * padded + d, load(own.values + n * padded + d) * splat(factor));
            }
            own.sums[n] += exponentials(row, used, own.maxima[n]);
        }
        const Rows values{task.values.data + begin * task.values.stride, task.values.stride};
        multiply<Into::Add>({own.scores, keyTile, 1}, paddedRows(values, count, task.valueWidth, padded, own.copy),
                            {own.values, padded}, task.rows, padded, count);
    }
    for (std::int64_t n = 0; n < task.rows; ++n) {
        const float share = task.share / own.sums[n];
        for (std::int64_t d = 0; d < task.valueWidth; ++d)
            task.out.data[n * task.out.stride + d] += own.values[n * padded + d] * share;
    }
}

/// Finds the key at which the running sum of a row's weights first exceeds `level`, in units of exp(maximum).
inline std::int64_t findKey(const DrawKeys& task, std::int64_t n, float maximum, const float* tileSums, const float* tileMaxima,
                            double level, float* row)
{
    const std::int64_t tiles = (task.count + keyTile - 1) / keyTile;
    double sum = 0;
    std::int64_t t = 0;
    for (; t + 1 < tiles; ++t) {
        const double next = sum + static_cast<double>(tileSums[t] * exponentialOf(tileMaxima[t] - maximum));
        if (level < next)
            break;
        sum = next;
    }
    const std::int64_t count = least(keyTile, task.count - t * keyTile), used = usedOfTile(count);
    scoreTile(task.queries + n * task.width, 1, task.width, task.tiles, task.biases, t * keyTile, used, row);
    exponentials(row, used, maximum);
    for (std::int64_t j = 0; j < count; ++j) {
        sum += static_cast<double>(row[j]);
        if (level < sum)
            return t * keyTile + j;
    }
    return t * keyTile + count - 1;
}

/// Two sweeps: sums of tiles, of which only the one that a draw falls into is looked at again. Exact categorical draws in O(N) memory.
inline void drawKeys(const DrawKeys& task)
{
    const std::int64_t tiles = (task.count + keyTile - 1) / keyTile;
    float* const scores = task.scratch;
    float* const rowMaxima = scores + queryBlock * keyTile;
    float* const tileSums = rowMaxima + queryBlock;           // queryBlock rows of `tiles`
    float* const tileMaxima = tileSums + queryBlock * tiles;  // running maxima that they are over
    fill(rowMaxima, queryBlock, paddedLogit);
    for (std::int64_t t = 0; t < tiles; ++t) {
        const std::int64_t used = usedOfTile(task.count - t * keyTile);
        scoreTile(task.queries, task.rows, task.width, task.tiles, task.biases, t * keyTile, used, scores);
        for (std::int64_t n = 0; n < task.rows; ++n) {
            float* row = scores + n * keyTile;
            rowMaxima[n] = largestOfRow(row, used, rowMaxima[n]);
            tileMaxima[n * tiles + t] = rowMaxima[n];
            tileSums[n * tiles + t] = exponentials(row, used, rowMaxima[n]);
        }
    }
    for (std::int64_t n = 0; n < task.rows; ++n) {
        const float* sums = tileSums + n * tiles;
        const float* maxima = tileMaxima + n * tiles;
        double sum = 0;
        for (std::int64_t t = 0; t < tiles; ++t)
            sum += static_cast<double>(sums[t] * exponentialOf(maxima[t] - rowMaxima[n]));
        for (std::int64_t s = 0; s < task.draws; ++s)
            task.drawn[n * task.draws + s] = findKey(task, n, rowMaxima[n], sums, maxima,
                                                     sum * static_cast<double>(task.uniform[n * task.draws + s]), scores);
    }
}

}  // namespace attnscope::kernels::ATTNSCOPE_ISA
