#pragma once

#include "models/blocks/layers.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// The weights of trajectory attention's second softmax: `proj_q`, and the required part of `proj_kv`.
struct TemporalWeights {
    LayerWeights query;
    /// Weight (2C,C): W_k, then W_v; (C,C), only W_k, if the value is x itself. The first half of the bias adds the same number to all
    /// scores of a query and cancels in the softmax, so that it is not needed then.
    LayerWeights keyValue;

    at::Tensor key() const { return keyValue.weight.slice(0, 0, keyValue.weight.size(1)); }
    bool hasValue() const { return keyValue.weight.size(0) > keyValue.weight.size(1); }
    /// W_v and its bias. Requires hasValue().
    LayerWeights value() const
    {
        const int64_t width = keyValue.weight.size(1);
        return {keyValue.weight.slice(0, width), keyValue.bias.slice(0, width)};
    }
};

/// Along the trajectory: for each head y_s = Σ_f softmax_f(D^-½ q_s·k_sf) v_sf with q_s = W_q x_s,t(s), k_sf = W_k x_sf, and v_sf = x_sf
/// or W_v x_sf; t(s) is the frame of token s. Patrick et al., NeurIPS 2021, equations 4 to 6.
///
/// x (B,S,T',C), S = T'·P tokens frame-major, C = heads·D → (B,S,C). W_k and W_v are absorbed: q·(W_k x) = (W_kᵀ q)·x, and
/// Σ_f a_f (W_v x_f + b) = W_v (Σ_f a_f x_f) + b. So 2·S·C² + S·T'·(H+1)·C multiply-adds for x as value and
/// 3·S·C² + 2·S·T'·H·C for W_v x, instead of S·C² + 2·S·T'·C² + 2·S·T'·C; exact up to rounding.
at::Tensor temporalStep(const at::Tensor& x, int64_t heads, const TemporalWeights& weights);

}
