#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace attnscope {

/// `count` indices below `total`, in order, each the middle of its part; all of them if there are no more.
inline std::vector<size_t> spreadOver(size_t total, size_t count)
{
    const size_t taken = std::min(total, count);
    std::vector<size_t> indices;
    for (size_t i = 0; i < taken; ++i)
        indices.push_back((2 * i + 1) * total / (2 * taken));
    return indices;
}

}
