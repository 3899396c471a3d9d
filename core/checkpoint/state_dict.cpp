// SPDX-License-Identifier: Apache-2.0
#include "core/checkpoint/state_dict.h"

#include "core/base/checked.h"
#include "core/base/error.h"

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
};

// clang-format off
constexpr std::array<TypeRow, 17> types{{
    {ElementType::Float64, 8, "float64"},      {ElementType::Float32, 4, "float32"},
    {ElementType::Float16, 2, "float16"},      {ElementType::BFloat16, 2, "bfloat16"},
    {ElementType::Int64, 8, "int64"},          {ElementType::Int32, 4, "int32"},
    {ElementType::Int16, 2, "int16"},          {ElementType::Int8, 1, "int8"},
    {ElementType::UInt8, 1, "uint8"},          {ElementType::Bool, 1, "bool"},
    {ElementType::Complex64, 8, "complex64"},  {ElementType::Complex128, 16, "complex128"},
    {ElementType::Float8E4M3, 1, "float8_e4m3fn"}, {ElementType::Float8E5M2, 1, "float8_e5m2"},
    {ElementType::UInt16, 2, "uint16"},        {ElementType::UInt32, 4, "uint32"},
    {ElementType::UInt64, 8, "uint64"},
}};
// clang-format on

const TypeRow& row(ElementType type)
{
    return *std::find_if(types.begin(), types.end(), [&](const TypeRow& r) { return r.type == type; });
}

bool isContiguous(const StoredTensor& t)
{
    std::int64_t expected = 1;
    for (std::size_t i = t.shape.size(); i-- > 0;) {
        if (t.shape[i] != 1 && t.strides[i] != expected)
            return false;
        expected *= t.shape[i];
    }
    return true;
}

/// Bits of sign, exponent and mantissa to float: for the small formats.
float decodeSmallFloat(unsigned bits, int exponentBits, int mantissaBits, bool hasInfinity)
{
    const int bias = (1 << (exponentBits - 1)) - 1;
    const unsigned mantissa = bits & ((1u << mantissaBits) - 1);
    const int exponent = static_cast<int>((bits >> mantissaBits) & ((1u << exponentBits) - 1));
    const bool negative = ((bits >> (exponentBits + mantissaBits)) & 1) != 0;
    const int top = (1 << exponentBits) - 1;
    float value = 0;
    if (exponent == top && hasInfinity)
        value = mantissa == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    else if (exponent == top && mantissa == (1u << mantissaBits) - 1 && !hasInfinity)
        value = std::numeric_limits<float>::quiet_NaN();
    else if (exponent == 0)
        value = std::ldexp(static_cast<float>(mantissa), 1 - bias - mantissaBits);
    else
        value = std::ldexp(static_cast<float>(mantissa | (1u << mantissaBits)), exponent - bias - mantissaBits);
    return negative ? -value : value;
}

template <typename T>
T load(const std::byte* bytes)
{
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

float toFloat(ElementType type, const std::byte* p)
{
    switch (type) {
    case ElementType::Float64:
        return static_cast<float>(load<double>(p));
    case ElementType::Float32:
        return load<float>(p);
    case ElementType::Float16:
        return decodeSmallFloat(load<std::uint16_t>(p), 5, 10, true);
    case ElementType::BFloat16:
        return std::bit_cast<float>(static_cast<std::uint32_t>(load<std::uint16_t>(p)) << 16);
    case ElementType::Int64:
        return static_cast<float>(load<std::int64_t>(p));
    case ElementType::Int32:
        return static_cast<float>(load<std::int32_t>(p));
    case ElementType::Int16:
        return static_cast<float>(load<std::int16_t>(p));
    case ElementType::Int8:
        return static_cast<float>(load<std::int8_t>(p));
    case ElementType::UInt8:
        return static_cast<float>(load<std::uint8_t>(p));
    case ElementType::Bool:
        return load<std::uint8_t>(p) != 0 ? 1.0f : 0.0f;
    case ElementType::Float8E4M3:
        return decodeSmallFloat(load<std::uint8_t>(p), 4, 3, false);
    case ElementType::Float8E5M2:
        return decodeSmallFloat(load<std::uint8_t>(p), 5, 2, true);
    case ElementType::UInt16:
        return static_cast<float>(load<std::uint16_t>(p));
    case ElementType::UInt32:
        return static_cast<float>(load<std::uint32_t>(p));
    case ElementType::UInt64:
        return static_cast<float>(load<std::uint64_t>(p));
    case ElementType::Complex64:
    case ElementType::Complex128:
        break;
    }
    return 0;
}

void reverseEach(std::vector<std::byte>& bytes, std::size_t size)
{
    for (std::size_t i = 0; i + size <= bytes.size(); i += size)
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                     bytes.begin() + static_cast<std::ptrdiff_t>(i + size));
}

/// Gathers a strided view out of the bytes from its first to its last element.
std::vector<std::byte> gather(const StoredTensor& t, const std::vector<std::byte>& span, std::size_t size)
{
    std::vector<std::byte> out(static_cast<std::size_t>(t.elements()) * size);
    std::vector<std::int64_t> index(t.shape.size(), 0);
    for (std::size_t n = 0; n < out.size(); n += size) {
        std::int64_t element = 0;
        for (std::size_t d = 0; d < index.size(); ++d)
            element += index[d] * t.strides[d];
        std::memcpy(out.data() + n, span.data() + static_cast<std::size_t>(element) * size, size);
        for (std::size_t d = index.size(); d-- > 0;) {
            if (++index[d] < t.shape[d])
                break;
            index[d] = 0;
        }
    }
    return out;
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

std::int64_t StoredTensor::elements() const
{
    return checkedProduct(shape).value_or(0);
}

std::vector<std::byte> StoredTensor::read() const
{
    const std::size_t size = elementSize(type);
    if (elements() == 0)
        return {};
    std::int64_t reach = 0;  // the last element, from the first
    for (std::size_t d = 0; d < shape.size(); ++d)
        reach += (shape[d] - 1) * strides[d];
    std::vector<std::byte> span((static_cast<std::size_t>(reach) + 1) * size);
    source->read(storageOffset + firstElement * static_cast<std::int64_t>(size), span);
    std::vector<std::byte> bytes = isContiguous(*this) ? std::move(span) : gather(*this, span, size);
    const bool complex = type == ElementType::Complex64 || type == ElementType::Complex128;
    if (bigEndian)
        reverseEach(bytes, complex ? size / 2 : size);
    return bytes;
}

std::vector<float> StoredTensor::readFloat() const
{
    if (type == ElementType::Complex64 || type == ElementType::Complex128)
        throw FileError(source->name(), "it holds complex numbers where weights are expected",
                        "save real weights");
    const std::vector<std::byte> bytes = read();
    const std::size_t size = elementSize(type);
    std::vector<float> values(bytes.size() / size);
    if (type == ElementType::Float32 && !bytes.empty()) {
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = toFloat(type, bytes.data() + i * size);
    return values;
}

}  // namespace attnscope
