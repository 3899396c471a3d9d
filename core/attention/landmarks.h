#pragma once

#include "core/attention/attention_backend.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// Means of `count` consecutive segments. If N is not divisible: with t = ⌊N/C⌋ the first (t+1)C − N segments have t tokens, the rest t +
/// 1. If N ≤ C, every token is its own landmark. x (B,H,N,D) → (B,H,min(C,N),D).
at::Tensor segmentMeans(const at::Tensor& x, int64_t count);

/// Means of tokens that count e^w times, w (B,H,N), and the log of the mean e^w of each: 0 and −∞ where no token of a segment counts.
struct WeightedMeans {
    at::Tensor means;      ///< (B,H,C,D)
    at::Tensor logWeight;  ///< (B,H,C); undefined if there are no weights
};
/// The segments of `segmentMeans`, which it is if logWeights is undefined.
WeightedMeans weightedSegmentMeans(const at::Tensor& x, const at::Tensor& logWeights, int64_t count);

/// The mean of all tokens, weighted by e^w unless w is undefined: (B,H,N,D) → (B,H,1,D).
at::Tensor weightedMean(const at::Tensor& x, const at::Tensor& logWeights);

/// Reorders frame-major tokens to position-major: index = position · frames + frame. x (B,H,frames·P,D) → the same shape. Throws UsageError
/// if `frames` does not divide the tokens.
at::Tensor positionMajor(const at::Tensor& x, int64_t frames);

/// The tokens that landmarks are made of: all but class and distillation tokens, or those too if there are no others.
at::Tensor withoutPrefix(const at::Tensor& x, const TokenLayout& tokens);

/// Adaptive average pooling of a row-major grid to side × side; cells overlap if side does not divide it. x (B,H,rows·columns,D) →
/// (B,H,side²,D).
at::Tensor gridMeans(const at::Tensor& x, int64_t rows, int64_t columns, int64_t side);

/// The integer square root of `count`, or 0 if it is not a square.
int64_t squareRoot(int64_t count);

/// Linear, then LayerNorm (ε = 1e-5), of landmarks: q_bar_gen and k_bar_gen of the LARA authors' code. `light` maps D channels and is
/// shared by the heads, `dense` all H·D.
struct LandmarkMap {
    at::Tensor weight, bias, normWeight, normBias;

    bool defined() const { return weight.defined(); }
    at::Tensor apply(const at::Tensor& landmarks) const;  ///< (B,H,C,D) → (B,H,C,D)
    double multiplyAdds(int64_t heads, int64_t width, int64_t count) const;
};

/// The parts `linear` and `linear` + 1 of module `name`; undefined where the weights have none.
LandmarkMap landmarkMap(const BackendContext& context, const std::string& name, int linear);

/// A tensor of a landmark map, by its name inside a layer's attention.
struct LandmarkMapTensor {
    std::string name;
    std::vector<int64_t> shape;
};

/// Those of the queries' and of the keys' map behind 2-D pooling, on `side` channels: D of one head where light, H·D where dense.
std::vector<LandmarkMapTensor> landmarkMapTensors(int64_t side);

/// softmax(s·L kᵀ) v over each group of keys separately: landmarks (B,H,C,D) → (B,H,C,G·Dv), groups concatenated.
at::Tensor landmarkValues(const AttentionInput& in, const at::Tensor& landmarks);

/// weights (B,H,N,C) times `landmarkValues` → (B,H,N,Dv), or (B,H,N,G,Dv): one product for all groups.
at::Tensor spreadLandmarkValues(const AttentionInput& in, const at::Tensor& weights, const at::Tensor& values);

/// Multiply-adds of both, and of the weights' logits: heads·C·((N + M)·D + (M + G·N)·Dv).
double landmarkMultiplyAdds(const AttentionShape& shape, double landmarks);

}
