#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Attention by two block-diagonal factors (Yaras et al., 2025; our reading of the paper): with query n = (l, j), n = l·b + j, and key
/// m = (k, i), A = L_jlk R_kji maximises Σ A (logit + w − log A), in alternating steps from L = [l = k]. With x_kj the mean query that looks
/// at block k with offset j,
///
///     R_kj· = softmax_i(s x_kj·k_ki + w_ki),    L_jl· = softmax_k(s (q_lj − x_kj)·y_kj + log Z_kj),    y_kj = Σ_i R_kji k_ki
///
/// with Z the normaliser of R; L's normaliser is a lower bound of softmax's, and rises with every step. 5 N^1.5 D multiply-adds for one step
/// with b = √N; deterministic; no parameters. Depends on the order of tokens: blocks are rows of the grid.
BackendInfo monarchInfo();

}
