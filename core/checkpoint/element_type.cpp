// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/element_type.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace attnscope {

namespace {

struct TypeRow {
    ElementType type;
    std::size_t size;
    const char* name;
    const char* safetensors;  ///< null where they have none
};

// clang-format off
constexpr std::array<TypeRow, 21> types{{
    {ElementType::Float64, 8, "float64", "F64"},                      {ElementType::Float32, 4, "float32", "F32"},
    {ElementType::Float16, 2, "float16", "F16"},                      {ElementType::BFloat16, 2, "bfloat16", "BF16"},
    {ElementType::Int64, 8, "int64", "I64"},                          {ElementType::Int32, 4, "int32", "I32"},
    {ElementType::Int16, 2, "int16", "I16"},                          {ElementType::Int8, 1, "int8", "I8"},
    {ElementType::UInt8, 1, "uint8", "U8"},                           {ElementType::Bool, 1, "bool", "BOOL"},
    {ElementType::Complex64, 8, "complex64", "C64"},                  {ElementType::Complex128, 16, "complex128", nullptr},
    {ElementType::Float8E4M3, 1, "float8_e4m3fn", "F8_E4M3"},         {ElementType::Float8E5M2, 1, "float8_e5m2", "F8_E5M2"},
    {ElementType::UInt16, 2, "uint16", "U16"},                        {ElementType::UInt32, 4, "uint32", "U32"},
    {ElementType::UInt64, 8, "uint64", "U64"},                        {ElementType::Float8E4M3Fnuz, 1, "float8_e4m3fnuz", "F8_E4M3FNUZ"},
    {ElementType::Float8E5M2Fnuz, 1, "float8_e5m2fnuz", "F8_E5M2FNUZ"},{ElementType::Float8E8M0, 1, "float8_e8m0fnu", "F8_E8M0"},
    {ElementType::Complex32, 4, "complex32", nullptr},
}};
// clang-format on

const TypeRow& row(ElementType type)
{
    return *std::find_if(types.begin(), types.end(), [&](const TypeRow& r) { return r.type == type; });
}

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// The meaning of the highest bit patterns, and of that of -0.
enum class Specials {
    Ieee,    ///< the largest exponent is infinity and NaN
    Finite,  ///< only the highest pattern is NaN ("fn")
    Fnuz,    ///< only the pattern of -0 is NaN, and the bias is larger by one
};

struct SmallFormat {
    int exponentBits;
    int mantissaBits;
    Specials specials;
};

constexpr SmallFormat half{5, 10, Specials::Ieee}, e4m3{4, 3, Specials::Finite}, e5m2{5, 2, Specials::Ieee},
    e4m3Fnuz{4, 3, Specials::Fnuz}, e5m2Fnuz{5, 2, Specials::Fnuz};

float decode(unsigned bits, const SmallFormat& format)
{
    const int bias = (1 << (format.exponentBits - 1)) - (format.specials == Specials::Fnuz ? 0 : 1);
    const unsigned mantissa = bits & ((1u << format.mantissaBits) - 1);
    const int exponent = static_cast<int>((bits >> format.mantissaBits) & ((1u << format.exponentBits) - 1));
    const unsigned sign = 1u << (format.exponentBits + format.mantissaBits);
    const bool atTop = exponent == (1 << format.exponentBits) - 1;
    if (format.specials == Specials::Fnuz && bits == sign)
        return nan;
    float value = 0;
    if (atTop && format.specials == Specials::Ieee)
        value = mantissa == 0 ? std::numeric_limits<float>::infinity() : nan;
    else if (atTop && format.specials == Specials::Finite && mantissa == (1u << format.mantissaBits) - 1)
        value = nan;
    else if (exponent == 0)
        value = std::ldexp(static_cast<float>(mantissa), 1 - bias - format.mantissaBits);
    else
        value = std::ldexp(static_cast<float>(mantissa | (1u << format.mantissaBits)),
                           exponent - bias - format.mantissaBits);
    return (bits & sign) != 0 ? -value : value;
}

template <typename T>
T load(const std::byte* bytes)
{
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

/// Only an exponent: scales of blocks.
float decodeExponent(std::uint8_t exponent)
{
    return exponent == 0xff ? nan : std::ldexp(1.0f, exponent - 127);
}

}  // namespace

std::size_t elementSize(ElementType type)
{
    return row(type).size;
}

const char* toText(ElementType type)
{
    return row(type).name;
}

std::optional<ElementType> elementTypeNamed(std::string_view name)
{
    const auto found = std::find_if(types.begin(), types.end(), [&](const TypeRow& r) { return name == r.name; });
    return found == types.end() ? std::nullopt : std::optional(found->type);
}

std::optional<ElementType> safetensorsType(std::string_view name)
{
    const auto found = std::find_if(types.begin(), types.end(), [&](const TypeRow& r) { return r.safetensors != nullptr && name == r.safetensors; });
    return found == types.end() ? std::nullopt : std::optional(found->type);
}

const char* safetensorsName(ElementType type)
{
    return row(type).safetensors;
}

bool isComplex(ElementType type)
{
    return type == ElementType::Complex32 || type == ElementType::Complex64 || type == ElementType::Complex128;
}

float elementToFloat(ElementType type, const std::byte* bytes)
{
    // clang-format off
    switch (type) {
    case ElementType::Float64: return static_cast<float>(load<double>(bytes));
    case ElementType::Float32: return load<float>(bytes);
    case ElementType::Float16: return decode(load<std::uint16_t>(bytes), half);
    case ElementType::BFloat16:
        return std::bit_cast<float>(static_cast<std::uint32_t>(load<std::uint16_t>(bytes)) << 16);
    case ElementType::Int64: return static_cast<float>(load<std::int64_t>(bytes));
    case ElementType::Int32: return static_cast<float>(load<std::int32_t>(bytes));
    case ElementType::Int16: return static_cast<float>(load<std::int16_t>(bytes));
    case ElementType::Int8: return static_cast<float>(load<std::int8_t>(bytes));
    case ElementType::UInt8: return static_cast<float>(load<std::uint8_t>(bytes));
    case ElementType::UInt16: return static_cast<float>(load<std::uint16_t>(bytes));
    case ElementType::UInt32: return static_cast<float>(load<std::uint32_t>(bytes));
    case ElementType::UInt64: return static_cast<float>(load<std::uint64_t>(bytes));
    case ElementType::Bool: return load<std::uint8_t>(bytes) != 0 ? 1.0f : 0.0f;
    case ElementType::Float8E4M3: return decode(load<std::uint8_t>(bytes), e4m3);
    case ElementType::Float8E5M2: return decode(load<std::uint8_t>(bytes), e5m2);
    case ElementType::Float8E4M3Fnuz: return decode(load<std::uint8_t>(bytes), e4m3Fnuz);
    case ElementType::Float8E5M2Fnuz: return decode(load<std::uint8_t>(bytes), e5m2Fnuz);
    case ElementType::Float8E8M0: return decodeExponent(load<std::uint8_t>(bytes));
    case ElementType::Complex32:
    case ElementType::Complex64:
    case ElementType::Complex128: break;
    }
    // clang-format on
    return 0;
}

}  // namespace attnscope
