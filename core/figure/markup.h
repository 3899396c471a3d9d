#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Escapes untrusted texts (file names, classes, notes) for the format that they are inserted into. All of them first pass through
/// `printable`: control characters, line breaks and changes of direction become visible escapes.
namespace attnscope {

/// For text and quoted attributes of HTML and SVG: & < > " '.
std::string escapedMarkup(std::string_view text);

/// For a cell of a Markdown table: as for HTML, plus Markdown's own markup.
std::string escapedMarkdown(std::string_view text);

/// One line of RFC 4180. A text cell that a spreadsheet would take for a formula (= + - @, tab) gets a leading apostrophe; numbers are
/// unchanged.
std::string csvLine(const std::vector<std::string>& cells);

}
