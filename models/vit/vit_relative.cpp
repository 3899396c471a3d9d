#include "models/vit/vit_relative.h"

namespace attnscope {

namespace {

/// Each of an image's rows for its patches, and each of its columns.
std::pair<at::Tensor, at::Tensor> placesOfPatches(int64_t rows, int64_t columns, const at::TensorOptions& options)
{
    return {at::arange(rows, options).repeat_interleave(columns), at::arange(columns, options).repeat({rows})};
}

/// The row of a BEiT's table for each pair of tokens, where a class token is first: the last three rows are those of pairs with it.
at::Tensor tableRows(const at::Tensor& offsets, int64_t count)
{
    auto rows = at::full({offsets.size(0) + 1, offsets.size(1) + 1}, count - 3, offsets.options());
    rows.slice(0, 1).slice(1, 1).copy_(offsets);
    rows.slice(0, 1).select(1, 0).fill_(count - 2);
    rows.select(0, 0).slice(0, 0, 1).fill_(count - 1);
    return rows;
}

/// A table of offsets by the MLP of their signed logarithms: ((2·rows − 1)(2·columns − 1), H).
at::Tensor tableByMlp(const VitRelativeWeights& weights, int64_t rows, int64_t columns)
{
    const auto options = weights.fc1.weight.options().requires_grad(false);
    const auto wide = options.dtype(options.dtype() == at::kDouble ? at::kDouble : at::kFloat);
    const auto y = at::arange(1 - rows, rows, wide).repeat_interleave(2 * columns - 1);
    const auto x = at::arange(1 - columns, columns, wide).repeat({2 * rows - 1});
    const auto offsets = at::stack({y, x}, 1);
    const auto logarithms = (offsets.sign() * offsets.abs().log1p()).to(options.dtype());
    return linear(at::relu(linear(logarithms, weights.fc1)), weights.fc2);
}

}

at::Tensor offsetRows(int64_t rows, int64_t columns, at::Device device)
{
    const auto [y, x] = placesOfPatches(rows, columns, at::TensorOptions(at::kLong).device(device));
    const auto between = [](const at::Tensor& places, int64_t count) {
        return places.unsqueeze(1) - places.unsqueeze(0) + (count - 1);
    };
    return between(y, rows) * (2 * columns - 1) + between(x, columns);
}

at::Tensor relativeBias(const VitDescription& description, const VitRelativeWeights& weights,
                        const TokenLayout& tokens, const at::Tensor& offsets)
{
    const auto picked = [](const at::Tensor& table, const at::Tensor& rows) {
        return table.t().index_select(1, rows.flatten()).unflatten(1, rows.sizes());  // (H,…)
    };
    if (description.relative->kind == VitRelativePositions::Kind::Table)
        return picked(weights.table, tableRows(offsets, weights.table.size(0)));
    const auto bias = picked(tableByMlp(weights, tokens.rows, tokens.columns), offsets);
    return at::constant_pad_nd(bias, {tokens.prefix, 0, tokens.prefix, 0});
}

}
