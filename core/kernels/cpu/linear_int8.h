#pragma once

#include "core/kernels/cpu/linear_rows.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Linear layers with weights in 8 bits. Inputs are rounded to 8 bits as well, because products of integers are what processors compute
/// faster than those of float32: four at a time with AVX512_VNNI, else pairs widened to 16 bits, so that nothing saturates.
namespace attnscope::kernels::ATTNSCOPE_ISA {

typedef int32_t Ints __attribute__((vector_size(sizeof(Floats))));
typedef uint16_t Uint16s __attribute__((vector_size(sizeof(Floats))));

ATTNSCOPE_INLINE Ints loadInts(const int32_t* p)
{
    Ints x;
    std::memcpy(&x, p, sizeof x);
    return x;
}

ATTNSCOPE_INLINE void storeInts(int32_t* p, Ints x)
{
    std::memcpy(p, &x, sizeof x);
}

ATTNSCOPE_INLINE Ints integers(Floats x)
{
    return __builtin_convertvector(round(x), Ints);
}
/// The bits of |x|, which are in the order of the magnitudes; those of what is not finite are the largest.
ATTNSCOPE_INLINE Ints magnitudeBits(Floats x)
{
    return reinterpret_cast<Ints>(bitsOf(x) & 0x7fffffff);
}
ATTNSCOPE_INLINE Ints max(Ints a, Ints b)
{
    return a > b ? a : b;
}

#if defined(__AVX512F__)
ATTNSCOPE_INLINE int32_t totalOf(Ints x)
{
    return _mm512_reduce_add_epi32(reinterpret_cast<__m512i>(x));
}
ATTNSCOPE_INLINE int32_t largestOf(Ints x)
{
    return _mm512_reduce_max_epi32(reinterpret_cast<__m512i>(x));
}
#else
typedef int32_t FourInts __attribute__((vector_size(16)));

/// Four lanes of which `join` makes one.
template <typename Join>
ATTNSCOPE_INLINE int32_t reduced(Ints x, const Join& join)
{
    FourInts all;
    std::memcpy(&all, &x, sizeof all);
    if constexpr (lanes == 8) {
        FourInts upper;
        std::memcpy(&upper, reinterpret_cast<const char*>(&x) + sizeof all, sizeof upper);
        all = join(all, upper);
    }
    all = join(all, __builtin_shufflevector(all, all, 2, 3, 0, 1));
    return join(all, __builtin_shufflevector(all, all, 1, 0, 3, 2))[0];
}

ATTNSCOPE_INLINE int32_t totalOf(Ints x)
{
    return reduced(x, [](FourInts a, FourInts b) { return a + b; });
}
ATTNSCOPE_INLINE int32_t largestOf(Ints x)
{
    return reduced(x, [](FourInts a, FourInts b) { return a > b ? a : b; });
}
#endif

/// Four inputs of a row as the product takes them, in `quadSize` words.
#if defined(__AVX512VNNI__)

constexpr int64_t quadSize = 1;  // four signed bytes

/// Rounded inputs x, then y → 8 words, of which each holds four.
ATTNSCOPE_INLINE void storeQuads(int32_t* to, Ints x, Ints y)
{
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtepi32_epi8(reinterpret_cast<__m512i>(x)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 4), _mm512_cvtepi32_epi8(reinterpret_cast<__m512i>(y)));
}

template <int rows, int vectors>
ATTNSCOPE_INLINE void addQuad(const int32_t* left, int64_t stride, const int32_t* weights,
                              Ints (&sum)[rows][vectors])
{
    __m512i right[vectors];
    for (int v = 0; v < vectors; ++v)
        right[v] = reinterpret_cast<__m512i>(loadInts(weights + v * lanes));
    for (int r = 0; r < rows; ++r) {
        const __m512i own = _mm512_set1_epi32(left[r * stride]);
        for (int v = 0; v < vectors; ++v)
            sum[r][v] = reinterpret_cast<Ints>(
                _mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sum[r][v]), right[v], own));
    }
}

#else

constexpr int64_t quadSize =
    2;  // a pair of the first and third in 16 bits each, then one of the second and fourth

#if defined(__AVX512F__)
ATTNSCOPE_INLINE Ints pairSums(Ints x, Ints y)
{
    return reinterpret_cast<Ints>(_mm512_madd_epi16(reinterpret_cast<__m512i>(x), reinterpret_cast<__m512i>(y)));
}
#elif defined(__AVX2__)
ATTNSCOPE_INLINE Ints pairSums(Ints x, Ints y)
{
    return reinterpret_cast<Ints>(_mm256_madd_epi16(reinterpret_cast<__m256i>(x), reinterpret_cast<__m256i>(y)));
}
#elif defined(__SSE2__)
ATTNSCOPE_INLINE Ints pairSums(Ints x, Ints y)
{
    return reinterpret_cast<Ints>(_mm_madd_epi16(reinterpret_cast<__m128i>(x), reinterpret_cast<__m128i>(y)));
}
#else
/// x₀y₀ + x₁y₁ of the signed halves of each word.
ATTNSCOPE_INLINE Ints pairSums(Ints x, Ints y)
{
    return (x << 16 >> 16) * (y << 16 >> 16) + (x >> 16) * (y >> 16);
}
#endif

