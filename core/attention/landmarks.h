// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_backend.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// Means of `count` consecutive segments. N not divisible: with t = ⌊N/C⌋ the first (t+1)C − N segments have t tokens, the rest
/// t + 1. N ≤ C: every token is its own landmark. x (B,H,N,D) → (B,H,min(C,N),D).
at::Tensor segmentMeans(const at::Tensor& x, std::int64_t count);

/// Frame-major tokens in position-major order: index = position · frames + frame. x (B,H,frames·P,D) → the same shape.
/// Throws UsageError when `frames` does not divide the tokens.
at::Tensor positionMajor(const at::Tensor& x, std::int64_t frames);

/// The tokens that take part in landmarks: all but class and distillation tokens, and those too where there is nothing else.
at::Tensor withoutPrefix(const at::Tensor& x, const TokenLayout& tokens);

/// Adaptive average pooling of a row-major grid to side × side; cells overlap where side does not divide it.
/// x (B,H,rows·columns,D) → (B,H,side²,D).
at::Tensor gridMeans(const at::Tensor& x, std::int64_t rows, std::int64_t columns, std::int64_t side);

/// The number whose square is `count`, or 0.
std::int64_t squareRoot(std::int64_t count);

/// Linear, then LayerNorm (ε = 1e-5), of landmarks: q_bar_gen and k_bar_gen of the LARA authors' code.
/// `light` works on D channels and is shared by the heads, `dense` on all H·D.
struct LandmarkMap {
    at::Tensor weight, bias, normWeight, normBias;

    bool defined() const { return weight.defined(); }
    at::Tensor apply(const at::Tensor& landmarks) const;  ///< (B,H,C,D) → (B,H,C,D)
    double multiplyAdds(std::int64_t heads, std::int64_t width, std::int64_t count) const;
};

}  // namespace attnscope
