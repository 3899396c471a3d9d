// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/state_dict.h"

#include <optional>
#include <string_view>

namespace attnscope {

/// "F32" → Float32; empty for unknown names and types smaller than a byte (F4, F6_E2M3).
std::optional<ElementType> safetensorsType(std::string_view name);

/// Float32 → "F32"; null for the types that safetensors lacks (complex64 excepted, all complex ones).
const char* safetensorsName(ElementType type);

}  // namespace attnscope
