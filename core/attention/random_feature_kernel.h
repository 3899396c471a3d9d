#pragma once

#include "core/attention/attention_backend.h"

#include <ATen/ATen.h>

#include <cstdint>

/// The numerically stable kernel behind Performer and LARA, in the log domain: nothing overflows, no epsilon is needed, and each output is
/// a convex combination of values. ξ(x̂, ω) = exp(ω·x̂ − ½‖x̂‖²).
namespace attnscope {

/// log ξ(x̂_n, ω_s): omega (…,S,D), x̂ (…,N,D) → (…,S,N).
at::Tensor logPositiveFeature(const at::Tensor& omega, const at::Tensor& hat);

/// k minus its mean over each of `groups` groups of keys: softmax is invariant to it, features are not. (B,H,M,D) → the same shape.
at::Tensor centredKeys(const at::Tensor& k, int64_t groups);

struct FeatureAttention {
    at::Tensor omega;                ///< (…,S,D)
    at::Tensor queryHat, keyHat, v;  ///< q̂ (B,H,N,D), k̂ (B,H,M,D), v (B,H,M,Dv)
    at::Tensor logWeight;            ///< log |w|, (…,N or 1,S); undefined for w = 1
    at::Tensor sign;                 ///< of w, the same shape; undefined if all weights are positive
    int64_t keyGroups = 1;           ///< consecutive groups of keys, each with its own normaliser
    at::Tensor keyLogWeights = {};   ///< (B,H,M); undefined: 0
};

/// Σ_s w_ns ξ(q̂_n,ω_s) Σ_m ξ(k̂_m,ω_s) v_m / Σ_s w_ns ξ(q̂_n,ω_s) Σ_m ξ(k̂_m,ω_s), LARA paper, equation 28.
///
/// → (B,H,N,Dv); 2·S·D·(N+M) multiply-adds per head, never N×M. With G > 1 groups of keys → (B,H,N,G,Dv): the features of queries and keys
/// are computed once, the sums over keys for each group, which takes S·D·(N+M) + S·Dv·(M + G·N).
at::Tensor selfNormalised(const FeatureAttention& in);

/// The same for one group of keys, with the log of the denominator: softmax's normaliser if the weights are those of an estimate (1/S for
/// samples of N(0,I)). Weights must be positive.
AttentionPart selfNormalisedPart(const FeatureAttention& in);

/// Σ_m φ(q_n)·φ(k_m) over each group of keys: queries φ(q) (B,H,N,S), keys φ(k) (B,H,G,M/G,S) → (B,H,N,G,1).
at::Tensor featureDenominators(const at::Tensor& queries, const at::Tensor& keys);

/// φ(q_n)ᵀ Σ_m φ(k_m) v_mᵀ of those features over `denominators`: v (B,H,M,Dv) → (B,H,N,Dv), or (B,H,N,G,Dv).
at::Tensor featureRatio(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& v,
                        const at::Tensor& denominators);

/// Inverse-CDF sampling: pi (B,H,n,M), u (B,H,n,S) → the first m with u < π_1 + … + π_m, (B,H,n,S).
at::Tensor drawComponents(const at::Tensor& pi, const at::Tensor& u);

/// The weight of every sample in that ratio, for one group of keys: (B,H,N,S), each row sums to 1.
at::Tensor sampleWeights(const FeatureAttention& in);

}
