#pragma once

#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/parallel.h"
#include "core/nn/packed_weights.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <concepts>
#include <utility>

/// Connects tensors to the kernels that take a tile of tokens through several layers.
namespace attnscope::packedWeights {

/// Rows of activations that a thread processes at a time: more than half of 197 tokens.
inline constexpr int64_t tileRows = 108;
/// Width in which wider activations are computed and used, chunk by chunk: whole strips of every instruction set, whole groups of 8 bits.
inline constexpr int64_t chunkColumns = 192;
static_assert(chunkColumns == 2 * gateColumns, "a chunk holds whole blocks of gates and values");
static_assert(gateColumns % kernels::int8Group == 0, "a chunk's gated values are whole groups");
/// Numbers that a thread processes at a time where rows have more than a chunk, so that they stay in the L2 cache.
inline constexpr int64_t heldNumbers = 1 << 17;

/// Rows of `width` numbers that a thread processes at a time, in whole blocks of the products.
inline int64_t heldRows(int64_t width)
{
    const int64_t block = kernels::cpuKernels().blockRows;
    return std::clamp(heldNumbers / width / block * block, block, tileRows);
}

/// The words of a tensor's rows.
struct Matrix {
    at::Tensor rows;  ///< (R,C), contiguous
    bool packed = false;

    Matrix(const at::Tensor& x, bool bfloat16Parts)
        : rows(x.reshape({-1, x.size(-1)}).contiguous())
        , packed(bfloat16Parts)
    {}
    int64_t packedInputs(int64_t numbers) const { return packed ? numbers / 2 : numbers; }
    kernels::Rows from(int64_t row, int64_t column = 0) const
    {
        const int64_t stride = packedInputs(rows.size(1));
        return {static_cast<const float*>(rows.const_data_ptr()) + row * stride + packedInputs(column), stride};
    }
    kernels::OutputRows into(int64_t row, int64_t column = 0) const
    {
        const int64_t stride = packedInputs(rows.size(1));
        return {static_cast<float*>(rows.mutable_data_ptr()) + row * stride + packedInputs(column), stride};
    }
};

inline Matrix emptyLike(const Matrix& x, int64_t width)
{
    return {at::empty({x.rows.size(0), width}, x.rows.options()), x.packed};
}

inline kernels::PackedWeight packedWeightOf(const Layer& layer)
{
    return {layer.packedInputs.const_data_ptr<float>(), layer.packedInputs.numel() / layer.out, layer.out,
            layer.scales.defined() ? layer.scales.const_data_ptr<float>() : nullptr};
}

inline int64_t stripColumnsOf(const Layer& layer)
{
    const kernels::CpuKernels& cpu = kernels::cpuKernels();
    return layer.scales.defined() ? cpu.int8StripColumns : cpu.stripColumns;
}

/// What a thread computes of a layer: some rows, outputs [begin, end).
struct Chunk {
    int64_t row = 0, rows = 0, begin = 0, end = 0;
};

/// Some rows on their way through the layers. Products take *words*: float32 numbers, or packed bfloat16. Sums are float32.
class Tile {
public:
    Tile(bool packed, int64_t count)
        : m_cpu(kernels::cpuKernels())
        , m_pairs(packed)
        , m_count(count)
    {}

    int64_t packedInputs(int64_t numbers) const { return m_pairs ? numbers / 2 : numbers; }

    /// Words → words of their norm, which may replace them.
    void norm(kernels::Rows x, const Layer& layer, double eps, kernels::OutputRows out) const
    {
        (m_pairs ? m_cpu.normBfloat16 : m_cpu.normRows)(normTask(x, layer, eps, out));
    }

    /// Sums → words of their norm.
    // NOLINTNEXTLINE(modernize-use-nodiscard): the rows also stand in `out`
    kernels::Rows normOfSums(kernels::OutputRows sums, const Layer& layer, double eps, float* out) const
    {
        const kernels::OutputRows to{out, packedInputs(layer.in)};
        (m_pairs ? m_cpu.normIntoBfloat16 : m_cpu.normRows)(normTask({sums.data, sums.stride}, layer, eps, to));
        return {to.data, to.stride};
    }

