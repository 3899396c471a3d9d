// SPDX-License-Identifier: Apache-2.0
#pragma once

// All kernels for one instruction set. Included once by each isa_*.cpp, which names the set and is compiled for it.

#include "core/kernels/cpu/depthwise_rows.h"
#include "core/kernels/cpu/draw_keys.h"
#include "core/kernels/cpu/feature_keys.h"
#include "core/kernels/cpu/feature_queries.h"
#include "core/kernels/cpu/fourier_features.h"
#include "core/kernels/cpu/linear_rows.h"
#include "core/kernels/cpu/softmax_columns.h"
#include "core/kernels/cpu/softmax_pairs.h"

#define ATTNSCOPE_TEXT_OF(name) #name
#define ATTNSCOPE_TEXT(name) ATTNSCOPE_TEXT_OF(name)

namespace attnscope::kernels::ATTNSCOPE_ISA {

inline void normal(const float* a, const float* b, float* out, std::int64_t count)
{
    std::int64_t i = 0;
    const auto draw = [](Floats first, Floats second) {
        return squareRoot(splat(-2.0f) * logarithm(first)) * sineCosine(splat(6.283185307179586f) * second).cosine;
    };
    for (; i + lanes <= count; i += lanes)
        store(out + i, draw(load(a + i), load(b + i)));
    for (; i < count; ++i)
        out[i] = draw(splat(a[i]), splat(b[i]))[0];
}

/// `vectors` columns of vectors, in registers.
template <int vectors>
ATTNSCOPE_INLINE void meanOfColumns(const float* x, std::int64_t stride, std::int64_t down, std::int64_t across, std::int64_t columns, Floats share,
                                    float* mean)
{
    Floats sum[vectors];
    for (int v = 0; v < vectors; ++v)
        sum[v] = splat(0);
    for (std::int64_t r = 0; r < down; ++r)
        for (std::int64_t c = 0; c < across; ++c)
            for (int v = 0; v < vectors; ++v)
                sum[v] = sum[v] + load(x + (r * columns + c) * stride + v * lanes);
    for (int v = 0; v < vectors; ++v)
        store(mean + v * lanes, sum[v] * share);
}

inline void meanOfCell(Rows x, std::int64_t down, std::int64_t across, std::int64_t columns, std::int64_t width, float* mean)
{
    const float share = 1 / static_cast<float>(down * across);
    std::int64_t d = 0;
    for (; d + 4 * lanes <= width; d += 4 * lanes)
        meanOfColumns<4>(x.data + d, x.stride, down, across, columns, splat(share), mean + d);
    for (; d + lanes <= width; d += lanes)
        meanOfColumns<1>(x.data + d, x.stride, down, across, columns, splat(share), mean + d);
    for (; d < width; ++d) {
        float sum = 0;
        for (std::int64_t r = 0; r < down; ++r)
            for (std::int64_t c = 0; c < across; ++c)
                sum += x.data[(r * columns + c) * x.stride + d];
        mean[d] = sum * share;
    }
}

inline void squares(Rows keys, std::int64_t count, std::int64_t width, float factor, float* out)
{
    for (std::int64_t j = 0; j < count; ++j)
        out[j] = factor * squareOf(keys.data + j * keys.stride, width);
}

inline float largestSquare(Rows keys, std::int64_t count, std::int64_t width)
{
    float found = 0;
    for (std::int64_t j = 0; j < count; ++j) {
        const float square = squareOf(keys.data + j * keys.stride, width);
        found = square > found ? square : found;
    }
    return found;
}

const CpuKernels& kernels()
{
    static const CpuKernels table{
        .name = ATTNSCOPE_TEXT(ATTNSCOPE_ISA),
        .lanes = lanes,
        .panelWidth = panelWidth,
        .summariseKeys = summariseKeys,
        .answerQueries = answerQueries,
        .normaliseColumns = normaliseColumns,
        .packDirections = packDirections,
        .packQueries = packQueries,
        .softmaxRows = softmaxRows,
        .drawKeys = drawKeys,
        .summariseFourier = summariseFourier,
        .answerFourier = answerFourier,
        .normal = normal,
        .meanOfCell = meanOfCell,
        .squares = squares,
        .largestSquare = largestSquare,
        .linearRows = linearRows<Single>,
        .normRows = normRows<Whole, Whole>,
        .depthwiseRows = depthwiseRows<Whole>,
        .softmaxPairs = softmaxPairs,
        .linearPairs = linearRows<Pair>,
        .normIntoPairs = normRows<Whole, Half>,
        .normPairs = normRows<Half, Half>,
        .depthwiseIntoPairs = depthwiseRows<Half>,
    };
    return table;
}

}  // namespace attnscope::kernels::ATTNSCOPE_ISA
