#pragma once

#include "core/base/json.h"

#include <cmath>

namespace attnscope {

/// 1 and 2 as whole numbers, 1.5 as it is.
inline Json exponentJson(double exponent)
{
    return exponent == std::floor(exponent) ? Json(int(exponent)) : Json(exponent);
}

}
