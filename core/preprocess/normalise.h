// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/preprocess/transform.h"

namespace attnscope {

/// (value / 255 − mean) / deviation in float32, in torchvision's order. clip (T,H,W,3) → (3,H,W) for one frame, (3,T,H,W) for several.
FloatArray normalised(const Clip& clip, const Transform& transform);

/// The same of (T,H,W,3) pixels in someone else's memory, `pixels` of them → out (3,T,H,W).
void normaliseInto(const std::uint8_t* rgb, std::int64_t pixels, const Transform& transform, float* out);

}  // namespace attnscope
