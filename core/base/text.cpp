#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <cstdio>
#include <numeric>

namespace attnscope {

namespace {

std::string escape(uint32_t c)
{
    if (c == '\n')
        return "\\n";
    if (c == '\t')
        return "\\t";
    std::array<char, 16> buffer{};
    std::snprintf(buffer.data(), buffer.size(), c < 0x100 ? "\\x%02x" : "\\u%04x", unsigned(c));
    return buffer.data();
}

/// Edit distance from `word` to the best-matching prefix of `candidate`, then to all of it: somebody who abbreviates a long name means that
/// one, not a short name of similar length.
struct Likeness {
    size_t ofBeginning = 0, ofAll = 0;
    auto operator<=>(const Likeness&) const = default;
};

Likeness likeness(std::string_view word, std::string_view candidate)
{
    std::vector<size_t> row(candidate.size()
                            + 1);  // edits from the prefix of `word` so far to each prefix of `candidate`
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= word.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= candidate.size(); ++j) {
            const size_t above = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (word[i - 1] == candidate[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return {*std::ranges::min_element(row), row.back()};
}

}

std::string printable(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const DecodedCharacter next = decodeUtf8(text);
        if (next.length == 0) {
            result += escape(static_cast<unsigned char>(text.front()));
            text.remove_prefix(1);
            continue;
        }
        if (isHarmful(next.codePoint))
            result += escape(next.codePoint);
        else
            result += text.substr(0, next.length);
        text.remove_prefix(next.length);
    }
    return result;
}

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::string_view trim(std::string_view text)
{
    constexpr std::string_view blank = " \t\r\n";
    const size_t begin = text.find_first_not_of(blank);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

bool takePrefix(std::string_view& text, std::string_view prefix)
{
    const bool found = text.starts_with(prefix);
    text.remove_prefix(found ? prefix.size() : 0);
    return found;
}

std::string counted(int64_t count, std::string_view noun, std::string_view plural)
{
    return std::to_string(count) + " " + nounFor(count, noun, plural);
}

std::string nounFor(int64_t count, std::string_view noun, std::string_view plural)
{
    if (count == 1 || plural.empty())
        return std::string(noun) + (count == 1 ? "" : "s");
    return std::string(plural);
}

std::string joined(const std::vector<std::string>& words, std::string_view separator)
{
    std::string text;
    for (const std::string& word : words)
        text.append(text.empty() ? "" : separator).append(word);
    return text;
}

std::string joinedSizes(std::span<const int64_t> sizes)
{
    std::string text;
    for (const int64_t size : sizes)
        text += (text.empty() ? "" : "×") + std::to_string(size);
    return text;
}

std::string joinWords(const std::vector<std::string>& words, std::string_view last)
{
    std::string result;
    for (size_t i = 0; i < words.size(); ++i) {
        if (i > 0 && i + 1 == words.size())
            result += " " + std::string(last) + " ";
        else if (i > 0)
            result += ", ";
        result += words[i];
    }
    return result;
}

std::vector<std::string> nearestWords(std::string_view word, const std::vector<std::string>& candidates,
                                      size_t count)
{
    std::vector<std::string> sorted = candidates;
    std::ranges::stable_sort(
        sorted, [&](const std::string& a, const std::string& b) { return likeness(word, a) < likeness(word, b); });
    sorted.resize(std::min(sorted.size(), count));
    return sorted;
}

DecodedCharacter decodeUtf8(std::string_view text)
{
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return {first, 1};
    const size_t length = first >= 0xf0 && first < 0xf5   ? 4
                          : first >= 0xe0                 ? 3
                          : first >= 0xc2 && first < 0xe0 ? 2
                                                          : 0;
    if (length == 0 || first >= 0xf5 || text.size() < length)
        return {};
    uint32_t value = first & (0xff >> (length + 1));
    for (size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80)
            return {};
        value = (value << 6) | (byte(i) & 0x3f);
    }
    constexpr std::array<uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    if (value < smallest[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
        return {};
    return {value, length};
}

bool isHarmful(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f
           || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

}
