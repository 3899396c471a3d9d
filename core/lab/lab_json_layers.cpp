// SPDX-License-Identifier: Apache-2.0
#include "core/lab/lab_json.h"
#include "core/run/record_json.h"

namespace attnscope {

namespace {

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

Json toJson(const std::vector<InspectedLayer>& layers)
{
    return jsonList(layers, [](const InspectedLayer& layer) {
        Json json{{"layer", layer.layer}};
        if (!layer.name.empty())
            json["name"] = layer.name;
        json.update(toJson(layer.mean));
        json["heads"] = jsonList(layer.heads, [](const HeadErrors& head) { return toJson(head); });
        addBaselines(layer.meanOfValues, layer.zeroMse, json);
        return json;
    });
}

Json toJson(const LayerMaps& maps)
{
    Json json{
        {"layer", maps.layer},     {"query", maps.query},          {"grid", {maps.grid.rows, maps.grid.columns}},
        {"prefix", maps.prefix},   {"frames", maps.frames},        {"exact", maps.exact},
        {"implied", maps.implied}, {"difference", maps.difference}};
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
    if (one.weights)
        json["weights"] = toText(*one.weights);
    if (!one.failure.empty()) {
        json["failure"] = one.failure;
        return json;
    }
    json["exact"] = one.exact;
    json["deterministic"] = one.deterministic;
    json["seeds"] = one.seeds;
    json["teacher_forced"] = toJson(one.teacherForced);
    if (!one.endToEnd.empty()) {
        json["end_to_end"] = {{"layers", toJson(one.endToEnd)},
                              {"drift", finiteOrNull(one.drift)},
                              {"kl", finiteOrNull(one.kl)},
                              {"top1_agrees", one.top1Agrees}};
    }
    if (!one.alone.empty()) {
        json["alone"] = Json::array();
        for (std::size_t layer = 0; layer < one.alone.size(); ++layer)
            json["alone"].push_back({{"layer", layer},
                                     {"kl", finiteOrNull(one.alone[layer].kl)},
                                     {"top1_agrees", one.alone[layer].top1Agrees}});
    }
    if (!one.maps.empty())
        json["maps"] = jsonList(one.maps, [](const LayerMaps& maps) { return toJson(maps); });
    if (!one.rollout.exact.empty())
        json["rollout"] = {{"exact", one.rollout.exact}, {"implied", one.rollout.implied}};
    if (!one.notes.empty())
        json["notes"] = one.notes;
    return json;
}

}  // namespace

Json toJson(const LayerInspection& inspection)
{
    Json json = toJson(inspection.model);
    json["tokens"] = {{"count", inspection.tokens},
                      {"prefix", inspection.prefix},
                      {"frames", inspection.frames},
                      {"grid", {inspection.grid.rows, inspection.grid.columns}}};
    json["attention"] = jsonList(inspection.attention, [](const InspectedAttention& one) { return toJson(one); });
    return json;
}

}  // namespace attnscope
