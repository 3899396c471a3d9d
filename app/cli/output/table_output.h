// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attnscope::cli {

enum class Align { Left, Right };

struct Column {
    std::string title;
    Align align = Align::Left;
};

/// Text in columns, two spaces apart; a column is as wide as its widest cell. Columns without any text are left out. Where standard
/// output is a terminal that is narrower, the widest column's cells are broken at blanks, or the columns go below one another in several
/// tables that all begin with the first column.
class Table {
public:
    explicit Table(std::vector<Column> columns);

    /// Missing cells at the end are empty.
    void add(std::vector<std::string> cells);
    bool empty() const { return m_rows.empty(); }

    /// Every line ends in a line break; `indent` spaces head each.
    std::string text(int indent = 0) const;

private:
    /// Columns that stand side by side, with their widths.
    struct Part {
        std::vector<std::size_t> columns, widths;
        std::size_t width() const;
    };

    Part shownColumns() const;
    std::vector<Part> partsWithin(std::size_t limit) const;
    std::string text(const Part& part, const std::string& head) const;

    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// Bold where standard output is a terminal that may show it, else the text itself.
std::string emphasised(std::string_view text);

/// The number of characters that UTF-8 text takes on a terminal (one each: we print no wide or combining ones).
std::size_t displayWidth(std::string_view text);

}  // namespace attnscope::cli
