// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/resize.h"
#include "core/data/preprocess/transform.h"

#include <cstdint>

namespace attnscope {

/// A part of a picture, in its pixels.
struct PixelWindow {
    std::int64_t left = 0, top = 0, width = 0, height = 0;
    friend bool operator==(const PixelWindow&, const PixelWindow&) = default;
};

/// What the transform reads of a picture of this size: what its crop shows, and the margin of the filter. Throws UsageError as
/// resizeAndCrop does.
PixelWindow windowRead(std::int64_t width, std::int64_t height, const Transform& transform);

/// resizeAndCrop of a picture in someone else's memory, row by row as if it were whole, of which that window alone has to be there:
/// → (cropHeight,cropWidth,3), equal to it to the bit.
void resizeAndCropInto(RgbView<const std::uint8_t> image, std::int64_t width, std::int64_t height,
                       const Transform& transform, std::uint8_t* out);

}  // namespace attnscope
