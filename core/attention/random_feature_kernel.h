// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

/// The one stable kernel behind Performer and LARA, in the log domain: nothing overflows, no epsilon is needed, and each output
/// is a convex combination of values. ξ(x̂, ω) = exp(ω·x̂ − ½‖x̂‖²).
namespace attnscope {

/// log ξ(x̂_n, ω_s): omega (…,S,D), x̂ (…,N,D) → (…,S,N).
at::Tensor logPositiveFeature(const at::Tensor& omega, const at::Tensor& hat);

/// Σ_s w_ns ξ(q̂_n,ω_s) Σ_m ξ(k̂_m,ω_s) v_m / Σ_s w_ns ξ(q̂_n,ω_s) Σ_m ξ(k̂_m,ω_s), LARA paper, equation 28.
///
/// omega (…,S,D), q̂ (B,H,N,D), k̂ (B,H,M,D), v (B,H,M,Dv); logWeight (…,N or 1,S) are log |w|, undefined for w = 1; sign has the
/// same shape, undefined where all weights are positive. → (B,H,N,Dv). 2·S·D·(N+M) multiply-adds a head, never N×M.
at::Tensor selfNormalised(const at::Tensor& omega, const at::Tensor& queryHat, const at::Tensor& keyHat, const at::Tensor& v,
                          const at::Tensor& logWeight = {}, const at::Tensor& sign = {});

}  // namespace attnscope
