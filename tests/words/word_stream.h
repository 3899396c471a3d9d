// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace attnscope::words {

/// Where a word occurs; the names are those of words.txt.
enum class Scope { Identifiers, Comments, Docs, Strings };

const char* toText(Scope scope);

/// A word in lower case with its line, counted from 1. An empty text ends a phrase: nothing matches across it.
struct Word {
    std::string text;
    int line = 0;
};

/// Words that follow one another: of one identifier, of a comment that may span lines, of a document, of a translatable string.
struct WordStream {
    Scope scope = Scope::Comments;
    std::vector<Word> words;
    std::string identifier;  ///< as it is spelled; empty for text
};

/// "fusedRNN_output" → fused, rnn, output.
std::vector<std::string> identifierWords(const std::string& identifier);

/// The identifiers (each spelling once, at its first line), comments and translatable strings of C++ or CUDA source.
/// Include lines and other strings are left out, and so is code in comments: what is in backticks, has an underscore or mixed case.
std::vector<WordStream> readSource(const std::string& text);

/// The text of a Markdown document. Code blocks, code in backticks and targets of links are left out.
std::vector<WordStream> readDocument(const std::string& text);

}  // namespace attnscope::words
