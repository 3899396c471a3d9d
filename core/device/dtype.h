#pragma once

#include "core/checkpoint/safetensors.h"

#include <ATen/ATen.h>

#include <optional>
#include <string_view>

namespace attnscope {

/// What LibTorch calls an element type that networks compute in: float32, float64, bfloat16 and float16; empty for the others.
std::optional<at::ScalarType> scalarType(ElementType type);
/// The same by name: "float32" → at::kFloat.
std::optional<at::ScalarType> scalarType(std::string_view name);
/// at::kFloat → "float32", of one of those four.
const char* dtypeName(at::ScalarType type);

/// A tensor's values for a file: float64 as they are, others as float32.
SafetensorsEntry safetensorsEntry(const at::Tensor& tensor);

}
