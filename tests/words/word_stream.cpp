// SPDX-License-Identifier: Apache-2.0
#include "tests/words/word_stream.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

namespace attnscope::words {

namespace {

bool isLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool isUpper(char c)
{
    return std::isupper(static_cast<unsigned char>(c)) != 0;
}

bool isNameCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Whether a token between blanks is code rather than prose: "std::span", "a_b", "--flag", "core/base/text.h", "camelCase".
bool isCode(const std::string& token)
{
    if (token.find("::") != std::string::npos || token.find('_') != std::string::npos || token.rfind("--", 0) == 0)
        return true;
    const std::size_t slash = token.find('/');
    if (slash != std::string::npos && token.find('.', slash) < token.size() - 1)
        return true;
    for (std::size_t i = 1; i < token.size(); ++i)
        if (isUpper(token[i]) && std::islower(static_cast<unsigned char>(token[i - 1])) != 0)
            return true;
    return false;
}

/// Appends the words of a token; punctuation other than hyphens and apostrophes ends a phrase.
void appendToken(std::vector<Word>& words, const std::string& token, int line)
{
    std::string word;
    const auto finish = [&] {
        if (!word.empty())
            words.push_back({lower(word), line});
        word.clear();
    };
    if (isCode(token)) {
        words.push_back({"", line});
        return;
    }
    for (const char c : token) {
        if (isLetter(c)) {
            word += c;
            continue;
        }
        finish();
        if (c != '-' && c != '\'' && c != '*')
            words.push_back({"", line});
    }
    finish();
}

/// Appends the words of one line of prose. `inCode` says whether a span in backticks is open, before and after.
void appendProse(std::vector<Word>& words, const std::string& text, int line, bool& inCode)
{
    std::string token;
    for (const char c : text + " ") {
        const bool blank = c == ' ' || c == '\t' || c == '\r';
        if (c != '`' && !blank) {
            if (!inCode)
                token += c;
            continue;
        }
        if (!token.empty())
            appendToken(words, token, line);
        token.clear();
        if (c == '`') {
            inCode = !inCode;
            words.push_back({"", line});
        }
    }
}

bool isTranslation(const std::string& function)
{
    return function == "tr" || function == "translate" || function == "QT_TR_NOOP" || function == "QT_TRANSLATE_NOOP";
}

/// Goes through source once; comments on consecutive lines are one stream.
class SourceReader {
public:
    explicit SourceReader(const std::string& text)
        : m_text(text)
    {}

    std::vector<WordStream> read()
    {
        while (m_at < m_text.size())
            step();
        endComment();
        return std::move(m_streams);
    }

private:
    char at(std::size_t offset = 0) const { return m_at + offset < m_text.size() ? m_text[m_at + offset] : '\0'; }

    void step()
    {
        const char c = at();
        if (c == '\n') {
            ++m_line;
            ++m_at;
            m_codeInLine = false;
        } else if (c == '/' && at(1) == '/') {
            readLineComment();
        } else if (c == '/' && at(1) == '*') {
            readBlockComment();
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++m_at;
        } else {
            endComment();
            m_codeInLine = true;
            readCode(c);
        }
    }

    void readCode(char c)
    {
        if (c == '#')
            skipDirective();
        else if (c == 'R' && at(1) == '"')
            readRawString();
        else if (c == '"')
            readString();
        else if (c == '\'')
            skipCharacter();
        else if (std::isdigit(static_cast<unsigned char>(c)) != 0)
            skipNumber();
        else if (isNameCharacter(c))
            readIdentifier();
        else
            readPunctuation(c);
    }

    /// Names in #include are files; those in other directives are read as code.
    void skipDirective()
    {
        ++m_at;
        while (at() == ' ')
            ++m_at;
        if (m_text.compare(m_at, 7, "include") == 0)
            m_at = std::min(m_text.find('\n', m_at), m_text.size());
    }

    void readIdentifier()
    {
        const std::size_t begin = m_at;
        while (isNameCharacter(at()))
            ++m_at;
        const std::string name = m_text.substr(begin, m_at - begin);
        m_lastName = name;
        if (!m_seen.insert(name).second)
            return;
        WordStream stream{Scope::Identifiers, {}, name};
        for (std::string& word : identifierWords(name))
            stream.words.push_back({std::move(word), m_line});
        m_streams.push_back(std::move(stream));
    }

    void readPunctuation(char c)
    {
        if (c == '(')
            m_calls.push_back(m_lastName);
        else if (c == ')' && !m_calls.empty())
            m_calls.pop_back();
        m_lastName.clear();
        ++m_at;
    }

    void skipCharacter()
    {
        for (++m_at; at() != '\'' && at() != '\n' && m_at < m_text.size(); ++m_at)
            if (at() == '\\')
                ++m_at;
        ++m_at;
    }

