// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/transform.h"
#include "core/run/classifier.h"

#include <ATen/ATen.h>

namespace attnscope {

/// 8-bit pixels (B,H,W,3) → (value / 255 − mean) / deviation (B,3,H,W) in float32, in torchvision's order as `normalised`, on their device.
at::Tensor normalisedPixels(const at::Tensor& pixels, const Transform& transform);

/// A decoded picture or clip as a batch of its own, by the model's transform: as pixels where the network takes them, so that it
/// predicts what it predicts of the same picture in an evaluation, to the bit. Throws UsageError when the model cannot be fed it.
NetworkInput networkInput(const Clip& clip, const Classifier& classifier);

}  // namespace attnscope
