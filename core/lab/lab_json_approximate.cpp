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
    json.update(errorValueJson(point.error));
    json["bias2"] = finiteOrNull(point.parts.biasSquared);
    json["variance"] = finiteOrNull(point.parts.variance);
    json["median_relative"] = finiteOrNull(point.medianRelative);
    json["layers"] = numbersJson(point.layerMse);
    json["not_finite"] = point.notFinite;
    if (!point.notes.empty())
        json["notes"] = point.notes;
    return json;
}

Json toJson(const Curve& curve)
{
    Json json{{"attention", curve.attention}, {"backend", curve.backend}, {"flat", curve.flat}};
    json["power"] = curve.power ? finiteOrNull(*curve.power) : Json(nullptr);
    json["variance_times_samples"] = curve.varianceTimesSamples ? finiteOrNull(*curve.varianceTimesSamples)
                                                                : Json(nullptr);
    json["points"] = Json::array();
    for (const CurvePoint& point : curve.points)
        json["points"].push_back(toJson(point));
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
    json["curves"] = Json::array();
    for (const Curve& curve : report.curves)
        json["curves"].push_back(toJson(curve));
    json["yardsticks"] = {{"zero", {{"mse", finiteOrNull(report.meanSquare)}, {"relative", 1.0}}},
                          {"mean_of_values",
                           {{"mse", finiteOrNull(report.meanOfValues.mse)},
                            {"relative", finiteOrNull(report.meanOfValues.relative)}}}};
    json["unreadable"] = unreadableJson(report.unreadable);
    return json;
}

}  // namespace attnscope
