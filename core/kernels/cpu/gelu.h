// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/cpu/bfloat16.h"
#include "core/kernels/cpu/vector_math.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// ½ x (1 + erf(x/√2)), erf to 1.5e-7 (Abramowitz and Stegun, 1964, 7.1.26): ½ (x + |x|) − ½ |x| (1 − erf(|x|/√2)).
ATTNSCOPE_INLINE Floats gelu(Floats x)
{
    const Floats size = max(x, broadcast(0.0f) - x);
    const Floats t = reciprocal(fma(broadcast(0.3275911f * 0.70710678118654752f), size, broadcast(1.0f)));
    const Floats p = polynomial(t, 1.061405429f, -1.453152027f, 1.421413741f, -0.284496736f, 0.254829592f);
    const Floats rest = p * t * powerOfTwo(broadcast(-0.5f * log2e) * x * x);  // 1 − erf
    return broadcast(0.5f) * fma(broadcast(0.0f) - size, rest, x + size);
}

/// The same for results that are then rounded to bfloat16 (relative error 4e-3): to 1.6e-5, relative 1e-4 above −1. x Φ(x), Φ = ½ + x P(x²)
/// up to 4.5, beyond which it is 0 or 1; P is minimax in that error, in 2 x²/4.5² − 1.
ATTNSCOPE_INLINE Floats geluOfBfloat16(Floats x)
{
    constexpr float end = 4.5f;
    const Floats near = min(broadcast(end), max(broadcast(-end), x));
    const Floats z = fma(near * near, broadcast(2 / (end * end)), broadcast(-1.0f));
    const Floats p = polynomial(z, -0.0009383377037011087f, 0.004220094997435808f, -0.007801611442118883f,
                                0.010835598222911358f, -0.017512675374746323f, 0.028287796303629875f,
                                -0.04042946174740791f, 0.05472171679139137f, -0.07717622071504593f,
                                0.1569042056798935f);
    return x * fma(near, p, broadcast(0.5f));
}

/// GELU as accurate as the format of the result.
ATTNSCOPE_INLINE Floats geluFor(Whole, Floats x) { return gelu(x); }
ATTNSCOPE_INLINE Floats geluFor(PackedBfloat16, Floats x) { return geluOfBfloat16(x); }

}  // namespace attnscope::kernels::ATTNSCOPE_ISA
