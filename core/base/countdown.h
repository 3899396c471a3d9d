// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>

namespace attnscope {

/// What is left of a job as people are told it: estimates of the moment scatter, and what is said follows them slowly. Between two
/// estimates it counts down.
class Countdown {
public:
    using Clock = std::chrono::steady_clock;

    /// A new estimate of the seconds that are left → the seconds to say.
    double follow(double secondsLeft, Clock::time_point now);

private:
    std::optional<double> m_end;  ///< seconds since m_begin
    Clock::time_point m_begin, m_last;
};

}  // namespace attnscope
