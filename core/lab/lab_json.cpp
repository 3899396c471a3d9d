#include "core/lab/lab_json.h"

#include "core/base/json_exponent.h"
#include "core/run/record_json.h"

#include <algorithm>

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
    if (point.emptyRows)
        json["empty_rows"] = *point.emptyRows;
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

/// {"positive": …, "hyperbolic": …}, of what `valueOf` gives for the number of a feature map.
template <typename Value>
Json byFeatures(const Value& valueOf)
{
    Json json = Json::object();
    for (size_t f = 0; f < kernelFeatures.size(); ++f)
        json[toText(kernelFeatures[f])] = valueOf(f);
    return json;
}

Json toJson(const KernelPoint& point)
{
    return {{"norm_x", point.normX},
            {"norm_y", point.normY},
            {"product", point.product},
            {"exact", finiteOrNull(point.exact)},
            {"features", byFeatures([&](size_t f) {
                 const KernelEstimate& one = point.estimates[f];
                 return Json{{"estimate", finiteOrNull(one.estimate)},
                             {"variance", finiteOrNull(one.variance)},
                             {"relative_stddev", finiteOrNull(one.relativeStddev)}};
             })}};
}

Json toJson(const std::vector<KernelPoint>& points)
{
    return jsonList(points, [](const KernelPoint& point) { return toJson(point); });
}

Json toJson(const KernelHead& head)
{
    return {{"layer", head.layer},
            {"head", head.head},
            {"pairs", head.pairs},
            {"norm_query", head.normQuery},
            {"norm_key", head.normKey},
            {"features", byFeatures([&](size_t f) {
                 return Json{{"median_relative_stddev", finiteOrNull(head.relativeStddev[f])},
                             {"median_relative_error", finiteOrNull(head.relativeError[f])}};
             })},
            {"points", toJson(head.points)}};
}

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
    addPartsOfNetwork(row.attention, json);
    json["claimed"] = {{"time", exponentJson(row.claimedTime)}, {"memory", exponentJson(row.claimedMemory)}};
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

Json toJson(const HeadErrors& errors)
{
    Json json = attnscope::toJson(errors.error);
    json["bias2"] = finiteOrNull(errors.parts.biasSquared);
    json["variance"] = finiteOrNull(errors.parts.variance);
    if (errors.classToken)
        json["class_token"] = attnscope::toJson(*errors.classToken);
    if (errors.patches)
        json["patches"] = attnscope::toJson(*errors.patches);
    return json;
}

void addKeys(const HeadKeys& keys, Json& json)
{
    json["density"] = keys.density;
    json["empty_rows"] = keys.emptyRows;
    json["mass_kept"] = finiteOrNull(keys.massKept);
}

Json toJson(const std::vector<InspectedLayer>& layers)
{
    return jsonList(layers, [](const InspectedLayer& layer) {
        Json json{{"layer", layer.layer}};
        if (!layer.name.empty())
            json["name"] = layer.name;
        json.update(toJson(layer.mean));
        json["heads"] = jsonList(layer.heads, [](const HeadErrors& head) { return toJson(head); });
        if (layer.keys) {
            addKeys(layer.keys->mean, json);
            for (size_t head = 0; head < layer.keys->heads.size(); ++head)
                addKeys(layer.keys->heads[head], json["heads"][head]);
        }
        addBaselines(layer.meanOfValues, layer.zeroMse, json);
        return json;
    });
}

Json toJson(const LayerTokenMap& map)
{
    constexpr const char* kinds[]{"value", "weight", "category"};  // as in TokenMapInfo::Kind
    return {{"name", map.info.name},
            {"title", map.info.title},
            {"help", map.info.help},
            {"tokens", map.info.tokens == TokenMapInfo::Tokens::Keys ? "keys" : "queries"},
            {"kind", kinds[size_t(map.info.kind)]},
            {"of_query", map.info.ofQuery},
            {"grid", {map.grid.rows, map.grid.columns}},
            {"prefix", map.prefix},
            {"frames", map.frames},
            {"values", jsonList(map.values, [](const auto& head) { return finiteOrNull(head); })}};
}

