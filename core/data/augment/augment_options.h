#pragma once

#include "core/base/options/options.h"
#include "core/data/augment/augment_plan.h"

#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// Augmentation as it is asked for: a recipe, and what is otherwise.
struct AugmentOptions {
    std::string recipe = "deit";  ///< deit | light | none
    /// Minimum and maximum; number and magnitude of operations; empty: the recipe's.
    std::vector<double> cropScale, randAugment;
    std::optional<double> flip, erasing, mixup, cutmix;
};

void visitOptions(MaybeConst<AugmentOptions> auto& options, auto& visit)
{
    visit("--augment", options.recipe, oneOf({"deit", "light", "none"}),
          "deit: the full DeiT recipe; light: random crop and flip; none");
    visit("--crop-scale", options.cropScale,
          OptionRule{.low = 0, .high = 1, .type = "A,B", .showsDefault = false, .count = 2},
          "Minimum and maximum fraction of the image area kept by a random crop");
    visit("--flip", options.flip, optionalWithin(0, 1),
          "Probability of a horizontal flip; default: set by --augment");
    visit("--rand-augment", options.randAugment,
          OptionRule{.low = 0, .high = 16, .type = "N,M", .showsDefault = false, .count = 2},
          "Number and magnitude of RandAugment operations; 0,0: none");
    visit("--erasing", options.erasing, optionalWithin(0, 1),
          "Probability of random erasing; default: set by --augment");
    visit("--mixup", options.mixup, optionalWithin(0, 100), "α of mixup, 0: none; default: set by --augment");
    visit("--cutmix", options.cutmix, optionalWithin(0, 100), "α of CutMix, 0: none; default: set by --augment");
}

AugmentPlan planOf(const AugmentOptions& options);
/// The fewest options that ask for `plan`.
AugmentOptions optionsOf(const AugmentPlan& plan);

}
