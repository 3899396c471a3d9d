// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/augment/image_view.h"
#include "core/data/preprocess/transform.h"

#include <array>

namespace attnscope {

/// Where a pixel of the result comes from: (x, y) ↦ (a·x + b·y + c, d·x + e·y + f), pixel centres at halves.
struct AffineMap {
    double a = 1, b = 0, c = 0;
    double d = 0, e = 1, f = 0;
};

/// A turn around the middle of a picture, counter-clockwise as it is seen.
AffineMap rotation(double degrees, std::int64_t width, std::int64_t height);

/// Warps in place as Pillow's Image.transform does: bilinear, or its bicubic (a = −1) without antialias; what comes from beyond the
/// edge is `fill`. Equal to Pillow's but for one grey level where float32 falls on the other side of an integer.
void warp(ImageView image, const AffineMap& map, ResizeFilter filter, const std::array<std::uint8_t, 3>& fill);

}  // namespace attnscope
