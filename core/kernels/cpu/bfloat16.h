#pragma once

#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/cpu/simd.h"

/// bfloat16 in memory, two packed into the place of a float32: each is the upper half of a float32's bits and is widened in registers.
/// Processors with AVX512_BF16 round and multiply it in hardware.
namespace attnscope::kernels::ATTNSCOPE_ISA {

typedef uint32_t Bits __attribute__((vector_size(sizeof(Floats))));
typedef uint16_t Bfloat16Bits __attribute__((vector_size(sizeof(Floats) / 2)));

ATTNSCOPE_INLINE Bits bitsOf(Floats x)
{
    Bits bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

ATTNSCOPE_INLINE Floats floatsOf(Bits bits)
{
    Floats x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

/// Half a vector of packed bfloat16: lane i holds the bits of number i.
ATTNSCOPE_INLINE Bits loadBfloat16Bits(const float* packed)
{
    Bfloat16Bits narrow;
    std::memcpy(&narrow, packed, sizeof narrow);
    return __builtin_convertvector(narrow, Bits);
}

/// A vector of float32 from half as many words of packed bfloat16: lane i is number i.
ATTNSCOPE_INLINE Floats loadBfloat16(const float* packed)
{
    return floatsOf(loadBfloat16Bits(packed) << 16);
}

#if defined(__AVX512BF16__)

ATTNSCOPE_INLINE Bfloat16Bits rounded(Floats x)
{
    const __m256bh narrow = _mm512_cvtneps_pbh(x);
    Bfloat16Bits bits;
    std::memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

#else

/// Rounds to nearest, ties to even; NaN stays NaN.
ATTNSCOPE_INLINE Bfloat16Bits rounded(Floats x)
{
    const Bits bits = bitsOf(x);
    const Bits round = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16, quiet = (bits >> 16) | 0x40;
    const Bits magnitude = bits & 0x7fffffff;
    return __builtin_convertvector(magnitude > 0x7f800000 ? quiet : round, Bfloat16Bits);
}

#endif

ATTNSCOPE_INLINE void storeBfloat16(float* packed, Floats x)
{
    const Bfloat16Bits narrow = rounded(x);
    std::memcpy(packed, &narrow, sizeof narrow);
}

/// Rounds two vectors of float32 into one of packed bfloat16: the lanes of the first, then those of the second.
ATTNSCOPE_INLINE Floats paired(Floats first, Floats second)
{
    return floatsOf(__builtin_convertvector(rounded(first), Bits)
                    | __builtin_convertvector(rounded(second), Bits) << 16);
}

/// How a row's numbers are stored: as float32 and as packed bfloat16.
struct Whole {
    static constexpr int64_t packed = 1;  ///< numbers in a word
    ATTNSCOPE_INLINE static Floats from(const float* row, int64_t d) { return load(row + d); }
    ATTNSCOPE_INLINE static void to(float* row, int64_t d, Floats x) { store(row + d, x); }
};
struct PackedBfloat16 {
    static constexpr int64_t packed = 2;
    ATTNSCOPE_INLINE static Floats from(const float* row, int64_t d) { return loadBfloat16(row + d / 2); }
    ATTNSCOPE_INLINE static void to(float* row, int64_t d, Floats x) { storeBfloat16(row + d / 2, x); }
};

}
