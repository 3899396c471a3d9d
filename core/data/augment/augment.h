// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/augment/augment_plan.h"
#include "core/data/augment/sample_random.h"
#include "core/data/preprocess/clip.h"
#include "core/data/preprocess/transform.h"

namespace attnscope {

/// What a network sees of a sample in training: random resized crop, flip, RandAugment, normalisation, random erasing, in the order of
/// DeiT's recipe (Touvron et al., 2021). clip (T,H,W,3) → (3,cropHeight,cropWidth) for one frame, (3,T,cropHeight,cropWidth) for
/// several, as applyTransform gives it; the frames of a clip share all draws but the noise that fills erased parts.
///
/// A part of the plan that is off draws nothing. With `operations` 0, `flip` 0, `erasing` 0 and a crop scale of 1 … 1 the result is
/// applyTransform's, bit for bit. mixup and cutmix concern pairs of samples and are not looked at here.
/// Throws UsageError: a plan out of range (see checkPlan), a clip without pixels.
FloatArray augment(const Clip& clip, const Transform& transform, const AugmentPlan& plan, SampleRandom& random);

/// Throws UsageError that names the number of the plan that is out of range.
void checkPlan(const AugmentPlan& plan);

}  // namespace attnscope