    void skipNumber()
    {
        while (isNameCharacter(at()) || at() == '.' || (at() == '\'' && isNameCharacter(at(1))))
            ++m_at;
    }

    void takeString(const std::string& content, int line)
    {
        if (m_calls.empty() || !isTranslation(m_calls.back()))
            return;
        WordStream stream{Scope::Strings, {}, ""};
        bool inCode = false;
        appendProse(stream.words, content, line, inCode);
        m_streams.push_back(std::move(stream));
    }

    void readString()
    {
        std::string content;
        for (++m_at; m_at < m_text.size() && at() != '"' && at() != '\n'; ++m_at) {
            if (at() == '\\')
                ++m_at, content += ' ';
            else
                content += at();
        }
        ++m_at;
        takeString(content, m_line);
    }

    void readRawString()
    {
        const std::size_t open = m_text.find('(', m_at);
        const std::string close = ")" + m_text.substr(m_at + 2, open - m_at - 2) + "\"";
        const std::size_t end = std::min(m_text.find(close, open), m_text.size());
        const std::string content = m_text.substr(m_at, end - m_at);
        m_line += static_cast<int>(std::count(content.begin(), content.end(), '\n'));
        m_at = std::min(end + close.size(), m_text.size());
    }

    void readLineComment()
    {
        if (m_codeInLine)
            endComment();
        const std::size_t end = std::min(m_text.find('\n', m_at), m_text.size());
        const std::size_t begin = m_text.find_first_not_of("/<! ", m_at);
        takeComment(begin < end ? m_text.substr(begin, end - begin) : "");
        m_at = end;
    }

    void readBlockComment()
    {
        const std::size_t end = std::min(m_text.find("*/", m_at), m_text.size());
        std::istringstream lines(m_text.substr(m_at + 2, end - m_at - 2));
        std::string line;
        for (bool first = true; std::getline(lines, line); first = false) {
            m_line += first ? 0 : 1;
            takeComment(line);
        }
        m_at = std::min(end + 2, m_text.size());
    }

    void takeComment(const std::string& text)
    {
        bool inCode = false;
        appendProse(m_comment.words, text, m_line, inCode);
    }

    void endComment()
    {
        if (!m_comment.words.empty())
            m_streams.push_back(std::move(m_comment));
        m_comment = WordStream{Scope::Comments, {}, ""};
    }

    const std::string& m_text;
    std::size_t m_at = 0;
    int m_line = 1;
    bool m_codeInLine = false;
    std::string m_lastName;
    std::vector<std::string> m_calls;  // the names in front of the open parentheses
    std::set<std::string> m_seen;
    WordStream m_comment{Scope::Comments, {}, ""};
    std::vector<WordStream> m_streams;
};

/// "[text](target)" → "[text] ".
std::string withoutTargets(const std::string& line)
{
    std::string result;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '(' && at > 0 && line[at - 1] == ']') {
            at = std::min(line.find(')', at), line.size());
            result += ' ';
        } else {
            result += line[at];
        }
    }
    return result;
}

}  // namespace

const char* toText(Scope scope)
{
    switch (scope) {
    case Scope::Identifiers:
        return "identifiers";
    case Scope::Comments:
        return "comments";
    case Scope::Docs:
        return "docs";
    case Scope::Strings:
        break;
    }
    return "strings";
}

std::vector<std::string> identifierWords(const std::string& identifier)
{
    std::vector<std::string> words;
    std::string word;
    const auto finish = [&] {
        if (!word.empty())
            words.push_back(lower(word));
        word.clear();
    };
    for (std::size_t i = 0; i < identifier.size(); ++i) {
        const char c = identifier[i];
        if (!isLetter(c)) {
            finish();
            continue;
        }
        const bool nextIsLower = i + 1 < identifier.size() && std::islower(static_cast<unsigned char>(identifier[i + 1])) != 0;
        if (isUpper(c) && !word.empty() && (!isUpper(word.back()) || nextIsLower))
            finish();
        word += c;
    }
    finish();
    return words;
}

std::vector<WordStream> readSource(const std::string& text)
{
    return SourceReader(text).read();
}

std::vector<WordStream> readDocument(const std::string& text)
{
    WordStream stream{Scope::Docs, {}, ""};
    std::istringstream lines(text);
    bool inCode = false, fenced = false, afterBlank = true;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const bool blank = line.find_first_not_of(" \t\r") == std::string::npos;
        if (line.rfind("```", 0) == 0)
            fenced = !fenced;
        else if (!fenced && !blank && !(afterBlank && line.rfind("    ", 0) == 0)) {
            appendProse(stream.words, withoutTargets(line), number, inCode);
            afterBlank = false;
            continue;
        }
        stream.words.push_back({"", number});
        inCode = false;
        afterBlank = afterBlank || blank;
    }
    return {stream};
}

}  // namespace attnscope::words
