#include "core/lab/layers/merged_patches.h"

#include <iterator>

namespace attnscope {

std::vector<std::int32_t> mergedPatches(const MergedTokens& merged, std::size_t layer, std::int64_t frame)
{
    if (layer >= merged.layers.size())
        return {};
    const std::vector<std::int32_t>& tokens = merged.layers[layer];
    const std::int64_t cells = merged.rows * merged.columns, first = merged.prefix + frame * cells;
    if (cells == 0 || frame < 0 || first + cells > std::ssize(tokens))
        return {};
    return {tokens.begin() + first, tokens.begin() + first + cells};
}

}
