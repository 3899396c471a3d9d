// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace attnscope {

/// The first character of a text: its code point and its length in bytes; length 0 if it is not valid UTF-8.
struct DecodedCharacter {
    std::uint32_t codePoint = 0;
    std::size_t length = 0;
};

/// `text` must not be empty. Overlong forms and surrogates are invalid.
DecodedCharacter decodeUtf8(std::string_view text);

/// Control characters and those that change the direction or the lines of a text (bidirectional overrides, U+2028, byte order mark).
bool isHarmful(std::uint32_t codePoint);

}  // namespace attnscope
