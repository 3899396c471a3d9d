// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/safetensors_types.h"

#include <array>

namespace attnscope {

namespace {

struct TypeName {
    const char* name;
    ElementType type;
};

// clang-format off
constexpr std::array<TypeName, 19> typeNames{{
    {"F64", ElementType::Float64}, {"F32", ElementType::Float32}, {"F16", ElementType::Float16}, {"BF16", ElementType::BFloat16},
    {"I64", ElementType::Int64},   {"I32", ElementType::Int32},   {"I16", ElementType::Int16},   {"I8", ElementType::Int8},
    {"U8", ElementType::UInt8},    {"BOOL", ElementType::Bool},   {"U16", ElementType::UInt16},  {"U32", ElementType::UInt32},
    {"U64", ElementType::UInt64},  {"F8_E4M3", ElementType::Float8E4M3}, {"F8_E5M2", ElementType::Float8E5M2},
    {"C64", ElementType::Complex64}, {"F8_E8M0", ElementType::Float8E8M0},
    {"F8_E4M3FNUZ", ElementType::Float8E4M3Fnuz}, {"F8_E5M2FNUZ", ElementType::Float8E5M2Fnuz},
}};
// clang-format on

}  // namespace

std::optional<ElementType> safetensorsType(std::string_view name)
{
    for (const TypeName& entry : typeNames)
        if (name == entry.name)
            return entry.type;
    return std::nullopt;
}

const char* safetensorsName(ElementType type)
{
    for (const TypeName& entry : typeNames)
        if (type == entry.type)
            return entry.name;
    return nullptr;
}

}  // namespace attnscope
