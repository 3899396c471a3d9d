// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace attnscope {

/// Gives every frame a time, and times that grow: what a file says where that is possible, else the time of the
/// frame before plus its length. In ticks of the stream.
class FrameClock {
public:
    /// `ticks`: the length of a frame of which the file does not say it.
    explicit FrameClock(std::int64_t ticks = 1)
        : m_ticks(ticks > 0 ? ticks : 1)
    {}

    /// `stated`: what the file says, if it does. `length`: of this frame; 0 where not said.
    std::int64_t place(std::optional<std::int64_t> stated, std::int64_t length);

    /// Whether any time had to be moved behind that of the frame before.
    bool moved() const { return m_moved; }

    /// Forgets the frames before, as after a jump.
    void restart();

private:
    std::int64_t m_ticks;
    std::optional<std::int64_t> m_last;
    std::int64_t m_lastLength = 0;
    bool m_moved = false;
};

}  // namespace attnscope
