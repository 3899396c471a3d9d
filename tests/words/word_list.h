// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/words/word_stream.h"

#include <istream>
#include <string>
#include <vector>

namespace attnscope::words {

/// Words in order; each position has alternatives ("image|video"), and an alternative that ends in * takes any continuation.
class Pattern {
public:
    explicit Pattern(const std::string& text);

    const std::string& text() const { return m_text; }
    std::size_t length() const { return m_positions.size(); }
    bool matches(const std::vector<Word>& words, std::size_t at) const;

private:
    std::string m_text;
    std::vector<std::vector<std::string>> m_positions;
};

/// A pattern, the scopes and folders in which it counts, and what to write instead, or why it is allowed.
struct Rule {
    Pattern pattern;
    std::vector<Scope> scopes;
    std::vector<std::string> places;  ///< beginnings of paths; empty: everywhere
    std::string advice;

    bool appliesTo(const std::string& path, Scope scope) const;
};

struct Hit {
    std::string path;
    int line = 0;
    Scope scope = Scope::Comments;
    std::string found;   ///< the identifier, or the words
    std::string rule;    ///< the pattern as words.txt has it
    std::string advice;
};

/// The rules of words.txt.
class WordList {
public:
    /// Throws std::runtime_error with the number of the line that is wrong.
    explicit WordList(std::istream& text);

    /// What is forbidden in `stream` and not excused by an `allow` that covers it. An identifier counts once for each rule.
    std::vector<Hit> check(const std::string& path, const WordStream& stream) const;

private:
    bool isAllowed(const std::string& path, const WordStream& stream, std::size_t at, std::size_t length) const;

    std::vector<Rule> m_forbidden, m_allowed;
};

}  // namespace attnscope::words
