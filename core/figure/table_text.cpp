#include "core/base/text.h"
#include "core/figure/markup.h"
#include "core/figure/svg.h"
#include "core/figure/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace attnscope {

namespace {

constexpr size_t columnGap = 2;
constexpr size_t narrowestColumn = 24;  // below which cells of several words are not broken

std::string shownText(const Cell& cell)
{
    return english(cell.text) + (cell.small.empty() ? "" : " " + english(cell.small));
}

/// The cell in lines of at most `width`, where its blanks allow.
std::vector<std::string> brokenAtBlanks(const std::string& cell, size_t width)
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

/// Columns that stand side by side: their texts, the title first.
struct TextColumn {
    std::vector<std::string> texts;
    bool number = false;
    size_t width = 0;
};
using TextColumns = std::vector<TextColumn>;

size_t widthOf(const TextColumns& columns)
{
    return std::accumulate(columns.begin(), columns.end(), columnGap * (columns.size() - 1),
                           [](size_t sum, const TextColumn& column) { return sum + column.width; });
}

/// Those with any text.
TextColumns shownColumns(const Table& table)
{
    TextColumns shown;
    for (size_t c = 0; c < table.columns.size(); ++c) {
        TextColumn column{{english(table.columns[c].title)}, table.columns[c].number};
        bool any = false;
        for (const Row& row : table.rows) {
            column.texts.push_back(c < row.cells.size() ? shownText(row.cells[c]) : "");
            any = any || !column.texts.back().empty();
        }
        for (const std::string& text : column.texts)
            column.width = std::max(column.width, displayWidth(text));
        if (any && !table.columns[c].detail)
            shown.push_back(std::move(column));
    }
    return shown;
}

std::vector<TextColumns> partsWithin(std::optional<size_t> limit, const TextColumns& whole)
{
    const auto narrowed = [&](TextColumns part) {
        // The first column names the rows and stays as it is.
        const auto widest = std::ranges::max_element(part.begin() + 1, part.end(), {}, &TextColumn::width);
        const size_t others = widthOf(part) - widest->width;
        widest->width = std::min(widest->width, std::max(*limit > others ? *limit - others : 0, narrowestColumn));
        return part;
    };
    if (!limit || whole.size() < 2 || widthOf(whole) <= *limit)
        return {whole};
    if (TextColumns one = narrowed(whole); widthOf(one) <= *limit)
        return {one};
    std::vector<TextColumns> parts{{whole.front()}};
    for (size_t i = 1; i < whole.size(); ++i) {
        if (parts.back().size() > 1 && widthOf(parts.back()) + columnGap + whole[i].width > *limit)
            parts.push_back({whole.front()});
        parts.back().push_back(whole[i]);
    }
    std::ranges::transform(parts, parts.begin(), narrowed);
    return parts;
}

std::string textOf(const TextColumns& part, const TextTableOptions& options)
{
    std::string result;
    for (size_t row = 0; !part.empty() && row < part.front().texts.size(); ++row) {
        size_t height = 1;
        for (size_t y = 0; y < height; ++y) {
            std::string line;
            for (const TextColumn& column : part) {
                const std::vector<std::string> lines = brokenAtBlanks(column.texts[row], column.width);
                height = std::max(height, row == 0 ? 1 : lines.size());
                const std::string text = row == 0 ? column.texts[0] : y < lines.size() ? lines[y] : "";
                const size_t own = displayWidth(text);
                const std::string space(column.width > own ? column.width - own : 0, ' ');
                line += (&column == &part.front() ? "" : std::string(columnGap, ' '))
                        + (column.number ? space + text : text + space);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            if (row > 0 || !line.empty())
                result += std::string(options.indent, ' ')
                          + (options.bold && row == 0 ? "\x1b[1m" + line + "\x1b[0m" : line) + "\n";
        }
    }
    return result;
}

/// Empty cells have their place.
std::string cellsOf(const std::vector<std::string>& texts, const char* between)
{
    std::string line;
    for (size_t i = 0; i < texts.size(); ++i)
        line += (i == 0 ? "" : between) + texts[i];
    return line;
}

/// One line for the titles, and one for every row.
template <typename LineOf>
std::string linesOf(const Table& table, const LineOf& lineOf)
{
    std::vector<std::string> texts;
    for (const Column& column : table.columns)
        texts.push_back(english(column.title));
    std::string text = lineOf(texts);
    for (const Row& row : table.rows) {
        texts.assign(table.columns.size(), "");
        std::ranges::transform(row.cells, texts.begin(), shownText);
        text += lineOf(texts);
    }
    return text;
}

std::string latexText(const std::string& text)
{
    static const std::map<std::string_view, std::string_view> spellings{{"\\", "\\textbackslash{}"},
                                                                        {"−", "$-$"},
                                                                        {"≈", "$\\approx$"},
                                                                        {"±", "$\\pm$"},
                                                                        {"\u202F", "\\,"},
                                                                        {"★", "$\\star$"},
                                                                        {"▲", ""},
                                                                        {"▼", ""},
                                                                        {"×", "$\\times$"},
                                                                        {"^", "\\textasciicircum{}"},
                                                                        {"~", "\\textasciitilde{}"},
                                                                        {"<", "$<$"},
                                                                        {">", "$>$"},
                                                                        {"|", "$|$"},
                                                                        {"≥", "$\\geq$"},
                                                                        {"→", "$\\to$"},
                                                                        {"·", "$\\cdot$"}};
    std::string out;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view character = rest.substr(0, std::max<size_t>(1, decodeUtf8(rest).length));
        rest.remove_prefix(character.size());
        const auto found = spellings.find(character);
        if (std::string_view("&%$#_{}").find(character) != std::string_view::npos)
            out += '\\';
        out += found == spellings.end() ? character : found->second;
    }
    return out;
}

std::string htmlCell(const Cell& cell, const Column& column, SeriesStyles styles)
{
    std::string text = escapedMarkup(english(cell.text));
    if (!cell.look.empty())
        text = svgMark(cell.look, false, styles) + "<span class=\"run\">" + text + "</span>";
    if (cell.text.empty())
        text = "–";
    if (!cell.small.empty())
        text += " <span class=\"small\">" + escapedMarkup(english(cell.small)) + "</span>";
    return (column.number ? "<td class=\"n\">" : "<td>") + text + "</td>";
}

}

