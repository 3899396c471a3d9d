#pragma once

#include "core/store/result_store.h"
#include "core/store/store_json.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

namespace attnscope::testing {

/// Floats by their bits, as printed numbers may hide the last one.
inline Json canonicalPrediction(const StoredSample& sample)
{
    Json json{sample.sample, sample.label};
    if (const auto& prediction = sample.predictions.front()) {
        json.push_back(prediction->labelRank);
        for (size_t i = 0; i < SamplePrediction::kept; ++i)
            json.push_back({prediction->classes[i], std::bit_cast<uint32_t>(prediction->probabilities[i])});
        json.push_back(std::bit_cast<uint32_t>(prediction->labelProbability));
        json.push_back(std::bit_cast<uint32_t>(prediction->squaredProbabilities));
    }
    return json;
}

inline Json canonicalRun(const ResultStore& store, const StoredRun& run)
{
    const Accuracy accuracy = store.accuracy(run.id);
    Json json = toJson(run);
    json.erase("latency_ms");
    json.erase("memory_bytes");
    json["attention"] = run.attention;
    json["accuracy"] = {accuracy.samples, accuracy.correct, accuracy.correct5};
    auto samples = store.samples({.run = run.id,
                                  .reference = {},
                                  .predictions = PredictionsShown::All,
                                  .label = {},
                                  .prediction = {},
                                  .count = -1});
    std::sort(samples.begin(), samples.end(),
              [](const StoredSample& a, const StoredSample& b) { return a.sample < b.sample; });
    json["predictions"] = jsonList(samples, canonicalPrediction);
    json["classes"] = jsonList(store.classAccuracies(run.id), [](const ClassAccuracy& one) {
        return Json{one.label, one.accuracy.samples, one.accuracy.correct, one.accuracy.correct5};
    });
    json["confusions"] = jsonList(store.worstConfusions(run.id, -1), [](const Confusion& one) {
        return Json{one.label, one.prediction, one.samples};
    });
    store.eachLogits(run.id, [&](int64_t sample, const std::vector<float>& logits) {
        std::vector<uint32_t> bits(logits.size());
        std::ranges::transform(logits, bits.begin(), [](float logit) { return std::bit_cast<uint32_t>(logit); });
        json["logits"].push_back({sample, bits});
    });
    return json;
}

/// Everything that an evaluation found, to the last bit, as canonical JSON without what depends on time and place: two runs of the same
/// evaluation, interrupted, sharded or not, give the same bytes.
inline std::string withoutTimings(const ResultStore& store, int64_t id)
{
    const StoredEvaluation stored = store.evaluation(id);
    Json json = identityOf(stored.settings, true);
    json["data"] = stored.dataHash;
    json["samples"] = stored.samples;
    json["done"] = stored.done;
    json["unreadable"] = stored.unreadable;
    json["runs"] = jsonList(stored.runs, [&](const StoredRun& run) { return canonicalRun(store, run); });
    json["unreadable_samples"] = jsonList(store.unreadable(id, 0, -1), [](const UnreadableSample& sample) {
        return Json{sample.sample, sample.reason};
    });
    return dumpJson(json);
}

}
