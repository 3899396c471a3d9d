#pragma once

#include "core/data/augment/augment_plan.h"
#include "core/data/augment/sample_random.h"
#include "core/data/preprocess/transform.h"

#include <optional>

namespace attnscope {

/// torchvision's RandomResizedCrop: up to ten times a uniform fraction of the image's area and a log-uniform aspect ratio; the first box
/// that fits, at a uniform position. Failing that, the largest centred one with an allowed ratio.
PixelWindow randomCropBox(int64_t width, int64_t height, const AugmentPlan& plan, SampleRandom& random);

/// Cuts out the box and resizes it to the transform's crop, as if it had been cut out first: nothing beyond the box's edge is read. clip
/// (T,H,W,3) → (T,cropHeight,cropWidth,3).
Clip resizedCrop(const Clip& clip, const PixelWindow& box, const Transform& transform);

/// Zhong et al., 2020: a box of 0.02 … 1/3 of the image's area with a log-uniform aspect ratio of 0.3 … 10/3 at a uniform position; ten
/// attempts. Empty if none fitted.
std::optional<PixelWindow> erasedBox(int64_t width, int64_t height, SampleRandom& random);

/// Fills the box with independent standard normal noise. values: (3,H,W) or (3,T,H,W), normalised.
void eraseWithNoise(FloatArray& values, const PixelWindow& box, SampleRandom& random);

}
