// SPDX-License-Identifier: Apache-2.0
#include "core/attention/window_index.h"

#include <algorithm>
#include <vector>

namespace attnscope {

namespace {

/// One axis: the positions in each window, −1 beyond the end.
at::Tensor axisIndex(std::int64_t queries, std::int64_t keys, std::int64_t side, std::int64_t margin,
                     const at::TensorOptions& options)
{
    const std::int64_t windows = (queries + side - 1) / side;
    std::vector<std::int64_t> first;
    std::int64_t longest = side;
    for (std::int64_t w = 0; w < windows; ++w) {
        const std::int64_t begin = w * side, end = begin + side;
        const std::int64_t from = queries == keys ? begin : begin * keys / queries;
        const std::int64_t to = queries == keys ? end : (std::min(end, queries) * keys + queries - 1) / queries;
        first.push_back(from - margin);
        longest = w == 0 ? to - from : std::max(longest, to - from);
    }
    const auto start = at::tensor(first, at::kLong).to(options.device()).unsqueeze(1);
    const auto position = start + at::arange(longest + 2 * margin, options.dtype(at::kLong));  // (windows, length)
    return position.masked_fill((position < 0).logical_or(position >= keys), -1);
}

/// Row windows × column windows → tokens of one frame, (Wr·Wc, r·c).
at::Tensor crossed(const at::Tensor& rows, const at::Tensor& columns, std::int64_t width)
{
    const auto r = rows.unsqueeze(1).unsqueeze(-1),
               c = columns.unsqueeze(0).unsqueeze(2);  // (Wr,1,r,1), (1,Wc,1,c)
    return at::where((r < 0).logical_or(c < 0), at::full({}, -1, rows.options()), r * width + c)
        .flatten(2, 3)
        .flatten(0, 1);
}

/// One frame's tokens → those of all frames, one after the other, following the prefix.
at::Tensor ofFrames(const at::Tensor& index, const TokenPlaces& places, std::int64_t frames)
{
    const std::int64_t stride = places.frames == 1 ? 0 : places.rows * places.columns;
    std::vector<at::Tensor> all;
    for (std::int64_t frame = 0; frame < frames; ++frame)
        all.push_back(at::where(index < 0, index, index + places.prefix + frame * stride));
    return at::cat(all);
}

}  // namespace

WindowIndex windowIndex(const TokenPlaces& queries, const TokenPlaces& keys, std::int64_t side,
                        std::int64_t margin, const at::TensorOptions& options)
{
    const bool line = queries.isLine();
    const std::int64_t rowSide = line ? 1 : side, columnSide = line ? side * side : side,
                       rowMargin = line ? 0 : margin;
    const auto of = [&](const TokenPlaces& places, std::int64_t rows, std::int64_t columns) {
        const auto index = crossed(axisIndex(queries.rows, places.rows, rowSide, rows, options),
                                   axisIndex(queries.columns, places.columns, columnSide, columns, options),
                                   places.columns);
        return ofFrames(index, places, queries.frames);
    };
    return {of(queries, 0, 0), of(keys, rowMargin, margin)};
}

at::Tensor offsetIndex(std::int64_t side, std::int64_t margin, const at::TensorOptions& options)
{
    const auto query = at::arange(side, options.dtype(at::kLong));
    const auto key = at::arange(-margin, side + margin, options.dtype(at::kLong));
    const auto offset = query.unsqueeze(1) - key.unsqueeze(0) + (margin + side - 1);  // (w, w + 2m)
    const auto rows = offset.unsqueeze(1).unsqueeze(-1),
               columns = offset.unsqueeze(0).unsqueeze(2);  // (w,1,k,1), (1,w,1,k)
    return (rows * (2 * margin + side) + columns).flatten(2, 3).flatten(0, 1);
}

at::Tensor gatherWindows(const at::Tensor& x, const at::Tensor& index)
{
    const auto taken = x.index_select(2, index.clamp_min(0).flatten()).unflatten(2, index.sizes());  // (B,H,W,n,D)
    return taken.masked_fill((index < 0).unsqueeze(-1), 0);
}

}  // namespace attnscope
