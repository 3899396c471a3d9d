#pragma once

#include "core/kernels/cpu/activations.h"
#include "core/kernels/cpu/feature_rows.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// Outputs of a strip, those of one block in registers, so that a block reads its part of the weights contiguously.
constexpr int64_t stripColumns = widestBlock * lanes;
/// Largest depth, in words, of one pass: 24 KiB of a strip stay in the L1 cache while all rows pass.
constexpr int64_t depthBlock = 24 * 1024 / (stripColumns * int64_t(sizeof(float)));
/// Depth of each of as few passes as there can be, equal but for the last.
constexpr int64_t evenDepth(int64_t depth, int64_t largest)
{
    const int64_t passes = (depth + largest - 1) / largest;
    return (depth + passes * 16 - 1) / (passes * 16) * 16;
}

/// Where a layer's sums start from and go to: the first pass over depth starts with bias and addend, later ones with the contents of `out`;
/// the last may write bfloat16.
struct LayerEnds {
    const float* bias;  ///< null in later passes
    Rows addend;        ///< or null
    bool bfloat16Addend;
    OutputRows out, bfloat16;
    /// The weights that are needed next, `fetched` words of them for each row: the L2 cache has them before the first row asks.
    const float* next = nullptr;
    int64_t fetched = 0;

    ATTNSCOPE_INLINE void fetch(int64_t row, int64_t count) const
    {
        constexpr int64_t line = 64 / sizeof(float);
        for (int64_t i = row * fetched / line; i < (row + count) * fetched / line; ++i)
            __builtin_prefetch(next + i * line, 0, 2);
    }

    LayerEnds at(int64_t row, int64_t column) const
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
            each([&](int r, int v) {
                return load(bias + v * lanes) + load(addend.data + r * addend.stride + v * lanes);
            });
        else
            each([&](int r, int v) {
                return load(bias + v * lanes) + loadBfloat16(addend.data + r * addend.stride + v * lanes / 2);
            });
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
            each([&](int r, int v, Floats x) {
                storeBfloat16(bfloat16.data + r * bfloat16.stride + v * lanes / 2, x);
            });
    }
};

/// The activation of the contents of `out`, in place or to bfloat16.
template <typename Out>
void activateRows(const LinearRows& task, OutputRows to, int64_t at, int64_t columns)
{
    const int64_t first = at - task.columnBegin;
    withActivation(task.activation, [&]<Activation kind>() {
        for (int64_t n = 0; n < task.rows; ++n)
            for (int64_t c = first; c < first + columns; c += lanes)
                Out::to(to.data + n * to.stride, c,
                        activated<kind>(Out(), load(task.out.data + n * task.out.stride + c)));
    });
}

/// activation(gate) · value. Out: Whole or PackedBfloat16.
template <typename Out>
void gateRows(const GateRows& task)
{
    withActivation(task.activation, [&]<Activation kind>() {
        for (int64_t n = 0; n < task.rows; ++n) {
            const float* const gate = task.x.data + n * task.x.stride;
            const float* const value = gate + task.width;
            for (int64_t c = 0; c < task.width; c += lanes)
                Out::to(task.out.data + n * task.out.stride, c,
                        activated<kind>(Out(), load(gate + c)) * load(value + c));
        }
    });
}

/// Where a pass over part of the depth takes the sums of the strip of outputs from `at` on, and leaves them.
inline LayerEnds endsOf(const LinearRows& task, int64_t at, bool first, bool last)
{
    const int64_t own = at - task.columnBegin;
    LayerEnds ends{task.add || !first ? nullptr : task.bias + at, task.addend, task.bfloat16Addend, task.out, {}};
    ends.out.data += own;
    if (ends.addend.data != nullptr)
        ends.addend.data += task.bfloat16Addend ? own / 2 : own;
    if (task.bfloat16.data != nullptr && task.activation == Activation::None && last)
        ends.bfloat16 = {task.bfloat16.data + own / 2, task.bfloat16.stride};
    return ends;
}

/// The activation, if there is one, of a strip's finished sums.
inline void activateStrip(const LinearRows& task, int64_t at, int64_t columns)
{
    if (task.activation == Activation::None)
        return;
    if (task.bfloat16.data == nullptr)
        activateRows<Whole>(task, task.out, at, columns);
    else
        activateRows<PackedBfloat16>(task, task.bfloat16, at, columns);
}

/// The outputs of a task that lie in one strip of weights: all of the strip but where the task begins or ends inside.
struct Strip {
    const float* weights;  ///< of the first of them
    int64_t stride;        ///< words between rows of weights
    int64_t at, columns;   ///< the first of them and how many they are

