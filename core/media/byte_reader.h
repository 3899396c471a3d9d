// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace attnscope {

/// Numbers and texts at places of a byte string; empty or false outside of it.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::uint8_t> bytes)
        : m_bytes(bytes)
    {
    }

    std::optional<std::uint64_t> big(std::size_t at, int bytes) const { return number(at, bytes, true); }
    std::optional<std::uint64_t> little(std::size_t at, int bytes) const { return number(at, bytes, false); }

    bool startsWith(std::size_t at, std::string_view text) const
    {
        if (at > m_bytes.size() || text.size() > m_bytes.size() - at)
            return false;
        for (std::size_t i = 0; i < text.size(); ++i)
            if (m_bytes[at + i] != static_cast<std::uint8_t>(text[i]))
                return false;
        return true;
    }

private:
    std::optional<std::uint64_t> number(std::size_t at, int bytes, bool bigEndian) const
    {
        const auto count = static_cast<std::size_t>(bytes);
        if (at > m_bytes.size() || count > m_bytes.size() - at)
            return std::nullopt;
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < count; ++i)
            value = (value << 8) | m_bytes[at + (bigEndian ? i : count - 1 - i)];
        return value;
    }

    std::span<const std::uint8_t> m_bytes;
};

}  // namespace attnscope
