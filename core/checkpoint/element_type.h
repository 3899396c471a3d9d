// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/state_dict.h"

namespace attnscope {

/// One element, stored little-endian, as the nearest float32; 0 for complex types, which have none.
float elementToFloat(ElementType type, const std::byte* bytes);

}  // namespace attnscope
