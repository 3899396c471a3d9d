// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>

namespace attnscope::cli {

/// How far a job is, on standard error: one line that is drawn over on a terminal, else a line every 10 s.
/// The remaining time is the median of the last 30 steps times the steps to go, said after three steps.
class ProgressLine {
public:
    enum class Mode { Automatic, Silent };

    explicit ProgressLine(Mode mode);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// `unit` is what is counted, in the plural: "inputs".
    void start(std::int64_t steps, std::string unit);
    /// One step is done.
    void advance();
    /// So many steps are done, counted elsewhere; `figures` takes the place of rate and remaining time.
    void reach(std::int64_t done, std::string figures);
    /// What is being done at this moment.
    void show(const std::string& what);
    /// A sentence on standard error that the line does not overwrite.
    void message(const std::string& sentence);
    void finish();

private:
    using Clock = std::chrono::steady_clock;

    std::string text(const std::string& what) const;
    double medianStep() const;
    void clear();

    bool m_terminal = false, m_silent = false, m_drawn = false;
    std::int64_t m_steps = 0, m_done = 0;
    std::string m_unit, m_figures;
    Clock::time_point m_started, m_lastStep, m_lastLine;
    std::deque<double> m_seconds;  // of the last steps
};

}  // namespace attnscope::cli
