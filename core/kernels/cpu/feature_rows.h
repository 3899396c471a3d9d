#pragma once

#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/cpu/tile_product.h"
#include "core/kernels/cpu/vector_math.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// Where a tile's numbers are in a task's scratch memory.
struct FeatureTile {
    float* logits;   ///< featureRows rows of paddedSamples
    float* second;   ///< the same size: r_nc, or cosines
    float* weights;  ///< the same size: weights of one group of keys
    float* values;   ///< featureRows rows of paddedValues
    float* rows;     ///< featureRows numbers

    FeatureTile(float* scratch, const FeatureShape& shape)
        : logits(scratch)
        , second(logits + featureRows * shape.paddedSamples)
        , weights(second + featureRows * shape.paddedSamples)
        , values(weights + featureRows * shape.paddedSamples)
        , rows(values + featureRows * shape.paddedValues)
    {}
};

ATTNSCOPE_INLINE float innerProduct(const float* a, const float* b, int64_t width)
{
    Floats sum = broadcast(0);
    int64_t d = 0;
    for (; d + lanes <= width; d += lanes)
        sum = fma(load(a + d), load(b + d), sum);
    float rest = total(sum);
    for (; d < width; ++d)
        rest += a[d] * b[d];
    return rest;
}

ATTNSCOPE_INLINE float squareOf(const float* row, int64_t width)
{
    return innerProduct(row, row, width);
}

/// Σ_d weights_d row_d²; null weights: 1.
ATTNSCOPE_INLINE float squareOf(const float* row, const float* weights, int64_t width)
{
    if (weights == nullptr)
        return squareOf(row, width);
    Floats sum = broadcast(0);
    int64_t d = 0;
    for (; d + lanes <= width; d += lanes) {
        const Floats x = load(row + d);
        sum = fma(x * x, load(weights + d), sum);
    }
    float rest = total(sum);
    for (; d < width; ++d)
        rest += row[d] * row[d] * weights[d];
    return rest;
}

/// Σ x and Σ x² of `vectors` vectors of columns from d on. Runs of rows are added up first, so that many rows lose no digits.
template <int vectors>
ATTNSCOPE_INLINE void addColumns(Rows x, int64_t count, int64_t d, float* sums, float* squares)
{
    constexpr int64_t run = 128;
    Floats all[vectors], allSquares[vectors];
    for (int v = 0; v < vectors; ++v)
        all[v] = allSquares[v] = broadcast(0);
    for (int64_t begin = 0; begin < count; begin += run) {
        Floats sum[vectors], square[vectors];
        for (int v = 0; v < vectors; ++v)
            sum[v] = square[v] = broadcast(0);
        for (int64_t m = begin; m < min(begin + run, count); ++m)
            for (int v = 0; v < vectors; ++v) {
                const Floats one = load(x.data + m * x.stride + d + v * lanes);
                sum[v] = sum[v] + one, square[v] = fma(one, one, square[v]);
            }
        for (int v = 0; v < vectors; ++v)
            all[v] = all[v] + sum[v], allSquares[v] = allSquares[v] + square[v];
    }
    for (int v = 0; v < vectors; ++v)
        store(sums + d + v * lanes, all[v]), store(squares + d + v * lanes, allSquares[v]);
}

inline void sumsOfColumns(Rows x, int64_t count, int64_t width, float* sums, float* squares)
{
    int64_t d = 0;
    for (; d + 4 * lanes <= width; d += 4 * lanes)
        addColumns<4>(x, count, d, sums, squares);
    for (; d + lanes <= width; d += lanes)
        addColumns<1>(x, count, d, sums, squares);
    for (; d < width; ++d) {
        double sum = 0, square = 0;
        for (int64_t m = 0; m < count; ++m) {
            const auto one = double(x.data[m * x.stride + d]);
            sum += one, square += one * one;
        }
        sums[d] = float(sum), squares[d] = float(square);
    }
}

/// Values of a tile as rows of whole vectors: in place, or copied and padded with zeros.
inline Right paddedRows(Rows values, int64_t count, int64_t width, int64_t padded, float* copy)
{
    if (width == padded)
        return {values.data, values.stride};
    for (int64_t r = 0; r < count; ++r) {
        std::memcpy(copy + r * padded, values.data + r * values.stride, size_t(width) * sizeof(float));
        std::memset(copy + r * padded + width, 0, size_t(padded - width) * sizeof(float));
    }
    return {copy, padded};
}

ATTNSCOPE_INLINE void fill(float* data, int64_t count, float value)
{
    for (int64_t i = 0; i < count; ++i)
        data[i] = value;
}

/// logits[j][s] = x_j · ω_s.
inline void project(Rows x, int64_t count, const FeatureShape& shape, const float* projections, float* logits)
{
    multiply<Into::Store>({x.data, x.stride, 1}, {projections, shape.paddedSamples}, {logits, shape.paddedSamples},
                          count, shape.paddedSamples, shape.width);
}

}
