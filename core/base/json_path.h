#pragma once

#include <string>
#include <string_view>

/// File names in JSON: exact, so that a script can open the files that a result names.
namespace attnscope {

/// The JSON string for a path: the path itself if it is UTF-8; an invalid byte becomes U+0000, which no path contains, followed by its two
/// hexadecimal digits.
std::string jsonPath(std::string_view path);

/// The path from which `jsonPath` made the string. U+0000 that it did not write becomes U+FFFD: no path contains a zero byte.
std::string pathFromJson(std::string_view text);

/// JSON text with the same values in which harmful characters (control characters, bidirectional overrides) are \u escapes, so that a file
/// name can't forge terminal output.
std::string printableJson(std::string_view json);

}
