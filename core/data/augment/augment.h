#pragma once

#include "core/data/augment/augment_plan.h"
#include "core/data/augment/sample_random.h"
#include "core/data/preprocess/clip.h"
#include "core/data/preprocess/transform.h"

namespace attnscope {

/// The training input of a network: random resized crop, flip, RandAugment, normalisation, random erasing, in the order of DeiT's recipe
/// (Touvron et al., 2021). clip (T,H,W,3) → (3,cropHeight,cropWidth) for one frame, (3,T,cropHeight,cropWidth) for several, like
/// applyTransform; the frames of a clip share all random numbers except the noise that fills erased boxes.
///
/// A step of the plan that is off uses no random numbers. With `operations` 0, `flip` 0, `erasing` 0 and a crop scale of 1 … 1 the result
/// is bit-identical to applyTransform's. mixup and cutmix concern pairs of samples and are ignored here. Throws UsageError: a plan out of
/// range (see checkPlan), a clip without pixels.
FloatArray augment(const Clip& clip, const Transform& transform, const AugmentPlan& plan, SampleRandom& random);

/// Throws UsageError naming the value of the plan that is out of range.
void checkPlan(const AugmentPlan& plan);

}
