#pragma once

#include "core/train/training_plan.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace attnscope {

/// A batch as used by the loss.
struct MixedBatch {
    at::Tensor input;    ///< (B,…)
    at::Tensor targets;  ///< (B, classes), rows sum to 1
};

/// Labels as distributions: 1 − s on the label and s / classes everywhere (Szegedy et al., CVPR 2016). → (B, classes)
at::Tensor smoothedTargets(const std::vector<int64_t>& labels, int64_t classes, double smoothing);

/// mixup (Zhang et al., ICLR 2018) and CutMix (Yun et al., ICCV 2019) between the samples 2j and 2j + 1 of a batch; if both are on, one of
/// them per pair, with equal probability. λ ~ Beta(α, α), from (seed, epoch, first sample of the pair). The last of an odd number is
/// unchanged. All frames of clips are mixed alike. Changes `batch.input` in place.
void mixPairs(MixedBatch& batch, const std::vector<int64_t>& samples, const AugmentPlan& plan, uint64_t seed,
              uint64_t epoch);

/// Σ over the batch of the cross entropy with soft targets: logits (B, classes) → ().
at::Tensor softCrossEntropy(const at::Tensor& logits, const at::Tensor& targets);

}
