// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// How names of files stand in JSON: exactly, so that a script can open what a result names.
namespace attnscope {

/// The string that stands for a path: the path itself where it is UTF-8; a byte that is not becomes U+0000, which no path holds,
/// and its two hexadecimal digits.
std::string jsonPath(std::string_view path);

/// The path that `jsonPath` made the string of.
std::string pathFromJson(std::string_view text);

/// JSON text of the same values in which harmful characters (control characters, bidirectional overrides) are \u escapes, so that a
/// file name cannot forge the output of a terminal.
std::string printableJson(std::string_view json);

}  // namespace attnscope
