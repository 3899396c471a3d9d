// SPDX-License-Identifier: Apache-2.0
#include "core/data/augment/augment.h"

#include "core/base/error.h"
#include "core/data/augment/rand_augment.h"
#include "core/data/augment/random_crop.h"
#include "core/data/augment/random_erasing.h"
#include "core/data/preprocess/normalise.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

Clip cropped(const Clip& clip, const Transform& transform, const AugmentPlan& plan, SampleRandom& random)
{
    if (plan.cropScaleMin == 1 && plan.cropScaleMax == 1)
        return resizeAndCrop(clip, transform);
    return resizedCrop(clip, randomCropBox(clip.width, clip.height, plan, random), transform);
}

void swapSides(Clip& clip)
{
    for (std::int64_t row = 0; row < clip.frames * clip.height; ++row) {
        std::uint8_t* left = clip.pixels.data() + row * clip.width * 3;
        std::uint8_t* right = left + (clip.width - 1) * 3;
        for (; left < right; left += 3, right -= 3)
            std::swap_ranges(left, left + 3, right);
    }
}

/// The mean colour, which is zero after normalisation.
std::array<std::uint8_t, 3> fillOf(const Transform& transform)
{
    std::array<std::uint8_t, 3> fill;
    for (std::size_t c = 0; c < 3; ++c)
        fill[c] = static_cast<std::uint8_t>(std::clamp(std::nearbyint(255 * transform.mean[c]), 0.0f, 255.0f));
    return fill;
}

void applyToFrames(Clip& clip, const DrawnOperation& drawn, const OperationSetting& setting)
{
    const std::int64_t frameBytes = clip.height * clip.width * 3;
    for (std::int64_t t = 0; t < clip.frames; ++t)
        applyOperation({clip.pixels.data() + t * frameBytes, clip.width, clip.height}, drawn, setting);
}

void checkClip(const Clip& clip)
{
    const bool whole = clip.frames > 0 && clip.height > 0 && clip.width > 0
                       && static_cast<std::int64_t>(clip.pixels.size())
                              == clip.frames * clip.height * clip.width * 3;
    if (!whole)
        throw UsageError("augmentation", "the image size does not match its data");
}

}  // namespace

FloatArray augment(const Clip& clip, const Transform& transform, const AugmentPlan& plan, SampleRandom& random)
{
    checkPlan(plan);
    checkClip(clip);
    Clip image = cropped(clip, transform, plan, random);
    if (plan.flip > 0 && random.chance(plan.flip))
        swapSides(image);
    for (std::int64_t i = 0; i < plan.operations; ++i)
        if (const auto drawn = drawOperation(plan.magnitude, random))
            applyToFrames(image, *drawn, {transform.filter, fillOf(transform)});
    FloatArray values = normalised(image, transform);
    if (plan.erasing > 0 && random.chance(plan.erasing))
        if (const auto box = erasedBox(image.width, image.height, random))
            eraseWithNoise(values, *box, random);
    return values;
}

}  // namespace attnscope
