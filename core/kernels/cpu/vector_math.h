#pragma once

#include "core/kernels/cpu/simd.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// A polynomial by Horner's rule, from its highest coefficient down.
template <typename... Rest>
ATTNSCOPE_INLINE Floats polynomial(Floats x, float first, Rest... rest)
{
    Floats p = broadcast(first);
    ((p = fma(p, x, broadcast(rest))), ...);
    return p;
}

/// e^x to 2 ulp. Below −87.3: about 1e-38, negligible compared to 1. NaN stays NaN. x = n ln 2 + r, e^r by a polynomial of degree 7
/// (Moshier's minimax coefficients).
ATTNSCOPE_INLINE Floats exponential(Floats x)
{
    x = min(broadcast(88.0f), max(broadcast(-87.3f), x));
    const Floats n = round(x * broadcast(1.44269504088896341f));
    Floats r = fma(n, broadcast(-0.693359375f), x);  // ln 2 in two parts: n times the first is exact
    r = fma(n, broadcast(2.12194440e-4f), r);
    const Floats p = polynomial(r, 1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f,
                                1.6666665459e-1f, 5.0000001201e-1f);
    return ldexp(fma(p, r * r, r) + broadcast(1.0f), n);
}

/// 2^x to 3 ulp (relative 1.6e-7; minimax with 2^0 = 1). Below −126: about 1e-38. NaN stays NaN. Most of what it does runs in other units
/// than products need: the softmax of a tile is between two of them.
ATTNSCOPE_INLINE Floats powerOfTwo(Floats x)
{
    x = max(broadcast(-126.0f), x);
#if defined(__AVX512F__)
    const Floats rest = _mm512_reduce_ps(x, _MM_FROUND_TO_NEG_INF
                                                | _MM_FROUND_NO_EXC);  // in [0, 1): scalef rounds down as well
    return ldexp(polynomial(rest, 1.867130213e-3f, 9.017030019e-3f, 5.579991332e-2f, 2.401644501e-1f,
                            6.931513118e-1f, 1.0f),
                 x);
#else
    typedef int32_t Bits __attribute__((vector_size(sizeof(Floats))));
    const Floats magic = broadcast(
        12582912.0f);  // 1.5 · 2^23: the last bits of a sum with it are the nearest integer
    const Floats sum = x + magic, rest = x - (sum - magic);
    Bits bits;
    std::memcpy(&bits, &sum, sizeof bits);
    bits = (bits + 127) << 23;
    Floats power;
    std::memcpy(&power, &bits, sizeof power);
    return power
           * polynomial(rest, 1.326472725e-3f, 9.671512688e-3f, 5.550733744e-2f, 2.402224208e-1f, 6.931469776e-1f,
                        1.0f);
#endif
}

constexpr float log2e = 1.44269504088896341f;

/// ln x of positive normal numbers, to 2 ulp: x = 2^e m, √½ ≤ m < √2, ln m by a polynomial (Moshier's coefficients).
ATTNSCOPE_INLINE Floats logarithm(Floats x)
{
    typedef int32_t Bits __attribute__((vector_size(sizeof(Floats))));
    Bits bits;
    std::memcpy(&bits, &x, sizeof bits);
    Bits exponent = (bits >> 23) - 126;
    bits = (bits & 0x007fffff) | 0x3f000000;  // ½ ≤ m < 1
    Floats m;
    std::memcpy(&m, &bits, sizeof m);
    typedef float Lanes __attribute__((vector_size(sizeof(Floats))));
    const Bits low = static_cast<Lanes>(m) < 0.707106781186547524f;  // −1 if true
    exponent = exponent + low;
    const Bits doubled = low & bits;
    Floats again;
    std::memcpy(&again, &doubled, sizeof again);
    m = m + again - broadcast(1.0f);
    const Floats e = __builtin_convertvector(exponent, Lanes);
    const Floats z = m * m;
    Floats p = polynomial(m, 7.0376836292e-2f, -1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f,
                          1.4249322787e-1f, -1.6668057665e-1f, 2.0000714765e-1f, -2.4999993993e-1f,
                          3.3333331174e-1f);
    p = fma(e, broadcast(-2.12194440e-4f), p * m * z);
    p = fma(z, broadcast(-0.5f), p);
    return fma(e, broadcast(0.693359375f), m + p);
}

struct SineCosine {
    Floats sine, cosine;
};

/// For angles up to a few thousand, to 1e-7: x = n π/2 + r in three parts, polynomials on |r| ≤ π/4 (Moshier's coefficients).
ATTNSCOPE_INLINE SineCosine sineCosine(Floats x)
{
    const Floats n = round(x * broadcast(0.636619772367581f));
    Floats r = fma(n, broadcast(-1.5703125f), x);
    r = fma(n, broadcast(-4.837512969970703125e-4f), r);
    r = fma(n, broadcast(-7.54978995489188216e-8f), r);
    const Floats z = r * r;
    const Floats s = fma(polynomial(z, -1.9515295891e-4f, 8.3321608736e-3f, -1.6666654611e-1f) * z, r, r);
    const Floats c = fma(polynomial(z, 2.443315711809948e-5f, -1.388731625493765e-3f, 4.166664568298827e-2f),
                         z * z, fma(z, broadcast(-0.5f), broadcast(1.0f)));
    // n mod 4 selects among ±sin r and ±cos r: q = n − 4·round(n/4) is −2 … 2.
    const Floats q = n - broadcast(4.0f) * round(n * broadcast(0.25f));
    const Floats square = q * q;                                                         // 0, 1 or 4
    const Floats odd = square * (broadcast(4.0f) - square) * broadcast(1.0f / 3);        // 1 where q = ±1
    const Floats opposite = square * (square - broadcast(1.0f)) * broadcast(1.0f / 12);  // 1 where q = ±2
    const Floats even = broadcast(1.0f) - odd;
    const Floats turn = broadcast(1.0f) - broadcast(2.0f) * opposite;  // −1 where q = ±2
    return {even * turn * s + odd * q * c, even * turn * c - odd * q * s};
}

}
