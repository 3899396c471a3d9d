#pragma once

#include "core/kernels/activation.h"
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

ATTNSCOPE_INLINE Floats geluFor(Whole, Floats x)
{
    return gelu(x);
}
ATTNSCOPE_INLINE Floats geluFor(PackedBfloat16, Floats x)
{
    return geluOfBfloat16(x);
}

/// 1/(1 + 2^x) for x up to 120, to the accuracy of the result's format: 3 ulp, or relative 2e-4.
ATTNSCOPE_INLINE Floats logistic(Whole, Floats x)
{
    return reciprocal(broadcast(1.0f) + powerOfTwo(x));
}
ATTNSCOPE_INLINE Floats logistic(PackedBfloat16, Floats x)
{
    x = max(broadcast(-126.0f), x);
    const Floats n = round(x);
    const Floats power = polynomial(x - n, 0.0551716690577678f, 0.2426111221934333f, 0.6932609854607089f,
                                    0.999928073539368f);
    return reciprocalEstimate(broadcast(1.0f) + ldexp(power, n));
}

/// The factors a, b of activations of the form x σ(a x + b x³): ½ (1 + tanh z) is σ(2 z).
struct LogisticFactors {
    float linear, cubic;
};
constexpr LogisticFactors logisticFactors(Activation kind)
{
    constexpr float slope = 2 * 0.79788456080286536f;  // 2 √(2/π)
    switch (kind) {
    case Activation::GeluTanh:
        return {slope, slope * 0.044715f};
    case Activation::QuickGelu:
        return {1.702f, 0};
    default:
        return {1, 0};
    }
}

/// The activation as accurately as a result of this format can hold. NaN stays NaN.
template <Activation kind, typename Out>
ATTNSCOPE_INLINE Floats activated(Out, Floats x)
{
    if constexpr (kind == Activation::None) {
        return x;
    } else if constexpr (kind == Activation::Gelu) {
        return geluFor(Out(), x);
    } else {
        constexpr LogisticFactors by = logisticFactors(kind);
        Floats slope = broadcast(-log2e * by.linear);
        if constexpr (by.cubic != 0)
            slope = fma(x * x, broadcast(-log2e * by.cubic), slope);
        return x * logistic(Out(), min(broadcast(120.0f), slope * x));  // at 120, 1e-36 is left of x
    }
}

/// Calls apply.operator()<kind>().
template <typename Apply>
ATTNSCOPE_INLINE void withActivation(Activation kind, const Apply& apply)
{
    switch (kind) {
    case Activation::None:
        return apply.template operator()<Activation::None>();
    case Activation::Gelu:
        return apply.template operator()<Activation::Gelu>();
    case Activation::GeluTanh:
        return apply.template operator()<Activation::GeluTanh>();
    case Activation::QuickGelu:
        return apply.template operator()<Activation::QuickGelu>();
    case Activation::Silu:
        return apply.template operator()<Activation::Silu>();
    }
}

}
