// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/attend_output.h"

#include "app/cli/output/table_output.h"
#include "core/base/format.h"
#include "core/base/json_path.h"
#include "core/base/text.h"
#include "core/run/record_json.h"

#include <fmt/format.h>

namespace attnscope::cli {

namespace {

/// All of it is attention's.
Json latencyJson(const Latency& latency)
{
    Json json = attnscope::toJson(latency);
    for (const char* key : {"attention_median", "attention_p05", "attention_p95"})
        json.erase(key);
    return json;
}

Json shapeOf(const AttendCase& one)
{
    Json shape{{"batch", one.batch},  {"heads", one.heads}, {"queries", one.queries},
               {"keys", one.keys},    {"width", one.width}, {"value_width", one.valueDim},
               {"frames", one.frames}};
    shape["grid"] = one.grid ? Json{one.grid->rows, one.grid->columns} : Json(nullptr);
    return shape;
}

void addError(const AttendCase& one, Json& json)
{
    json.update(summaryJson(one.error));
    if (one.hasBaselines)
        addBaselines(one.error.meanOfValues, one.error.zeroMse, json);
    json["batch"] = jsonList(one.error.layers, [](const LayerError& element) {
        Json entry = attnscope::toJson(element.error);
        entry["heads"] = jsonList(element.heads, [](const ErrorValue& head) { return attnscope::toJson(head); });
        return entry;
    });
}

void addExpected(const AttendCase& one, Json& json)
{
    json["max_abs_diff"] = one.expected ? finiteOrNull(one.expected->maximumDifference) : Json(nullptr);
    json["tolerance"] = one.expected ? finiteOrNull(one.expected->tolerance) : Json(nullptr);
    json["within_tolerance"] = one.expected ? Json(one.expected->within()) : Json(nullptr);
}

void addCost(const AttendCase& one, Json& json)
{
    if (one.latency) {
        json["latency_ms"] = latencyJson(*one.latency);
        json["softmax_latency_ms"] = latencyJson(*one.softmaxLatency);
    }
    json["memory_bytes"] = {{"peak", one.peakBytes}, {"softmax_peak", one.softmaxPeakBytes}};
    json["macs"] = finiteOrNull(one.macs);
    json["softmax_macs"] = finiteOrNull(one.softmaxMacs);
}

Json toJson(const AttendCase& one)
{
    Json json{{"name", printable(one.name)}, {"attention", one.attention}};
    json["available"] = one.unavailable.empty();
    if (!one.unavailable.empty()) {
        json["reason"] = one.unavailable;
        return json;
    }
    addError(one, json);
    addExpected(one, json);
    addCost(one, json);
    json["shape"] = shapeOf(one);
    json["notes"] = one.notes;
    return json;
}

std::string spreadOf(double value, double stddev)
{
    return formatError(value) + (stddev > 0 ? " ± " + formatError(stddev) : "");
}

std::vector<std::string> row(const AttendCase& one)
{
    if (!one.unavailable.empty())
        return {printable(one.name), "not available: " + one.attention};
    std::vector<std::string> cells{printable(one.name), one.attention};
    cells.push_back(spreadOf(one.error.error.mse, one.error.error.mseStddev));
    cells.push_back(spreadOf(one.error.error.relative, one.error.error.relativeStddev));
    cells.push_back(one.latency ? formatMilliseconds(one.latency->medianMs).text() : "");
    cells.push_back(one.latency ? formatMilliseconds(one.softmaxLatency->medianMs).text() : "");
    cells.push_back(formatBytes(one.peakBytes).text());
    cells.push_back(formatQuantity(one.macs).text());
    if (one.expected) {
        cells.push_back(formatError(one.expected->maximumDifference));
        cells.push_back(formatError(one.expected->tolerance));
        cells.emplace_back(one.expected->within() ? "yes" : "no");
    }
    return cells;
}

}  // namespace

std::string describeAttend(const AttendReport& report)
{
    Table table({{"case"},
                 {"attention"},
                 {"MSE", Align::Right},
                 {"relative", Align::Right},
                 {"time", Align::Right},
                 {"softmax's", Align::Right},
                 {"memory", Align::Right},
                 {"multiply-adds", Align::Right},
                 {"largest difference from file", Align::Right},
                 {"tolerance", Align::Right},
                 {"within"}});
    std::string notes;
    for (const AttendCase& one : report.cases) {
        table.add(row(one));
        for (const std::string& note : one.notes)
            notes += "  " + printable(one.name) + ": " + note + "\n";
    }
    return emphasised(printable(report.file))
           + fmt::format("  ({}, {}, seed {})\n", report.device, report.dtype, report.seed) + table.text(2)
           + notes;
}

Json attendJson(const AttendReport& report)
{
    Json json{{"file", jsonPath(report.file)},
              {"device", report.device},
              {"dtype", report.dtype},
              {"seed", report.seed}};
    json["cases"] = jsonList(report.cases, [](const AttendCase& one) { return toJson(one); });
    return json;
}

}  // namespace attnscope::cli
