// SPDX-License-Identifier: Apache-2.0
#include "core/lab/lab_json.h"
#include "core/run/record_json.h"

namespace attnscope {

namespace {

Json toJson(const Plan& plan)
{
    const auto optional = [](const std::optional<double>& value) {
        return value ? finiteOrNull(*value) : Json(nullptr);
    };
    Json json{{"attention", plan.attention}, {"uniform", plan.uniform}};
    json["predicted"] = {{"latency_ms", plan.predictedMs},
                         {"relative", finiteOrNull(plan.predictedError)},
                         {"kl", finiteOrNull(plan.predictedDivergence)}};
    json["measured"] = nullptr;
    if (plan.latency)
        json["measured"] = {{"latency_ms",
                             {{"median", plan.latency->medianMs},
                              {"p05", plan.latency->p05Ms},
                              {"p95", plan.latency->p95Ms},
                              {"repetitions", plan.latency->repetitions},
                              {"attention_median", plan.latency->attentionMedianMs}}},
                            {"relative", optional(plan.error)},
                            {"kl", optional(plan.divergence)},
                            {"top1_agreement", optional(plan.agreement)},
                            {"top1", optional(plan.accuracy)}};
    return json;
}

Json toJson(const std::vector<Plan>& plans)
{
    Json list = Json::array();
    for (const Plan& plan : plans)
        list.push_back(toJson(plan));
    return list;
}

}  // namespace

Json toJson(const PlanReport& report)
{
    Json json = toJson(report.model);
    json["budget"] = {{"kind", toText(report.kind)}, {"value", report.budget}};
    json["candidates"] = report.candidates;
    json["layers"] = Json::array();
    for (std::size_t layer = 0; layer < report.layers.size(); ++layer) {
        Json options = Json::array();
        for (const LayerOption& option : report.layers[layer])
            options.push_back({{"ms", option.milliseconds},
                               {"relative", finiteOrNull(option.relativeError)},
                               {"kl", finiteOrNull(option.divergence)}});
        json["layers"].push_back({{"layer", layer}, {"candidates", std::move(options)}});
    }
    json["outside_ms"] = report.outsideMs;
    json["explicit_softmax_ms"] = report.explicitMs;
    json["front"] = toJson(report.front);
    json["uniform"] = toJson(report.uniform);
    json["chosen"] = report.chosen ? toJson(*report.chosen) : Json(nullptr);
    json["advice"] = report.advice;
    json["labelled"] = report.labelled;
    json["unreadable"] = unreadableJson(report.unreadable);
    return json;
}

}  // namespace attnscope
