// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace attnscope {

/// The number that all of `text` spells, with a point for decimals whatever the locale; nothing for other text, surrounding
/// blanks and a leading plus included, and for what the type does not hold.
template <typename Number>
std::optional<Number> parseNumber(std::string_view text)
{
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stopped == end ? std::optional(value) : std::nullopt;
}

}  // namespace attnscope
