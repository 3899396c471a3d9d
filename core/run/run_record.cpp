#include "core/run/run_record.h"

#include <algorithm>

namespace attnscope {

std::int64_t MergedTokens::left(std::size_t layer) const
{
    const std::vector<std::int32_t>& tokens = layers.at(layer);
    return tokens.empty() ? 0 : *std::ranges::max_element(tokens) + 1;
}

const char* toText(WeightsKind kind)
{
    constexpr const char* names[] = {"trained", "swapped", "untrained"};
    return names[std::size_t(kind)];
}

}
