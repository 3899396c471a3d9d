#pragma once

#include <string>
#include <vector>

namespace attnscope {

/// An option as it was given.
struct GivenOption {
    std::string name;                 ///< "--lr"; without dashes: a positional argument
    std::vector<std::string> values;  ///< of a flag none
    friend bool operator==(const GivenOption&, const GivenOption&) = default;
};

/// Positional arguments first; one that begins with a dash is told apart from options.
std::vector<std::string> optionWords(const std::vector<GivenOption>& given);

/// In its shortest form that reads back to the same number.
std::string shortestNumber(double value);
/// The word as a POSIX shell reads it back, in quotes where it needs them.
std::string shellWord(const std::string& word);
/// "attnscope-cli scale --dim 64": the words as a line for a shell.
std::string shellLine(const std::vector<std::string>& words);

}
