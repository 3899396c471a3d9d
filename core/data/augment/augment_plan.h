// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace attnscope {

/// What is done to pictures and clips before the network sees them (DeiT's recipe). All of it is drawn from (seed, epoch, sample).
struct AugmentPlan {
    double cropScaleMin = 0.08;  ///< share of the picture that a random crop keeps, at least
    double cropScaleMax = 1;
    double cropRatioMin = 0.75;  ///< its width over its height
    double cropRatioMax = 4.0 / 3;
    double flip = 0.5;           ///< probability of left and right changing places
    std::int64_t operations = 2; ///< of RandAugment (Cubuk et al., 2020), one after the other; 0: none
    double magnitude = 9;        ///< of them, 0 … 10
    double erasing = 0.25;       ///< probability of random erasing (Zhong et al., 2020)
    double mixup = 0.8;          ///< Beta(α, α) of mixup (Zhang et al., 2018); 0: none
    double cutmix = 1;           ///< Beta(α, α) of CutMix (Yun et al., 2019); 0: none
    friend bool operator==(const AugmentPlan&, const AugmentPlan&) = default;
};

/// Nothing but what evaluation does.
AugmentPlan noAugmentation();
/// Random resized crops and flips alone.
AugmentPlan lightAugmentation();

}  // namespace attnscope
