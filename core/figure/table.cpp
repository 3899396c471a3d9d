#include "core/figure/table.h"

#include "core/base/format.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace attnscope {

Text Text::of(int64_t number) const
{
    Text text = arg(formatCount(number));
    text.count = number;
    return text;
}

Text translatable(const char* source)
{
    Text text;
    text.source = source;
    return text;
}

Text joined(const std::vector<Text>& texts, const std::string& separator)
{
    Text all;
    for (const Text& text : texts) {
        if (!all.arguments.empty())
            all.arguments.emplace_back(separator);
        all.arguments.push_back(text);
    }
    return all;
}

std::string filled(std::string_view pattern, const std::vector<std::string>& arguments,
                   std::optional<int64_t> count)
{
    const auto isAt = [&](size_t place, std::string_view words) {
        return count && pattern.substr(place).starts_with(words);
    };
    std::string text;
    for (size_t i = 0; i < pattern.size(); ++i) {
        const auto number = size_t(pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] - '1' : -1);
        if (number < arguments.size()) {
            text += arguments[number];
            ++i;
        } else if (isAt(i, "(s)") || isAt(i, "(es)")) {
            const size_t end = pattern.find(')', i);
            text += *count == 1 ? "" : pattern.substr(i + 1, end - i - 1);
            i = end;
        } else {
            text += pattern[i];
        }
    }
    return text;
}

std::string english(const Text& text)
{
    std::vector<std::string> arguments;
    std::string behind = text.plain;
    for (const Text& argument : text.arguments)
        behind += arguments.emplace_back(english(argument));
    return text.source == nullptr ? behind : filled(text.source, arguments, text.count);
}

void Table::addTexts(const std::vector<std::string>& texts)
{
    std::vector<Cell>& cells = rows.emplace_back().cells;
    for (const std::string& text : texts)
        cells.push_back({text});
}

Table tableOf(const std::vector<std::string>& titles)
{
    Table table;
    for (const std::string& title : titles) {
        const bool number = title.starts_with('>');
        table.columns.push_back({.title = title.substr(number ? 1 : 0), .number = number});
    }
    return table;
}

Cell numberCell(double value, Text text)
{
    return {.text = std::move(text),
            .value = std::isfinite(value) ? value : std::numeric_limits<double>::infinity()};
}

Cell countCell(std::optional<int64_t> count)
{
    return count ? numberCell(double(*count), formatCount(*count)) : Cell();
}

Cell millisecondsCell(std::optional<double> milliseconds)
{
    return milliseconds ? numberCell(*milliseconds, formatMilliseconds(*milliseconds).text()) : Cell();
}

Cell bytesCell(std::optional<int64_t> bytes)
{
    return bytes ? numberCell(double(*bytes), formatBytes(*bytes).text()) : Cell();
}

Cell errorCell(std::optional<double> error, double stddev)
{
    if (!error)
        return {};
    Cell cell = numberCell(*error, formatError(*error));
    if (stddev > 0)
        cell.small = "± " + formatError(stddev);
    return cell;
}

Cell probabilityCell(std::optional<double> probability)
{
    return probability ? numberCell(*probability, formatProbability(*probability)) : Cell();
}

Cell decimalCell(std::optional<double> value, int decimals)
{
    if (!value)
        return {};
    const bool zero = std::abs(*value) < 0.5 * std::pow(10, -decimals);
    return numberCell(*value, (*value < 0 && !zero ? "\u2212" : "")
                                  + fmt::format("{:.{}f}", zero ? 0 : std::abs(*value), decimals));
}

Cell ratioCell(std::optional<double> ratio)
{
    return ratio ? numberCell(*ratio, formatGain(*ratio)) : Cell();
}

Cell fromCell(std::optional<double> place)
{
    if (!place)
        return {.text = ATTN_TEXT("nowhere"), .dim = true};
    return numberCell(*place, ATTN_TEXT("from %1").arg(formatCount(std::llround(*place))));
}

Cell percentCell(std::optional<double> fraction)
{
    return fraction ? numberCell(*fraction, formatPercent(*fraction)) : Cell();
}

}
