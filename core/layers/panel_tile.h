// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/parallel.h"
#include "core/layers/panels.h"

#include <ATen/Parallel.h>

#include <algorithm>

/// Between tensors and the kernels that take some tokens through several layers.
namespace attnscope::panels {

inline constexpr std::int64_t blockRows = 6;     ///< that the products take at a time
inline constexpr std::int64_t tileRows = 108;     ///< of activations that a thread has in its hands: a half of 197 tokens and more
inline constexpr std::int64_t chunkWidth = 256;  ///< of what is wider: so much is computed before it is used

/// Words of rows that a tensor holds.
struct Matrix {
    at::Tensor rows;  ///< (R,C), rows without gaps
    bool pairs = false;

    Matrix(const at::Tensor& x, bool halves)
        : rows(x.reshape({-1, x.size(-1)}).contiguous())
        , pairs(halves)
    {
    }
    std::int64_t words(std::int64_t numbers) const { return pairs ? numbers / 2 : numbers; }
    kernels::Rows from(std::int64_t row, std::int64_t column = 0) const
    {
        const std::int64_t stride = words(rows.size(1));
        return {static_cast<const float*>(rows.const_data_ptr()) + row * stride + words(column), stride};
    }
    kernels::OutputRows into(std::int64_t row, std::int64_t column = 0) const
    {
        const std::int64_t stride = words(rows.size(1));
        return {static_cast<float*>(rows.mutable_data_ptr()) + row * stride + words(column), stride};
    }
};

inline Matrix emptyLike(const Matrix& x, std::int64_t width)
{
    return {at::empty({x.rows.size(0), width}, x.rows.options()), x.pairs};
}

inline kernels::PanelWeight weightOf(const Layer& layer)
{
    return {layer.words.const_data_ptr<float>(), layer.pairs ? layer.in / 2 : layer.in, layer.out};
}

/// What a thread computes of a layer: some rows, outputs [begin, end).
struct Share {
    std::int64_t row = 0, rows = 0, begin = 0, end = 0;
};

/// Some rows on their way through layers.
class Tile {
public:
    Tile(bool pairs, std::int64_t count)
        : m_cpu(kernels::cpuKernels())
        , m_pairs(pairs)
        , m_count(count)
    {
    }

    /// x in float32: as it lies, or widened into `memory`.
    kernels::Rows wide(kernels::Rows x, std::int64_t width, float* memory) const
    {
        if (!m_pairs)
            return x;
        m_cpu.widenRows(x, m_count, width, {memory, width});
        return {memory, width};
    }

    /// The same as products take it, in place.
    kernels::Rows words(float* rows, std::int64_t width) const
    {
        if (!m_pairs)
            return {rows, width};
        m_cpu.narrowRows({rows, width}, m_count, width, {rows, width / 2});  // behind what is read
        return {rows, width / 2};
    }

    void norm(kernels::Rows x, const Layer& layer, double eps, float* out) const
    {
        m_cpu.normRows({.x = x,
                        .rows = m_count,
                        .width = layer.in,
                        .weight = layer.words.const_data_ptr<float>(),
                        .bias = layer.bias.const_data_ptr<float>(),
                        .eps = static_cast<float>(eps),
                        .out = {out, layer.in}});
    }

    void copy(kernels::Rows x, std::int64_t width, kernels::OutputRows out) const
    {
        if (x.data == out.data)
            return;
        for (std::int64_t n = 0; n < m_count; ++n)
            std::copy_n(x.data + n * x.stride, width, out.data + n * out.stride);
    }

    /// All inputs → outputs [begin, end), in float32.
    void linear(kernels::Rows x, const Layer& layer, std::int64_t begin, std::int64_t end, kernels::Rows addend, bool gelu,
                kernels::OutputRows out) const
    {
        multiply({.x = x,
                  .rows = m_count,
                  .weight = weightOf(layer),
                  .depthEnd = weightOf(layer).words,
                  .columnBegin = begin,
                  .columnEnd = end,
                  .bias = layer.bias.const_data_ptr<float>(),
                  .addend = addend,
                  .gelu = gelu,
                  .out = out});
    }

