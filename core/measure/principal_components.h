#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// The three principal components of the tokens of an image, drawn as red, green and blue. To compare attentions, one basis and one range
/// serve all of them: those of the exact pass. With a basis of its own each, signs and order may differ, and colours show nothing.
struct PrincipalComponents {
    at::Tensor mean;  ///< (C)
    /// (3,C): right singular vectors of tokens − mean, the largest first; zeros beyond the rank. The entry of
    /// largest magnitude is positive.
    at::Tensor components;
    at::Tensor low, high;  ///< (3): range of the tokens' scores
    /// Fraction of the tokens' variance that the three components explain; 0 if there is none.
    double variance = 0;

    /// (tokens − mean) componentsᵀ: (T,C) → (T,3), in float64.
    at::Tensor scores(const at::Tensor& tokens) const;
    /// Scores stretched so that low … high becomes 0 … 1, and clamped to that: (T,C) → (T,3). 0.5 where the range is empty.
    at::Tensor colours(const at::Tensor& tokens) const;
};

/// Of tokens (T,C), in float64 on the CPU. Throws UsageError if a token is not finite or there are none.
PrincipalComponents principalComponents(const at::Tensor& tokens);

}
