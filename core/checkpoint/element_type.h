#pragma once

#include "core/checkpoint/state_dict.h"

#include <optional>
#include <string_view>

namespace attnscope {

/// What makes one element, stored little-endian, the nearest float32; 0 for complex types.
using FloatReader = float (*)(const std::byte* bytes);
FloatReader floatReader(ElementType type);

/// "float32" → Float32, as `toText` names them; empty for other names.
std::optional<ElementType> elementTypeNamed(std::string_view name);

/// "F32" → Float32; empty for names that are unknown or of types that take less than a byte (F4, F6_E2M3).
std::optional<ElementType> safetensorsType(std::string_view name);

/// Float32 → "F32"; null for the types that safetensors lacks (complex64 excepted, all complex ones).
const char* safetensorsName(ElementType type);

}
