// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include "core/store/prediction_blob.h"
#include "core/store/settings_json.h"
#include "core/store/result_database.h"

#include <bit>

namespace attnscope {

namespace {

Json canonicalSettings(const StoredEvaluation& evaluation)
{
    Json json = identityOf(evaluation.settings, true);
    json["data"] = evaluation.dataHash;
    json["samples"] = evaluation.samples;
    json["done"] = evaluation.done;
    json["unreadable"] = evaluation.unreadable;
    return json;
}

/// Floats by their bits, as printed numbers may hide the last one.
Json canonicalPrediction(SQLite::Statement& row)
{
    SamplePrediction prediction;
    const SQLite::Column rest = row.getColumn(5);
    Json json{row.getColumn(0).getInt64(), row.getColumn(1).getInt64(), row.getColumn(2).getInt64(),
              row.getColumn(3).getInt64(),
              row.getColumn(4).isNull() ? Json()
                                        : Json(std::bit_cast<std::uint64_t>(row.getColumn(4).getDouble()))};
    if (unpackRest(rest.getBlob(), static_cast<std::size_t>(rest.getBytes()), prediction)) {
        for (std::size_t i = 1; i < SamplePrediction::kept; ++i)
            json.push_back({prediction.classes[i], std::bit_cast<std::uint32_t>(prediction.probabilities[i])});
        json.push_back(std::bit_cast<std::uint32_t>(prediction.labelProbability));
    }
    return json;
}

Json canonicalRun(StoreConnection& connection, const StoredRun& run, const Accuracy& accuracy)
{
    Json json = toJson(run);
    json.erase("latency_ms");
    json.erase("memory_bytes");
    json["attention"] = run.attention;
    json["samples"] = accuracy.samples;
    json["correct1"] = accuracy.correct1;
    json["correct5"] = accuracy.correct5;
    SQLite::Statement rows = connection.statement(
        "SELECT sample, label, rank, answer, probability, rest FROM answer WHERE run = ? ORDER BY sample", run.id);
    Json& predictions = json["answers"] = Json::array();
    while (rows.executeStep())
        predictions.push_back(canonicalPrediction(rows));
    return json;
}

}  // namespace

std::string ResultStore::withoutTimings(std::int64_t id) const
{
    return m_database->snapshot([&] {
        const StoredEvaluation stored = evaluation(id);
        Json json = canonicalSettings(stored);
        for (const StoredRun& run : stored.runs) {
            json["runs"].push_back(canonicalRun(*m_database, run, accuracy(run.id)));
            for (const ClassAccuracy& label : classAccuracies(run.id))
                json["runs"].back()["classes"].push_back(
                    {label.label, label.accuracy.samples, label.accuracy.correct1, label.accuracy.correct5});
            for (const Confusion& confusion : worstConfusions(run.id, -1))
                json["runs"].back()["confusions"].push_back(
                    {confusion.label, confusion.prediction, confusion.samples});
        }
        json["unreadable_samples"] = jsonList(unreadable(id, 0, -1), [&](const UnreadableSample& sample) {
            return Json{sample.sample, sample.reason};
        });
        return dumpJson(json);
    });
}

}  // namespace attnscope
