#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace attnscope {

/// `count` indices below `total`, in order, each the middle of its part; all of them if there are no more.
inline std::vector<std::size_t> spreadOver(std::size_t total, std::size_t count)
{
    const std::size_t taken = std::min(total, count);
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < taken; ++i)
        indices.push_back((2 * i + 1) * total / (2 * taken));
    return indices;
}

}
