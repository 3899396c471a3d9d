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
    /// The weights that are needed next, `fetched` words of them for each row: the L2 cache has them before the first row asks.
    const float* next = nullptr;
    std::int64_t fetched = 0;

    ATTNSCOPE_INLINE void fetch(std::int64_t row, std::int64_t count) const
    {
        constexpr std::int64_t line = 64 / sizeof(float);
        for (std::int64_t i = row * fetched / line; i < (row + count) * fetched / line; ++i)
            __builtin_prefetch(next + i * line, 0, 2);
    }

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

/// Where a pass over part of the depth takes the sums of the strip of outputs from `at` on, and leaves them.
inline LayerEnds endsOf(const LinearRows& task, std::int64_t at, bool first, bool last)
{
    const std::int64_t own = at - task.columnBegin;
    LayerEnds ends{task.add || !first ? nullptr : task.bias + at, task.addend, task.bfloat16Addend, task.out, {}};
    ends.out.data += own;
    if (ends.addend.data != nullptr)
        ends.addend.data += task.bfloat16Addend ? own / 2 : own;
    if (task.bfloat16.data != nullptr && task.activation == Activation::None && last)
        ends.bfloat16 = {task.bfloat16.data + own / 2, task.bfloat16.stride};
    return ends;
}

/// The activation, if there is one, of a strip's finished sums.
inline void activateStrip(const LinearRows& task, std::int64_t at, std::int64_t columns)
{
    if (task.activation == Activation::None)
        return;
    if (task.bfloat16.data == nullptr)
        activateRows<Whole>(task, task.out, at, columns);
    else
        activateRows<PackedBfloat16>(task, task.bfloat16, at, columns);
}

/// The outputs of one strip from `at` on, for words of depth [begin, end), as x holds them.
template <typename Step>
void linearStrip(const LinearRows& task, Left x, std::int64_t at, std::int64_t begin, std::int64_t end)
{
    const bool last = end == task.depthEnd;
    const std::int64_t columns = min(stripColumns, task.weight.out - at);
    LayerEnds ends = endsOf(task, at, begin == task.depthBegin, last);
    const float* const strip = task.weight.packedWeights + at * task.weight.packedInputs;
    ends.next = last ? strip + stripColumns * task.weight.packedInputs + task.depthBegin * stripColumns : strip + end * columns;
    ends.fetched = last && at + stripColumns >= task.columnEnd ? 0 : (end - begin) * columns / task.rows + 1;
    multiplyBetween<Step>(x, {strip + begin * columns, columns}, ends, task.rows, columns, end - begin);
    if (last)
        activateStrip(task, at, columns);
}

template <typename Step>
void linearRows(const LinearRows& task)
{
    for (std::int64_t at = task.columnBegin; at < task.columnEnd; at += stripColumns)
        for (std::int64_t d = task.depthBegin; d < task.depthEnd; d += depthBlock)
            linearStrip<Step>(task, {task.x.data + (d - task.depthBegin), task.x.stride, 1}, at, d, min(d + depthBlock, task.depthEnd));
}

/// `count` rows of a task, from `row` on.
inline LinearRows rowsOf(const LinearRows& task, std::int64_t row, std::int64_t count)
{
    LinearRows part = task;
    part.rows = count;
    part.x.data += row * task.x.stride;
    part.out.data += row * task.out.stride;
    if (part.addend.data != nullptr)
        part.addend.data += row * task.addend.stride;
    if (part.bfloat16.data != nullptr)
        part.bfloat16.data += row * task.bfloat16.stride;
    return part;
}

/// linearRows of packed bfloat16 where it has to be widened for products: inputs once for all strips, weights in registers.
inline void linearWidened(const LinearRows& task)
{
    constexpr std::int64_t rowsMax = 108, depth = depthBlock / 2;  // numbers that fill a third of a 512 KiB L2 cache
    alignas(64) float wide[rowsMax * 2 * depth];
    for (std::int64_t row = 0; row < task.rows; row += rowsMax) {
        const LinearRows part = rowsOf(task, row, min(rowsMax, task.rows - row));
        for (std::int64_t d = task.depthBegin; d < task.depthEnd; d += depth) {
            const std::int64_t end = min(d + depth, task.depthEnd), count = 2 * (end - d);
            for (std::int64_t n = 0; n < part.rows; ++n)
                for (std::int64_t i = 0; i < count; i += lanes)
                    store(wide + n * count + i, loadBfloat16(part.x.data + n * part.x.stride + (d - task.depthBegin) + i / 2));
            for (std::int64_t at = task.columnBegin; at < task.columnEnd; at += stripColumns)
                linearStrip<WidenedPair>(part, {wide, count, 2}, at, d, end);
        }
    }
}

inline void linearBfloat16(const LinearRows& task)
{
    Pair::parts == 1 ? linearRows<Pair>(task) : linearWidened(task);
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
