#pragma once

#include "core/kernels/cpu/tile_product.h"

#if defined(__AMX_BF16__)
#include <immintrin.h>
#endif

/// Products of matrices of packed bfloat16, by AMX where the instruction set has it: its tiles of 16 × 16 words multiply 16 times as much at
/// once as vectors do.
namespace attnscope::kernels::ATTNSCOPE_ISA {

#if defined(__AMX_BF16__)

/// Rows and columns of a tile, and words of its depth.
constexpr int64_t tileSide = 16;

/// Which part of each tile is used: sums 0 to 3, two of the left side (4, 5) and two of the right side (6, 7).
class TileShapes {
public:
    /// `rows` of the left side, at most two tiles.
    explicit TileShapes(int64_t rows)
    {
        const int64_t upper = rows < tileSide ? rows : tileSide, lower = rows - upper;
        for (const int tile : {0, 1, 4})
            m_rows[tile] = uint8_t(upper);
        for (const int tile : {2, 3, 5})
            m_rows[tile] = uint8_t(lower);
        for (const int tile : {6, 7})
            m_rows[tile] = tileSide;
        for (int tile = 0; tile < 8; ++tile)
            m_bytes[tile] = m_rows[tile] > 0 ? 64 : 0;
    }
    void use() const { _tile_loadconfig(this); }

private:
    uint8_t m_palette = 1, m_startRow = 0, m_reserved[14] = {};
    uint16_t m_bytes[16] = {};  ///< of a row
    uint8_t m_rows[16] = {};
};
static_assert(sizeof(TileShapes) == 64);

constexpr size_t bytesOf(int64_t count)
{
    return size_t(count) * sizeof(float);
}

/// c = a b, or c += a b, of one or two tiles' rows and one or two tiles' columns. Rows of a follow each other in words; `depth` is a multiple of
/// tileSide.
template <Into into, bool lower, bool right>
[[gnu::noinline]] void multiplyTiles(Rows a, Right b, Product c, int64_t depth)
{
    float* const below = c.data + tileSide * c.row;
    const size_t row = bytesOf(c.row);
    if constexpr (into == Into::Store) {
        _tile_zero(0);
        if constexpr (right)
            _tile_zero(1);
        if constexpr (lower)
            _tile_zero(2);
        if constexpr (lower && right)
            _tile_zero(3);
    } else {
        _tile_loadd(0, c.data, row);
        if constexpr (right)
            _tile_loadd(1, c.data + tileSide, row);
        if constexpr (lower)
            _tile_loadd(2, below, row);
        if constexpr (lower && right)
            _tile_loadd(3, below + tileSide, row);
    }
    for (int64_t d = 0; d < depth; d += tileSide) {
        const float* const columns = b.data + d * b.row;
        _tile_loadd(4, a.data + d, bytesOf(a.stride));
        _tile_loadd(6, columns, bytesOf(b.row));
        _tile_dpbf16ps(0, 4, 6);
        if constexpr (right) {
            _tile_loadd(7, columns + tileSide, bytesOf(b.row));
            _tile_dpbf16ps(1, 4, 7);
        }
        if constexpr (lower) {
            _tile_loadd(5, a.data + tileSide * a.stride + d, bytesOf(a.stride));
            _tile_dpbf16ps(2, 5, 6);
        }
        if constexpr (lower && right)
            _tile_dpbf16ps(3, 5, 7);
    }
    _tile_stored(0, c.data, row);
    if constexpr (right)
        _tile_stored(1, c.data + tileSide, row);
    if constexpr (lower)
        _tile_stored(2, below, row);
    if constexpr (lower && right)
        _tile_stored(3, below + tileSide, row);
}

/// Some rows that the shapes in use have room for, and all columns.
template <Into into, bool lower>
void multiplyTileRows(Rows a, Right b, Product c, int64_t columns, int64_t depth)
{
    int64_t at = 0;
    for (; at + 2 * tileSide <= columns; at += 2 * tileSide)
        multiplyTiles<into, lower, true>(a, {b.data + at, b.row}, {c.data + at, c.row}, depth);
    if (at < columns)
        multiplyTiles<into, lower, false>(a, {b.data + at, b.row}, {c.data + at, c.row}, depth);
}

/// The product of `rows` × `columns`, the latter and `depth` multiples of tileSide. The caller releases the tiles.
template <Into into>
void multiplyByTiles(Rows a, Right b, Product c, int64_t rows, int64_t columns, int64_t depth)
{
    constexpr int64_t block = 2 * tileSide;
    int64_t row = 0;
    const auto part = [&] { return Rows{a.data + row * a.stride, a.stride}; };
    const auto to = [&] { return Product{c.data + row * c.row, c.row}; };
    if (rows >= block)
        TileShapes(block).use();
    for (; row + block <= rows; row += block)
        multiplyTileRows<into, true>(part(), b, to(), columns, depth);
    if (row == rows)
        return;
    TileShapes(rows - row).use();
    rows - row > tileSide ? multiplyTileRows<into, true>(part(), b, to(), columns, depth)
                          : multiplyTileRows<into, false>(part(), b, to(), columns, depth);
}

#endif

}
