// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/cpu/activations.h"
#include "core/kernels/cpu/feature_rows.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// Outputs of a strip, those of one block in registers, so that a block reads its part of the weights contiguously.
constexpr std::int64_t stripColumns = widestBlock * lanes;
/// Depth, in words, of one pass: 24 KiB of a strip stay in the L1 cache while all rows pass.
constexpr std::int64_t depthBlock = 24 * 1024 / (stripColumns * static_cast<std::int64_t>(sizeof(float)));

/// Where a layer's sums start from and go to: the first pass over depth starts with bias and addend, later ones with the contents of `out`;
/// the last may write bfloat16.
struct LayerEnds {
    const float* bias;  ///< null in later passes
    Rows addend;        ///< or null
    bool bfloat16Addend;
    OutputRows out, bfloat16;

    [[nodiscard]] LayerEnds at(std::int64_t row, std::int64_t column) const
    {
        LayerEnds moved = *this;
        if (bias != nullptr)
            moved.bias += column;
        if (addend.data != nullptr)
            moved.addend.data += row * addend.stride + (bfloat16Addend ? column / 2 : column);
        moved.out.data += row * out.stride + column;
        if (bfloat16.data != nullptr)
            moved.bfloat16.data += row * bfloat16.stride + column / 2;
        return moved;
    }

    template <int rows, int vectors>
    ATTNSCOPE_INLINE void begin(Floats (&sum)[rows][vectors]) const
    {
        const auto each = [&](auto value) {
            for (int r = 0; r < rows; ++r)
                for (int v = 0; v < vectors; ++v)
                    sum[r][v] = value(r, v);
        };
        if (bias == nullptr)
            each([&](int r, int v) { return load(out.data + r * out.stride + v * lanes); });
        else if (addend.data == nullptr)
            each([&](int, int v) { return load(bias + v * lanes); });
        else if (!bfloat16Addend)
            each([&](int r, int v) { return load(bias + v * lanes) + load(addend.data + r * addend.stride + v * lanes); });
        else
            each([&](int r, int v) { return load(bias + v * lanes) + loadBfloat16(addend.data + r * addend.stride + v * lanes / 2); });
    }

    template <int rows, int vectors>
    ATTNSCOPE_INLINE void end(const Floats (&sum)[rows][vectors]) const
    {
        const auto each = [&](auto keep) {
            for (int r = 0; r < rows; ++r)
                for (int v = 0; v < vectors; ++v)
                    keep(r, v, sum[r][v]);
        };
        if (bfloat16.data == nullptr)
            each([&](int r, int v, Floats x) { store(out.data + r * out.stride + v * lanes, x); });
        else
            each([&](int r, int v, Floats x) { storeBfloat16(bfloat16.data + r * bfloat16.stride + v * lanes / 2, x); });
    }
};

/// The activation of the contents of `out`, in place or to bfloat16.
template <typename Out>
void activateRows(const LinearRows& task, OutputRows to, std::int64_t at, std::int64_t columns)
{
    const std::int64_t first = at - task.columnBegin;
    withActivation(task.activation, [&]<Activation kind>() {
        for (std::int64_t n = 0; n < task.rows; ++n)
            for (std::int64_t c = first; c < first + columns; c += lanes)
                Out::to(to.data + n * to.stride, c, activated<kind>(Out(), load(task.out.data + n * task.out.stride + c)));
    });
}

/// activation(gate) · value. Out: Whole or PackedBfloat16.
template <typename Out>
void gateRows(const GateRows& task)
{
    withActivation(task.activation, [&]<Activation kind>() {
        for (std::int64_t n = 0; n < task.rows; ++n) {
            const float* const gate = task.x.data + n * task.x.stride;
            const float* const value = gate + task.width;
            for (std::int64_t c = 0; c < task.width; c += lanes)
                Out::to(task.out.data + n * task.out.stride, c, activated<kind>(Out(), load(gate + c)) * load(value + c));
        }
    });
}

template <typename Step>
void linearRows(const LinearRows& task)
{
    const bool activates = task.activation != Activation::None;
    for (std::int64_t at = task.columnBegin; at < task.columnEnd; at += stripColumns) {
        const std::int64_t columns = min(stripColumns, task.weight.out - at);
        const float* const strip = task.weight.packedWeights + at * task.weight.packedInputs;
        LayerEnds ends{task.add ? nullptr : task.bias + at, task.addend, task.bfloat16Addend, task.out, {}};
        ends.out.data += at - task.columnBegin;
        if (ends.addend.data != nullptr)
            ends.addend.data += (at - task.columnBegin) / (task.bfloat16Addend ? 2 : 1);
        for (std::int64_t d = task.depthBegin; d < task.depthEnd; d += depthBlock) {
            if (task.bfloat16.data != nullptr && !activates && d + depthBlock >= task.depthEnd)
                ends.bfloat16 = {task.bfloat16.data + (at - task.columnBegin) / 2, task.bfloat16.stride};
            multiplyBetween<Step>({task.x.data + (d - task.depthBegin), task.x.stride, 1}, {strip + d * columns, columns}, ends, task.rows,
                                  columns, min(depthBlock, task.depthEnd - d));
            ends.bias = nullptr;
        }
        if (activates && task.bfloat16.data == nullptr)
            activateRows<Whole>(task, task.out, at, columns);
        else if (activates)
            activateRows<PackedBfloat16>(task, task.bfloat16, at, columns);
    }
}

/// Layer norm: rows minus their mean, divided by their standard deviation, times weight plus bias (Ba et al., 2016). RMS norm takes 0 for
/// the mean (Zhang and Sennrich, 2019).
template <typename In, typename Out>
void normRows(const NormRows& task)
{
    const std::int64_t count = task.width - task.padding, whole = count / lanes * lanes;
    const float inverse = 1.0f / static_cast<float>(count);
    for (std::int64_t n = 0; n < task.rows; ++n) {
        const float* const x = task.x.data + n * task.x.stride;
        float* const out = task.out.data + n * task.out.stride;
        Floats sum = broadcast(0);
        for (std::int64_t d = 0; task.centred && d < task.width; d += lanes)
            sum = sum + In::from(x, d);
        const Floats mean = broadcast(total(sum) * inverse);
        Floats squares = broadcast(0);
        for (std::int64_t d = 0; d < whole; d += lanes) {
            const Floats off = In::from(x, d) - mean;
            squares = fma(off, off, squares);
        }
        if (whole < count) {
            const Floats off = select((std::uint64_t{1} << (count - whole)) - 1, In::from(x, whole) - mean, broadcast(0));
            squares = fma(off, off, squares);
        }
        const Floats scale = broadcast(1.0f / __builtin_sqrtf(total(squares) * inverse + task.eps));
        for (std::int64_t d = 0; d < task.width; d += lanes)
            Out::to(out, d, fma((In::from(x, d) - mean) * scale, load(task.weight + d), load(task.bias + d)));
    }
}

}  // namespace attnscope::kernels::ATTNSCOPE_ISA
