#pragma once

#include <chrono>
#include <optional>

namespace attnscope {

/// The remaining time of a job as shown to people: it follows the noisy estimates smoothly, and counts down between two estimates.
class Countdown {
public:
    using Clock = std::chrono::steady_clock;

    /// Takes a new estimate of the remaining seconds and returns the seconds to show.
    double follow(double secondsLeft, Clock::time_point now);

private:
    std::optional<double> m_end;  ///< seconds since m_begin
    Clock::time_point m_begin, m_last;
};

}
