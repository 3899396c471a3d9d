// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_backend.h"

#include <cstdint>

namespace attnscope {

/// The positions of a tensor's tokens, as far as known: `prefix` tokens without a position, then frames × rows × columns. If the grid is
/// unknown, one row.
struct TokenPlaces {
    std::int64_t prefix = 0, frames = 1, rows = 1, columns = 1;

    bool isLine() const { return rows == 1; }
    bool operator==(const TokenPlaces&) const = default;
};

/// The positions of `count` tokens of a layout: all of it, one frame of it, or a line if they fit neither.
inline TokenPlaces placesOf(std::int64_t count, const TokenLayout& layout)
{
    if (layout.hasGrid() && layout.count() == count)
        return {layout.prefix, layout.frames, layout.rows, layout.columns};
    if (layout.hasGrid() && layout.rows * layout.columns == count)
        return {0, 1, layout.rows, layout.columns};
    return {0, 1, 1, count};
}

}  // namespace attnscope
