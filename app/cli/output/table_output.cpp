#include "app/cli/output/table_output.h"

#include "app/cli/output/console.h"
#include "core/base/format.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>

namespace attnscope::cli {

namespace {

constexpr std::size_t columnGap = 2;
constexpr std::size_t leastColumn = 24;  // below which cells of several words are not broken

/// The cell in lines of at most `width`, where its blanks allow.
std::vector<std::string> brokenAtBlanks(const std::string& cell, std::size_t width)
{
    if (displayWidth(cell) <= width)
        return {cell};
    std::vector<std::string> lines{""};
    for (const std::string_view word : split(cell, ' ')) {
        if (!lines.back().empty() && displayWidth(lines.back()) + 1 + displayWidth(word) > width)
            lines.emplace_back();
        lines.back() += (lines.back().empty() ? "" : " ") + std::string(word);
    }
    return lines;
}

std::string padded(const std::string& text, std::size_t width, bool right)
{
    const std::size_t own = displayWidth(text);
    const std::string space(width > own ? width - own : 0, ' ');
    return right ? space + text : text + space;
}

}

Table::Table(std::vector<std::string> titles)
    : m_titles(std::move(titles))
{
    for (std::string& title : m_titles) {
        m_right.push_back(title.starts_with('>'));
        title.erase(0, m_right.back() ? 1 : 0);
    }
}

void Table::add(std::vector<std::string> cells)
{
    cells.resize(m_titles.size());
    m_rows.push_back(std::move(cells));
}

std::size_t Table::Part::width() const
{
    return std::accumulate(widths.begin(), widths.end(), columnGap * (widths.size() - 1));
}

/// Those with any text.
Table::Part Table::shownColumns() const
{
    Part shown;
    for (std::size_t c = 0; c < m_titles.size(); ++c) {
        std::size_t widest = 0;
        for (const auto& row : m_rows)
            widest = std::max(widest, displayWidth(row[c]));
        if (widest > 0) {
            shown.columns.push_back(c);
            shown.widths.push_back(std::max(widest, displayWidth(m_titles[c])));
        }
    }
    return shown;
}

std::vector<Table::Part> Table::partsWithin(std::size_t limit) const
{
    const auto narrowed = [&](Part part) {
        // The first column names the rows and stays as it is.
        const auto widest = std::max_element(part.widths.begin() + 1, part.widths.end());
        const std::size_t others = part.width() - *widest;
        *widest = std::min(*widest, std::max(limit > others ? limit - others : 0, leastColumn));
        return part;
    };
    const Part whole = shownColumns();
    if (whole.widths.size() < 2 || whole.width() <= limit)
        return {whole};
    if (const Part one = narrowed(whole); one.width() <= limit)
        return {one};
    const auto first = [&] { return Part{{whole.columns.front()}, {whole.widths.front()}}; };
    std::vector<Part> parts{first()};
    for (std::size_t i = 1; i < whole.columns.size(); ++i) {
        if (parts.back().widths.size() > 1 && parts.back().width() + columnGap + whole.widths[i] > limit)
            parts.push_back(first());
        parts.back().columns.push_back(whole.columns[i]);
        parts.back().widths.push_back(whole.widths[i]);
    }
    std::ranges::transform(parts, parts.begin(), narrowed);
    return parts;
}

std::string Table::text(const Part& part, const std::string& head) const
{
    const auto line = [&](const auto& cellOf) {
        std::string text;
        for (std::size_t i = 0; i < part.columns.size(); ++i)
            text += (i == 0 ? "" : std::string(columnGap, ' '))
                    + padded(cellOf(i), part.widths[i], m_right[part.columns[i]]);
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    };
    std::string result;
    const std::string titles = line([&](std::size_t i) { return m_titles[part.columns[i]]; });
    if (!titles.empty())
        result += head + emphasised(titles) + "\n";
    for (const auto& row : m_rows) {
        std::vector<std::vector<std::string>> cells;
        std::size_t height = 1;
        for (std::size_t i = 0; i < part.columns.size(); ++i) {
            cells.push_back(brokenAtBlanks(row[part.columns[i]], part.widths[i]));
            height = std::max(height, cells.back().size());
        }
        for (std::size_t y = 0; y < height; ++y)
            result += head + line([&](std::size_t i) { return y < cells[i].size() ? cells[i][y] : std::string(); })
                      + "\n";
    }
    return result;
}

std::string Table::text(int indent) const
{
    const std::string head(static_cast<std::size_t>(indent), ' ');
    const auto columns = outputColumns();
    const std::size_t limit = columns ? std::size_t(std::max(*columns - indent, 1)) : std::string::npos;
    std::string result;
    for (const Part& part : partsWithin(limit))
        result += (result.empty() ? "" : "\n") + text(part, head);
    return result;
}

std::string withStddev(double value, double stddev)
{
    return formatError(value) + (stddev > 0 ? " ± " + formatError(stddev) : "");
}

std::string emphasised(std::string_view text)
{
    return mayColour(STDOUT_FILENO) ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

std::string percent(double fraction)
{
    return fmt::format("{:.2f} %", 100 * fraction);
}

std::size_t displayWidth(std::string_view text)
{
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}
