#pragma once

#include "core/kernels/cuda/device.cuh"

/// Products of tiles in shared memory, 16 rows per warp. In a fragment of results, lane 4g + t holds (g, 2t), (g, 2t+1), (g+8, 2t) and
/// (g+8, 2t+1) of a 16×8 block, for both element types, so that a row of weights is directly the left operand of the next product.
namespace attnscope::kernels::cuda {

struct Bfloat16 {
    uint16_t bits;
};

ATTNSCOPE_DEVICE float widened(float x)
{
    return x;
}
ATTNSCOPE_DEVICE float widened(Bfloat16 x)
{
    const uint32_t bits = uint32_t(x.bits) << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename T>
ATTNSCOPE_DEVICE T narrowed(float x)
{
    if constexpr (sizeof(T) == sizeof(float))
        return x;
    else
        return T{uint16_t(packed(x, 0) & 0xffffu)};
}

/// Numbers that one access of 16 bytes reads.
template <typename T>
struct alignas(16) Vector {
    static constexpr int size = 16 / sizeof(T);
    T x[size];
};

template <typename T>
ATTNSCOPE_DEVICE Vector<T> vectorAt(const T* at)
{
    return *reinterpret_cast<const Vector<T>*>(at);
}

ATTNSCOPE_DEVICE bool isAligned(const void* at, int64_t bytes)
{
    return ((reinterpret_cast<std::uintptr_t>(at) | static_cast<std::uintptr_t>(bytes)) & 15) == 0;
}

/// How many of a tile's 64 keys there are. Of a whole tile the compiler knows, and mixes the blocks' instructions.
struct WholeTile {
    ATTNSCOPE_DEVICE constexpr bool reaches(int) const { return true; }
};
struct PartOfTile {
    int count;
    ATTNSCOPE_DEVICE bool reaches(int key) const { return key < count; }
};

/// Layout of the fragments of one element type. `keyPad` and `valuePad` keep a warp's accesses in different banks.
template <typename T>
struct Fragments;

template <>
struct Fragments<Bfloat16> {
    static constexpr int depth = 16, keyPad = 8, valuePad = 8;
    struct Left {
        uint32_t x[4];
    };
    struct Right {
        uint32_t x[2];
    };

    static ATTNSCOPE_DEVICE uint32_t two(const Bfloat16* at) { return *reinterpret_cast<const uint32_t*>(at); }

    /// Rows 0 … 15 of `tile`, columns d … d + depth − 1.
    static ATTNSCOPE_DEVICE Left left(const Bfloat16* tile, int stride, int d)
    {
        const int g = laneOf() / 4, t = laneOf() % 4;
        const Bfloat16* at = tile + g * stride + d + 2 * t;
        return {{two(at), two(at + 8 * stride), two(at + 8), two(at + 8 * stride + 8)}};
    }
    /// The transpose of rows 0 … 7 of `tile`.
    static ATTNSCOPE_DEVICE Right right(const Bfloat16* tile, int stride, int d)
    {
        const Bfloat16* at = tile + laneOf() / 4 * stride + d + 2 * (laneOf() % 4);
        return {{two(at), two(at + 8)}};
    }
    static ATTNSCOPE_DEVICE void multiply(float (&c)[4], const Left& a, const Right& b)
    {
        multiply16(c, a.x, b.x);
    }

    /// output += weights · values for the keys of a tile: values has `blocks` blocks of 8 columns, of which `used` are in use.
    template <int blocks, typename Tile>
    static ATTNSCOPE_DEVICE void addValues(float (&output)[blocks][4], const float (&weights)[8][4],
                                           const Bfloat16* values, int stride, const Tile& tile, int used)
    {
        const int row = laneOf() % 16, column = laneOf() / 16 * 8;
        ATTNSCOPE_UNROLL
        for (int step = 0; step < 4; ++step) {
            if (!tile.reaches(16 * step))
                break;
            const auto& low = weights[2 * step];
            const auto& high = weights[2 * step + 1];
            const uint32_t left[4] = {packed(low[0], low[1]), packed(low[2], low[3]), packed(high[0], high[1]),
                                      packed(high[2], high[3])};
            ATTNSCOPE_UNROLL
            for (int block = 0; block < blocks; block += 2) {
                if (block >= used)
                    break;
                uint32_t both[4];
                loadTransposed(both, values + (16 * step + row) * stride + 8 * block + column);
                const uint32_t one[2] = {both[0], both[1]}, other[2] = {both[2], both[3]};
                multiply16(output[block], left, one);
                multiply16(output[block + 1], left, other);
            }
        }
    }
};

/// The order of a product's terms does not matter: here lane t takes columns 2t and 2t + 1 where the hardware's order has t and t + 4, on
/// both sides, so that a fragment of results is a left operand here too.
template <>
struct Fragments<float> {
    static constexpr int depth = 8, keyPad = 8, valuePad = 4;
    struct alignas(8) Two {
        float x, y;
    };
    struct Left {
        float x[4];
    };
    struct Right {
        float x[2];
    };

    static ATTNSCOPE_DEVICE Two two(const float* at) { return *reinterpret_cast<const Two*>(at); }

    static ATTNSCOPE_DEVICE Left left(const float* tile, int stride, int d)
    {
        const float* at = tile + laneOf() / 4 * stride + d + 2 * (laneOf() % 4);
        const Two upper = two(at), lower = two(at + 8 * stride);
        return {{upper.x, lower.x, upper.y, lower.y}};
    }
    static ATTNSCOPE_DEVICE Right right(const float* tile, int stride, int d)
    {
        const Two both = two(tile + laneOf() / 4 * stride + d + 2 * (laneOf() % 4));
        return {{both.x, both.y}};
    }
    static ATTNSCOPE_DEVICE void multiply(float (&c)[4], const Left& a, const Right& b) { multiply8(c, a.x, b.x); }

    template <int blocks, typename Tile>
    static ATTNSCOPE_DEVICE void addValues(float (&output)[blocks][4], const float (&weights)[8][4],
                                           const float* values, int stride, const Tile& tile, int used)
    {
        const int g = laneOf() / 4, t = laneOf() % 4;
        ATTNSCOPE_UNROLL
        for (int step = 0; step < 8; ++step) {
            if (!tile.reaches(8 * step))
                break;
            const float left[4] = {weights[step][0], weights[step][2], weights[step][1], weights[step][3]};
            const float* at = values + (8 * step + 2 * t) * stride + g;
            ATTNSCOPE_UNROLL
            for (int block = 0; block < blocks; ++block) {
                if (block >= used)
                    break;
                const float right[2] = {at[8 * block], at[stride + 8 * block]};
                multiply8(output[block], left, right);
            }
        }
    }
};

/// scores = the warp's 16 rows of `queries` times the rows of a tile of `keys`, `width` columns; 0 for blocks of 8 keys behind them.
template <typename T, typename Tile>
ATTNSCOPE_DEVICE void scoreTile(const T* queries, const T* keys, int stride, const Tile& tile, int width,
                                float (&scores)[8][4])
{
    ATTNSCOPE_UNROLL
    for (int block = 0; block < 8; ++block)
        ATTNSCOPE_UNROLL
    for (int i = 0; i < 4; ++i)
        scores[block][i] = 0;
    for (int d = 0; d < width; d += Fragments<T>::depth) {
        const auto left = Fragments<T>::left(queries, stride, d);
        ATTNSCOPE_UNROLL
        for (int block = 0; block < 8; ++block) {
            if (!tile.reaches(8 * block))
                break;
            Fragments<T>::multiply(scores[block], left, Fragments<T>::right(keys + 8 * block * stride, stride, d));
        }
    }
}

/// Copies rows [0, count) of `from` into a tile of `rows` rows, with zeros after the last row and from `width` up to `columns`, a multiple
/// of 8, as thread number `thread` of `threads`. Asynchronous: waitForCopies() and a barrier of these threads must follow.
template <typename T>
ATTNSCOPE_DEVICE void loadTile(T* tile, int stride, int rows, const T* from, int64_t rowStride, int count,
                               int width, int columns, int thread, int threads)
{
    constexpr int perCopy = Vector<T>::size;
    const bool aligned = isAligned(from, rowStride * int64_t(sizeof(T)));
    const int copies = columns / perCopy;
    for (int i = thread; i < rows * copies; i += threads) {
        const int row = i / copies, column = i % copies * perCopy;
        T* to = tile + row * stride + column;
        const T* source = from + row * rowStride + column;
        if (aligned && row < count && column + perCopy <= width) {
            copyLater(to, source);
            continue;
        }
        for (int j = 0; j < perCopy; ++j)
            to[j] = row < count && column + j < width ? source[j] : narrowed<T>(0);
    }
}

/// The same by all threads of the block.
template <typename T>
ATTNSCOPE_DEVICE void loadTile(T* tile, int stride, int rows, const T* from, int64_t rowStride, int count,
                               int width, int columns)
{
    loadTile(tile, stride, rows, from, rowStride, count, width, columns, int(threadIdx.x), int(blockDim.x));
}

ATTNSCOPE_DEVICE int wholeDepths(int width)
{
    return (width + 15) / 16 * 16;
}

}
