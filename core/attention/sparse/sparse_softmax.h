#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/sparse/key_pattern.h"

#include <ATen/ATen.h>

#include <memory>

namespace attnscope {

/// Which code computes a sparse softmax; the results are the same up to rounding.
enum class SparseKernel {
    Auto,   ///< the kernel of fused/cpu_sparse_softmax.h where it takes the tensors, else LibTorch operators
    Plain,  ///< LibTorch operators
};

/// Exact softmax over each query's allowed set: out_n = Σ_{m∈A_n} softmax_{m∈A_n}(s·q_n·k_m + w_nm) v_m. A
/// query with an empty set sees everything. q (B,H,N,D), k (B,H,M,D), v (B,H,M,Dv) → (B,H,N,Dv);
/// differentiable in q, k and v. Σ|A_n|·(D+Dv) multiply-adds. By operators, keys that are not allowed are never
/// read, and memory is that of the tensors and of a block of gathered keys of bounded size; gradients gather again.
at::Tensor sparseSoftmax(const AttentionInput& in, const std::shared_ptr<const KeyPattern>& pattern,
                         SparseKernel kernel);

/// What the sets of a whole batch hold.
AllowedPairs countPairs(const KeyPattern& pattern, int64_t batch, int64_t heads);

/// Σ|A_n| over the queries of all heads; beyond 4096 queries from 1024 of them, evenly spaced.
double estimatedPairs(const KeyPattern& pattern, int64_t heads);

}
