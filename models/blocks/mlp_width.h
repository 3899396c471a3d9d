#pragma once

#include <cmath>
#include <cstdint>

namespace attnscope {

/// The hidden width of an MLP that is described as a multiple of `width`: the product, truncated as in the families' own code, unless it is
/// within rounding of an integer. 176 times the double nearest to 480/176 is less than 480 and means 480.
inline int64_t mlpWidth(int64_t width, double ratio)
{
    const double product = double(width) * ratio;
    const double whole = std::round(product);
    return int64_t(std::abs(product - whole) <= 1e-9 * product ? whole : product);
}

}
