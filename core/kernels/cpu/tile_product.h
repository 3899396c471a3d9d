#pragma once

#include "core/kernels/cpu/bfloat16.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// Element (r, d) is at data + r · row + d · depth: a matrix or its transpose.
struct Left {
    const float* data;
    int64_t row, depth;
};

/// `depth` rows, each `row` numbers after the one before.
struct Right {
    const float* data;
    int64_t row;
};

struct Product {
    float* data;
    int64_t row;
};

enum class Into { Store, Add };

/// How a word of the left matrix is multiplied with a vector of words of the right one, in `parts` steps, one for each part of the words,
/// which hold `packed` elements each.
struct Single {
    static constexpr int parts = 1, packed = 1;
    template <int part>
    ATTNSCOPE_INLINE static Floats of(Floats packedInputs)
    {
        return packedInputs;
    }
    template <int part>
    ATTNSCOPE_INLINE static Floats left(const float* word)
    {
        return broadcast(*word);
    }
    ATTNSCOPE_INLINE static Floats add(Floats left, Floats right, Floats sum) { return fma(left, right, sum); }
};

/// Words of packed bfloat16, pairs adjacent in depth; sums in float32.
struct Pair {
    static constexpr int packed = 2;
#if defined(__AVX512BF16__)
    static constexpr int parts = 1;
    template <int part>
    ATTNSCOPE_INLINE static Floats of(Floats packedInputs)
    {
        return packedInputs;
    }
    ATTNSCOPE_INLINE static Floats add(Floats left, Floats right, Floats sum)
    {
        return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(left), reinterpret_cast<__m512bh>(right));
    }
#else
    // All first numbers of the pairs, then all second ones: both at once would not fit into 16 registers.
    static constexpr int parts = 2;
    template <int part>
    ATTNSCOPE_INLINE static Floats of(Floats packedInputs)
    {
        return floatsOf(part == 0 ? bitsOf(packedInputs) << 16 : bitsOf(packedInputs) & 0xffff0000);
    }
    ATTNSCOPE_INLINE static Floats add(Floats left, Floats right, Floats sum)
    {
        return fma(left, right, sum);
    }
#endif
    template <int part>
    ATTNSCOPE_INLINE static Floats left(const float* word)
    {
        return of<part>(broadcast(*word));
    }
};

/// Pairs on the right, whose left side was widened to float32 beforehand: a step of its depth is two numbers.
struct WidenedPair : Pair {
    template <int part>
    ATTNSCOPE_INLINE static Floats left(const float* widened)
    {
        return broadcast(widened[part]);
    }
};

/// Accumulators stay in registers: 6 × 4 of AVX-512's 32, 4 × 3 of AVX2's 16, which load less for as many products as 6 × 2 do.
constexpr int widestBlock = registers == 32 ? 4 : lanes == 8 ? 3 : 2;
constexpr int blockRows(int vectors)
{
    return registers == 32 ? (vectors >= 4   ? 6
                              : vectors == 3 ? 8
                                             : 12)
                           : (vectors == 3   ? 4
                              : vectors == 2 ? 6
                                             : 10);
}

/// Where sums of a product start from and go to: usually from memory, or zero, and back to memory.
template <Into into>
struct InMemory {
    Product c;

    InMemory at(int64_t row, int64_t column) const { return {{c.data + row * c.row + column, c.row}}; }
    /// Called before rows [row, row + count).
    ATTNSCOPE_INLINE void fetch(int64_t, int64_t) const {}
    template <int rows, int vectors>
    ATTNSCOPE_INLINE void begin(Floats (&sum)[rows][vectors]) const
    {
        for (int r = 0; r < rows; ++r)
            for (int v = 0; v < vectors; ++v)
                sum[r][v] = into == Into::Add ? load(c.data + r * c.row + v * lanes) : broadcast(0);
    }
    template <int rows, int vectors>
    ATTNSCOPE_INLINE void end(const Floats (&sum)[rows][vectors]) const
    {
        for (int r = 0; r < rows; ++r)
            for (int v = 0; v < vectors; ++v)
                store(c.data + r * c.row + v * lanes, sum[r][v]);
    }
};

