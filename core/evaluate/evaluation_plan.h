// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluate/batch_predictions.h"
#include "core/evaluate/evaluate.h"

#include <memory>
#include <stop_token>

namespace attnscope {

/// A request with everything decided that it leaves open.
struct EvaluationPlan {
    std::shared_ptr<const LabelledSet> data;  ///< within the limit
    EvaluationSettings settings;
    BatchPlan batches;  ///< all of the shard
    std::int64_t viewsAtOnce = 1;

    std::int64_t samples() const;  ///< of the shard
};

/// Throws UsageError for a request that cannot be carried out, FileError when the weights' hash cannot be taken.
EvaluationPlan planEvaluation(const Classifier& classifier, const EvaluationRequest& request,
                              std::stop_token stop);

std::unique_ptr<BatchPredictions> predictionsTo(const EvaluationPlan& plan, const BatchPlan& batches, NetworkRuns& runs);

}  // namespace attnscope