    /// out += the layer of its inputs [begin, begin + width), which are x; the first also adds the bias.
    void addPart(kernels::Rows x, const Layer& layer, std::int64_t begin, std::int64_t width, kernels::OutputRows out) const
    {
        const std::int64_t share = m_pairs ? 2 : 1;
        multiply({.x = x,
                  .rows = m_count,
                  .weight = weightOf(layer),
                  .depthBegin = begin / share,
                  .depthEnd = (begin + width) / share,
                  .columnEnd = layer.out,
                  .bias = layer.bias.const_data_ptr<float>(),
                  .addend = {out.data, out.stride},
                  .add = begin > 0,
                  .out = out});
    }

    /// The layer's outputs [first, last) plus `addend`, unless it is null, into rows of a matrix, a chunk at a time where they are
    /// not float32. memory: chunkWidth numbers a row.
    void linearInto(kernels::Rows x, const Layer& layer, const Share& share, const Matrix* addend, bool gelu, const Matrix& out, float* memory) const
    {
        const std::int64_t row = share.row;
        if (!m_pairs)
            return linear(x, layer, share.begin, share.end, addend == nullptr ? kernels::Rows{} : addend->from(row, share.begin), gelu,
                          out.into(row, share.begin));
        for (std::int64_t begin = share.begin; begin < share.end; begin += chunkWidth) {
            const std::int64_t width = std::min(chunkWidth, share.end - begin);
            kernels::Rows added;
            if (addend != nullptr)
                added = wide(addend->from(row, begin), width, memory);
            linear(x, layer, begin, begin + width, added, gelu, {memory, width});
            m_cpu.narrowRows({memory, width}, m_count, width, out.into(row, begin));
        }
    }

    void narrowInto(const float* rows, std::int64_t width, const Matrix& out, std::int64_t row) const
    {
        m_cpu.narrowRows({rows, width}, m_count, width, out.into(row));
    }

private:
    void multiply(const kernels::LinearRows& task) const { m_pairs ? m_cpu.linearPairs(task) : m_cpu.linearRows(task); }

    const kernels::CpuKernels& m_cpu;
    bool m_pairs;
    std::int64_t m_count;
};

/// Calls work(share, memory) for all rows, with `perRow` numbers of memory for each row of a tile. cost: multiply-adds of a row.
template <typename Work>
void forEachTile(std::int64_t rows, std::int64_t columns, double cost, std::int64_t perRow, const Work& work)
{
    const std::int64_t blocks = (rows + blockRows - 1) / blockRows;
    const auto memory = at::empty({at::get_num_threads(), tileRows * perRow}, at::kFloat);
    kernels::forEachShare(blocks, kernels::grainOf(cost * blockRows), [&](std::int64_t begin, std::int64_t end, int thread) {
        const std::int64_t first = begin * blockRows, last = std::min(end * blockRows, rows);
        const std::int64_t tiles = (last - first + tileRows - 1) / tileRows;
        const std::int64_t each = ((last - first + tiles - 1) / tiles + blockRows - 1) / blockRows * blockRows;
        for (std::int64_t row = first; row < last; row += each)
            work(Share{row, std::min(each, last - row), 0, columns}, memory.mutable_data_ptr<float>() + thread * memory.stride(0));
    });
}

/// The same of one layer. Where rows are few, threads share its outputs instead: then each reads its part of the weights alone.
template <typename Work>
void forEachShareOf(const Layer& layer, std::int64_t rows, std::int64_t perRow, const Work& work)
{
    if (rows > fewRows)
        return forEachTile(rows, layer.out, static_cast<double>(layer.in * layer.out), perRow, work);
    const std::int64_t panels = (layer.out + kernels::panelWidth - 1) / kernels::panelWidth;
    const auto memory = at::empty({at::get_num_threads(), tileRows * perRow}, at::kFloat);
    const auto cost = static_cast<double>(rows * layer.in * kernels::panelWidth);
    kernels::forEachShare(panels, kernels::grainOf(cost), [&](std::int64_t begin, std::int64_t end, int thread) {
        work(Share{0, rows, begin * kernels::panelWidth, std::min(end * kernels::panelWidth, layer.out)},
             memory.mutable_data_ptr<float>() + thread * memory.stride(0));
    });
}

/// As `like`, but for the last axis.
inline at::Tensor shaped(const Matrix& out, const at::Tensor& like)
{
    auto sizes = like.sizes().vec();
    sizes.back() = out.rows.size(1);
    return out.rows.view(sizes);
}

}  // namespace attnscope::panels
