#include "core/run/worst_layer.h"

#include <algorithm>

namespace attnscope {

const LayerError* worstLayer(const ApproximationError& error)
{
    if (error.layers.size() < 2)
        return nullptr;
    const auto worst = std::ranges::max_element(error.layers, [](const LayerError& a, const LayerError& b) {
        return a.error.relative < b.error.relative;
    });
    return worst->error.relative > 0 ? &*worst : nullptr;
}

std::string layerTitle(const LayerError& layer)
{
    return layer.name.empty() ? "layer " + std::to_string(layer.layer) : layer.name;
}

}
