#include "core/lab/leaderboard/leaderboard_json.h"

#include "core/lab/leaderboard/leaderboard_ranking.h"
#include "core/run/record_json.h"

#include <algorithm>

namespace attnscope {

namespace {

Json rowJson(const LeaderboardRow& row)
{
    Json json{{"attention", row.attention},
              {"backend", row.backend},
              {"samples", row.samples > 0 ? Json(row.samples) : Json(nullptr)}};
    if (!row.failure.empty()) {
        json["failure"] = row.failure;
        return json;
    }
    json["seeds"] = row.seeds;
    json["deterministic"] = row.deterministic;
    json["relative"] = finiteOrNull(row.relative);
    json["relative_sd"] = finiteOrNull(row.relativeStddev);
    json["median_relative"] = finiteOrNull(row.medianRelative);
    json["layers"] = finiteOrNull(row.layers);
    json["not_finite"] = row.notFinite;
    if (row.effect)
        json["end_to_end"] = {{"kl", finiteOrNull(row.effect->kl)},
                              {"agreement", finiteOrNull(row.effect->agreement)},
                              {"cosine", finiteOrNull(row.effect->cosine)}};
    json["latency_ms"] = writeFields(row.latency);
    json["exact_latency_ms"] = writeFields(row.exactLatency);
    json["memory_bytes"] = {{"attention_peak", row.peakBytes}, {"exact_attention_peak", row.exactPeakBytes}};
    json["macs"] = row.macs;
    json["exact_macs"] = row.exactMacs;
    json["relative_cost"] = {{"time", finiteOrNull(row.timeRatio())},
                             {"speed", toText(compareSpeed(row.latency, row.exactLatency).speed)},
                             {"memory", finiteOrNull(row.memoryRatio())},
                             {"macs", finiteOrNull(row.macs / row.exactMacs)}};
    json["front"] = {{"time", row.timeFront}, {"memory", row.memoryFront}};
    if (!row.notes.empty())
        json["notes"] = row.notes;
    return json;
}

}

Json toJson(const LeaderboardReport& report)
{
    Json json = report.model ? toJson(*report.model)
                             : Json{{"file", jsonPath(report.source)}, {"temperature", report.temperature}};
    json["leaderboard"] = {{"exact", report.exact},
                           {"exact_meaning", report.exactMeaning},
                           {"error", nameOf(report, report.error())},
                           {"layers", report.layers},
                           {"heads", report.heads},
                           {"tokens", report.tokens},
                           {"prefix", report.prefix},
                           {"width", report.width},
                           {"inputs", report.inputs},
                           {"timed_layers", report.timedLayers},
                           {"seed", report.seed},
                           {"seeds", report.seeds},
                           {"has_classes", report.hasClasses},
                           {"candidates", report.candidates},
                           {"complete", report.complete()},
                           {"seconds", report.seconds}};
    json["rows"] = jsonList(report.rows, rowJson);
    json["omitted"] = jsonList(report.omitted, [](const LeaderboardOmission& one) {
        return Json{{"attention", one.attention}, {"reason", one.reason}};
    });
    json["unreadable"] = toJson(report.unreadable);
    if (!report.complete())
        json["interrupted"] = true;
    return json;
}

}
