#pragma once

#include "core/kernels/cpu/linear_rows.h"
#include "core/kernels/cpu/pair_product.h"

/// Linear layers of packed bfloat16.
namespace attnscope::kernels::ATTNSCOPE_ISA {

#if defined(__AMX_BF16__)

/// Sums of a block, row by row.
struct ProductTiles {
    static constexpr int64_t row = 2 * tileSide;
    alignas(64) float sums[row * row];
};

/// Adds the sums to where they start from, and leaves them where they go to.
template <int vectors>
void finishTiles(const ProductTiles& tiles, const LayerEnds& ends, int64_t rows)
{
    for (int64_t r = 0; r < rows; ++r) {
        const LayerEnds row = ends.at(r, 0);
        Floats sum[1][vectors];
        row.begin(sum);
        for (int v = 0; v < vectors; ++v)
            sum[0][v] = sum[0][v] + load(tiles.sums + r * ProductTiles::row + v * lanes);
        row.end(sum);
    }
}

/// Rows [row, row + count) of two tiles' columns of a strip, or one's.
template <bool right>
void linearTileRows(const LinearRows& task, const Strip& strip, int64_t column, const LayerEnds& ends, int64_t row,
                    int64_t count)
{
    const Rows x{task.x.data + row * task.x.stride, task.x.stride};
    const Right weights{strip.weights + task.depthBegin * strip.stride + column, strip.stride};
    const int64_t depth = task.depthEnd - task.depthBegin;
    ProductTiles tiles;
    const Product to{tiles.sums, ProductTiles::row};
    count > tileSide ? multiplyTiles<Into::Store, true, right>(x, weights, to, depth)
                     : multiplyTiles<Into::Store, false, right>(x, weights, to, depth);
    finishTiles<right ? 2 : 1>(tiles, ends.at(row, column), count);
}

inline void linearTiles(const LinearRows& task)
{
    const int64_t block = 2 * tileSide, whole = task.rows / block * block, rest = task.rows - whole;
    forEachStrip(task, stripColumns, [&](const Strip& strip) {
        // Nothing is fetched ahead: that took 5 to 8 % longer.
        const LayerEnds ends = endsOf(task, strip.at, true, true);
        const auto rows = [&](int64_t row, int64_t count) {
            int64_t column = 0;
            for (; column + block <= strip.columns; column += block)
                linearTileRows<true>(task, strip, column, ends, row, count);
            if (column < strip.columns)
                linearTileRows<false>(task, strip, column, ends, row, count);
        };
        TileShapes(block).use();
        for (int64_t row = 0; row < whole; row += block)
            rows(row, block);
        if (rest > 0) {
            TileShapes(rest).use();
            rows(whole, rest);
        }
        activateStrip(task, strip.at, strip.columns);
    });
    _tile_release();
}

inline void linearBfloat16(const LinearRows& task)
{
    (task.depthEnd - task.depthBegin) % tileSide == 0 ? linearTiles(task) : linearRows<Pair>(task);
}

#else

inline void linearBfloat16(const LinearRows& task)
{
    Pair::parts == 1 ? linearRows<Pair>(task) : linearWidened(task);
}

#endif

}
