// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace attnscope {

/// The playback time in seconds, at a variable speed.
class PlayClock {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// Sets the playback time at `now`, from which it continues.
    void set(double played, Time now)
    {
        m_played = played;
        m_since = now;
    }
    double at(Time now) const { return m_played + std::chrono::duration<double>(now - m_since).count() * m_speed; }
    void setSpeed(double speed, Time now)
    {
        set(at(now), now);
        m_speed = speed;
    }
    double speed() const { return m_speed; }

private:
    double m_played = 0, m_speed = 1;
    Time m_since{};
};

}  // namespace attnscope