/// One step in depth for one part of the words.
template <typename Step, int part, int rows, int vectors>
ATTNSCOPE_INLINE void multiplyStep(Left a, const float* b, Floats (&sum)[rows][vectors])
{
    Floats right[vectors];
    for (int v = 0; v < vectors; ++v)
        right[v] = Step::template of<part>(load(b + v * lanes));
    for (int r = 0; r < rows; ++r) {
        const Floats left = Step::template left<part>(a.data + r * a.row);
        for (int v = 0; v < vectors; ++v)
            sum[r][v] = Step::add(left, right[v], sum[r][v]);
    }
}

template <typename Step, int rows, int vectors, typename Ends>
ATTNSCOPE_INLINE void multiplyBlock(Left a, Right b, const Ends& ends, int64_t depth)
{
    Floats sum[rows][vectors];
    ends.begin(sum);
    for (int64_t d = 0; d < depth; ++d) {
        const Left column{a.data + d * a.depth, a.row, a.depth};
        multiplyStep<Step, 0>(column, b.data + d * b.row, sum);
        if constexpr (Step::parts == 2) {
            if constexpr (registers == 16)
                asm volatile("" ::: "memory");  // words kept for the second part would spill sums from registers
            multiplyStep<Step, 1>(column, b.data + d * b.row, sum);
        }
    }
    ends.end(sum);
}

/// Handles fewer rows than a block has.
template <typename Step, int rows, int vectors, typename Ends>
ATTNSCOPE_INLINE void multiplyRest(Left a, Right b, const Ends& ends, int64_t count, int64_t depth)
{
    if constexpr (rows > 0) {
        if (count == rows)
            multiplyBlock<Step, rows, vectors>(a, b, ends, depth);
        else
            multiplyRest<Step, rows - 1, vectors>(a, b, ends, count, depth);
    }
}

template <typename Step, int vectors, typename Ends>
[[gnu::noinline]] void multiplyColumns(Left a, Right b, const Ends& ends, int64_t count, int64_t depth)
{
    constexpr int rows = blockRows(vectors);
    int64_t r = 0;
    for (; r + rows <= count; r += rows) {
        ends.fetch(r, rows);
        multiplyBlock<Step, rows, vectors>({a.data + r * a.row, a.row, a.depth}, b, ends.at(r, 0), depth);
    }
    if (r < count)
        multiplyRest<Step, rows - 1, vectors>({a.data + r * a.row, a.row, a.depth}, b, ends.at(r, 0), count - r,
                                              depth);
}

/// The product a b of `rows` × `columns`, the latter a multiple of `lanes`; `ends` says where sums start from and go to.
template <typename Step, typename Ends>
void multiplyBetween(Left a, Right b, const Ends& ends, int64_t rows, int64_t columns, int64_t depth)
{
    int64_t at = 0;
    const auto next = [&](auto block, int vectors) {
        block(a, Right{b.data + at, b.row}, ends.at(0, at), rows, depth);
        at += vectors * lanes;
    };
    while (at + widestBlock * lanes <= columns)
        next(multiplyColumns<Step, widestBlock, Ends>, widestBlock);
    const int64_t left = (columns - at) / lanes;
    if constexpr (widestBlock > 3)
        if (left == 3)
            return next(multiplyColumns<Step, 3, Ends>, 3);
    if constexpr (widestBlock > 2)
        if (left == 2)
            return next(multiplyColumns<Step, 2, Ends>, 2);
    if (left == 1)
        next(multiplyColumns<Step, 1, Ends>, 1);
}

/// c = a b, or c += a b.
template <Into into, typename Step = Single>
void multiply(Left a, Right b, Product c, int64_t rows, int64_t columns, int64_t depth)
{
    multiplyBetween<Step>(a, b, InMemory<into>{c}, rows, columns, depth);
}

}
