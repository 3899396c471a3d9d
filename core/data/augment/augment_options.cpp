#include "core/data/augment/augment_options.h"

#include <algorithm>

namespace attnscope {

AugmentPlan planOf(const AugmentOptions& options)
{
    AugmentPlan plan = options.recipe == "none"    ? noAugmentation()
                       : options.recipe == "light" ? lightAugmentation()
                                                   : AugmentPlan();
    if (!options.cropScale.empty())
        plan.cropScaleMin = options.cropScale.at(0), plan.cropScaleMax = options.cropScale.at(1);
    if (!options.randAugment.empty())
        plan.operations = int64_t(options.randAugment.at(0)), plan.magnitude = options.randAugment.at(1);
    plan.flip = options.flip.value_or(plan.flip);
    plan.erasing = options.erasing.value_or(plan.erasing);
    plan.mixup = options.mixup.value_or(plan.mixup);
    plan.cutmix = options.cutmix.value_or(plan.cutmix);
    return plan;
}

AugmentOptions optionsOf(const AugmentPlan& plan)
{
    std::vector<AugmentOptions> all{{.recipe = "deit"}, {.recipe = "light"}, {.recipe = "none"}};
    for (AugmentOptions& options : all) {
        const AugmentPlan recipe = planOf(options);
        const auto changed = [&](double AugmentPlan::*member) {
            return plan.*member == recipe.*member ? std::nullopt : std::optional(plan.*member);
        };
        if (changed(&AugmentPlan::cropScaleMin) || changed(&AugmentPlan::cropScaleMax))
            options.cropScale = {plan.cropScaleMin, plan.cropScaleMax};
        if (plan.operations != recipe.operations || changed(&AugmentPlan::magnitude))
            options.randAugment = {double(plan.operations), plan.magnitude};
        options.flip = changed(&AugmentPlan::flip);
        options.erasing = changed(&AugmentPlan::erasing);
        options.mixup = changed(&AugmentPlan::mixup);
        options.cutmix = changed(&AugmentPlan::cutmix);
    }
    return *std::ranges::min_element(all, {},
                                     [](const AugmentOptions& options) { return givenOptions(options).size(); });
}

}