/// What is known of single tokens besides weights, where a query was asked for.
void addTokenMaps(const InspectedAttention& one, Json& maps)
{
    for (size_t i = 0; i < std::min(one.maps.size(), one.teacherForced.size()); ++i) {
        const InspectedLayer& layer = one.teacherForced[i];
        if (layer.keys)
            maps[i]["mass_kept"] = jsonList(layer.keys->massKept,
                                            [](const auto& head) { return finiteOrNull(head); });
        for (const LayerTokenMap& map : layer.tokenMaps)
            maps[i]["token_maps"].push_back(toJson(map));
    }
}

Json toJson(const LayerMaps& maps)
{
    Json json{
        {"layer", maps.layer},     {"query", maps.query},          {"grid", {maps.grid.rows, maps.grid.columns}},
        {"prefix", maps.prefix},   {"frames", maps.frames},        {"exact", maps.exact},
        {"implied", maps.implied}, {"difference", maps.difference}};
    if (!maps.seen.empty())
        json["seen"] = maps.seen;
    json["token_maps"] = jsonList(maps.tokenMaps, [](const LayerTokenMap& map) { return toJson(map); });
    if (maps.landmarkWeights.empty())
        return json;
    json["landmarks"] = {{"kind", !maps.landmarkTokens.empty() ? "tokens"
                                  : maps.landmarkSide > 0      ? "cells"
                                                               : "segments"},
                         {"side", maps.landmarkSide},
                         {"weights", maps.landmarkWeights}};
    if (!maps.landmarkTokens.empty())
        json["landmarks"]["tokens"] = maps.landmarkTokens;
    return json;
}

Json toJson(const InspectedAttention& one)
{
    Json json{{"attention", one.attention}, {"resolved", one.resolved}, {"backend", one.backend}};
    addPartsOfNetwork(one.resolved, json);
    if (one.merged)
        json["merged"] = toJson(*one.merged);
    if (one.weights)
        json["weights"] = toText(*one.weights);
    if (!one.failure.empty()) {
        json["failure"] = one.failure;
        return json;
    }
    json["exact"] = one.exact;
    json["deterministic"] = one.deterministic;
    json["seeds"] = one.seeds;
    if (one.emptyRows)
        json["empty_rows"] = *one.emptyRows;
    json["teacher_forced"] = toJson(one.teacherForced);
    if (!one.endToEnd.empty()) {
        json["end_to_end"] = {{"layers", toJson(one.endToEnd)}, {"drift", finiteOrNull(one.drift)}};
        if (one.hasClasses)
            json["end_to_end"].update({{"kl", finiteOrNull(one.kl)}, {"top1_agrees", one.top1Agrees}});
    }
    if (!one.alone.empty()) {
        json["alone"] = Json::array();
        for (size_t layer = 0; layer < one.alone.size(); ++layer)
            json["alone"].push_back({{"layer", layer},
                                     {"kl", finiteOrNull(one.alone[layer].kl)},
                                     {"top1_agrees", one.alone[layer].top1Agrees}});
    }
    if (!one.maps.empty()) {
        json["maps"] = jsonList(one.maps, [](const LayerMaps& maps) { return toJson(maps); });
        addTokenMaps(one, json["maps"]);
    }
    if (!one.rollout.exact.empty())
        json["rollout"] = {{"exact", one.rollout.exact}, {"implied", one.rollout.implied}};
    if (!one.notes.empty())
        json["notes"] = one.notes;
    return json;
}

Json toJson(const Plan& plan)
{
    Json json{{"attention", plan.attention}, {"uniform", plan.uniform}};
    addPartsOfNetwork(plan.attention, json);
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

Json expectedJson(const ExpectedOutput& one)
{
    return {{"tensor", one.tensor},
            {"max_abs_diff", finiteOrNull(one.maximumDifference)},
            {"tolerance", one.tolerance},
            {"within", one.within()}};
}

}

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
    if (!report.complete)
        json["interrupted"] = true;
    return json;
}

