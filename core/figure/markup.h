// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Texts of unknown origin (file names, classes, notes) made harmless for what they are put into. All of them first pass through
/// `printable`: control characters, line breaks and changes of direction become visible escapes.
namespace attnscope {

/// For text and quoted attributes of HTML and SVG: & < > " '.
std::string escapedMarkup(std::string_view text);

/// For a cell of a Markdown table: HTML as above, and what Markdown would read as markup.
std::string escapedMarkdown(std::string_view text);

/// One line of RFC 4180. A text cell that a spreadsheet would take for a formula (= + - @, tab) gets an apostrophe in front; numbers stay.
std::string csvLine(const std::vector<std::string>& cells);

}  // namespace attnscope
