// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/augment/sample_random.h"
#include "core/data/preprocess/clip.h"

#include <array>

namespace attnscope {

/// How an image's colours are changed.
struct Light {
    double brightness = 1;                ///< factor
    double contrast = 1;                  ///< factor around mid grey
    double saturation = 1;                ///< factor around the pixel's own grey
    std::array<double, 3> tint{1, 1, 1};  ///< factors of red, green, blue
};

/// Brightness and contrast 1 ± 0.25, saturation 1 ± 0.4, tints 1 ± 0.06.
Light drawLight(SampleRandom& random);

/// Applied to all frames, in place.
void applyLight(Clip& clip, const Light& light);

}  // namespace attnscope
