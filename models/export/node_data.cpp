#include "models/export/node_data.h"

#include "core/figure/palette.h"
#include "models/export/translate.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

std::string attentionScope(size_t layer)
{
    return "blocks." + std::to_string(layer) + ".attn";
}

/// Of a network with stages, attention is not named after its block.
void addBlock(NodeData& data, const std::string& block, size_t number, double value)
{
    data.values[exportedScope(block)] = data.values[attentionScope(number)] = value;
}

/// "blocks.3.attn" of "blocks.3.attn/MatMul", then "blocks.3"; empty at last.
std::string partAround(const std::string& name)
{
    const size_t end = name.find_last_of("./");
    return end == std::string::npos ? std::string() : name.substr(0, end);
}

}

NodeData nodeData(const InspectedAttention& attention)
{
    NodeData data{"error of " + attention.attention, {}};
    for (const InspectedLayer& layer : attention.teacherForced)
        data.values[attentionScope(size_t(layer.layer)) + "/attention"] = layer.mean.error.relative;
    return data;
}

std::vector<NodeData> nodeData(const NetworkComparison& comparison)
{
    NodeData drift{"drift", {}}, cka{"cka", {}}, weights{"weights", {}};
    for (size_t i = 0; i < comparison.drift.size(); ++i)
        addBlock(drift, comparison.firstBlocks[i], i, comparison.drift[i]);
    for (size_t i = 0; i < comparison.cka.size() && i < comparison.cka[i].size(); ++i)
        addBlock(cka, comparison.firstBlocks[i], i, comparison.cka[i][i]);
    for (const TensorDifference& tensor : comparison.weights)
        for (std::string part = partAround(tensor.name); !part.empty(); part = partAround(part))
            weights.values[part] = std::max(weights.values[part], tensor.relative);
    std::vector<NodeData> all;
    for (NodeData* one : {&drift, &cka, &weights})
        if (!one->values.empty())
            all.push_back(std::move(*one));
    return all;
}

Json toJson(const NodeData& data, const std::vector<std::string>& operators)
{
    Json results = Json::object();
    for (const std::string& name : operators) {
        auto found = data.values.end();
        for (std::string part = partAround(name); !part.empty() && found == data.values.end();
             part = partAround(part))
            found = data.values.find(part);
        if (found != data.values.end() && std::isfinite(found->second))
            results[name] = {{"value", found->second}};
    }
    Json gradient = Json::array();
    for (const double stop : {0.0, 0.5, 1.0})
        gradient.push_back({{"stop", stop}, {"bgColor", hexColour(magnitudeColour(stop).packed())}});
    return {{"name", data.name}, {"results", std::move(results)}, {"gradient", std::move(gradient)}};
}

}
