// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

#include <string>

namespace attnscope {

/// "1×3×224×224"
inline std::string describeShape(at::IntArrayRef sizes)
{
    std::string text;
    for (const auto size : sizes)
        text += (text.empty() ? "" : "×") + std::to_string(size);
    return text.empty() ? "scalar" : text;
}

}  // namespace attnscope