Json toJson(const KernelReport& report)
{
    Json json = report.model ? toJson(*report.model)
                             : Json{{"file", jsonPath(report.source)}, {"temperature", report.temperature}};
    json["samples"] = report.samples;
    json["width"] = report.width;
    json["seed"] = report.seed;
    json["curves"] = jsonList(report.curves, [](const KernelCurve& curve) {
        return Json{{"angle", toText(curve.angle)}, {"points", toJson(curve.points)}};
    });
    json["heads"] = jsonList(report.heads, [](const KernelHead& head) { return toJson(head); });
    json["pairs"] = toJson(report.pairs);
    json["expected"] = jsonList(report.expected, expectedJson);
    return json;
}

Json toJson(const ScaleReport& report)
{
    const ScaleRequest& r = report.request;
    Json json{{"encoder", {{"layers", r.layers}, {"dim", r.width}, {"heads", r.heads}, {"batch", 1}}},
              {"pass", r.backward ? "forward+backward" : "forward"},
              {"lengths", r.lengths},
              {"device", writeFields(report.device)},
              {"dtype", r.dtype},
              {"seed", r.seed},
              {"memory_budget_bytes", report.memoryFreeBytes},
              {"time_budget_seconds", r.totalBudgetSeconds > 0 ? Json(r.totalBudgetSeconds) : Json(nullptr)},
              {"environment", writeFields(report.environment)},
              {"rows", jsonList(report.rows, [](const ScaleRow& row) { return toJson(row); })}};
    if (!report.complete)
        json["interrupted"] = true;
    return json;
}

Json toJson(const LayerInspection& inspection)
{
    Json json = toJson(inspection.model);
    json["tokens"] = {{"count", inspection.tokens},
                      {"prefix", inspection.prefix},
                      {"frames", inspection.frames},
                      {"grid", {inspection.grid.rows, inspection.grid.columns}}};
    json["attention"] = jsonList(inspection.attention, [](const InspectedAttention& one) { return toJson(one); });
    if (!inspection.complete)
        json["interrupted"] = true;
    return json;
}

Json toJson(const LogitTermReport& report)
{
    Json json = report.model ? toJson(*report.model) : Json{{"file", jsonPath(report.source)}};
    json["tokens"] = {{"count", report.tokens},
                      {"prefix", report.prefix},
                      {"frames", report.frames},
                      {"grid", {report.grid.rows, report.grid.columns}}};
    Json terms = Json::array();
    for (size_t t = 0; t < logitTermCount; ++t)
        terms.push_back(
            {{"term", toText(static_cast<LogitTerm>(t))}, {"shares", finiteOrNull(report.fractions[t])}});
    json["logit_terms"] = {{"layer", 0},
                           {"heads", report.heads},
                           {"residual", finiteOrNull(report.largestResidual)},
                           {"terms", std::move(terms)}};
    if (report.maps) {
        Json maps{{"query", report.maps->query}, {"logits", report.maps->logits}, {"terms", Json::object()}};
        for (size_t t = 0; t < logitTermCount; ++t)
            maps["terms"][toText(static_cast<LogitTerm>(t))] = report.maps->terms[t];
        json["logit_terms"]["maps"] = std::move(maps);
    }
    json["expected"] = jsonList(report.expected, expectedJson);
    return json;
}

Json toJson(const PlanReport& report)
{
    Json json = toJson(report.model);
    json["budget"] = {{"kind", toText(report.kind)}, {"value", report.budget}};
    json["candidates"] = report.candidates;
    json["layers"] = Json::array();
    for (size_t layer = 0; layer < report.layers.size(); ++layer) {
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
    if (!report.complete)
        json["interrupted"] = true;
    return json;
}

}
