#pragma once

#include "core/base/text.h"

#include <ATen/ATen.h>

#include <string>

namespace attnscope {

/// "1×3×224×224"
inline std::string describeShape(at::IntArrayRef sizes)
{
    return sizes.empty() ? "scalar" : joinedSizes({sizes.data(), sizes.size()});
}

}
