#pragma once

#include <cstdint>
#include <optional>

namespace attnscope {

/// Gives every frame a time, strictly increasing: the one stated by the file if possible, else the time of the previous frame plus its
/// length. In ticks of the stream.
class FrameClock {
public:
    /// `ticks`: the length of a frame if the file does not state it.
    explicit FrameClock(int64_t ticks = 1)
        : m_ticks(ticks > 0 ? ticks : 1)
    {}

    /// `stated`: the time stated by the file, if any. `length`: of this frame; 0 if unknown.
    int64_t place(std::optional<int64_t> stated, int64_t length)
    {
        int64_t at = stated ? *stated : m_last ? sum(*m_last, m_lastLength) : 0;
        const bool backwards = m_last && at <= *m_last;
        if (backwards)
            at = sum(*m_last, 1);
        m_moved = m_moved || backwards;
        m_last = at;
        m_lastLength = length > 0 ? length : m_ticks;
        return at;
    }

    /// Whether any time had to be moved after that of the previous frame.
    bool moved() const { return m_moved; }

    /// Forgets previous frames, for use after a seek.
    void restart() { *this = FrameClock(m_ticks); }

private:
    /// Timestamps in hostile files can have any value.
    static int64_t sum(int64_t a, int64_t b)
    {
        int64_t sum = 0;
        return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
    }

    int64_t m_ticks;
    std::optional<int64_t> m_last;
    int64_t m_lastLength = 0;
    bool m_moved = false;
};

}
