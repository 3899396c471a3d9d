#include "core/base/json_path.h"

#include "core/base/text.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>

namespace attnscope {

namespace {

/// Line breaks and indentation between values; inside strings JSON already escapes them.
bool isJsonSpace(uint32_t codePoint)
{
    return codePoint == '\n' || codePoint == '\r' || codePoint == '\t';
}

}

std::string jsonPath(std::string_view path)
{
    std::string text;
    text.reserve(path.size());
    while (!path.empty()) {
        const size_t length = decodeUtf8(path).length;
        if (length == 0) {
            std::array<char, 4> digits{};
            std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned char>(path.front()));
            text += '\0';
            text += digits.data();
        }
        text += path.substr(0, length);
        path.remove_prefix(length == 0 ? 1 : length);
    }
    return text;
}

std::string pathFromJson(std::string_view text)
{
    std::string path;
    path.reserve(text.size());
    while (!text.empty()) {
        unsigned byte = 0;
        const bool isZero = text.front() == '\0';
        const bool isEscape = isZero && text.size() >= 3
                              && std::from_chars(text.data() + 1, text.data() + 3, byte, 16).ptr == text.data() + 3
                              && byte >= 0x80;
        if (isZero && !isEscape)
            path += "\uFFFD";
        else
            path += isEscape ? char(byte) : text.front();
        text.remove_prefix(isEscape ? 3 : 1);
    }
    return path;
}

std::string printableJson(std::string_view json)
{
    std::string text;
    text.reserve(json.size());
    while (!json.empty()) {
        const auto [codePoint, found] = decodeUtf8(json);
        const size_t length = found == 0 ? 1 : found;
        if (found != 0 && isHarmful(codePoint) && !isJsonSpace(codePoint)) {
            // Every harmful character is in the basic multilingual plane: one escape is enough.
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\u%04x", unsigned(codePoint));
            text += escape.data();
        } else {
            text += json.substr(0, length);
        }
        json.remove_prefix(length);
    }
    return text;
}

}
