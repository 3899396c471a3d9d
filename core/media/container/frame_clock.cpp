// SPDX-License-Identifier: Apache-2.0
#include "core/media/container/frame_clock.h"

#include <algorithm>
#include <limits>

namespace attnscope {

namespace {

/// Timestamps in hostile files can have any value.
std::int64_t saturatingAdd(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

}  // namespace

std::int64_t FrameClock::place(std::optional<std::int64_t> stated, std::int64_t length)
{
    std::int64_t at = 0;
    if (stated)
        at = *stated;
    else if (m_last)
        at = saturatingAdd(*m_last, m_lastLength);
    const bool backwards = m_last && at <= *m_last;
    if (backwards)
        at = saturatingAdd(*m_last, 1);
    m_moved = m_moved || backwards;
    m_last = at;
    m_lastLength = length > 0 ? length : m_ticks;
    return at;
}

void FrameClock::restart()
{
    m_last.reset();
    m_lastLength = 0;
    m_moved = false;
}

}  // namespace attnscope
