// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

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

/// The same, and nothing for a number below `min` or above `max`.
template <typename Number>
std::optional<Number> parseNumber(std::string_view text, Number min, Number max)
{
    const auto value = parseNumber<Number>(text);
    return value && *value >= min && *value <= max ? value : std::nullopt;
}

/// "14x14" with the separators "x": two numbers with one of `separators` between them; nothing for other text.
template <typename Number>
std::optional<std::pair<Number, Number>> parsePair(std::string_view text, std::string_view separators)
{
    const std::size_t at = text.find_first_of(separators);
    const auto first = parseNumber<Number>(text.substr(0, at));
    const auto second = at == text.npos ? std::nullopt : parseNumber<Number>(text.substr(at + 1));
    return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

}  // namespace attnscope