/// Compilers would multiply everything first and add later, for which there are too few registers.
ATTNSCOPE_INLINE void keepInRegister([[maybe_unused]] Ints& x)
{
#if defined(__x86_64__)
    asm volatile("" : "+x"(x));
#endif
}

/// Rounded inputs x, then y → 2 · lanes / 4 quads.
ATTNSCOPE_INLINE void storeQuads(int32_t* to, Ints x, Ints y)
{
#if defined(__AVX512F__)
    const Ints low = __builtin_shufflevector(x, y, 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29);
    const Ints high = __builtin_shufflevector(x, y, 2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31);
#elif defined(__AVX2__)
    const Ints low = __builtin_shufflevector(x, y, 0, 1, 4, 5, 8, 9, 12, 13);
    const Ints high = __builtin_shufflevector(x, y, 2, 3, 6, 7, 10, 11, 14, 15);
#else
    const Ints low = __builtin_shufflevector(x, y, 0, 1, 4, 5), high = __builtin_shufflevector(x, y, 2, 3, 6, 7);
#endif
    storeInts(to, (low & 0xffff) | high << 16);
}

template <int part, int rows, int vectors>
ATTNSCOPE_INLINE void addTwo(const int32_t* left, int64_t stride, const int32_t* weights,
                             Ints (&sum)[rows][vectors])
{
    Ints right[vectors];
    for (int v = 0; v < vectors; ++v) {
        const Ints bytes = loadInts(weights + v * lanes);
        right[v] = part == 0 ? bytes & 0x00ff00ff : reinterpret_cast<Ints>(reinterpret_cast<Uint16s>(bytes) >> 8);
    }
    for (int r = 0; r < rows; ++r) {
        const Ints own = Ints{} + left[r * stride + part];
        for (int v = 0; v < vectors; ++v) {
            sum[r][v] += pairSums(own, right[v]);
            keepInRegister(sum[r][v]);
        }
    }
}

template <int rows, int vectors>
ATTNSCOPE_INLINE void addQuad(const int32_t* left, int64_t stride, const int32_t* weights,
                              Ints (&sum)[rows][vectors])
{
    addTwo<0>(left, stride, weights, sum);
    if constexpr (registers == 16)
        asm volatile("" ::: "memory");  // words kept for the second part would spill sums from registers
    addTwo<1>(left, stride, weights, sum);
}

#endif

/// Vectors of outputs that a block has, and outputs of a strip: products of integers need a register more than those of float32.
constexpr int int8Block = registers == 32 ? 4 : 2;
constexpr int64_t int8StripColumns = int8Block * lanes;

/// Some rows' inputs of one pass, rounded: `groups` a row, which begin with the sum that offsets of weights (w + 128) leave to subtract.
struct RoundedRows {
    static constexpr int64_t rowsMax = 108, depth = 4 * int8Group;
    static constexpr int64_t groupSize = int8Group / 4 * quadSize, groups = depth / int8Group;
    alignas(64) int32_t quads[rowsMax * groups * groupSize + 2 * lanes];
    float scales[rowsMax][groups];
    int32_t offsets[rowsMax][groups];
};

/// A row's inputs [begin, end) of `x`: one group. A number that is not finite makes the scale NaN, and with it all sums.
template <typename In>
ATTNSCOPE_INLINE void roundGroup(const float* x, int64_t begin, int64_t end, RoundedRows& to, int64_t row,
                                 int64_t group)
{
    Ints top{};
    for (int64_t d = begin; d < end; d += lanes)
        top = max(top, magnitudeBits(In::from(x, d)));
    constexpr int32_t infinity = 0x7f800000;
    const int32_t bits = largestOf(top);
    float largestOne;
    std::memcpy(&largestOne, &bits, sizeof bits);
    const bool finite = bits < infinity;
    const Floats inverse = broadcast(finite && bits > 0 ? 127 / largestOne : 0);
    Ints sum{};
    const auto rounded = [&](int64_t d) { return integers(In::from(x, d) * inverse); };
    int32_t* quads = to.quads + (row * RoundedRows::groups + group) * RoundedRows::groupSize;
    for (int64_t d = begin; d < end; d += 2 * lanes) {
        const Ints first = rounded(d), second = d + lanes < end ? rounded(d + lanes) : Ints{};
        sum += first + second;
        storeQuads(quads, first, second);
        quads += 2 * lanes / 4 * quadSize;
    }
    to.scales[row][group] = finite ? largestOne / 127 : __builtin_nanf("");
    to.offsets[row][group] = finite ? -128 * totalOf(sum) : 0;
}

