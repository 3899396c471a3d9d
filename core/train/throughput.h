#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

namespace attnscope {

/// Time per step: the median of the last 30.
class Throughput {
public:
    explicit Throughput(int64_t samplesPerStep);

    /// A step has just ended; for `waited` seconds of it the network was idle.
    void add(double waited);
    /// Whoever was told of the last step has just returned; a pause there is no part of the training's time.
    void goOn();
    double samplesPerSecond() const;
    /// Fraction of the time for which the network waited.
    double waiting() const;
    /// Empty until three steps are done.
    std::optional<double> secondsFor(int64_t steps) const;
    /// Since the beginning, without pauses.
    double seconds() const;

private:
    using Clock = std::chrono::steady_clock;
    double median() const;

    int64_t m_samples;
    Clock::time_point m_begin = Clock::now(), m_last = m_begin;
    std::deque<double> m_steps;
    double m_waited = 0;
};

}
