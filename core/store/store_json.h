#pragma once

#include "core/base/json.h"
#include "core/store/store_records.h"

#include <map>
#include <string>

/// The parts of a record that are stored as JSON, in both directions. Stored values are not trusted: a value of an unexpected type reads as
/// its default.
namespace attnscope {

Json toJson(const EvaluationSettings& settings);
EvaluationSettings settingsFromJson(const Json& json);

/// [{"kind", "count", "names"}]
Json toJson(const std::vector<DataIssue>& issues);

/// Without id, attention (a column) and seconds.
Json toJson(const StoredRun& run);
StoredRun runFromJson(const Json& json);

/// Without id, output, times (columns) and history.
Json toJson(const StoredTraining& training);
StoredTraining trainingFromJson(const Json& json);

/// Without its number (a column).
Json toJson(const StoredEpoch& epoch);
StoredEpoch epochFromJson(int64_t number, const Json& json);

/// Of a run, as every JSON of ours has it.
Json accuracyJson(const Accuracy& accuracy);

/// As text, with invalid UTF-8 replaced; and back: anything that is not JSON reads as an empty object.
std::string dumpJson(const Json& json);
Json parseJson(const std::string& text);

/// What determines whether two evaluations would give the same predictions: no threads, versions, devices, paths or notes. Without `shard`
/// it is the identity of the whole that shards are parts of.
Json identityOf(const EvaluationSettings& settings, bool withShard);

/// The same as texts, and how two differ: "limit (0 and 60), seed (0 and 1)", without long values.
std::map<std::string, std::string> identityTexts(const EvaluationSettings& settings);
std::string identityDifferences(const EvaluationSettings& a, const EvaluationSettings& b);

}
