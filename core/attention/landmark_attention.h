// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_backend.h"

#include <ATen/ATen.h>

/// What Nyström and Orthoformer share: attention from landmarks to keys, and from queries to landmarks.
namespace attnscope {

/// softmax(s·L kᵀ) v over each group of keys separately: landmarks (B,H,C,D) → (B,H,C,G·Dv), groups concatenated.
at::Tensor landmarkValues(const AttentionInput& in, const at::Tensor& landmarks);

/// weights (B,H,N,C) times `landmarkValues` → (B,H,N,Dv), or (B,H,N,G,Dv): one product for all groups.
at::Tensor spreadLandmarkValues(const AttentionInput& in, const at::Tensor& weights, const at::Tensor& values);

/// Multiply-adds of both, and of the weights' logits: heads·C·((N + M)·D + (M + G·N)·Dv).
double landmarkMultiplyAdds(const AttentionShape& shape, double landmarks);

}  // namespace attnscope
