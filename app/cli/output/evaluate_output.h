#pragma once

#include "core/base/json.h"
#include "core/evaluate/evaluate.h"
#include "core/report/protocol_scores.h"
#include "core/store/result_store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

/// What people and scripts get of an evaluation, read from the store: the same for one that ran now, earlier or
/// elsewhere.
namespace attnscope::cli {

/// A store with what all predictions of a run are read for: once, for JSON and tables.
class ScoreReader {
public:
    ScoreReader(const ResultStore& store)
        : store(store)
    {}
    struct Scores {
        Calibration calibration;
        std::optional<ProtocolScores> protocol;
    };
    const Scores& of(const StoredRun& run, const StoredEvaluation& evaluation) const;

    const ResultStore& store;

private:
    mutable std::map<int64_t, Scores> m_known;  // by run
};

/// The contract's JSON of `evaluate`; `unreadable` of each run lists every such sample.
Json evaluationJson(const ScoreReader& reader, const StoredEvaluation& evaluation);

/// The same of several, in a list.
Json evaluationsJson(const ScoreReader& reader, const std::vector<StoredEvaluation>& evaluations);

/// That of the first of several networks, with the others in `evaluations`, and `pairs` of the runs of all.
Json networksJson(const ScoreReader& reader, const std::vector<StoredEvaluation>& networks);

/// Tables of each network's attentions, under a line that says what was evaluated, and one of the pairs of all.
std::string evaluationTables(const ScoreReader& reader, const std::vector<StoredEvaluation>& networks);

Json estimateJson(const EvaluationEstimate& estimate, const EvaluationRequest& request);
std::string describeEstimate(const EvaluationEstimate& estimate, const EvaluationRequest& request);

}
