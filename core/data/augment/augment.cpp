#include "core/data/augment/augment.h"

#include "core/base/error.h"
#include "core/data/augment/rand_augment.h"
#include "core/data/augment/random_crop.h"
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
    for (int64_t row = 0; row < clip.frames * clip.height; ++row) {
        uint8_t* left = clip.pixels.data() + row * clip.width * 3;
        uint8_t* right = left + (clip.width - 1) * 3;
        for (; left < right; left += 3, right -= 3)
            std::swap_ranges(left, left + 3, right);
    }
}

/// The mean colour, which is zero after normalisation.
std::array<uint8_t, 3> fillOf(const Transform& transform)
{
    std::array<uint8_t, 3> fill;
    for (size_t c = 0; c < 3; ++c)
        fill[c] = uint8_t(std::clamp(std::nearbyint(255 * transform.mean[c]), 0.0f, 255.0f));
    return fill;
}

void applyToFrames(Clip& clip, const DrawnOperation& drawn, const OperationSetting& setting)
{
    for (int64_t t = 0; t < clip.frames; ++t)
        applyOperation({clip.frame(t), clip.width, clip.height}, drawn, setting);
}

void require(bool holds, std::string_view what, std::string_view range)
{
    if (!holds)
        throw UsageError("augmentation", std::string(what) + " is out of range", range);
}

bool isWithin(double value, double low, double high)
{
    return value >= low && value <= high;  // false for NaN
}

}

AugmentPlan noAugmentation()
{
    AugmentPlan plan = lightAugmentation();
    plan.cropScaleMin = plan.cropScaleMax = 1;
    plan.flip = 0;
    return plan;
}

AugmentPlan lightAugmentation()
{
    AugmentPlan plan;
    plan.operations = 0;
    plan.erasing = 0;
    plan.mixup = plan.cutmix = 0;
    return plan;
}

void checkPlan(const AugmentPlan& plan)
{
    require(isWithin(plan.cropScaleMin, 1e-4, plan.cropScaleMax) && plan.cropScaleMax <= 1, "the crop's scale",
            "give fractions of the image area from 0.0001 to 1, in ascending order");
    require(isWithin(plan.cropRatioMin, 0.01, plan.cropRatioMax) && plan.cropRatioMax <= 100, "the crop's ratio",
            "give aspect ratios (width / height) from 0.01 to 100, in ascending order");
    require(isWithin(plan.flip, 0, 1), "the probability of a flip", "give 0 to 1");
    require(plan.operations >= 0 && plan.operations <= 16, "the number of operations", "give 0 to 16");
    require(isWithin(plan.magnitude, 0, 10), "the magnitude of operations", "give 0 to 10");
    require(isWithin(plan.erasing, 0, 1), "the probability of erasing", "give 0 to 1");
    require(isWithin(plan.mixup, 0, 100) && isWithin(plan.cutmix, 0, 100), "the α of mixup or CutMix",
            "give 0 to 100");
}

FloatArray augment(const Clip& clip, const Transform& transform, const AugmentPlan& plan, SampleRandom& random)
{
    checkPlan(plan);
    if (clip.frames < 1 || clip.height < 1 || clip.width < 1 || !clip.isWhole())
        throw UsageError("augmentation", "the image size does not match its data");
    Clip image = cropped(clip, transform, plan, random);
    if (plan.flip > 0 && random.chance(plan.flip))
        swapSides(image);
    for (int64_t i = 0; i < plan.operations; ++i)
        if (const auto drawn = drawOperation(plan.magnitude, random))
            applyToFrames(image, *drawn, {transform.filter, fillOf(transform)});
    FloatArray values = normalised(image, transform);
    if (plan.erasing > 0 && random.chance(plan.erasing))
        if (const auto box = erasedBox(image.width, image.height, random))
            eraseWithNoise(values, *box, random);
    return values;
}

}
