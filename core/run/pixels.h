// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/transform.h"
#include "core/run/classifier.h"

#include <ATen/ATen.h>

namespace attnscope {

/// 8-bit pixels (B,H,W,3) → (value / 255 − mean) / stddev (B,3,H,W) in float32, in the same order of operations as `normalised`, on their
/// device.
at::Tensor normalisedPixels(const at::Tensor& pixels, const Transform& transform);

/// A decoded image or clip as a batch of one, by the model's transform: as pixels if the network takes them, so that its prediction is
/// bit-identical to that for the same image in an evaluation. Throws UsageError if the model can't take it.
NetworkInput networkInput(const Clip& clip, const Classifier& classifier);

}  // namespace attnscope
