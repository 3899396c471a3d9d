// SPDX-License-Identifier: Apache-2.0
#include "core/run/record_json.h"

#include "core/base/json_path.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// JSON has no NaN and no infinity.
Json number(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json toJson(const ErrorValue& e)
{
    return {{"mse", number(e.mse)}, {"mse_sd", number(e.mseStddev)}, {"relative", number(e.relative)},
            {"relative_sd", number(e.relativeStddev)}};
}

Json toJson(const std::vector<Prediction>& top)
{
    Json json = Json::array();
    for (const Prediction& p : top)
        json.push_back({{"index", p.index}, {"label", p.label.empty() ? Json(nullptr) : Json(p.label)},
                        {"probability", number(p.probability)}});
    return json;
}

Json toJson(const std::vector<float>& values)
{
    Json json = Json::array();
    for (const float value : values)
        json.push_back(number(value));
    return json;
}

Json toJson(const LayerError& layer)
{
    Json json{{"layer", layer.layer}};
    if (!layer.name.empty())
        json["name"] = layer.name;
    json.update(toJson(layer.error));
    json["heads"] = Json::array();
    for (const ErrorValue& head : layer.heads)
        json["heads"].push_back(toJson(head));
    if (layer.classToken)
        json["class_token"] = toJson(*layer.classToken);
    json["mean_of_values"] = {{"mse", number(layer.meanOfValues.mse)}, {"relative", number(layer.meanOfValues.relative)}};
    json["zero"] = {{"mse", number(layer.zeroMse)}, {"relative", 1.0}};
    return json;
}

Json toJson(const ApproximationError& e)
{
    Json json = toJson(e.error);
    json["median_relative"] = number(e.medianRelative);
    json["exact"] = e.exact;
    json["seeds"] = e.seeds;
    json["deterministic"] = e.deterministic;
    json["not_finite"] = e.notFinite;
    json["mean_of_values"] = {{"mse", number(e.meanOfValues.mse)}, {"relative", number(e.meanOfValues.relative)}};
    json["zero"] = {{"mse", number(e.zeroMse)}, {"relative", 1.0}};
    json["layers"] = Json::array();
    for (const LayerError& layer : e.layers)
        json["layers"].push_back(toJson(layer));
    return json;
}

Json toJson(const EndToEnd& e)
{
    Json drift = Json::array();
    for (const double value : e.drift)
        drift.push_back(number(value));
    return {{"kl", number(e.kl)}, {"top1_agrees", e.top1Agrees}, {"top1_agreement", number(e.top1Agreement)}, {"drift", drift}};
}

Json toJson(const ModelSummary& m)
{
    Json json{{"name", m.name},
            {"family", m.family},
            {"parameters", m.parameters},
            {"macs", number(m.macs)},
            {"input", m.input},
            {"classes", m.classes},
            {"layers", m.layers},
            {"heads", m.heads},
            {"width", m.width},
            {"tokens", m.tokens},
            {"attention", m.nativeAttention},
            {"weights", jsonPath(m.weightsSource)},
            {"weights_kind", toText(m.weights)},
            {"notes", lines(m.load)}};
    if (!m.classifierHeads.empty())
        json["head_classes"] = m.classifierHeads;
    if (m.frameInterval > 0)
        json["frame_interval"] = m.frameInterval;
    if (!m.layerNames.empty())
        json["layer_names"] = m.layerNames;
    if (!m.load.container.empty())
        json["load"] = toJson(m.load);
    return json;
}

Json toJson(const ViewPlan& view)
{
    Json seconds = Json::array();
    for (const double value : view.seconds)
        seconds.push_back(number(value));
    return {{"clip", view.clip}, {"crop", view.crop}, {"frames", view.frames}, {"seconds", std::move(seconds)}};
}

/// What a video has besides: how it was sampled.
void addSampling(const InputRecord& input, Json& json)
{
    json["fps"] = number(input.rate);
    if (input.seconds > 0)
        json["seconds"] = number(input.seconds);
    json["sampling"] = input.sampling;
    json["grid"] = input.grid.name();
    json["views"] = Json::array();
    for (const ViewPlan& view : input.views)
        json["views"].push_back(toJson(view));
    json["measured_view"] = input.measuredView;
}

/// `plans`: of the input, one a view.
Json toJson(const std::vector<ViewPrediction>& views, const std::vector<ViewPlan>& plans)
{
    Json json = Json::array();
    for (std::size_t i = 0; i < std::min(views.size(), plans.size()); ++i) {
        Json view{{"clip", plans[i].clip}, {"crop", plans[i].crop}, {"top", toJson(views[i].top)}};
        if (!views[i].logits.empty())
            view["logits"] = toJson(views[i].logits);
        json.push_back(std::move(view));
    }
    return json;
}

Json toJson(const InputRecord& input)
{
    Json json{{"path", jsonPath(input.path)}, {"kind", input.kind}};
    if (input.width > 0) {
        json["width"] = input.width;
        json["height"] = input.height;
    }
    if (!input.views.empty())
        addSampling(input, json);
    if (!input.notes.empty())
        json["notes"] = input.notes;
    json["runs"] = Json::array();
    for (const RunRecord& run : input.runs) {
        json["runs"].push_back(toJson(run));
        if (!input.views.empty())
            json["runs"].back()["views"] = toJson(run.views, input.views);
    }
    return json;
}

}  // namespace

