#pragma once

// One vector of floats, as wide as the instruction set that this file is compiled for. No standard templates here or in what includes this:
// the linker would keep one copy for the whole program, which might be one for a newer processor.

#include <cstdint>
#include <cstring>

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

#define ATTNSCOPE_INLINE [[gnu::always_inline]] inline

namespace attnscope::kernels::ATTNSCOPE_ISA {

#if defined(__AVX512F__)

using Floats = __m512;
constexpr int lanes = 16;
constexpr int registers = 32;

ATTNSCOPE_INLINE Floats load(const float* p)
{
    return _mm512_loadu_ps(p);
}
ATTNSCOPE_INLINE void store(float* p, Floats x)
{
    _mm512_storeu_ps(p, x);
}
ATTNSCOPE_INLINE Floats broadcast(float x)
{
    return _mm512_set1_ps(x);
}
ATTNSCOPE_INLINE Floats fma(Floats a, Floats b, Floats c)
{
    return _mm512_fmadd_ps(a, b, c);
}
/// Returns b if either is NaN.
ATTNSCOPE_INLINE Floats max(Floats a, Floats b)
{
    return _mm512_max_ps(a, b);
}
ATTNSCOPE_INLINE Floats min(Floats a, Floats b)
{
    return _mm512_min_ps(a, b);
}
ATTNSCOPE_INLINE Floats round(Floats x)
{
    return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
/// x · 2^n, n an integer.
ATTNSCOPE_INLINE Floats ldexp(Floats x, Floats n)
{
    return _mm512_scalef_ps(x, n);
}
ATTNSCOPE_INLINE Floats squareRoot(Floats x)
{
    return _mm512_sqrt_ps(x);
}
/// 1/x of normal numbers to 2 ulp: a 14-bit estimate and one Newton step, in a third of a division's time.
ATTNSCOPE_INLINE Floats reciprocal(Floats x)
{
    const Floats near = _mm512_rcp14_ps(x);
    return _mm512_fmadd_ps(near, _mm512_fnmadd_ps(x, near, _mm512_set1_ps(1.0f)), near);
}
/// The same to 14 bits at least.
ATTNSCOPE_INLINE Floats reciprocalEstimate(Floats x)
{
    return _mm512_rcp14_ps(x);
}
/// Lanes 0, 0, 1, 1 … of x, and those from its middle on.
ATTNSCOPE_INLINE Floats lowTwice(Floats x)
{
    return __builtin_shufflevector(x, x, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
}
ATTNSCOPE_INLINE Floats highTwice(Floats x)
{
    return __builtin_shufflevector(x, x, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15);
}
/// Neighbours exchanged: lanes 1, 0, 3, 2 …
ATTNSCOPE_INLINE Floats swapped(Floats x)
{
    return __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
}
/// Lane i of x if bit i is set, else of y.
ATTNSCOPE_INLINE Floats select(uint64_t bits, Floats x, Floats y)
{
    return _mm512_mask_blend_ps(static_cast<__mmask16>(bits), y, x);
}
ATTNSCOPE_INLINE float total(Floats x)
{
    return _mm512_reduce_add_ps(x);
}
ATTNSCOPE_INLINE float largest(Floats x)
{
    return _mm512_reduce_max_ps(x);
}

#elif defined(__AVX2__)

using Floats = __m256;
constexpr int lanes = 8;
constexpr int registers = 16;

ATTNSCOPE_INLINE Floats load(const float* p)
{
    return _mm256_loadu_ps(p);
}
ATTNSCOPE_INLINE void store(float* p, Floats x)
{
    _mm256_storeu_ps(p, x);
}
ATTNSCOPE_INLINE Floats broadcast(float x)
{
    return _mm256_set1_ps(x);
}
ATTNSCOPE_INLINE Floats fma(Floats a, Floats b, Floats c)
{
    return _mm256_fmadd_ps(a, b, c);
}
ATTNSCOPE_INLINE Floats max(Floats a, Floats b)
{
    return _mm256_max_ps(a, b);
}
ATTNSCOPE_INLINE Floats min(Floats a, Floats b)
{
    return _mm256_min_ps(a, b);
}
ATTNSCOPE_INLINE Floats round(Floats x)
{
    return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
ATTNSCOPE_INLINE Floats ldexp(Floats x, Floats n)
{
    const __m256i bits = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
    return x * _mm256_castsi256_ps(bits);
}
ATTNSCOPE_INLINE Floats squareRoot(Floats x)
{
    return _mm256_sqrt_ps(x);
}
ATTNSCOPE_INLINE Floats reciprocal(Floats x)
{
    return _mm256_set1_ps(1.0f) / x;
}
ATTNSCOPE_INLINE Floats lowTwice(Floats x)
{
    return __builtin_shufflevector(x, x, 0, 0, 1, 1, 2, 2, 3, 3);
}
ATTNSCOPE_INLINE Floats highTwice(Floats x)
{
    return __builtin_shufflevector(x, x, 4, 4, 5, 5, 6, 6, 7, 7);
}
ATTNSCOPE_INLINE Floats swapped(Floats x)
{
    return __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6);
}
ATTNSCOPE_INLINE Floats select(uint64_t bits, Floats x, Floats y)
{
    const __m256i lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i own = _mm256_and_si256(_mm256_set1_epi32(int(bits)), lane);
    return _mm256_blendv_ps(y, x, _mm256_castsi256_ps(_mm256_cmpeq_epi32(own, lane)));
}

#else

typedef float Floats __attribute__((vector_size(16)));
constexpr int lanes = 4;
constexpr int registers = 16;

ATTNSCOPE_INLINE Floats load(const float* p)
{
    Floats x;
    std::memcpy(&x, p, sizeof x);
    return x;
}
ATTNSCOPE_INLINE void store(float* p, Floats x)
{
    std::memcpy(p, &x, sizeof x);
}
ATTNSCOPE_INLINE Floats broadcast(float x)
{
    return Floats{x, x, x, x};
}
ATTNSCOPE_INLINE Floats fma(Floats a, Floats b, Floats c)
{
    return a * b + c;
}
ATTNSCOPE_INLINE Floats max(Floats a, Floats b)
{
    return a > b ? a : b;
}
ATTNSCOPE_INLINE Floats min(Floats a, Floats b)
{
    return a < b ? a : b;
}
ATTNSCOPE_INLINE Floats round(Floats x)
{
    const Floats magic = broadcast(12582912.0f);  // 1.5 · 2^23: its last bit is worth 1
    return (x + magic) - magic;
}
ATTNSCOPE_INLINE Floats ldexp(Floats x, Floats n)
{
    typedef int32_t Bits __attribute__((vector_size(16)));
    const Bits bits = (__builtin_convertvector(n, Bits) + 127) << 23;
    Floats power;
    std::memcpy(&power, &bits, sizeof power);
    return x * power;
}
ATTNSCOPE_INLINE Floats squareRoot(Floats x)
{
    for (int i = 0; i < lanes; ++i)
        x[i] = __builtin_sqrtf(x[i]);
    return x;
}

ATTNSCOPE_INLINE Floats reciprocal(Floats x)
{
    return broadcast(1.0f) / x;
}
ATTNSCOPE_INLINE Floats lowTwice(Floats x)
{
    return __builtin_shufflevector(x, x, 0, 0, 1, 1);
}
ATTNSCOPE_INLINE Floats highTwice(Floats x)
{
    return __builtin_shufflevector(x, x, 2, 2, 3, 3);
}
ATTNSCOPE_INLINE Floats swapped(Floats x)
{
    return __builtin_shufflevector(x, x, 1, 0, 3, 2);
}
ATTNSCOPE_INLINE Floats select(uint64_t bits, Floats x, Floats y)
{
    typedef int32_t Bits __attribute__((vector_size(16)));
    const auto own = int32_t(bits);
    return (Bits{own, own, own, own} & Bits{1, 2, 4, 8}) != 0 ? x : y;
}

#endif

#if !defined(__AVX512F__)

ATTNSCOPE_INLINE Floats reciprocalEstimate(Floats x)
{
    return reciprocal(x);
}
ATTNSCOPE_INLINE float total(Floats x)
{
    float sum = 0;
    for (int i = 0; i < lanes; ++i)
        sum += x[i];
    return sum;
}
ATTNSCOPE_INLINE float largest(Floats x)
{
    float found = x[0];
    for (int i = 1; i < lanes; ++i)
        found = x[i] > found ? x[i] : found;
    return found;
}

#endif

template <typename T>
ATTNSCOPE_INLINE T min(T a, T b)
{
    return a < b ? a : b;
}

}
