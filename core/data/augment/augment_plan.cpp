// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/data/augment/augment.h"

#include <cmath>

namespace attnscope {

namespace {

void require(bool holds, std::string_view what, std::string_view range)
{
    if (!holds)
        throw UsageError("augmentation", std::string(what) + " is out of range", range);
}

bool isWithin(double value, double low, double high)
{
    return value >= low && value <= high;  // false for NaN
}

}  // namespace

AugmentPlan noAugmentation()
{
    AugmentPlan plan;
    plan.cropScaleMin = plan.cropScaleMax = 1;
    plan.flip = 0;
    plan.operations = 0;
    plan.erasing = 0;
    plan.mixup = plan.cutmix = 0;
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

}  // namespace attnscope
