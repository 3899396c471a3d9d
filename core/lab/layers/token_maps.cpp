#include "core/lab/layers/token_maps.h"

#include "core/run/predictions.h"

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

/// (H,n) of tokens of this layout.
LayerTokenMap placed(TokenMapInfo info, const at::Tensor& values, const TokenLayout& layout)
{
    LayerTokenMap map{.info = std::move(info)};
    for (int64_t head = 0; head < values.size(0); ++head)
        map.values.push_back(floatsOf(values[head]));
    const TokenPlaces places = placesOf(values.size(1), layout);
    if (layout.hasGrid() && places.rows == layout.rows && places.columns == layout.columns) {
        map.grid = {places.rows, places.columns};
        map.prefix = places.prefix, map.frames = places.frames;
    }
    return map;
}

}

std::vector<LayerTokenMap> layerTokenMaps(const AttentionBackend& attention, const AttentionInput& in,
                                          NoiseSource& noise, std::optional<int64_t> query)
{
    const std::vector<TokenMap> found = attention.tokenMaps(in, noise, query);
    std::vector<LayerTokenMap> maps;
    if (found.empty())
        return maps;
    for (const TokenMapInfo& info : findBackend(attention.spec().backend())->tokenMaps) {
        const auto map = std::ranges::find(found, info.name, &TokenMap::name);
        if (map != found.end())
            maps.push_back(placed(info, map->values[0],
                                  info.tokens == TokenMapInfo::Tokens::Keys ? in.keyLayout() : in.tokens));
    }
    return maps;
}

LayerTokenMap queryErrors(const at::Tensor& output, const at::Tensor& exact, const AttentionInput& in)
{
    const at::ScalarType type = output.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const auto reference = exact[0].to(type).flatten(2);                         // (H,N,·)
    const auto error = (output[0].to(type).flatten(2) - reference).norm(2, -1);  // (H,N)
    const auto size = reference.square().sum(-1).mean(-1, true).sqrt();          // (H,1)
    return placed({.name = std::string(queryErrorMap),
                   .title = "Error of the queries",
                   .help = "of every query's output, relative to the size of the outputs"},
                  error / size, in.tokens);
}

}
