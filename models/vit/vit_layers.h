// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/nn/layers.h"
#include "models/vit/vit_description.h"

#include <ATen/ATen.h>

/// Layers as a description has them.
namespace attnscope {

/// The description's kind of norm over the last axis.
[[nodiscard]] at::Tensor normed(const VitDescription& description, const at::Tensor& x, const LayerWeights& norm);
/// linear(normed(x)).
[[nodiscard]]
at::Tensor normedLinear(const VitDescription& description, const at::Tensor& x, const LayerWeights& norm, const LayerWeights& layer);

/// x is overwritten unless it has a gradient.
[[nodiscard]] at::Tensor activated(const at::Tensor& x, VitActivation activation);

/// x / √(mean x² + eps) · weight over the last axis, in float32 at least.
[[nodiscard]] at::Tensor rmsNorm(const at::Tensor& x, const at::Tensor& weight, double eps);

/// Prepares a norm to be fused, if the description's kind can be.
void packNorm(const VitDescription& description, LayerWeights& norm);

}  // namespace attnscope
