#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/backend_info.h"

#include <ATen/ATen.h>

namespace attnscope {

/// Attention expanded to first order around landmark queries (ours): with the exact attention p_c of landmark q_c, its mean key k̄_c, mean
/// value v̄_c and Cov_c = Σ_m p_cm k_m v_mᵀ − k̄_c v̄_cᵀ,
///
///     out_n = v̄_c + s (q_n − q_c)ᵀ Cov_c,    log normaliser_n = log normaliser_c + s (q_n − q_c)·k̄_c
///
/// for the landmark nearest to q_n. The error is of second order in q_n − q_c. The normaliser is a lower bound, exact at landmarks.
/// Landmarks are centres of k-means on the queries, from means of cells of the grid. C·M·(2 + D)·D + N·(C·(i + 1) + D)·D multiply-adds per
/// head for D = Dv; deterministic; no parameters; no order of tokens is needed.
BackendInfo tangentInfo();

/// max_c log normaliser_c + s (q_n − q_c)·k̄_c over landmarks (B,H,C,D): a lower bound of the normaliser of every query, (B,H,N).
at::Tensor tangentNormaliser(const AttentionInput& in, const at::Tensor& landmarks);

/// How many of them logz=tangent takes.
constexpr int64_t tangentNormaliserLandmarks = 16;

/// Means of the queries in the cells of a square grid of `count`, or in segments if there is no grid or no such square: (B,H,≤count,D).
at::Tensor queryLandmarks(const AttentionInput& in, int64_t count);

}
