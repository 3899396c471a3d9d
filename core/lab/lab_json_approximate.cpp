// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_path.h"
#include "core/lab/lab_json.h"
#include "core/run/record_json.h"

namespace attnscope {

namespace {

Json toJson(const CurvePoint& point)
{
    Json json{{"samples", point.samples > 0 ? Json(point.samples) : Json(nullptr)},
              {"attention", point.attention}};
    if (!point.unavailable.empty()) {
        json["unavailable"] = point.unavailable;
        return json;
    }
    json["seeds"] = point.seeds;
    json["deterministic"] = point.deterministic;
    json.update(attnscope::toJson(point.error));
    json["bias2"] = finiteOrNull(point.parts.biasSquared);
    json["variance"] = finiteOrNull(point.parts.variance);
    json["median_relative"] = finiteOrNull(point.medianRelative);
    json["layers"] = finiteOrNull(point.layerMse);
    json["not_finite"] = point.notFinite;
    if (!point.notes.empty())
        json["notes"] = point.notes;
    return json;
}

Json toJson(const Curve& curve)
{
    Json json{{"attention", curve.attention}, {"backend", curve.backend}, {"flat", curve.flat}};
    json["power"] = finiteOrNull(curve.power);
    json["variance_times_samples"] = finiteOrNull(curve.varianceTimesSamples);
    json["points"] = jsonList(curve.points, [](const CurvePoint& point) { return toJson(point); });
    return json;
}

}  // namespace

Json toJson(const ApproximateReport& report)
{
    Json json = report.model ? toJson(*report.model)
                             : Json{{"file", jsonPath(report.source)}, {"temperature", report.temperature}};
    json["exact"] = report.exact;
    json["layers"] = report.layers;
    json["heads"] = report.heads;
    json["tokens"] = report.tokens;
    json["width"] = report.width;
    json["curves"] = jsonList(report.curves, [](const Curve& curve) { return toJson(curve); });
    json["yardsticks"] = {{"zero", {{"mse", finiteOrNull(report.meanSquare)}, {"relative", 1.0}}},
                          {"mean_of_values",
                           {{"mse", finiteOrNull(report.meanOfValues.mse)},
                            {"relative", finiteOrNull(report.meanOfValues.relative)}}}};
    json["unreadable"] = toJson(report.unreadable);
    return json;
}

}  // namespace attnscope
