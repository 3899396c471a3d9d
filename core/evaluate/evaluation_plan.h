#pragma once

#include "core/evaluate/batch_predictions.h"
#include "core/evaluate/evaluate.h"

#include <memory>
#include <stop_token>

namespace attnscope {

/// A request with all defaults resolved.
struct EvaluationPlan {
    std::shared_ptr<const LabelledSet> data;  ///< within the limit
    EvaluationSettings settings;
    BatchPlan batches;  ///< all batches of the shard
    int64_t viewsAtOnce = 1;

    int64_t samples() const;  ///< in the shard
};

/// The numbers from 0 to count − 1, in steps near the golden section of `count`: every beginning is spread over all of them.
std::vector<int64_t> spreadOrder(int64_t count);

/// Throws UsageError for a request that can't be carried out, FileError if the weights' hash can't be computed.
EvaluationPlan planEvaluation(const Classifier& classifier, const EvaluationRequest& request,
                              std::stop_token stop);

}
