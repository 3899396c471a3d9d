#pragma once

#include "core/data/preprocess/resize.h"
#include "core/data/preprocess/transform.h"

#include <cstdint>

namespace attnscope {

/// Throws UsageError unless resize and crop are 1 to 16384 pixels.
void requireSizes(const Transform& transform);

/// One axis of a transform: the whole resize, and the part of it within the crop.
struct AxisCrop {
    AxisWindow window;
    int64_t offset = 0;  ///< where the window starts in the crop; above 0 only if the crop is padded
};

/// What a transform computes of an image.
struct CropPlan {
    AxisCrop horizontal, vertical;
    ResizeFilter filter = ResizeFilter::Bicubic;

    ResampleWindow window() const { return {horizontal.window, vertical.window, filter}; }
};

/// Throws UsageError like resizeAndCrop.
CropPlan cropPlan(int64_t width, int64_t height, const Transform& transform);

/// 1, 2, 4 or 8: a JPEG of this size is decoded to so many times smaller sides, rounded up, which are still at least as long as those of
/// the resized image. Throws UsageError like resizeAndCrop.
int64_t decodingFraction(int64_t width, int64_t height, const Transform& transform);

/// What the transform reads of an image of this size: what its crop shows, and the margin of the filter. Throws UsageError like
/// resizeAndCrop.
PixelWindow windowRead(int64_t width, int64_t height, const Transform& transform);

/// resizeAndCrop of an image in memory owned by somebody else, with the rows of the whole image, of which only that window must be valid: →
/// (cropHeight,cropWidth,3), bit-identical to it.
void resizeAndCropInto(RgbView<const uint8_t> image, int64_t width, int64_t height, const Transform& transform,
                       uint8_t* out);

}