Json toJson(const Latency& l)
{
    return {{"median", number(l.medianMs)},
            {"p05", number(l.p05Ms)},
            {"p95", number(l.p95Ms)},
            {"repetitions", l.repetitions},
            {"attention_median", number(l.attentionMedianMs)},
            {"attention_p05", number(l.attentionP05Ms)},
            {"attention_p95", number(l.attentionP95Ms)}};
}

Json toJson(const Memory& m)
{
    return {{"peak", m.peakBytes}, {"weights", m.weightsBytes}, {"attention_peak", m.attentionPeakBytes}};
}

Json toJson(const RunRecord& record)
{
    Json json{{"attention", record.attention}, {"resolved", record.resolved}, {"weights", toText(record.weights)}};
    if (!record.failure.empty())
        json["failure"] = record.failure;
    json["top"] = toJson(record.top);
    if (!record.logits.empty())
        json["logits"] = toJson(record.logits);
    json["macs"] = number(record.macs);
    if (record.latency)
        json["latency_ms"] = toJson(*record.latency);
    if (record.memory)
        json["memory_bytes"] = toJson(*record.memory);
    if (record.error)
        json["error"] = toJson(*record.error);
    if (record.endToEnd)
        json["end_to_end"] = toJson(*record.endToEnd);
    if (!record.notes.empty())
        json["notes"] = record.notes;
    return json;
}

Json toJson(const RunReport& report)
{
    const Environment& e = report.environment;
    Json json{{"model", toJson(report.model)},
              {"device", {{"name", report.device.name}, {"description", report.device.description},
                          {"threads", report.device.threads}}},
              {"dtype", report.dtype},
              {"seed", report.seed},
              {"transform", report.transform},
              {"environment", {{"attnscope", e.attnscope}, {"torch", e.torch}, {"compiler", e.compiler},
                               {"instruction_set", e.instructionSet}, {"kernels", e.kernels}, {"started", e.started},
                               {"load_average", number(e.loadAverage)}}}};
    json["inputs"] = Json::array();
    for (const InputRecord& input : report.inputs)
        json["inputs"].push_back(toJson(input));
    json["unreadable"] = Json::array();
    for (const UnreadableInput& input : report.unreadable)
        json["unreadable"].push_back({{"path", jsonPath(input.path)}, {"reason", input.reason}});
    return json;
}

}  // namespace attnscope
