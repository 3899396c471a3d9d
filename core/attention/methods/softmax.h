#pragma once

#include "core/attention/backend_info.h"

#include "core/attention/attention_backend.h"

#include <ATen/ATen.h>

namespace attnscope {

/// y_n = Σ_m softmax_m(scale · q_n·k_m) v_m. 2·N·M·D multiply-adds per head; deterministic; no parameters.
BackendInfo softmaxInfo();

/// The matrix itself, (B,H,N,M) in float32 (float64 for float64): quadratic memory. bias (H,N,M) and keyLogWeights (B,H,M) may be undefined.
at::Tensor attentionMatrix(const at::Tensor& q, const at::Tensor& k, double scale, const at::Tensor& bias = {},
                           const at::Tensor& keyLogWeights = {});

/// logits (…,n,M) plus log-weights of keys (…,M), which may be undefined.
at::Tensor withKeyWeights(const at::Tensor& logits, const at::Tensor& keyLogWeights);

/// The same attention for methods that only know products: log-weights become another channel of keys, for which queries have 1.
AttentionInput withWeightChannel(AttentionInput in);

/// Exact attention without the N×M matrix, (B,H,N,Dv): our own kernel if it fits and is faster, else LibTorch's.
at::Tensor exactAttention(const AttentionInput& in);
/// The same with normalisers, in float32 (float64 for float64).
AttentionPart exactPart(const AttentionInput& in);

/// LibTorch's fused scaled-dot-product attention: never stores the matrix if the device has a fused kernel.
at::Tensor fusedSoftmaxAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, double scale);

}
