// SPDX-License-Identifier: Apache-2.0
#include "app/cli/table_output.h"

#include "app/cli/console.h"

#include <unistd.h>

#include <algorithm>

namespace attnscope::cli {

namespace {

std::string padded(const std::string& text, std::size_t width, Align align)
{
    const std::size_t own = displayWidth(text);
    const std::string space(width > own ? width - own : 0, ' ');
    return align == Align::Left ? text + space : space + text;
}

std::string withoutTrailingSpace(std::string line)
{
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

}  // namespace

Table::Table(std::vector<Column> columns)
    : m_columns(std::move(columns))
{}

void Table::add(std::vector<std::string> cells)
{
    cells.resize(m_columns.size());
    m_rows.push_back(std::move(cells));
}

std::string Table::text(int indent) const
{
    std::vector<std::size_t> widths(m_columns.size(), 0);
    for (const auto& row : m_rows)
        for (std::size_t c = 0; c < row.size(); ++c)
            widths[c] = std::max(widths[c], displayWidth(row[c]));
    const std::string head(static_cast<std::size_t>(indent), ' ');
    const auto line = [&](const auto& cellOf) {
        std::string text;
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            if (widths[c] == 0)
                continue;
            const std::size_t width = std::max(widths[c], displayWidth(m_columns[c].title));
            text += (text.empty() ? "" : "  ") + padded(cellOf(c), width, m_columns[c].align);
        }
        return withoutTrailingSpace(text);
    };
    std::string result;
    const std::string titles = line([&](std::size_t c) { return m_columns[c].title; });
    if (!titles.empty())
        result += head + emphasised(titles) + "\n";
    for (const auto& row : m_rows)
        result += head + line([&](std::size_t c) { return row[c]; }) + "\n";
    return result;
}

std::string emphasised(std::string_view text)
{
    return mayColour(STDOUT_FILENO) ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

std::size_t displayWidth(std::string_view text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace attnscope::cli
