#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// `text` with control characters, line breaks, bidirectional overrides and invalid UTF-8 replaced by visible escapes (\n, \x1b, \u202e),
/// so that a file name or a header can't forge terminal output. For display: different texts may look alike, whereas JSON contains exact
/// paths (json_path.h).
std::string printable(std::string_view text);

/// Splits at every `separator`; n separators give n + 1 parts, empty ones included.
std::vector<std::string_view> split(std::string_view text, char separator);

std::string_view trim(std::string_view text);

/// Whether `text` starts with `prefix`, which is then removed.
bool takePrefix(std::string_view& text, std::string_view prefix);

/// "a, b or c".
std::string joinWords(const std::vector<std::string>& words, std::string_view last = "or");

/// The words with `separator` between them.
std::string joined(const std::vector<std::string>& words, std::string_view separator);

/// The member `name` of each.
template <typename Values>
std::vector<std::string> namesOf(const Values& values)
{
    std::vector<std::string> names;
    for (const auto& value : values)
        names.push_back(value.name);
    return names;
}

/// "3×224×224"; empty for no sizes.
std::string joinedSizes(std::span<const int64_t> sizes);

/// "1 layer", "2 layers"; "1 class", "2 classes" of counted(count, "class", "classes"). Without `plural` it is the noun and an s.
/// formatCounted (format.h) is the same with spaces between thousands.
std::string counted(int64_t count, std::string_view noun, std::string_view plural = {});

/// The noun alone: of one or of `count`, for numbers that are written otherwise.
std::string nounFor(int64_t count, std::string_view noun, std::string_view plural = {});

/// The candidates most similar to `word`, most similar first, at most `count`; for "did you mean". By edit distance to the candidate's
/// beginning, then to all of it: `deit_tny` is closer to deit_tiny_patch16_224 than to evit_tiny_p8.
std::vector<std::string> nearestWords(std::string_view word, const std::vector<std::string>& candidates,
                                      size_t count = 3);

/// The first character of a text: its code point and its length in bytes; length 0 if it is not valid UTF-8.
struct DecodedCharacter {
    uint32_t codePoint = 0;
    size_t length = 0;
};

/// `text` must not be empty. Overlong forms and surrogates are invalid.
DecodedCharacter decodeUtf8(std::string_view text);

/// Control characters and those that change the direction or the lines of a text (bidirectional overrides, U+2028, byte order mark).
bool isHarmful(uint32_t codePoint);

}
