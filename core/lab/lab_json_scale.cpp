// SPDX-License-Identifier: Apache-2.0
#include "core/lab/lab_json.h"
#include "core/run/record_fields.h"

namespace attnscope {

namespace {

Json toJson(const ScalePoint& point)
{
    Json json{{"tokens", point.tokens}};
    if (!point.stopped.empty()) {
        json["stopped"] = point.stopped;
        return json;
    }
    json["latency_ms"] = writeFields(point.latency);
    json["memory_bytes"] = {{"peak", point.peakBytes}, {"attention_peak", point.attentionPeakBytes}};
    json["relative"] = {{"time", finiteOrNull(point.timeRatio)},
                        {"attention_time", finiteOrNull(point.attentionTimeRatio)},
                        {"memory", finiteOrNull(point.memoryRatio)},
                        {"attention_memory", finiteOrNull(point.attentionMemoryRatio)}};
    return json;
}

Json toJson(const ScaleRow& row)
{
    Json json{{"attention", row.attention}, {"backend", row.backend}};
    json["claimed"] = {{"time", row.claimedTime}, {"memory", row.claimedMemory}};
    json["exponents"] = {{"time", finiteOrNull(row.exponents.time)},
                         {"attention_time", finiteOrNull(row.exponents.attentionTime)},
                         {"memory", finiteOrNull(row.exponents.memory)},
                         {"attention_memory", finiteOrNull(row.exponents.attentionMemory)}};
    json["break_even"] = {{"explicit_softmax", finiteOrNull(row.breakEvenExplicit)},
                          {"fused_softmax", finiteOrNull(row.breakEvenFused)},
                          {"memory", finiteOrNull(row.breakEvenMemory)}};
    json["points"] = jsonList(row.points, [](const ScalePoint& point) { return toJson(point); });
    json["published"] = jsonList(row.published, [](const PublishedRatio& ratio) {
        return Json{{"tokens", ratio.tokens}, {"time", ratio.time}, {"memory", ratio.memory}};
    });
    if (!row.notes.empty())
        json["notes"] = row.notes;
    return json;
}

}  // namespace

Json toJson(const ScaleReport& report)
{
    const ScaleRequest& r = report.request;
    return {{"encoder", {{"layers", r.layers}, {"dim", r.width}, {"heads", r.heads}, {"batch", 1}}},
            {"pass", r.backward ? "forward+backward" : "forward"},
            {"lengths", r.lengths},
            {"device", writeFields(report.device)},
            {"dtype", r.dtype},
            {"seed", r.seed},
            {"memory_budget_bytes", report.memoryFreeBytes},
            {"time_budget_seconds", r.totalBudgetSeconds > 0 ? Json(r.totalBudgetSeconds) : Json(nullptr)},
            {"environment", writeFields(report.environment)},
            {"rows", jsonList(report.rows, [](const ScaleRow& row) { return toJson(row); })}};
}

}  // namespace attnscope
