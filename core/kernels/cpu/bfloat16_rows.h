// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/cpu/cpu_kernels.h"
#include "core/kernels/cpu/simd.h"

#if defined(__AVX512BF16__)

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// A vector's worth of words from half as many: lane i is bfloat16 i.
ATTNSCOPE_INLINE Floats widened(const float* pairs)
{
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(pairs))), 16));
}

/// To the nearest, ties to even.
ATTNSCOPE_INLINE void storeNarrowed(float* pairs, Floats x)
{
    const __m256bh narrow = _mm512_cvtneps_pbh(x);
    std::memcpy(pairs, &narrow, sizeof narrow);
}

inline void widenRows(Rows pairs, std::int64_t rows, std::int64_t width, OutputRows out)
{
    for (std::int64_t n = 0; n < rows; ++n)
        for (std::int64_t d = 0; d < width; d += lanes)
            store(out.data + n * out.stride + d, widened(pairs.data + n * pairs.stride + d / 2));
}

inline void narrowRows(Rows x, std::int64_t rows, std::int64_t width, OutputRows pairs)
{
    for (std::int64_t n = 0; n < rows; ++n)
        for (std::int64_t d = 0; d < width; d += lanes)
            storeNarrowed(pairs.data + n * pairs.stride + d / 2, load(x.data + n * x.stride + d));
}

}  // namespace attnscope::kernels::ATTNSCOPE_ISA

#endif
