// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_backend.h"

#include <cstdint>

namespace attnscope {

/// Where the tokens of one tensor lie, whatever is known of them: `prefix` tokens without a place, then frames × rows × columns.
/// Where no grid is known, one row.
struct TokenPlaces {
    std::int64_t prefix = 0, frames = 1, rows = 1, columns = 1;

    bool isLine() const { return rows == 1; }
    bool operator==(const TokenPlaces&) const = default;
};

/// `count` tokens of a layout: all of it, one frame of it, or a line where they fit neither.
inline TokenPlaces placesOf(std::int64_t count, const TokenLayout& layout)
{
    if (layout.hasGrid() && layout.count() == count)
        return {layout.prefix, layout.frames, layout.rows, layout.columns};
    if (layout.hasGrid() && layout.rows * layout.columns == count)
        return {0, 1, layout.rows, layout.columns};
    return {0, 1, 1, count};
}

}  // namespace attnscope
