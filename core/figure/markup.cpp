#include "core/figure/markup.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace attnscope {

namespace {

bool isFinite(const std::string& text)
{
    return text.find_first_not_of("0123456789.+-eE") == std::string::npos && parseNumber<double>(text);
}

std::string csvCell(const std::string& raw)
{
    if (isFinite(raw))
        return raw;
    std::string text = printable(raw);
    if (!text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos)
        text.insert(0, "'");
    if (text.find_first_of(",\"") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

}

std::string escapedMarkup(std::string_view raw)
{
    static constexpr std::array<std::pair<char, std::string_view>, 5> entities{
        {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}}};
    std::string escaped;
    for (const char c : printable(raw)) {
        const auto* const known = std::ranges::find_if(entities,
                                                       [&](const auto& entity) { return entity.first == c; });
        if (known == entities.end())
            escaped += c;
        else
            escaped += known->second;
    }
    return escaped;
}

std::string escapedMarkdown(std::string_view raw)
{
    std::string escaped;
    for (const char c : printable(raw)) {
        if (c == '<' || c == '>' || c == '&') {
            escaped += escapedMarkup(std::string_view(&c, 1));
            continue;
        }
        if (std::string_view("\\`*_[]|~$").find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string csvLine(const std::vector<std::string>& cells)
{
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i)
        line += (i > 0 ? "," : "") + csvCell(cells[i]);
    return line + "\r\n";
}

}
