// SPDX-License-Identifier: Apache-2.0
#include "tests/words/word_list.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace attnscope::words {

namespace {

std::string trimmed(const std::string& text)
{
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        if (!trimmed(part).empty())
            parts.push_back(trimmed(part));
    return parts;
}

bool matchesWord(const std::string& alternative, const std::string& word)
{
    if (alternative.back() != '*')
        return alternative == word;
    return word.compare(0, alternative.size() - 1, alternative, 0, alternative.size() - 1) == 0;
}

std::vector<Scope> scopesOf(const std::string& text, const std::string& line)
{
    std::vector<Scope> scopes;
    for (const std::string& name : split(text, ' ')) {
        bool known = false;
        for (const Scope scope : {Scope::Identifiers, Scope::Comments, Scope::Docs, Scope::Strings})
            if (name == "all" || name == toText(scope)) {
                scopes.push_back(scope);
                known = true;
            }
        if (!known)
            throw std::runtime_error(line + ": unknown scope \"" + name
                                     + "\"; the scopes are identifiers, comments, docs, strings and all");
    }
    return scopes;
}

}  // namespace

Pattern::Pattern(const std::string& text)
    : m_text(text)
{
    for (const std::string& position : split(text, ' '))
        m_positions.push_back(split(position, '|'));
}

bool Pattern::matches(const std::vector<Word>& words, std::size_t at) const
{
    if (at + m_positions.size() > words.size())
        return false;
    for (std::size_t i = 0; i < m_positions.size(); ++i) {
        const std::string& word = words[at + i].text;
        const auto& alternatives = m_positions[i];
        const auto isWord = [&](const std::string& alternative) { return matchesWord(alternative, word); };
        if (word.empty() || std::none_of(alternatives.begin(), alternatives.end(), isWord))
            return false;
    }
    return true;
}

bool Rule::appliesTo(const std::string& path, Scope scope) const
{
    const auto isHere = [&](const std::string& place) { return path.rfind(place, 0) == 0; };
    return (places.empty() || std::any_of(places.begin(), places.end(), isHere))
           && std::find(scopes.begin(), scopes.end(), scope) != scopes.end();
}

WordList::WordList(std::istream& text)
{
    int number = 0;
    for (std::string line; std::getline(text, line);) {
        const std::string where = "line " + std::to_string(++number);
        if (trimmed(line).empty() || line.front() == '#')
            continue;
        const bool allows = line.rfind("allow ", 0) == 0;
        const auto fields = split(allows ? line.substr(6) : line, ';');
        if (fields.size() != 4)
            throw std::runtime_error(where + ": expected PATTERN ; SCOPES ; FOLDERS ; ADVICE");
        const auto places = fields[2] == "*" ? std::vector<std::string>{} : split(fields[2], ' ');
        (allows ? m_allowed : m_forbidden).push_back({Pattern(fields[0]), scopesOf(fields[1], where), places, fields[3]});
    }
}

std::vector<Hit> WordList::check(const std::string& path, const WordStream& stream) const
{
    std::vector<Hit> hits;
    for (const Rule& rule : m_forbidden) {
        if (!rule.appliesTo(path, stream.scope))
            continue;
        for (std::size_t at = 0; at < stream.words.size(); ++at) {
            if (!rule.pattern.matches(stream.words, at) || isAllowed(path, stream, at, rule.pattern.length()))
                continue;
            std::string found = stream.identifier;
            for (std::size_t i = 0; stream.identifier.empty() && i < rule.pattern.length(); ++i)
                found += (i > 0 ? " " : "") + stream.words[at + i].text;
            hits.push_back({path, stream.words[at].line, stream.scope, found, rule.pattern.text(), rule.advice});
            if (!stream.identifier.empty())
                break;
        }
    }
    return hits;
}

bool WordList::isAllowed(const std::string& path, const WordStream& stream, std::size_t at, std::size_t length) const
{
    return std::any_of(m_allowed.begin(), m_allowed.end(), [&](const Rule& rule) {
        if (!rule.appliesTo(path, stream.scope) || rule.pattern.length() < length)
            return false;
        const std::size_t reach = rule.pattern.length() - length;
        for (std::size_t begin = at - std::min(at, reach); begin <= at; ++begin)
            if (rule.pattern.matches(stream.words, begin) && begin + rule.pattern.length() >= at + length)
                return true;
        return false;
    });
}

}  // namespace attnscope::words
