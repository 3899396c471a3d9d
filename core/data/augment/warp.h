// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/augment/image_view.h"
#include "core/data/preprocess/transform.h"

#include <array>

namespace attnscope {

/// Where a pixel of the result comes from: (x, y) ↦ (a·x + b·y + c, d·x + e·y + f), pixel centres at half-integers.
struct AffineMap {
    double a = 1, b = 0, c = 0;
    double d = 0, e = 1, f = 0;
};

/// A rotation around the centre of an image, counter-clockwise as displayed.
AffineMap rotation(double degrees, std::int64_t width, std::int64_t height);

/// Warps in place like Pillow's Image.transform: bilinear, or its bicubic (a = −1) without antialiasing; outside the image is `fill`. Equal
/// to Pillow's except for one grey level where float32 falls on the other side of an integer.
void warp(ImageView image, const AffineMap& map, ResizeFilter filter, const std::array<std::uint8_t, 3>& fill);

}  // namespace attnscope
