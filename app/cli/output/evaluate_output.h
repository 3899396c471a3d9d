#pragma once

#include "core/base/json.h"
#include "core/evaluate/evaluate.h"
#include "core/store/result_store.h"

#include <cstdint>
#include <string>

/// What people and scripts get of an evaluation, read from the store: the same for one that ran now, earlier or
/// elsewhere.
namespace attnscope::cli {

/// The contract's JSON of `evaluate`; `unreadable` of each run lists every such sample.
Json evaluationJson(const ResultStore& store, const StoredEvaluation& evaluation);

/// The same of several, in a list.
Json evaluationsJson(const ResultStore& store, const std::vector<StoredEvaluation>& evaluations);

/// That of the first of several networks, with the others in `evaluations`, and `pairs` of the runs of all.
Json networksJson(const ResultStore& store, const std::vector<StoredEvaluation>& networks);

/// Tables of each network's attentions, under a line that says what was evaluated, and one of the pairs of all.
std::string evaluationTables(const ResultStore& store, const std::vector<StoredEvaluation>& networks);

Json estimateJson(const EvaluationEstimate& estimate, const EvaluationRequest& request);
std::string describeEstimate(const EvaluationEstimate& estimate, const EvaluationRequest& request);

}
