#pragma once

#include <cstdint>

/// The tokens of an attention by their numbers and positions. Independent of torch.
namespace attnscope {

/// How a sequence of tokens is laid out in the image: `prefix` tokens without a position (class, distillation), then a frame-major,
/// row-major grid. rows = 0: the grid is unknown and the tokens form a line.
struct TokenLayout {
    int64_t prefix = 0;
    int64_t frames = 1;
    int64_t rows = 0;
    int64_t columns = 0;

    bool hasGrid() const { return rows > 0 && columns > 0; }
    int64_t count() const { return prefix + frames * rows * columns; }
};

/// The positions of a tensor's tokens, as far as known: `prefix` tokens without a position, then frames × rows × columns. If the grid is
/// unknown, one row.
struct TokenPlaces {
    int64_t prefix = 0, frames = 1, rows = 1, columns = 1;

    bool isLine() const { return rows == 1; }
    bool operator==(const TokenPlaces&) const = default;
};

/// The positions of `count` tokens of a layout: all of it, one frame of it, or a line if they fit neither.
inline TokenPlaces placesOf(int64_t count, const TokenLayout& layout)
{
    if (layout.hasGrid() && layout.count() == count)
        return {layout.prefix, layout.frames, layout.rows, layout.columns};
    if (layout.hasGrid() && layout.rows * layout.columns == count)
        return {0, 1, layout.rows, layout.columns};
    return {0, 1, 1, count};
}

/// Sizes only, for counting multiply-adds.
struct AttentionShape {
    int64_t heads = 1;
    int64_t queries = 1;
    int64_t keys = 1;
    int64_t width = 1;      ///< D
    int64_t valueDim = 1;   ///< Dv
    int64_t keyGroups = 1;  ///< groups of keys / keyGroups keys, each with its own normaliser
};

}
