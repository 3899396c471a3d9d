// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/checkpoint/state_dict.h"

#include <algorithm>

namespace attnscope {

/// A range of the source, read one window at a time.
class PickleReader {
public:
    PickleReader(const ByteSource& source, std::int64_t begin, std::int64_t end)
        : m_source(source)
        , m_windowStart(begin)
        , m_end(end)
    {}

    std::int64_t position() const { return m_windowStart + static_cast<std::int64_t>(m_next); }
    std::int64_t left() const { return m_end - position(); }

    std::uint8_t byte()
    {
        if (m_next == m_window.size())
            refill();
        return static_cast<std::uint8_t>(m_window[m_next++]);
    }

    std::uint64_t number(int bytes)
    {
        std::uint64_t value = 0;
        for (int i = 0; i < bytes; ++i)
            value |= static_cast<std::uint64_t>(byte()) << (8 * i);
        return value;
    }

    /// The caller must have checked `length` against left().
    void appendTo(std::string& text, std::size_t length)
    {
        while (length > 0) {
            if (m_next == m_window.size())
                refill();
            const std::size_t chunk = std::min(length, m_window.size() - m_next);
            text.append(reinterpret_cast<const char*>(m_window.data()) + m_next, chunk);
            m_next += chunk;
            length -= chunk;
        }
    }

private:
    void refill()
    {
        m_windowStart = position();
        m_next = 0;
        const std::int64_t size = std::min<std::int64_t>(m_end - m_windowStart, 65'536);
        m_window.resize(static_cast<std::size_t>(std::max<std::int64_t>(size, 0)));
        if (m_window.empty())
            throw FileError(m_source.name(), "its pickle is truncated", "it is damaged; copy or download it again");
        m_source.read(m_windowStart, m_window);
    }

    const ByteSource& m_source;
    std::int64_t m_windowStart;
    std::int64_t m_end;
    std::vector<std::byte> m_window;
    std::size_t m_next = 0;
};

}  // namespace attnscope
