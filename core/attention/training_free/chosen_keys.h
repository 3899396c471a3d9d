#pragma once

#include "core/attention/attention_backend.h"

#include <ATen/ATen.h>

namespace attnscope {

/// The same queries with other keys, values and log-weights (B,H,m): what methods that thin out keys attend to exactly.
AttentionInput withChosenKeys(AttentionInput in, at::Tensor k, at::Tensor v, at::Tensor logWeights);

/// Keys by their numbers, index (B,H,m).
AttentionInput withChosenKeys(const AttentionInput& in, const at::Tensor& index, at::Tensor logWeights);

/// The log-weights of all keys (B,H,M) in float64: 0 if there are none.
at::Tensor wideKeyWeights(const AttentionInput& in);

/// The numbers of drawn keys (B,H,m) and the log-weights with which attention to them alone estimates attention to all.
struct DrawnKeys {
    at::Tensor index, logWeights;
};
/// Keys drawn with replacement with probability p (B,H,M), which sums to 1, by u (B,H,m) of [0,1): w − log(m p), for wide log-weights w (B,H,M).
DrawnKeys drawKeys(const at::Tensor& w, const at::Tensor& p, const at::Tensor& u);

/// Of each head, the first key m with u · Σ p < p_1 + … + p_m: p (…,M), u (…,m) → (…,m).
at::Tensor drawnKeys(const at::Tensor& p, const at::Tensor& u);

}
