#include "core/checkpoint/element_type.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace attnscope {

namespace {

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
    const int exponent = int((bits >> format.mantissaBits) & ((1u << format.exponentBits) - 1));
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
        value = std::ldexp(float(mantissa), 1 - bias - format.mantissaBits);
    else
        value = std::ldexp(float(mantissa | (1u << format.mantissaBits)), exponent - bias - format.mantissaBits);
    return (bits & sign) != 0 ? -value : value;
}

template <typename Number>
float numberAt(const std::byte* bytes)
{
    Number value;
    std::memcpy(&value, bytes, sizeof value);
    return float(value);
}

template <const SmallFormat& format>
float smallAt(const std::byte* bytes)
{
    std::conditional_t<(format.exponentBits + format.mantissaBits > 7), uint16_t, uint8_t> bits;
    std::memcpy(&bits, bytes, sizeof bits);
    return decode(bits, format);
}

float bfloat16At(const std::byte* bytes)
{
    uint16_t bits;
    std::memcpy(&bits, bytes, sizeof bits);
    return std::bit_cast<float>(uint32_t(bits) << 16);
}

float boolAt(const std::byte* bytes)
{
    return *bytes != std::byte{0} ? 1.0f : 0.0f;
}

float zeroAt(const std::byte*)
{
    return 0;
}

/// Only an exponent: scales of blocks.
float exponentAt(const std::byte* bytes)
{
    const auto exponent = std::to_integer<uint8_t>(*bytes);
    return exponent == 0xff ? nan : std::ldexp(1.0f, exponent - 127);
}

struct TypeRow {
    size_t size;
    const char* name;
    const char* safetensors;  ///< null where they have none
    float (*toFloat)(const std::byte* bytes);
};

// clang-format off
constexpr std::array<TypeRow, 21> types{{  // in the order of ElementType
    {8, "float64", "F64", numberAt<double>},                  {4, "float32", "F32", numberAt<float>},
    {2, "float16", "F16", smallAt<half>},                     {2, "bfloat16", "BF16", bfloat16At},
    {8, "int64", "I64", numberAt<int64_t>},              {4, "int32", "I32", numberAt<int32_t>},
    {2, "int16", "I16", numberAt<int16_t>},              {1, "int8", "I8", numberAt<int8_t>},
    {1, "uint8", "U8", numberAt<uint8_t>},               {1, "bool", "BOOL", boolAt},
    {8, "complex64", "C64", zeroAt},                          {16, "complex128", nullptr, zeroAt},
    {1, "float8_e4m3fn", "F8_E4M3", smallAt<e4m3>},           {1, "float8_e5m2", "F8_E5M2", smallAt<e5m2>},
    {2, "uint16", "U16", numberAt<uint16_t>},            {4, "uint32", "U32", numberAt<uint32_t>},
    {8, "uint64", "U64", numberAt<uint64_t>},            {1, "float8_e4m3fnuz", "F8_E4M3FNUZ", smallAt<e4m3Fnuz>},
    {1, "float8_e5m2fnuz", "F8_E5M2FNUZ", smallAt<e5m2Fnuz>}, {1, "float8_e8m0fnu", "F8_E8M0", exponentAt},
    {4, "complex32", nullptr, zeroAt},
}};
// clang-format on

const TypeRow& row(ElementType type)
{
    return types[size_t(type)];
}

/// The type of the first row for which `fits` holds.
template <typename Fits>
std::optional<ElementType> typeWhere(const Fits& fits)
{
    const auto found = std::find_if(types.begin(), types.end(), fits);
    return found == types.end() ? std::nullopt : std::optional(static_cast<ElementType>(found - types.begin()));
}

}

size_t elementSize(ElementType type)
{
    return row(type).size;
}

const char* toText(ElementType type)
{
    return row(type).name;
}

std::optional<ElementType> elementTypeNamed(std::string_view name)
{
    return typeWhere([&](const TypeRow& r) { return name == r.name; });
}

std::optional<ElementType> safetensorsType(std::string_view name)
{
    return typeWhere([&](const TypeRow& r) { return r.safetensors != nullptr && name == r.safetensors; });
}

const char* safetensorsName(ElementType type)
{
    return row(type).safetensors;
}

bool isComplex(ElementType type)
{
    return type == ElementType::Complex32 || type == ElementType::Complex64 || type == ElementType::Complex128;
}

FloatReader floatReader(ElementType type)
{
    return row(type).toFloat;
}

}
