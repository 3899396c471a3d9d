#pragma once

#include <cstdint>

namespace attnscope {

/// What is done to images and clips before the network sees them (DeiT's recipe). All randomness is derived from (seed, epoch, sample).
struct AugmentPlan {
    double cropScaleMin = 0.08;  ///< minimum fraction of the image's area that a random crop keeps
    double cropScaleMax = 1;
    double cropRatioMin = 0.75;  ///< width over height of the crop
    double cropRatioMax = 4.0 / 3;
    double flip = 0.5;  ///< probability of a horizontal flip
    /// Number of RandAugment operations (Cubuk et al., 2020), applied in sequence; 0: none.
    int64_t operations = 2;
    double magnitude = 9;   ///< of the operations, 0 … 10
    double erasing = 0.25;  ///< probability of random erasing (Zhong et al., 2020)
    double mixup = 0.8;     ///< Beta(α, α) of mixup (Zhang et al., 2018); 0: none
    double cutmix = 1;      ///< Beta(α, α) of CutMix (Yun et al., 2019); 0: none
    friend bool operator==(const AugmentPlan&, const AugmentPlan&) = default;
};

/// Only what evaluation does.
AugmentPlan noAugmentation();
/// Only random resized crops and flips.
AugmentPlan lightAugmentation();

}