/// Products of `rows` rows with `vectors` vectors of outputs.
template <int rows, int vectors>
ATTNSCOPE_INLINE void multiplyGroup(const RoundedRows& x, int64_t row, int64_t group, const int32_t* weights,
                                    int64_t columns, int64_t depth, const float* scales, const LayerEnds& ends)
{
    constexpr int64_t stride = RoundedRows::groups * RoundedRows::groupSize;
    const int32_t* left = x.quads + row * stride + group * RoundedRows::groupSize;
    Ints sum[rows][vectors];
    for (int r = 0; r < rows; ++r)
        for (int v = 0; v < vectors; ++v)
            sum[r][v] = Ints{} + x.offsets[row + r][group];
    for (int64_t quad = 0; quad < depth / 4; ++quad)
        addQuad(left + quad * quadSize, stride, weights + quad * columns, sum);
    Floats out[rows][vectors];
    ends.begin(out);
    for (int r = 0; r < rows; ++r) {
        const Floats scale = broadcast(x.scales[row + r][group]);
        for (int v = 0; v < vectors; ++v)
            out[r][v] = fma(__builtin_convertvector(sum[r][v], Floats) * load(scales + v * lanes), scale,
                            out[r][v]);
    }
    ends.end(out);
}

template <int rows, int vectors>
ATTNSCOPE_INLINE void multiplyGroupRest(const RoundedRows& x, int64_t row, int64_t count, int64_t group,
                                        const int32_t* weights, int64_t columns, int64_t depth,
                                        const float* scales, const LayerEnds& ends)
{
    if constexpr (rows > 0) {
        if (count == rows)
            multiplyGroup<rows, vectors>(x, row, group, weights, columns, depth, scales, ends);
        else
            multiplyGroupRest<rows - 1, vectors>(x, row, count, group, weights, columns, depth, scales, ends);
    }
}

/// A strip's `vectors` vectors of outputs from number `done` on, for inputs [begin, end).
template <int vectors>
[[gnu::noinline]] void linearInt8Columns(const LinearRows& task, const RoundedRows& x, const Strip& strip,
                                         int64_t done, int64_t begin, int64_t end, int64_t layerBegin,
                                         int64_t layerEnd)
{
    constexpr int rows = blockRows(vectors);
    const int64_t at = strip.at + done, columns = strip.stride;
    const auto* const packed = reinterpret_cast<const int32_t*>(strip.weights) + done;
    for (int64_t row = 0; row < task.rows; row += rows)
        for (int64_t d = begin; d < end; d += int8Group) {
            const int64_t part = min(int8Group, end - d), count = min<int64_t>(rows, task.rows - row);
            const LayerEnds ends = endsOf(task, at, d == layerBegin, d + part == layerEnd).at(row, 0);
            const int32_t* const weights = packed + d / 4 * columns;
            const float* const scales = task.weight.scales + at;
            if (count == rows)
                multiplyGroup<rows, vectors>(x, row, (d - begin) / int8Group, weights, columns, part, scales,
                                             ends);
            else
                multiplyGroupRest<rows - 1, vectors>(x, row, count, (d - begin) / int8Group, weights, columns,
                                                     part, scales, ends);
        }
}

inline void linearInt8Strip(const LinearRows& task, const RoundedRows& x, const Strip& strip, int64_t begin,
                            int64_t end, int64_t layerBegin, int64_t layerEnd)
{
    int64_t done = 0;
    for (; done + int8StripColumns <= strip.columns; done += int8StripColumns)
        linearInt8Columns<int8Block>(task, x, strip, done, begin, end, layerBegin, layerEnd);
    for (; done < strip.columns; done += lanes)
        linearInt8Columns<1>(task, x, strip, done, begin, end, layerBegin, layerEnd);
    if (end == layerEnd)
        activateStrip(task, strip.at, strip.columns);
}

template <typename In>
void linearInt8(const LinearRows& task)
{
    const int64_t begin = task.depthBegin * In::packed, end = task.depthEnd * In::packed;
    RoundedRows rounded;
    for (int64_t row = 0; row < task.rows; row += RoundedRows::rowsMax) {
        const LinearRows part = rowsOf(task, row, min(RoundedRows::rowsMax, task.rows - row));
        for (int64_t d = begin; d < end; d += RoundedRows::depth) {
            const int64_t last = min(d + RoundedRows::depth, end);
            for (int64_t n = 0; n < part.rows; ++n)
                for (int64_t group = 0, from = d; from < last; ++group, from += int8Group)
                    roundGroup<In>(part.x.data + n * part.x.stride, from - begin,
                                   min(from + int8Group, last) - begin, rounded, n, group);
            forEachStrip(part, int8StripColumns,
                         [&](const Strip& strip) { linearInt8Strip(part, rounded, strip, d, last, begin, end); });
        }
    }
}

}
