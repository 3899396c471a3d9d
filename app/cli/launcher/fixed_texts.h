#pragma once

#include <span>
#include <string_view>

namespace attnscope::cli {

/// A text that depends on nothing but the arguments: help, versions, completion scripts.
struct FixedText {
    std::string_view arguments;  ///< separated by one blank: "compare --help"
    std::string_view text;
};

/// Written by the program behind the launcher while both are built (app/cli/help/fixed_texts_source.h).
std::span<const FixedText> fixedTextTable();

/// Null when these arguments need the program itself.
const FixedText* findFixedText(std::span<const char* const> arguments);

}
