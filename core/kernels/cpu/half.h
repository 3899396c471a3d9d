// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/cpu/simd.h"

/// bfloat16 in memory, two in the place of a float32, where the processor has instructions for it. Elsewhere nothing is handed out that
/// calls this (`CpuKernels::hasPairs`).
namespace attnscope::kernels::ATTNSCOPE_ISA {

#if defined(__AVX512BF16__)

/// A vector's worth of words from half as many: lane i is bfloat16 i.
ATTNSCOPE_INLINE Floats loadHalf(const float* pairs)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(pairs))), 16));
}

/// To the nearest, ties to even.
ATTNSCOPE_INLINE void storeHalf(float* pairs, Floats x)
{
    const __m256bh narrow = _mm512_cvtneps_pbh(x);
    std::memcpy(pairs, &narrow, sizeof narrow);
}

#else

ATTNSCOPE_INLINE Floats loadHalf(const float*) { __builtin_unreachable(); }
ATTNSCOPE_INLINE void storeHalf(float*, Floats) { __builtin_unreachable(); }

#endif

/// Numbers of a row in memory: as they are, and as bfloat16.
struct Whole {
    ATTNSCOPE_INLINE static Floats from(const float* row, std::int64_t d) { return load(row + d); }
    ATTNSCOPE_INLINE static void to(float* row, std::int64_t d, Floats x) { store(row + d, x); }
};
struct Half {
    ATTNSCOPE_INLINE static Floats from(const float* row, std::int64_t d) { return loadHalf(row + d / 2); }
    ATTNSCOPE_INLINE static void to(float* row, std::int64_t d, Floats x) { storeHalf(row + d / 2, x); }
};

}  // namespace attnscope::kernels::ATTNSCOPE_ISA
