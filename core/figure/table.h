#pragma once

#include "core/figure/marks.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Tables of results as data: terminal, reports, files and window show the same. Independent of Qt and torch.
namespace attnscope {

/// A text for people: plain, or an English literal that the window translates, with what is said in it.
struct Text {
    Text() = default;
    Text(std::string words)
        : plain(std::move(words))
    {}
    Text(const char* words)
        : plain(words)
    {}

    /// The same with `values` for %1, %2 …
    template <typename... Values>
    Text arg(Values... values) const
    {
        Text text = *this;
        (text.arguments.emplace_back(std::move(values)), ...);
        return text;
    }
    /// The same about `number` things, which is %1: "%1 seed(s)".
    Text of(int64_t number) const;
    bool empty() const { return source == nullptr && plain.empty() && arguments.empty(); }

    const char* source = nullptr;  ///< marked with ATTN_TEXT; null: `plain`, and the arguments behind it
    std::string plain;
    std::vector<Text> arguments;
    std::optional<int64_t> count;  ///< decides between singular and plural
};

/// Marks a literal for packaging/translate.sh; ATTN_COUNT marks one with plural forms, for `Text::of`.
#define ATTN_TEXT(literal) ::attnscope::translatable(literal)
#define ATTN_COUNT(literal) ::attnscope::translatable(literal)
Text translatable(const char* source);
/// The texts with a plain `separator` between them.
Text joined(const std::vector<Text>& texts, const std::string& separator);
/// `pattern` with `arguments` for %1 … %9. With a count, its "(s)" and "(es)" follow that.
std::string filled(std::string_view pattern, const std::vector<std::string>& arguments,
                   std::optional<int64_t> count);
std::string english(const Text& text);

struct Cell {
    Text text = {};                    ///< empty: there is none
    std::optional<double> value = {};  ///< in full, to sort by
    Text title = {};                   ///< a shorter text for the window; empty: `text`
    /// Of whom it is (core/figure/series_keys.h): a mark before the text, or the colour of the bar.
    std::string look = {};
    std::optional<double> fraction = {};  ///< 0 … 1, as a bar behind the text
    Text small = {};                      ///< smaller, behind the text: an interval
    Text help = {};
    bool dim = false;  ///< of less weight than the others
};

struct Column {
    Text title = {}, help = {};
    bool number = false;  ///< at the right
    bool detail = false;  ///< left out in terminals
};

struct Row {
    std::vector<Cell> cells;  ///< missing ones at the end are empty
    std::string key = {};     ///< what it is about
    Text name = {};           ///< said before a column's title
};

struct Table {
    Text caption = {};
    std::vector<Column> columns = {};
    std::vector<Row> rows = {};

    void add(std::vector<Cell> cells) { rows.push_back({std::move(cells)}); }
    /// A row of plain texts.
    void addTexts(const std::vector<std::string>& texts);
};

/// Plain titles; those that begin with `>`, fmt's sign for it, stand at the right.
Table tableOf(const std::vector<std::string>& titles);

// Cells; what is not there is empty.
Cell numberCell(double value, Text text);
Cell countCell(std::optional<int64_t> count);
Cell millisecondsCell(std::optional<double> milliseconds);
Cell bytesCell(std::optional<int64_t> bytes);
/// What is not finite says so, and is sorted as the largest. "0.05 ± 0.01" with a spread.
Cell errorCell(std::optional<double> error, double stddev = 0);
Cell probabilityCell(std::optional<double> probability);
/// With a fixed number of decimals; never −0.
Cell decimalCell(std::optional<double> value, int decimals = 2);
/// "1.59×".
Cell ratioCell(std::optional<double> ratio);
/// "from 1 432": the first place where it is cheaper.
Cell fromCell(std::optional<double> place);
/// "91.67 %".
Cell percentCell(std::optional<double> fraction);

struct TextTableOptions {
    size_t indent = 0;              ///< spaces before each line
    std::optional<size_t> columns;  ///< of the terminal, at least 1; empty: it may be as wide as it gets
    bool bold = false;              ///< titles
};

/// In columns, two spaces apart, each as wide as its widest cell and left out if it has none; the caption first. Where that is wider than
/// the terminal, the widest column's cells are broken at blanks, or the columns go below one another in several tables that all begin with
/// the first column. Every line ends in a line break.
std::string textTable(const Table& table, const TextTableOptions& options = {});
/// The number of characters that UTF-8 text takes on a terminal (one each: we print no wide or combining ones).
size_t displayWidth(std::string_view text);

/// Numbers in full; the lines of markup.h.
std::string csv(const Table& table);
/// For the clipboard: what is shown, tabs between cells.
std::string tsv(const Table& table);
/// The caption last.
std::string markdown(const Table& table);
std::string html(const Table& table, SeriesStyles styles);
std::string latex(const Table& table);

}
