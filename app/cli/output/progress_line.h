#pragma once

#include "core/base/countdown.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace attnscope::cli {

/// How far a job is, on standard error: one line that is drawn over on a terminal, else a line every 10 s.
/// The remaining time follows from the throughput of the last minute, or of the second half of the job where that is longer.
class ProgressLine {
public:
    enum class Mode { Automatic, Silent };

    explicit ProgressLine(Mode mode);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// `unit` is what is counted, in the plural: "inputs". Of a single step its percentage is shown; 0 steps: nobody knows how many.
    void start(int64_t steps, std::string unit);
    /// One step is done.
    void advance();
    /// So much of the step under way is done, 0 to 1.
    void within(double fraction);
    /// So many steps are done, counted elsewhere; `quantities` takes the place of rate and remaining time.
    void reach(int64_t done, std::string quantities);
    /// What is being done at this moment.
    void show(const std::string& what);
    /// A sentence on standard error that the line does not overwrite.
    void message(const std::string& sentence);
    /// Takes the line away.
    void finish();

private:
    using Clock = std::chrono::steady_clock;

    struct Mark {
        Clock::time_point time;
        double reached = 0;
    };

    std::string text(const std::string& what);
    std::string counts(Clock::time_point now);
    std::optional<double> secondsLeft(Clock::time_point now);
    double reached() const { return double(m_done) + m_fraction; }
    void mark();

    bool m_terminal = false, m_silent = false, m_drawn = false;
    int64_t m_steps = 0, m_done = 0;
    double m_fraction = 0;  // of the step under way
    std::string m_unit, m_quantities;
    Clock::time_point m_started, m_lastLine;
    std::deque<Mark> m_marks;
    Countdown m_countdown;
};

}
