#include "core/data/preprocess/resize.h"

#include "core/base/process/processors.h"
#include "core/data/preprocess/clones.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace attnscope {

namespace {

constexpr int64_t block =
    32;  // bytes summed at once: one AVX2 load, four vectors of sums (GCC 12 is 5 times slower with 16)
constexpr int64_t tileRows = 32;  // rows of a transposed tile: 96 bytes per column, three blocks
constexpr int64_t tileLanes = tileRows * 3;
constexpr int64_t tileStride =
    tileLanes + 4;  // a pixel is written as four bytes, the last of which is overwritten by the next row

/// Rows of bytes whose weighted sum is an output.
struct Taps {
    const uint8_t* rows;
    int64_t rowBytes;
    const int32_t* weights;
    int64_t count;
};

constexpr int32_t half = 1 << (AxisWeights::fractionBits - 1);

uint8_t clipped(int32_t sum)
{
    return uint8_t(std::clamp(sum >> AxisWeights::fractionBits, 0, 255));
}

/// `block` sums in parallel: the array is a few vector registers.
[[gnu::always_inline]] inline void sumBlock(const Taps& taps, int64_t at, uint8_t* out)
{
    int32_t sums[block];
    for (int32_t& sum : sums)
        sum = half;
    for (int64_t j = 0; j < taps.count; ++j) {
        const uint8_t* row = taps.rows + j * taps.rowBytes + at;
        const int32_t weight = taps.weights[j];
        for (int64_t i = 0; i < block; ++i)
            sums[i] += row[i] * weight;
    }
    for (int64_t i = 0; i < block; ++i)
        out[at + i] = clipped(sums[i]);
}

[[gnu::always_inline]] inline void sumRow(const Taps& taps, int64_t bytes, uint8_t* out)
{
    int64_t at = 0;
    for (; at + block <= bytes; at += block)
        sumBlock(taps, at, out);
    for (; at < bytes; ++at) {
        int32_t sum = half;
        for (int64_t j = 0; j < taps.count; ++j)
            sum += taps.rows[j * taps.rowBytes + at] * taps.weights[j];
        out[at] = clipped(sum);
    }
}

ATTNSCOPE_CLONES
void sumColumns(const AxisWeights& axis, const uint8_t* tile, uint8_t* out)
{
    const auto count = int64_t(axis.taps.size());
    for (int64_t i = 0; i < count; ++i) {
        const uint8_t* column = tile + (axis.begin[i] - axis.inputBegin()) * tileStride;
        sumRow({column, tileStride, axis.row(i), axis.taps[i]}, tileLanes, out + i * tileStride);
    }
}

ATTNSCOPE_CLONES
void sumRows(const Taps& taps, int64_t bytes, uint8_t* out)
{
    sumRow(taps, bytes, out);
}

/// Rows (rows,columns,3) → (columns,tileRows,3) with four bytes after each column, so that the horizontal sums run over contiguous bytes
/// like the vertical ones. With fewer than tileRows rows the rest of the tile is left unchanged.
void transposeInto(uint8_t* tile, RgbView<const uint8_t> in, int64_t rows, int64_t columns)
{
    for (int64_t r = 0; r < rows; ++r) {
        const uint8_t* from = in.pixels + r * in.rowBytes;
        uint8_t* to = tile + r * 3;
        for (int64_t x = 0; x + 1 < columns; ++x)
            std::memcpy(to + x * tileStride, from + x * 3, 4);
        std::memcpy(to + (columns - 1) * tileStride, from + (columns - 1) * 3,
                    3);  // nothing may follow it in memory
    }
}

void transposeFrom(const uint8_t* tile, RgbView<uint8_t> out, int64_t rows, int64_t columns)
{
    for (int64_t r = 0; r < rows; ++r) {
        uint8_t* to = out.pixels + r * out.rowBytes;
        for (int64_t x = 0; x + 1 < columns; ++x)
            std::memcpy(to + x * 3, tile + x * tileStride + r * 3, 4);
        std::memcpy(to + (columns - 1) * 3, tile + (columns - 1) * tileStride + r * 3, 3);
    }
}

/// Calls body(begin, end) for `threads` parts of [0, count); the calling thread takes the last part.
void inParts(int64_t count, int threads, const std::function<void(int64_t, int64_t)>& body)
{
    const int64_t parts = std::clamp<int64_t>(threads, 1, std::max<int64_t>(count, 1));
    std::vector<std::jthread> others;
    for (int64_t part = 0; part + 1 < parts; ++part)
        others.emplace_back([=, &body] { body(count * part / parts, count * (part + 1) / parts); });
    body(count * (parts - 1) / parts, count);
}

/// in: the first row that is read; rows × in → rows × axis outputs.
void horizontalPass(RgbView<const uint8_t> in, const AxisWeights& axis, int64_t rows, RgbView<uint8_t> out,
                    int threads)
{
    const auto outColumns = int64_t(axis.taps.size());
    const int64_t inColumns = axis.inputEnd() - axis.inputBegin();
    const uint8_t* left = in.pixels + axis.inputBegin() * 3;
    inParts((rows + tileRows - 1) / tileRows, threads, [&](int64_t begin, int64_t end) {
        std::vector<uint8_t> tile(inColumns * tileStride);
        std::vector<uint8_t> sums(outColumns * tileStride);
        for (int64_t row = begin * tileRows; row < std::min(end * tileRows, rows); row += tileRows) {
            const int64_t here = std::min(tileRows, rows - row);
            transposeInto(tile.data(), {left + row * in.rowBytes, in.rowBytes}, here, inColumns);
            sumColumns(axis, tile.data(), sums.data());
            transposeFrom(sums.data(), {out.pixels + row * out.rowBytes, out.rowBytes}, here, outColumns);
        }
    });
}

/// in: row axis.inputBegin() of the input.
void verticalPass(RgbView<const uint8_t> in, const AxisWeights& axis, int64_t columns, RgbView<uint8_t> out,
                  int threads)
{
    inParts(int64_t(axis.taps.size()), threads, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const uint8_t* row = in.pixels + (axis.begin[i] - axis.inputBegin()) * in.rowBytes;
            sumRows({row, in.rowBytes, axis.row(i), axis.taps[i]}, columns * 3, out.pixels + i * out.rowBytes);
        }
    });
}

}

