#include "core/run/record_json.h"

#include "core/attention/network/weight_storage.h"
#include "core/run/features/feature_agreement.h"

#include <algorithm>

namespace attnscope {

namespace {

Json toJson(const std::vector<Prediction>& top)
{
    return jsonList(top, [](const Prediction& p) {
        return Json{
            {"index", p.index}, {"label", textOrNull(p.label)}, {"probability", finiteOrNull(p.probability)}};
    });
}

Json toJson(const LayerError& layer)
{
    Json json{{"layer", layer.layer}};
    if (!layer.name.empty())
        json["name"] = layer.name;
    json.update(toJson(layer.error));
    json["heads"] = jsonList(layer.heads, [](const ErrorValue& head) { return toJson(head); });
    if (layer.classToken)
        json["class_token"] = toJson(*layer.classToken);
    addBaselines(layer.meanOfValues, layer.zeroMse, json);
    return json;
}

Json toJson(const ApproximationError& e)
{
    Json json = summaryJson(e);
    addBaselines(e.meanOfValues, e.zeroMse, json);
    json["layers"] = jsonList(e.layers, [](const LayerError& layer) { return toJson(layer); });
    return json;
}

Json toJson(const EndToEnd& e)
{
    Json json = Json::object();
    if (!e.against.empty())
        json = {{"against", jsonPath(e.against)}, {"matched_classes", e.matchedClasses}};
    if (e.hasClasses) {
        json["kl"] = finiteOrNull(e.kl);
        json["top1_agrees"] = e.isComparable() ? Json(e.top1Agrees) : Json(nullptr);
        json["top1_agreement"] = e.isComparable() ? finiteOrNull(e.top1Agreement) : Json(nullptr);
    }
    json["drift"] = finiteOrNull(e.drift);
    return json;
}

Json toJson(const CosineSummary& cosine)
{
    return {{"mean", finiteOrNull(cosine.mean)}, {"p05", finiteOrNull(cosine.p05)}};
}

Json toJson(const Features& features)
{
    return {{"kind", features.kind},
            {"width", features.values.size()},
            {"length", finiteOrNull(features.length)},
            {"values", finiteOrNull(features.values)}};
}

void addDrift(const FeatureDrift& drift, Json& json)
{
    json["cosine"] = finiteOrNull(drift.cosine);
    if (drift.token)
        json["token"] = finiteOrNull(drift.token);
    if (drift.avg)
        json["avg"] = finiteOrNull(drift.avg);
    if (drift.cka)
        json["cka"] = finiteOrNull(drift.cka);
    if (drift.patches) {
        json["patches"] = toJson(*drift.patches);
        json["patches"]["grid"] = {drift.frames, drift.rows, drift.columns};
        json["patches"]["cosines"] = finiteOrNull(drift.patchCosines);
    }
    json["layers"] = Json::array();
    for (size_t layer = 0; layer < drift.layers.size(); ++layer) {
        json["layers"].push_back({{"layer", layer}});
        if (drift.layers[layer].token)
            json["layers"].back()["token"] = finiteOrNull(drift.layers[layer].token);
        json["layers"].back()["patches"] = finiteOrNull(drift.layers[layer].patches);
    }
    if (!drift.colours.pixels.empty())
        json["variance"] = finiteOrNull(drift.variance);
}

Json toJson(const FeatureAgreement& agreement)
{
    return {{"attention", agreement.attention},
            {"inputs", agreement.inputs},
            {"cosine", toJson(agreement.cosine)},
            {"same_neighbour", finiteOrNull(agreement.sameNeighbour)}};
}

Json toJson(const ModelSummary& m)
{
    Json json{{"name", m.name},
              {"family", m.family},
              {"parameters", m.parameters},
              {"macs", finiteOrNull(m.macs)},
              {"input", m.input},
              {"classes", m.classes},
              {"features", m.features},
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
    return {{"clip", view.clip},
            {"crop", view.crop},
            {"frames", view.frames},
            {"seconds", finiteOrNull(view.seconds)}};
}

/// Additional settings of a video: how it was sampled.
void addSampling(const InputRecord& input, Json& json)
{
    json["fps"] = finiteOrNull(input.rate);
    if (input.seconds > 0)
        json["seconds"] = finiteOrNull(input.seconds);
    json["sampling"] = input.sampling;
    json["grid"] = input.grid.name();
    json["views"] = jsonList(input.views, [](const ViewPlan& view) { return toJson(view); });
    json["measured_view"] = input.measuredView;
}

/// `plans`: those of the input, one per view.
Json toJson(const std::vector<ViewPrediction>& views, const std::vector<ViewPlan>& plans)
{
    Json json = Json::array();
    for (size_t i = 0; i < std::min(views.size(), plans.size()); ++i) {
        Json view{{"clip", plans[i].clip}, {"crop", plans[i].crop}, {"top", toJson(views[i].top)}};
        if (!views[i].logits.empty())
            view["logits"] = finiteOrNull(views[i].logits);
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

}

void addBaselines(const ErrorValue& meanOfValues, double zeroMse, Json& json)
{
    json["mean_of_values"] = {{"mse", finiteOrNull(meanOfValues.mse)},
                              {"relative", finiteOrNull(meanOfValues.relative)}};
    json["zero"] = {{"mse", finiteOrNull(zeroMse)}, {"relative", 1.0}};
}

Json summaryJson(const ApproximationError& e)
{
    Json json = toJson(e.error);
    json["median_relative"] = finiteOrNull(e.medianRelative);
    json["exact"] = e.exact;
    json["seeds"] = e.seeds;
    json["deterministic"] = e.deterministic;
    json["not_finite"] = e.notFinite;
    return json;
}

Json toJson(const std::vector<UnreadableInput>& unreadable)
{
    return jsonList(unreadable, [](const UnreadableInput& input) {
        return Json{{"path", jsonPath(input.path)}, {"reason", input.reason}};
    });
}

void addPartsOfNetwork(const std::string& attention, Json& json)
{
    if (const std::string tokens = tokensOf(attention); !tokens.empty())
        json["tokens"] = tokens;
    if (const std::string weights = weightsOf(attention); !weights.empty())
        json["weights_dtype"] = weights;
    if (const std::string dtype = dtypeOf(attention); !dtype.empty())
        json["dtype"] = dtype;
}

Json toJson(const MergedTokens& merged)
{
    Json layers = Json::array();
    for (size_t layer = 0; layer < merged.layers.size(); ++layer)
        layers.push_back({{"layer", layer}, {"tokens", merged.left(layer)}, {"token_of", merged.layers[layer]}});
    return {{"prefix", merged.prefix},
            {"grid", {merged.frames, merged.rows, merged.columns}},
            {"layers", std::move(layers)}};
}

Json toJson(const RunRecord& record)
{
    Json json{{"attention", record.attention}, {"resolved", record.resolved}, {"weights", toText(record.weights)}};
    json["checkpoint"] = {{"path", jsonPath(record.checkpoint.path)},
                          {"sha256", textOrNull(record.checkpoint.sha256)}};
    addPartsOfNetwork(record.resolved, json);
    if (!record.failure.empty())
        json["failure"] = record.failure;
    json["top"] = toJson(record.top);
    if (!record.logits.empty())
        json["logits"] = finiteOrNull(record.logits);
    json["macs"] = finiteOrNull(record.macs);
    if (record.emptyRows)
        json["empty_rows"] = *record.emptyRows;
    if (record.merged)
        json["merged"] = toJson(*record.merged);
    if (record.latency)
        json["latency_ms"] = toJson(*record.latency);
    if (record.memory)
        json["memory_bytes"] = toJson(*record.memory);
    if (record.error)
        json["error"] = toJson(*record.error);
    if (record.endToEnd)
        json["end_to_end"] = toJson(*record.endToEnd);
    if (record.features) {
        json["features"] = toJson(*record.features);
        if (record.featureDrift)
            addDrift(*record.featureDrift, json["features"]);
    }
    if (!record.notes.empty())
        json["notes"] = record.notes;
    return json;
}

Json toJson(const RunReport& report)
{
    Json json{{"model", toJson(report.model)},
              {"device", writeFields(report.device)},
              {"dtype", report.dtype},
              {"seed", report.seed},
              {"transform", report.transform},
              {"environment", writeFields(report.environment)},
              {"inputs", jsonList(report.inputs, [](const InputRecord& input) { return toJson(input); })},
              {"unreadable", toJson(report.unreadable)}};
    if (!report.others.empty())
        json["other_models"] = jsonList(report.others, [](const ComparedModel& other) {
            Json model = toJson(other.model);
            model["checkpoint"] = other.checkpoint.empty() ? "1" : other.checkpoint;
            model["dtype"] = textOrNull(other.dtype);
            return model;
        });
    const std::vector<FeatureAgreement> agreements = featureAgreement(report.inputs);
    if (!agreements.empty())
        json["features"] = jsonList(agreements,
                                    [](const FeatureAgreement& agreement) { return toJson(agreement); });
    return json;
}

}