size_t displayWidth(std::string_view text)
{
    return size_t(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string textTable(const Table& table, const TextTableOptions& options)
{
    std::string result;
    for (const TextColumns& part : partsWithin(options.columns, shownColumns(table)))
        result += (result.empty() ? "" : "\n") + textOf(part, options);
    return (table.caption.empty() ? "" : std::string(options.indent, ' ') + english(table.caption) + "\n")
           + result;
}

std::string csv(const Table& table)
{
    std::vector<std::string> texts;
    for (const Column& column : table.columns)
        texts.push_back(english(column.title));
    std::string text = csvLine(texts);
    for (const Row& row : table.rows) {
        texts.clear();
        for (const Cell& cell : row.cells)
            texts.push_back(cell.value ? fmt::format("{}", *cell.value) : english(cell.text));
        texts.resize(table.columns.size());
        text += csvLine(texts);
    }
    return text;
}

std::string tsv(const Table& table)
{
    return linesOf(table, [](std::vector<std::string> texts) {
        std::ranges::transform(texts, texts.begin(), printable);
        return cellsOf(texts, "\t") + "\n";
    });
}

std::string markdown(const Table& table)
{
    std::string text = linesOf(table, [](std::vector<std::string> texts) {
        std::ranges::transform(texts, texts.begin(), escapedMarkdown);
        return "| " + cellsOf(texts, " | ") + " |\n";
    });
    std::string rule;
    for (const Column& column : table.columns)
        rule += column.number ? "|---:" : "|---";
    text.insert(text.find('\n') + 1, rule + "|\n");
    return text + (table.caption.empty() ? "" : "\n" + escapedMarkdown(english(table.caption)) + "\n");
}

std::string html(const Table& table, SeriesStyles styles)
{
    std::string text = "<table>\n";
    if (!table.caption.empty())
        text += "<caption>" + escapedMarkup(english(table.caption)) + "</caption>\n";
    text += "<thead><tr>";
    for (const Column& column : table.columns)
        text += fmt::format("<th scope=\"col\"{}>{}</th>", column.number ? " class=\"n\"" : "",
                            escapedMarkup(english(column.title)));
    text += "</tr></thead>\n<tbody>\n";
    for (const Row& row : table.rows) {
        text += "<tr>";
        for (size_t i = 0; i < table.columns.size(); ++i)
            text += htmlCell(i < row.cells.size() ? row.cells[i] : Cell(), table.columns[i], styles);
        text += "</tr>\n";
    }
    return text + "</tbody></table>";
}

std::string latex(const Table& table)
{
    std::string columns;
    for (const Column& column : table.columns)
        columns += column.number ? 'r' : 'l';
    std::string body = linesOf(table, [](std::vector<std::string> texts) {
        std::ranges::transform(texts, texts.begin(), latexText);
        return cellsOf(texts, " & ") + " \\\\\n";
    });
    body.insert(body.find('\n') + 1, "\\hline\n");
    return fmt::format("\\begin{{table}}\n\\caption{{{}}}\n\\begin{{tabular}}{{{}}}\n\\hline\n{}\\hline\n\\end{{"
                       "tabular}}\n\\end{{table}}\n",
                       latexText(english(table.caption)), columns, body);
}

}
