#include "core/base/countdown.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

double Countdown::follow(double secondsLeft, Clock::time_point now)
{
    const auto seconds = [](Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double>(to - from).count();
    };
    if (!m_end) {
        m_begin = m_last = now;
        m_end = secondsLeft;
        return secondsLeft;
    }
    const double here = seconds(m_begin, now), estimate = here + secondsLeft;
    // Longer jobs are shown in minutes, and their estimates take longer to settle.
    const double settlingSeconds = std::clamp(0.05 * (*m_end - here), 3.0, 30.0);
    *m_end += (estimate - *m_end) * (1 - std::exp(-seconds(m_last, now) / settlingSeconds));
    m_last = now;
    return std::max(0.0, *m_end - here);
}

}
