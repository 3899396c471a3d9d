// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/augment/augment_plan.h"
#include "core/data/augment/sample_random.h"
#include "core/data/preprocess/transform.h"

namespace attnscope {

/// Whole pixels of a picture.
struct CropBox {
    std::int64_t left = 0, top = 0, width = 0, height = 0;
    friend bool operator==(const CropBox&, const CropBox&) = default;
};

/// torchvision's RandomResizedCrop: ten times an area of a share of the picture, uniform, and a ratio, uniform in its logarithm; the first
/// box that fits, at a uniform place. Failing that the largest centred one whose ratio is allowed.
CropBox randomCropBox(std::int64_t width, std::int64_t height, const AugmentPlan& plan, SampleRandom& random);

/// Cuts the box out and resizes it to the transform's crop, as cutting first would have it: nothing beyond the box's edge is read.
/// clip (T,H,W,3) → (T,cropHeight,cropWidth,3).
Clip resizedCrop(const Clip& clip, const CropBox& box, const Transform& transform);

}  // namespace attnscope
