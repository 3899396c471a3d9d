#include "core/run/run_record.h"

#include <algorithm>

namespace attnscope {

int64_t MergedTokens::left(size_t layer) const
{
    const std::vector<int32_t>& tokens = layers.at(layer);
    return tokens.empty() ? 0 : *std::ranges::max_element(tokens) + 1;
}

const char* toText(WeightsKind kind)
{
    constexpr const char* names[] = {"trained", "swapped", "untrained"};
    return names[size_t(kind)];
}

}
