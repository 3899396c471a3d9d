// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/layers/onednn.h"

#include <ATen/ATen.h>

#include <cstdint>

/// Layers that networks of all families are made of. Each is computed plainly, which is the reference and can be differentiated, or,
/// once its weights are packed, by oneDNN with what follows it fused in. Both give the same up to rounding.
namespace attnscope {

/// A linear layer, a convolution or a norm.
struct LayerWeights {
    at::Tensor weight, bias;  ///< bias may be undefined
    at::Tensor packed;        ///< the weight in oneDNN's order: `weight` is given up for it

    bool defined() const { return weight.defined() || packed.defined(); }
};

/// How a network computes its layers: as they are written, which is the reference and what is trained, or planned for speed.
enum class Execution { Plain, Planned };

/// Packs a linear layer for x of about `rows` rows, where that pays and is possible.
void packLinear(LayerWeights& layer, std::int64_t rows);
/// Packs a convolution for images (B,C,H,W) of about those sizes, where that is possible.
void packConvolution(LayerWeights& layer, const onednn::ConvolutionForm& form, at::IntArrayRef image);

/// x (…,in) → (…,out).
at::Tensor linear(const at::Tensor& x, const LayerWeights& layer);
/// GELU of it, by the error function.
at::Tensor linearGelu(const at::Tensor& x, const LayerWeights& layer);
/// addend (…,out) + linear(x): the end of a residual branch.
at::Tensor linearAdded(const at::Tensor& addend, const at::Tensor& x, const LayerWeights& layer);

/// x (B,C,H,W) → (B,out,H',W').
at::Tensor convolution(const at::Tensor& x, const LayerWeights& layer, const onednn::ConvolutionForm& form);
/// GELU of it. Without gradients nothing is kept but the answer.
at::Tensor convolutionGelu(const at::Tensor& x, const LayerWeights& layer, const onednn::ConvolutionForm& form);

/// Over the last axis.
inline at::Tensor layerNorm(const at::Tensor& x, const LayerWeights& layer, double eps)
{
    return at::layer_norm(x, {x.size(-1)}, layer.weight, layer.bias, eps);
}

}  // namespace attnscope
