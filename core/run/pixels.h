// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/preprocess/transform.h"

#include <ATen/ATen.h>

namespace attnscope {

/// 8-bit pixels (B,H,W,3) → (value / 255 − mean) / deviation (B,3,H,W) in float32, in torchvision's order as `normalised`, on their device.
at::Tensor normalisedPixels(const at::Tensor& pixels, const Transform& transform);

}  // namespace attnscope
