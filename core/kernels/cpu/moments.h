#pragma once

#include "core/kernels/cpu/feature_rows.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// The rows of a tile that count, next to each other: those on the left times their weights.
struct MomentTile {
    float* left;     ///< keyTile rows of leftWidth
    float* right;    ///< keyTile rows of paddedRight
    float* weights;  ///< keyTile numbers

    MomentTile(float* scratch, int64_t leftWidth, int64_t paddedRight)
        : left(scratch)
        , right(left + keyTile * leftWidth)
        , weights(right + keyTile * paddedRight)
    {}
};

/// The weights of rows [begin, begin + count).
inline void weighRows(const CrossMoments& task, int64_t begin, int64_t count, float* weights)
{
    for (int64_t j = 0; j < keyTile; ++j)
        weights[j] = j < count && task.exponents != nullptr
                         ? task.exponents[(begin + j) * task.exponentStride] - task.shift
                         : 0;
    if (task.exponents != nullptr)
        for (int64_t j = 0; j < count; j += lanes)
            store(weights + j, exponential(load(weights + j)));
    else
        fill(weights, count, 1);
}

inline void scaleRow(const float* row, float weight, int64_t width, float* out)
{
    int64_t d = 0;
    for (; d + lanes <= width; d += lanes)
        store(out + d, load(row + d) * broadcast(weight));
    for (; d < width; ++d)
        out[d] = row[d] * weight;
}

/// Rows that do not count are left out before the product, tile by tile.
inline void crossMoments(const CrossMoments& task)
{
    const int64_t padded = (task.rightWidth + lanes - 1) / lanes * lanes;
    const MomentTile tile(task.scratch, task.leftWidth, padded);
    fill(task.out, task.leftWidth * padded, 0);
    for (int64_t begin = 0; begin < task.count; begin += keyTile) {
        const int64_t count = min(keyTile, task.count - begin);
        weighRows(task, begin, count, tile.weights);
        const float* const right = task.right.data + begin * task.right.stride;
        int64_t kept = 0;
        for (int64_t j = 0; j < count; ++j)
            if (tile.weights[j] >= task.minWeight)
                scaleRow(task.left.data + (begin + j) * task.left.stride, tile.weights[j], task.leftWidth,
                         tile.left + kept++ * task.leftWidth);
        Right rows{right, task.right.stride};
        if (kept < count || padded != task.rightWidth) {
            kept = 0;
            for (int64_t j = 0; j < count; ++j) {
                if (tile.weights[j] < task.minWeight)
                    continue;
                std::memcpy(tile.right + kept * padded, right + j * task.right.stride,
                            size_t(task.rightWidth) * sizeof(float));
                fill(tile.right + kept++ * padded + task.rightWidth, padded - task.rightWidth, 0);
            }
            rows = {tile.right, padded};
        }
        if (kept > 0)
            multiply<Into::Add>({tile.left, 1, task.leftWidth}, rows, {task.out, padded}, task.leftWidth, padded,
                                kept);
    }
}

inline void expandRows(const ExpandRows& task)
{
    const int64_t padded = (task.valueDim + lanes - 1) / lanes * lanes;
    float* const gathered = task.scratch;
    float* const product = gathered + featureRows * task.width;
    for (int64_t begin = 0; begin < task.count; begin += featureRows) {
        const int64_t count = min(featureRows, task.count - begin);
        for (int64_t n = 0; n < count; ++n)
            std::memcpy(gathered + n * task.width, task.rows.data + task.index[begin + n] * task.rows.stride,
                        size_t(task.width) * sizeof(float));
        multiply<Into::Store>({gathered, task.width, 1}, {task.matrix, padded}, {product, padded}, count, padded,
                              task.width);
        for (int64_t n = 0; n < count; ++n) {
            float* const to = task.out.data + task.index[begin + n] * task.out.stride;
            float* const own = product + n * padded;
            for (int64_t d = 0; d < padded; d += lanes) {
                Floats x = load(own + d) + load(task.offset + d);
                if (task.low != nullptr)
                    x = min(load(task.high + d), max(load(task.low + d), x));
                store(own + d, x);
            }
            std::memcpy(to, own, size_t(task.valueDim) * sizeof(float));
        }
    }
}

}