    /// All inputs → sums of outputs [begin, end), plus `addend` (words) unless null.
    void linear(kernels::Rows x, const Layer& layer, int64_t begin, int64_t end, kernels::Rows addend,
                kernels::OutputRows out) const
    {
        multiply({.x = x, .addend = addend, .bfloat16Addend = m_pairs, .out = out}, layer, begin, end);
    }

    /// What the activation makes of outputs [begin, end), as words. memory: end − begin numbers per row, used for packed bfloat16 and for
    /// gates.
    void activated(kernels::Rows x, const Layer& layer, Activation activation, int64_t begin, int64_t end,
                   float* memory, kernels::OutputRows out) const
    {
        multiplyInto({.x = x, .activation = activation}, layer, begin, end, {memory, end - begin}, out);
    }

    /// sums += the layer applied to its inputs [begin, begin + width), which are x. The first part starts from the bias and `addend`
    /// (words), plus the present sums if `begun`. The last part, if `out` is given, writes words to it.
    struct Part {
        kernels::Rows x;
        int64_t begin = 0, width = 0;
        kernels::Rows addend;
        bool begun = false;
    };
    void addPart(const Part& part, const Layer& layer, kernels::OutputRows sums, kernels::OutputRows out) const
    {
        kernels::LinearRows task{
            .x = part.x, .addend = part.addend, .bfloat16Addend = m_pairs, .add = part.begin > 0, .out = sums};
        if (part.begun && part.begin == 0) {
            task.addend = {sums.data, sums.stride};
            task.bfloat16Addend = false;
        }
        if (m_pairs && part.begin + part.width == layer.in)
            task.bfloat16 = out;
        task.depthBegin = packedInputs(part.begin);
        task.depthEnd = packedInputs(part.begin + part.width);
        multiplyDepth(task, layer, 0, layer.out);
    }

    /// What the activation makes of a chunk of the layer's outputs, plus `addend` unless null, into rows of a matrix. memory: chunkColumns
    /// numbers per row.
    void linearInto(kernels::Rows x, const Layer& layer, const Chunk& chunk, const Matrix* addend,
                    Activation activation, const Matrix& out, float* memory) const
    {
        const int64_t most = m_pairs || layer.gated ? chunkColumns : layer.out;
        for (int64_t begin = chunk.begin; begin < chunk.end; begin += most) {
            const int64_t end = std::min(begin + most, chunk.end);
            multiplyInto({.x = x,
                          .addend = addend == nullptr ? kernels::Rows{} : addend->from(chunk.row, begin),
                          .bfloat16Addend = m_pairs,
                          .activation = activation},
                         layer, begin, end, {memory, end - begin},
                         out.into(chunk.row, layer.gated ? begin / 2 : begin));
        }
    }

private:
    kernels::NormRows normTask(kernels::Rows x, const Layer& layer, double eps, kernels::OutputRows out) const
    {
        return {.x = x,
                .rows = m_count,
                .width = layer.in,
                .padding = layer.in - layer.wanted,
                .centred = !layer.rms,
                .weight = layer.packedInputs.const_data_ptr<float>(),
                .bias = layer.bias.const_data_ptr<float>(),
                .eps = float(eps),
                .out = out};
    }

    /// Writes words to `out`; partial sums of packed bfloat16, gates and values are in `memory`.
    void multiplyInto(kernels::LinearRows task, const Layer& layer, int64_t begin, int64_t end,
                      kernels::OutputRows memory, kernels::OutputRows out) const
    {
        if (layer.gated) {
            const Activation activation = std::exchange(task.activation, Activation::None);
            task.out = memory;
            multiply(task, layer, begin, end);
            return (m_pairs ? m_cpu.gateIntoBfloat16 : m_cpu.gateRows)({.x = {memory.data, memory.stride},
                                                                        .rows = m_count,
                                                                        .width = (end - begin) / 2,
                                                                        .activation = activation,
                                                                        .out = out});
        }
        task.out = m_pairs ? memory : out;
        if (m_pairs)
            task.bfloat16 = out;
        multiply(task, layer, begin, end);
    }

