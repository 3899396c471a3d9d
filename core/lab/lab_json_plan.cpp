// SPDX-License-Identifier: Apache-2.0
#include "core/lab/lab_json.h"
#include "core/run/record_json.h"

namespace attnscope {

namespace {

Json toJson(const Plan& plan)
{
    Json json{{"attention", plan.attention}, {"uniform", plan.uniform}};
    json["predicted"] = {{"latency_ms", plan.predictedMs},
                         {"relative", finiteOrNull(plan.predictedError)},
                         {"kl", finiteOrNull(plan.predictedDivergence)}};
    json["measured"] = nullptr;
    if (!plan.latency)
        return json;
    Json latency = attnscope::toJson(*plan.latency);
    for (const char* spread : {"attention_p05", "attention_p95"})
        latency.erase(spread);
    json["measured"] = {{"latency_ms", std::move(latency)},
                        {"relative", finiteOrNull(plan.error)},
                        {"kl", finiteOrNull(plan.divergence)},
                        {"top1_agreement", finiteOrNull(plan.agreement)},
                        {"top1", finiteOrNull(plan.accuracy)}};
    return json;
}

Json toJson(const std::vector<Plan>& plans)
{
    return jsonList(plans, [](const Plan& plan) { return toJson(plan); });
}

}  // namespace

Json toJson(const PlanReport& report)
{
    Json json = toJson(report.model);
    json["budget"] = {{"kind", toText(report.kind)}, {"value", report.budget}};
    json["candidates"] = report.candidates;
    json["layers"] = Json::array();
    for (std::size_t layer = 0; layer < report.layers.size(); ++layer) {
        Json options = jsonList(report.layers[layer], [](const LayerOption& option) {
            return Json{{"ms", option.milliseconds},
                        {"relative", finiteOrNull(option.relativeError)},
                        {"kl", finiteOrNull(option.divergence)}};
        });
        json["layers"].push_back({{"layer", layer}, {"candidates", std::move(options)}});
    }
    json["outside_ms"] = report.outsideMs;
    json["explicit_softmax_ms"] = report.explicitMs;
    json["front"] = toJson(report.front);
    json["uniform"] = toJson(report.uniform);
    json["chosen"] = report.chosen ? toJson(*report.chosen) : Json(nullptr);
    json["advice"] = report.advice;
    json["labelled"] = report.labelled;
    json["unreadable"] = toJson(report.unreadable);
    return json;
}

}  // namespace attnscope
