#pragma once

#include "core/data/preprocess/transform.h"

namespace attnscope {

/// (value / 255 − mean) / stddev in float32, in torchvision's order, of all 8-bit values: (3,256).
std::vector<float> normalisedValues(const Transform& transform);

/// These values for pixels: clip (T,H,W,3) → (3,H,W) for one frame, (3,T,H,W) for several.
FloatArray normalised(const Clip& clip, const Transform& transform);

}
