#pragma once

// All kernels for one instruction set. Included once by each isa_*.cpp, which names the set and is compiled for it.

#include "core/kernels/cpu/argmax_keys.h"
#include "core/kernels/cpu/coreset_keys.h"
#include "core/kernels/cpu/coreset_queries.h"
#include "core/kernels/cpu/depthwise_rows.h"
#include "core/kernels/cpu/draw_keys.h"
#include "core/kernels/cpu/feature_keys.h"
#include "core/kernels/cpu/feature_queries.h"
#include "core/kernels/cpu/fourier_features.h"
#include "core/kernels/cpu/linear_int8.h"
#include "core/kernels/cpu/linear_rows.h"
#include "core/kernels/cpu/linear_tiles.h"
#include "core/kernels/cpu/moments.h"
#include "core/kernels/cpu/rotate_rows.h"
#include "core/kernels/cpu/softmax_bfloat16.h"
#include "core/kernels/cpu/softmax_columns.h"
#include "core/kernels/cpu/sparse_softmax.h"

#define ATTNSCOPE_TEXT_OF(name) #name
#define ATTNSCOPE_TEXT(name) ATTNSCOPE_TEXT_OF(name)

namespace attnscope::kernels::ATTNSCOPE_ISA {

inline void normal(const float* a, const float* b, float* out, int64_t count)
{
    int64_t i = 0;
    const auto draw = [](Floats first, Floats second) {
        return squareRoot(broadcast(-2.0f) * logarithm(first))
               * sineCosine(broadcast(6.283185307179586f) * second).cosine;
    };
    for (; i + lanes <= count; i += lanes)
        store(out + i, draw(load(a + i), load(b + i)));
    for (; i < count; ++i)
        out[i] = draw(broadcast(a[i]), broadcast(b[i]))[0];
}

/// `vectors` vectors of columns, kept in registers.
template <int vectors>
ATTNSCOPE_INLINE void meanOfColumns(const float* x, int64_t stride, int64_t down, int64_t across, int64_t columns,
                                    Floats inverse, float* mean)
{
    Floats sum[vectors];
    for (int v = 0; v < vectors; ++v)
        sum[v] = broadcast(0);
    for (int64_t r = 0; r < down; ++r)
        for (int64_t c = 0; c < across; ++c)
            for (int v = 0; v < vectors; ++v)
                sum[v] = sum[v] + load(x + (r * columns + c) * stride + v * lanes);
    for (int v = 0; v < vectors; ++v)
        store(mean + v * lanes, sum[v] * inverse);
}

inline void meanOfCell(Rows x, int64_t down, int64_t across, int64_t columns, int64_t width, float* mean)
{
    const float inverse = 1 / float(down * across);
    int64_t d = 0;
    for (; d + 4 * lanes <= width; d += 4 * lanes)
        meanOfColumns<4>(x.data + d, x.stride, down, across, columns, broadcast(inverse), mean + d);
    for (; d + lanes <= width; d += lanes)
        meanOfColumns<1>(x.data + d, x.stride, down, across, columns, broadcast(inverse), mean + d);
    for (; d < width; ++d) {
        float sum = 0;
        for (int64_t r = 0; r < down; ++r)
            for (int64_t c = 0; c < across; ++c)
                sum += x.data[(r * columns + c) * x.stride + d];
        mean[d] = sum * inverse;
    }
}

inline void squares(Rows keys, int64_t count, int64_t width, float factor, float* out)
{
    for (int64_t j = 0; j < count; ++j)
        out[j] = factor * squareOf(keys.data + j * keys.stride, width);
}

inline float largestSquare(Rows keys, int64_t count, int64_t width)
{
    float found = 0;
    for (int64_t j = 0; j < count; ++j) {
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
        .stripColumns = stripColumns,
        .int8StripColumns = int8StripColumns,
        .blockRows = blockRows(widestBlock),
        .summariseKeys = summariseKeys,
        .attendQueries = attendQueries,
        .normaliseColumns = normaliseColumns,
        .packProjections = packProjections,
        .packQueries = packQueries,
        .softmaxRows = softmaxRows,
        .sparseRows = sparseRows<Single>,
        .drawKeys = drawKeys,
        .argmaxKeys = argmaxKeys,
        .chooseCoreset = chooseCoreset,
        .attendCoreset = attendCoreset,
        .summariseFourier = summariseFourier,
        .attendFourier = attendFourier,
        .crossMoments = crossMoments,
        .expandRows = expandRows,
        .normal = normal,
        .meanOfCell = meanOfCell,
        .squares = squares,
        .largestSquare = largestSquare,
        .centredSquares = centredSquares,
        .sumsOfColumns = sumsOfColumns,
        .rangeOfColumns = rangeOfColumns,
        .linearRows = linearRows<Single>,
        .linearInt8 = linearInt8<Whole>,
        .linearInt8Bfloat16 = linearInt8<PackedBfloat16>,
        .normRows = normRows<Whole, Whole>,
        .depthwiseRows = depthwiseRows<Whole>,
        .gateRows = gateRows<Whole>,
        .rotateRows = rotateRows<Whole>,
        .softmaxBfloat16 = softmaxBfloat16,
        .sparseBfloat16 = sparseRows<Pair>,
        .linearBfloat16 = linearBfloat16,
        .normIntoBfloat16 = normRows<Whole, PackedBfloat16>,
        .normBfloat16 = normRows<PackedBfloat16, PackedBfloat16>,
        .depthwiseIntoBfloat16 = depthwiseRows<PackedBfloat16>,
        .gateIntoBfloat16 = gateRows<PackedBfloat16>,
        .rotateBfloat16 = rotateRows<PackedBfloat16>,
    };
    return table;
}

}
