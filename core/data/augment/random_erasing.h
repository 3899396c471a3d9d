// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/augment/random_crop.h"

#include <optional>

namespace attnscope {

/// Zhong et al., 2020: a box of 0.02 … 1/3 of the image's area with a log-uniform aspect ratio of 0.3 … 10/3 at a uniform position; ten
/// attempts. Empty if none fitted.
std::optional<CropBox> erasedBox(std::int64_t width, std::int64_t height, SampleRandom& random);

/// Fills the box with independent standard normal noise. values: (3,H,W) or (3,T,H,W), normalised.
void eraseWithNoise(FloatArray& values, const CropBox& box, SampleRandom& random);

}  // namespace attnscope
