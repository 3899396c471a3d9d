#pragma once

#include "core/base/text.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnscope::cli {

/// Text in columns, two spaces apart; a column is as wide as its widest cell. Columns without any text are left out. Where standard
/// output is a terminal that is narrower, the widest column's cells are broken at blanks, or the columns go below one another in several
/// tables that all begin with the first column.
class Table {
public:
    /// Titles of the columns. Those that begin with `>`, fmt's sign for it, stand at the right, and so do their cells.
    explicit Table(std::vector<std::string> titles);

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

    std::vector<std::string> m_titles;
    std::vector<bool> m_right;
    std::vector<std::vector<std::string>> m_rows;
};

/// "1.2e-3 ± 4e-5"; without a spread where that is 0.
std::string withStddev(double value, double stddev);

/// Bold where standard output is a terminal that may show it, else the text itself.
std::string emphasised(std::string_view text);

/// Lines for people of what there is to say (`notes`) of each `attention`, each note once: behind the names of the
/// attentions that it is about, or without names where it is about all of several.
template <typename Runs>
std::vector<std::string> notesOnce(const Runs& runs)
{
    std::vector<std::pair<std::string, std::vector<std::string>>>
        owners;  // of each note, in the order of their first
    for (const auto& run : runs)
        for (const std::string& note : run.notes) {
            auto found = std::find_if(owners.begin(), owners.end(),
                                      [&](const auto& entry) { return entry.first == note; });
            if (found == owners.end())
                found = owners.insert(found, {note, {}});
            if (std::find(found->second.begin(), found->second.end(), run.attention) == found->second.end())
                found->second.push_back(run.attention);
        }
    std::vector<std::string> lines;
    for (const auto& [note, names] : owners) {
        const bool ofAll = names.size() > 1 && names.size() == runs.size();
        lines.push_back(ofAll ? note : joinWords(names, "and") + ": " + note);
    }
    return lines;
}

/// The number of characters that UTF-8 text takes on a terminal (one each: we print no wide or combining ones).
std::size_t displayWidth(std::string_view text);

/// "79.82 %" of 0.79824.
std::string percent(double fraction);

}
