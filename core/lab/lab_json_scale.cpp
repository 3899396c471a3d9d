// SPDX-License-Identifier: Apache-2.0
#include "core/lab/lab_json.h"

namespace attnscope {

namespace {

Json optional(const std::optional<double>& value)
{
    return value ? finiteOrNull(*value) : Json(nullptr);
}

Json toJson(const ScalePoint& point)
{
    Json json{{"tokens", point.tokens}};
    if (!point.stopped.empty()) {
        json["stopped"] = point.stopped;
        return json;
    }
    const Latency& l = point.latency;
    json["latency_ms"] = {{"median", l.medianMs},
                          {"p05", l.p05Ms},
                          {"p95", l.p95Ms},
                          {"repetitions", l.repetitions},
                          {"attention_median", l.attentionMedianMs},
                          {"attention_p05", l.attentionP05Ms},
                          {"attention_p95", l.attentionP95Ms}};
    json["memory_bytes"] = {{"peak", point.peakBytes}, {"attention_peak", point.attentionPeakBytes}};
    json["relative"] = {{"time", optional(point.timeRatio)},
                        {"attention_time", optional(point.attentionTimeRatio)},
                        {"memory", optional(point.memoryRatio)},
                        {"attention_memory", optional(point.attentionMemoryRatio)}};
    return json;
}

Json toJson(const ScaleRow& row)
{
    Json json{{"attention", row.attention}, {"backend", row.backend}};
    json["claimed"] = {{"time", row.claimedTime}, {"memory", row.claimedMemory}};
    json["exponents"] = {{"time", optional(row.exponents.time)},
                         {"attention_time", optional(row.exponents.attentionTime)},
                         {"memory", optional(row.exponents.memory)},
                         {"attention_memory", optional(row.exponents.attentionMemory)}};
    json["break_even"] = {{"explicit_softmax", optional(row.breakEvenExplicit)},
                          {"fused_softmax", optional(row.breakEvenFused)},
                          {"memory", optional(row.breakEvenMemory)}};
    json["points"] = Json::array();
    for (const ScalePoint& point : row.points)
        json["points"].push_back(toJson(point));
    json["published"] = Json::array();
    for (const PublishedRatio& ratio : row.published)
        json["published"].push_back({{"tokens", ratio.tokens}, {"time", ratio.time}, {"memory", ratio.memory}});
    if (!row.notes.empty())
        json["notes"] = row.notes;
    return json;
}

}  // namespace

Json toJson(const ScaleReport& report)
{
    const ScaleRequest& r = report.request;
    const Environment& e = report.environment;
    Json json{{"encoder", {{"layers", r.layers}, {"dim", r.width}, {"heads", r.heads}, {"batch", 1}}},
              {"pass", r.backward ? "forward+backward" : "forward"},
              {"lengths", r.lengths},
              {"device",
               {{"name", report.device.name},
                {"description", report.device.description},
                {"threads", report.device.threads}}},
              {"dtype", r.dtype},
              {"seed", r.seed},
              {"memory_budget_bytes", report.memoryFreeBytes},
              {"time_budget_seconds", r.totalBudgetSeconds > 0 ? Json(r.totalBudgetSeconds) : Json(nullptr)},
              {"environment",
               {{"attnscope", e.attnscope},
                {"torch", e.torch},
                {"compiler", e.compiler},
                {"instruction_set", e.instructionSet},
                {"kernels", e.kernels},
                {"started", e.started},
                {"load_average", finiteOrNull(e.loadAverage)}}}};
    json["rows"] = Json::array();
    for (const ScaleRow& row : report.rows)
        json["rows"].push_back(toJson(row));
    return json;
}

}  // namespace attnscope