void resample(RgbView<const uint8_t> in, const ResampleWindow& window, RgbView<uint8_t> out, int threads)
{
    const AxisWeights across = axisWeights(window.horizontal, window.filter);
    const AxisWeights down = axisWeights(window.vertical, window.filter);
    RgbView<const uint8_t> top{in.pixels + down.inputBegin() * in.rowBytes, in.rowBytes};
    if (window.horizontal.inSize == window.horizontal.outSize) {
        top.pixels += window.horizontal.first * 3;
        verticalPass(top, down, window.horizontal.count, out, threads);
        return;
    }
    if (window.vertical.inSize == window.vertical.outSize) {
        horizontalPass(top, across, window.vertical.count, out, threads);
        return;
    }
    const int64_t rows = down.inputEnd() - down.inputBegin();
    const int64_t rowBytes = window.horizontal.count * 3;
    std::vector<uint8_t> between(rows * rowBytes);  // (rows,horizontal.count,3)
    horizontalPass(top, across, rows, {between.data(), rowBytes}, threads);
    verticalPass({between.data(), rowBytes}, down, window.horizontal.count, out, threads);
}

int resampleThreads(const ResampleWindow& window)
{
    // A thread costs about 30 µs; below this size that is more than it saves.
    if (window.horizontal.inSize * window.vertical.inSize < 2'000'000)
        return 1;
    return std::min(usableProcessors(), 4);
}

}
