#include "core/lab/layers/merged_patches.h"

#include <iterator>

namespace attnscope {

std::vector<int32_t> mergedPatches(const MergedTokens& merged, size_t layer, int64_t frame)
{
    if (layer >= merged.layers.size())
        return {};
    const std::vector<int32_t>& tokens = merged.layers[layer];
    const int64_t cells = merged.rows * merged.columns, first = merged.prefix + frame * cells;
    if (cells == 0 || frame < 0 || first + cells > std::ssize(tokens))
        return {};
    return {tokens.begin() + first, tokens.begin() + first + cells};
}

}
