#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

namespace attnscope {

template <typename Number>
concept Arithmetic = std::is_arithmetic_v<Number>;

/// The number that the whole `text` represents, with a decimal point regardless of the locale; empty for other text, including surrounding
/// blanks and a leading plus, and for numbers out of the type's range.
template <Arithmetic Number>
std::optional<Number> parseNumber(std::string_view text)
{
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stopped == end ? std::optional(value) : std::nullopt;
}

/// The same, and nothing for a number below `min` or above `max`.
template <Arithmetic Number>
std::optional<Number> parseNumber(std::string_view text, Number min, Number max)
{
    const auto value = parseNumber<Number>(text);
    return value && *value >= min && *value <= max ? value : std::nullopt;
}

/// "14x14" with the separators "x": two numbers with one of `separators` between them; nothing for other text.
template <Arithmetic Number>
std::optional<std::pair<Number, Number>> parsePair(std::string_view text, std::string_view separators)
{
    const size_t at = text.find_first_of(separators);
    const auto first = parseNumber<Number>(text.substr(0, at));
    const auto second = at == text.npos ? std::nullopt : parseNumber<Number>(text.substr(at + 1));
    return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

}
