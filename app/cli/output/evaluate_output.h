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
Json evaluationJson(const ResultStore& store, int64_t evaluation);

/// The same of several, in a list.
Json evaluationsJson(const ResultStore& store, const std::vector<StoredEvaluation>& evaluations);

/// Tables of attentions and of pairs, under a line that says what was evaluated.
std::string evaluationTables(const ResultStore& store, int64_t evaluation);

Json estimateJson(const EvaluationEstimate& estimate, const EvaluationRequest& request);
std::string describeEstimate(const EvaluationEstimate& estimate, const EvaluationRequest& request);

}