    Strip(const LinearRows& task, int64_t first, int64_t width)
        : at(first)
    {
        const int64_t begin = first / width * width;
        stride = min(width, task.weight.out - begin);
        columns = min(begin + stride, task.columnEnd) - first;
        weights = task.weight.packedWeights + begin * task.weight.packedInputs + (first - begin);
    }
};

/// The outputs of one strip for words of depth [begin, end), as x holds them.
template <typename Step>
void linearStrip(const LinearRows& task, Left x, const Strip& strip, int64_t begin, int64_t end)
{
    const bool last = end == task.depthEnd;
    LayerEnds ends = endsOf(task, strip.at, begin == task.depthBegin, last);
    ends.next = strip.weights
                + (last ? strip.stride * task.weight.packedInputs + task.depthBegin * strip.stride
                        : end * strip.stride);
    ends.fetched = last && strip.at + strip.columns >= task.columnEnd
                       ? 0
                       : (end - begin) * strip.stride / task.rows + 1;
    multiplyBetween<Step>(x, {strip.weights + begin * strip.stride, strip.stride}, ends, task.rows, strip.columns,
                          end - begin);
    if (last)
        activateStrip(task, strip.at, strip.columns);
}

/// Calls work(strip) for all strips, of at most `width` columns, that a task has outputs of.
template <typename Work>
void forEachStrip(const LinearRows& task, int64_t width, const Work& work)
{
    for (int64_t at = task.columnBegin; at < task.columnEnd;) {
        const Strip strip(task, at, width);
        work(strip);
        at += strip.columns;
    }
}

template <typename Step>
void linearRows(const LinearRows& task)
{
    const int64_t each = evenDepth(task.depthEnd - task.depthBegin, depthBlock);
    forEachStrip(task, stripColumns, [&](const Strip& strip) {
        for (int64_t d = task.depthBegin; d < task.depthEnd; d += each)
            linearStrip<Step>(task, {task.x.data + (d - task.depthBegin), task.x.stride, 1}, strip, d,
                              min(d + each, task.depthEnd));
    });
}

/// `count` rows of a task, from `row` on.
inline LinearRows rowsOf(const LinearRows& task, int64_t row, int64_t count)
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
    constexpr int64_t rowsMax = 108,
                      largest = depthBlock / 2;  // numbers that fill a quarter of a 512 KiB L2 cache
    alignas(64) float wide[rowsMax * 2 * largest];
    const int64_t depth = evenDepth(task.depthEnd - task.depthBegin, largest);
    for (int64_t row = 0; row < task.rows; row += rowsMax) {
        const LinearRows part = rowsOf(task, row, min(rowsMax, task.rows - row));
        for (int64_t d = task.depthBegin; d < task.depthEnd; d += depth) {
            const int64_t end = min(d + depth, task.depthEnd), count = 2 * (end - d);
            for (int64_t n = 0; n < part.rows; ++n)
                for (int64_t i = 0; i < count; i += lanes)
                    store(wide + n * count + i,
                          loadBfloat16(part.x.data + n * part.x.stride + (d - task.depthBegin) + i / 2));
            forEachStrip(part, stripColumns, [&](const Strip& strip) {
                linearStrip<WidenedPair>(part, {wide, count, 2}, strip, d, end);
            });
        }
    }
}

/// Layer norm: rows minus their mean, divided by their standard deviation, times weight plus bias (Ba et al., 2016). RMS norm takes 0 for
/// the mean (Zhang and Sennrich, 2019).
template <typename In, typename Out>
void normRows(const NormRows& task)
{
    const int64_t count = task.width - task.padding, whole = count / lanes * lanes;
    const float inverse = 1.0f / float(count);
    for (int64_t n = 0; n < task.rows; ++n) {
        const float* const x = task.x.data + n * task.x.stride;
        float* const out = task.out.data + n * task.out.stride;
        Floats sum = broadcast(0);
        for (int64_t d = 0; task.centred && d < task.width; d += lanes)
            sum = sum + In::from(x, d);
        const Floats mean = broadcast(total(sum) * inverse);
        Floats squares = broadcast(0);
        for (int64_t d = 0; d < whole; d += lanes) {
            const Floats off = In::from(x, d) - mean;
            squares = fma(off, off, squares);
        }
        if (whole < count) {
            const Floats off = select((uint64_t{1} << (count - whole)) - 1, In::from(x, whole) - mean,
                                      broadcast(0));
            squares = fma(off, off, squares);
        }
        const Floats scale = broadcast(1.0f / __builtin_sqrtf(total(squares) * inverse + task.eps));
        for (int64_t d = 0; d < task.width; d += lanes)
            Out::to(out, d, fma((In::from(x, d) - mean) * scale, load(task.weight + d), load(task.bias + d)));
    }
}

}