    void multiply(kernels::LinearRows task, const Layer& layer, int64_t begin, int64_t end) const
    {
        task.depthEnd = packedInputs(layer.in);
        multiplyDepth(task, layer, begin, end);
    }

    void multiplyDepth(kernels::LinearRows task, const Layer& layer, int64_t begin, int64_t end) const
    {
        task.rows = m_count;
        task.weight = packedWeightOf(layer);
        task.columnBegin = begin;
        task.columnEnd = end;
        task.bias = layer.bias.const_data_ptr<float>();
        if (layer.scales.defined())
            m_pairs ? m_cpu.linearInt8Bfloat16(task) : m_cpu.linearInt8(task);
        else
            m_pairs ? m_cpu.linearBfloat16(task) : m_cpu.linearRows(task);
    }

    const kernels::CpuKernels& m_cpu;
    bool m_pairs;
    int64_t m_count;
};

/// Calls work(chunk, memory) for all rows, at most `most` at a time (in whole blocks), with `perRow` numbers of memory for each row of a
/// tile. cost: multiply-adds per row.
template <std::invocable<Chunk, float*> Work>
void forEachTile(int64_t rows, int64_t columns, double cost, int64_t perRow, int64_t most, const Work& work)
{
    const int64_t blockRows = kernels::cpuKernels().blockRows, blocks = (rows + blockRows - 1) / blockRows;
    const auto memory = at::empty({at::get_num_threads(), most * perRow}, at::kFloat);
    kernels::forEachChunk(blocks, kernels::grainOf(cost * blockRows), [&](int64_t begin, int64_t end, int thread) {
        const int64_t first = begin * blockRows, last = std::min(end * blockRows, rows);
        const int64_t tiles = (last - first + most - 1) / most;
        const int64_t each = ((last - first + tiles - 1) / tiles + blockRows - 1) / blockRows * blockRows;
        for (int64_t row = first; row < last; row += each)
            work(Chunk{row, std::min(each, last - row), 0, columns},
                 memory.mutable_data_ptr<float>() + thread * memory.stride(0));
    });
}

template <std::invocable<Chunk, float*> Work>
void forEachTile(int64_t rows, int64_t columns, double cost, int64_t perRow, const Work& work)
{
    forEachTile(rows, columns, cost, perRow, tileRows, work);
}

/// Whether threads should divide the outputs of a layer of so many rows, so that each reads only its part of the weights: if rows are few, or
/// the weights do not fit into a thread's own cache, of which more rows make up for less.
inline bool dividesOutputs(const Layer& layer, int64_t rows)
{
    constexpr size_t manyBytes = 1 << 20;
    return rows <= fewRows || (!layer.packed && rows <= 2 * tileRows && layer.packedInputs.nbytes() >= manyBytes);
}

/// The same for a single layer, of which either the rows or the outputs are divided.
template <std::invocable<Chunk, float*> Work>
void forEachChunkOf(const Layer& layer, int64_t rows, int64_t perRow, const Work& work)
{
    if (!dividesOutputs(layer, rows))
        return forEachTile(rows, layer.out, double(layer.in * layer.out), perRow, work);
    const int64_t width = layer.gated ? 2 * gateColumns : stripColumnsOf(layer);
    const int64_t packedWeights = (layer.out + width - 1) / width;
    const auto memory = at::empty({at::get_num_threads(), std::max(rows, tileRows) * perRow}, at::kFloat);
    constexpr int64_t readingRows = 8;  // reading a weight takes as long as this many products
    const auto cost = double(std::max(rows, readingRows) * layer.in * width);
    kernels::forEachChunk(packedWeights, kernels::grainOf(cost), [&](int64_t begin, int64_t end, int thread) {
        work(Chunk{0, rows, begin * width, std::min(end * width, layer.out)},
             memory.mutable_data_ptr<float>() + thread * memory.stride(0));
    });
}

/// The shape of `like` except for the last axis.
inline at::Tensor shaped(const Matrix& out, const at::Tensor& like)
{
    auto sizes = like.sizes().vec();
    sizes.back() = out.rows.size(1);
    return out.rows.view(sizes);
}

}
