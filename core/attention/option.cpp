// SPDX-License-Identifier: Apache-2.0
#include "core/attention/option.h"

#include <array>
#include <charconv>

namespace attnscope {

namespace {

std::string shortest(double value)
{
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

}  // namespace

std::string toText(const OptionValue& value)
{
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return std::to_string(*integer);
    if (const auto* real = std::get_if<double>(&value))
        return shortest(*real);
    if (const auto* flag = std::get_if<bool>(&value))
        return *flag ? "true" : "false";
    return std::get<std::string>(value);
}

}  // namespace attnscope
