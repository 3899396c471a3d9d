#pragma once

#include "core/kernels/cpu/linear_rows.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// One vector of channels of a 3×3 depthwise convolution.
struct DepthwiseLane {
    Floats weight[9];
    Floats bias;

    DepthwiseLane(const DepthwiseRows& task, int64_t at)
        : bias(load(task.bias + at))
    {
        for (int i = 0; i < 9; ++i)
            weight[i] = load(task.weight + i * task.weightStride + at);
    }
};

/// Tokens of an image row that have neighbours on both sides (`inner`), or not.
template <bool inner>
ATTNSCOPE_INLINE Floats convolved(const DepthwiseRows& task, const DepthwiseLane& lane, const float* const* rows,
                                  int64_t column, int64_t at)
{
    Floats sum = lane.bias;
    for (int y = 0; y < 3; ++y) {
        if (rows[y] == nullptr)
            continue;
        for (int x = 0; x < 3; ++x) {
            const int64_t from = column + x - 1;
            if (inner || (from >= 0 && from < task.columns))
                sum = fma(load(rows[y] + from * task.x.stride + at), lane.weight[3 * y + x], sum);
        }
    }
    return sum;
}

/// GELU of a depthwise 3×3 convolution with zero padding, channels last. Out: Whole or PackedBfloat16.
template <typename Out>
void depthwiseRows(const DepthwiseRows& task)
{
    for (int64_t at = 0; at < task.width; at += lanes) {
        const DepthwiseLane lane(task, at);
        for (int64_t row = task.begin; row < task.end; ++row) {
            const float* rows[3];
            for (int y = 0; y < 3; ++y) {
                const int64_t from = row + y - 1;
                rows[y] = from < 0 || from >= task.rows
                              ? nullptr
                              : task.x.data + (from - task.first) * task.columns * task.x.stride;
            }
            float* const out = task.out.data + (row - task.begin) * task.columns * task.out.stride;
            for (int64_t column = 0; column < task.columns; ++column) {
                const bool inner = column > 0 && column + 1 < task.columns;
                const Floats sum = inner ? convolved<true>(task, lane, rows, column, at)
                                         : convolved<false>(task, lane, rows, column, at);
                Out::to(out + column * task.out.stride, at, activated<Activation::Gelu>(Out(), sum));
            }
        }
    }
}

}
