#include "core/nn/packed_weights.h"

#include "core/nn/int8.h"
#include "core/nn/packed_tile.h"

#include <optional>
#include <vector>

namespace attnscope::packedWeights {

bool fitsChannels(const at::Tensor& weight)
{
    const bool type = weight.scalar_type() == at::kFloat || weight.scalar_type() == at::kBFloat16;
    return weight.is_cpu() && type && weight.size(0) % 16 == 0;
}

bool fits(const at::Tensor& weight)
{
    return fitsChannels(weight) && weight.size(1) % 16 == 0;
}

namespace {

/// Words (out,n), each a float32 by type → strips of `columns` outputs, one after the other, each (n,columns).
at::Tensor stripsOf(const at::Tensor& rows, int64_t columns)
{
    std::vector<at::Tensor> parts;
    for (const at::Tensor& strip : rows.split(columns, 0))
        parts.push_back(strip.t().reshape(-1));
    return at::cat(parts);
}

}

at::Tensor weightOf(const Layer& layer)
{
    const int64_t each = stripColumnsOf(layer);
    std::vector<at::Tensor> parts;
    for (int64_t begin = 0; begin < layer.out; begin += each) {
        const int64_t count = std::min(each, layer.out - begin), depth = layer.packedInputs.numel() / layer.out;
        parts.push_back(layer.packedInputs.narrow(0, begin * depth, count * depth).view({depth, count}).t());
    }
    const auto rows = at::cat(parts);
    return layer.packed ? rows.view(at::kBFloat16) : rows;
}

Layer int8Layer(const Layer& layer)
{
    const Int8Weight weight = toInt8(weightOf(layer));
    Layer small = layer;
    small.packedInputs = stripsOf(
        weight.integers.to(at::kInt).add_(128).to(at::kByte).contiguous().view(at::kFloat),
        kernels::cpuKernels().int8StripColumns);
    small.scales = weight.scales;
    return small;
}

Layer linearLayer(const at::Tensor& weight, const at::Tensor& bias)
{
    const bool packed = weight.scalar_type() == at::kBFloat16;
    const int64_t wanted = weight.size(0), missing = (wanted + 15) / 16 * 16 - wanted;
    Layer layer{.packedInputs = {},
                .bias = {},
                .in = weight.size(1),
                .out = wanted + missing,
                .wanted = wanted,
                .packed = packed};
    layer.bias = at::constant_pad_nd(bias.defined() ? bias.to(at::kFloat) : at::zeros({wanted}, at::kFloat),
                                     {0, missing});
    const auto given = at::constant_pad_nd(weight, {0, 0, 0, missing}).contiguous();
    layer.packedInputs = stripsOf(packed ? given.view(at::kFloat) : given, stripColumnsOf(layer));
    return layer;
}

Layer gatedLayer(const at::Tensor& weight, const at::Tensor& bias)
{
    const auto blocks =
        at::arange(weight.size(0)).view({2, -1}).split(gateColumns, 1);  // row numbers of gates, and of values
    std::vector<at::Tensor> order;
    for (const at::Tensor& block : blocks)
        order.push_back(block.reshape(-1));
    const auto rows = at::cat(order);
    Layer layer = linearLayer(weight.index_select(0, rows), bias.defined() ? bias.index_select(0, rows) : bias);
    layer.gated = true;
    layer.wanted = layer.results();
    return layer;
}

Layer normLayer(const at::Tensor& weight, const at::Tensor& bias, bool rms)
{
    const int64_t wanted = weight.size(0), width = (wanted + 15) / 16 * 16;
    const auto padded = [&](const at::Tensor& x) {
        return at::constant_pad_nd(x.to(at::kFloat), {0, width - wanted}).contiguous();
    };
    return {.packedInputs = padded(weight),
            .bias = bias.defined() ? padded(bias) : at::zeros({width}, at::kFloat),
            .in = width,
            .out = width,
            .wanted = wanted,
            .packed = weight.scalar_type() == at::kBFloat16,
            .rms = rms};
}

at::Tensor linear(const at::Tensor& x, const Layer& layer, Activation activation, const at::Tensor& addend)
{
    const Matrix in(x, layer.packed), out = emptyLike(in, layer.results());
    std::optional<Matrix> added;
    if (addend.defined())
        added.emplace(addend, layer.packed);
    forEachChunkOf(layer, in.rows.size(0), chunkColumns, [&](const Chunk& chunk, float* memory) {
        Tile(layer.packed, chunk.rows)
            .linearInto(in.from(chunk.row), layer, chunk, added ? &*added : nullptr, activation, out, memory);
    });
    const auto output = shaped(out, x);
    return layer.wanted == layer.results() ? output : output.narrow(-1, 0, layer.wanted);
}

at::Tensor norm(const at::Tensor& x, const Layer& norm, double eps)
{
    const Matrix in(x, norm.packed), out = emptyLike(in, norm.in);
    constexpr double perNumber = 8;  // in multiply-adds: it is read and written outside the L1 cache
    forEachTile(in.rows.size(0), norm.in, perNumber * double(norm.in), 0, [&](const Chunk& chunk, float*) {
        Tile(norm.packed, chunk.rows).norm(in.from(chunk.row), norm, eps, out.into(chunk.row));
    });
    return shaped(out, x);
}

at::Tensor normedLinear(const at::Tensor& x, const Layer& norm, double eps, const Layer& layer,
                        Activation activation)
{
    const Matrix in(x, layer.packed), out = emptyLike(in, layer.results());
    const int64_t width = layer.in;
    forEachChunkOf(layer, in.rows.size(0), width + chunkColumns, [&](const Chunk& chunk, float* memory) {
        const Tile tile(layer.packed, chunk.rows);
        const kernels::OutputRows normed{memory, tile.packedInputs(width)};
        tile.norm(in.from(chunk.row), norm, eps, normed);
        tile.linearInto({normed.data, normed.stride}, layer, chunk, nullptr, activation, out,
                        memory + chunk.rows * width);
    });
    return shaped(out, x);
}

namespace {

/// finishBlock layer by layer, from the tokens behind the projection on.
at::Tensor finishByLayer(const at::Tensor& mixed, const BlockEnd& end)
{
    const auto inner = normedLinear(mixed, end.norm, end.eps, end.fc1, end.activation);
    return linear(end.innerNorm == nullptr ? inner : norm(inner, *end.innerNorm, end.eps), end.fc2,
                  Activation::None, mixed);
}

/// The same a tile of tokens at a time, with the projection of `branch` unless it is null: then x are the tokens behind it, in float32.
at::Tensor finishTogether(const at::Tensor& x, const Matrix* branch, const BlockEnd& end)
{
    const bool packed = end.projection.packed;
    const Matrix in(x, packed);
    const Matrix out = emptyLike(in, end.projection.out);
    const int64_t width = end.projection.out, hidden = end.fc1.results(), outputs = end.fc1.out / hidden;
    const bool whole = end.innerNorm
                       != nullptr;  // a norm needs rows of all hidden numbers, else those of a chunk suffice
    const int64_t most = chunkColumns / outputs, kept = whole ? hidden : chunkColumns;
    const int64_t held = whole ? heldRows(hidden) : tileRows;
    const auto cost = double((branch == nullptr ? 0 : end.projection.in * width) + (outputs + 1) * width * hidden);
    forEachTile(
        in.rows.size(0), width, cost, 2 * width + chunkColumns + kept, held,
        [&](const Chunk& chunk, float* memory) {
            const Tile tile(packed, chunk.rows);
            float* const normed = memory;
            float* const scratch = normed + held * width;
            float* const activated = scratch + held * chunkColumns;
            float* const wide = activated + held * kept;
            const kernels::OutputRows rows = out.into(chunk.row),
                                      sums = packed ? kernels::OutputRows{wide, width} : rows;
            if (branch != nullptr)
                tile.linear(branch->from(chunk.row), end.projection, 0, width, in.from(chunk.row), sums);
            else
                std::copy_n(in.from(chunk.row).data, chunk.rows * width, sums.data);
            const kernels::Rows packedInputs = tile.normOfSums(sums, end.norm, end.eps, normed);
            for (int64_t begin = 0; begin < hidden; begin += most) {
                const int64_t part = std::min(most, hidden - begin);
                const kernels::OutputRows to{activated + (whole ? tile.packedInputs(begin) : 0),
                                             tile.packedInputs(whole ? hidden : part)};
                tile.activated(packedInputs, end.fc1, end.activation, outputs * begin, outputs * (begin + part),
                               scratch, to);
                if (!whole)
                    tile.addPart({.x = {to.data, to.stride}, .begin = begin, .width = part, .begun = true},
                                 end.fc2, sums, rows);
            }
            if (!whole)
                return;
            const kernels::OutputRows inner{activated, tile.packedInputs(hidden)};
            tile.norm({inner.data, inner.stride}, *end.innerNorm, end.eps, inner);
            tile.addPart({.x = {inner.data, inner.stride}, .width = hidden, .begun = true}, end.fc2, sums, rows);
        });
    return shaped(out, x);
}

/// In float32 both ways give the same bits, so that the batch size may decide.
bool isByLayer(const at::Tensor& x, const BlockEnd& end)
{
    return isFew(x) || (!end.fc1.packed && dividesOutputs(end.fc1, x.numel() / x.size(-1)));
}

}

at::Tensor finishBlock(const at::Tensor& x, const at::Tensor& y, const BlockEnd& end)
{
    if (isByLayer(x, end))
        return finishByLayer(linear(y, end.projection, Activation::None, x), end);
    const Matrix branch(y, end.projection.packed);
    return finishTogether(x, &branch, end);
}

at::Tensor finishMlp(const at::Tensor& x, const BlockEnd& end)
{
    return isByLayer(x, end) || end.projection.packed ? finishByLayer(x, end) : finishTogether(x, nullptr, end);
}

}
