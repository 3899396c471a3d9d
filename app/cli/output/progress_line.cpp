#include "app/cli/output/progress_line.h"

#include "app/cli/output/console.h"
#include "app/cli/output/table_output.h"
#include "core/base/format.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>

namespace attnscope::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto redrawInterval = 100ms;    // on a terminal
constexpr auto lineInterval = 10s;        // elsewhere
constexpr double throughputSeconds = 60;  // over which the throughput is taken, at least
constexpr double minSeconds = 1;          // before an end is foretold

double secondsBetween(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to)
{
    return std::chrono::duration<double>(to - from).count();
}

std::string bar(double part)
{
    constexpr int cells = 20;
    const int full = int(cells * std::clamp(part, 0.0, 1.0));
    return "[" + std::string(size_t(full), '#') + std::string(size_t(cells - full), '.') + "] ";
}

/// At most `columns` characters: cut between UTF-8 sequences.
std::string cut(std::string text, size_t columns)
{
    while (displayWidth(text) > columns) {
        while (!text.empty() && (text.back() & 0xc0) == 0x80)
            text.pop_back();
        if (!text.empty())
            text.pop_back();
    }
    return text;
}

}

ProgressLine::ProgressLine(Mode mode)
    : m_terminal(isTerminal(STDERR_FILENO))
    , m_silent(mode == Mode::Silent)
{
    start(0, "");
}

ProgressLine::~ProgressLine()
{
    finish();
}

void ProgressLine::start(int64_t steps, std::string unit)
{
    m_steps = steps;
    m_done = 0;
    m_fraction = 0;
    m_unit = std::move(unit);
    m_quantities.clear();
    m_started = m_lastLine = Clock::now();
    m_marks = {{m_started, 0}};
    m_countdown = {};
}

void ProgressLine::reach(int64_t done, std::string quantities)
{
    m_done = done;
    m_quantities = std::move(quantities);
}

void ProgressLine::advance()
{
    ++m_done;
    m_fraction = 0;
    mark();
}

void ProgressLine::within(double fraction)
{
    m_fraction = std::clamp(fraction, 0.0, 1.0);
    mark();
}

void ProgressLine::mark()
{
    const auto now = Clock::now();
    if (now - m_marks.back().time < redrawInterval)
        return;
    m_marks.push_back({now, reached()});
    const double kept = std::max(throughputSeconds, secondsBetween(m_started, now) / 2);
    while (m_marks.size() > 2 && secondsBetween(m_marks[1].time, now) > kept)
        m_marks.pop_front();
}

/// Empty until there is something to go by.
std::optional<double> ProgressLine::secondsLeft(Clock::time_point now)
{
    const double left = double(m_steps) - reached(), made = reached() - m_marks.front().reached;
    const double spent = secondsBetween(m_marks.front().time, now);
    if (left <= 0 || made <= 0 || spent < minSeconds)
        return std::nullopt;
    return m_countdown.follow(spent / made * left, now);
}

/// "3/10 inputs · 0.8/s · about 9 s left"; "43 % · about 9 s left" of a single step.
std::string ProgressLine::counts(Clock::time_point now)
{
    std::string text = m_steps == 1 ? fmt::format("{:.0f} %", 100 * std::min(reached(), 1.0))
                                    : fmt::format("{}/{} {}", m_done, m_steps, m_unit);
    if (!m_quantities.empty())
        return text + " · " + m_quantities;
    const double elapsed = secondsBetween(m_started, now);
    if (m_steps > 1 && m_done > 0 && elapsed > 0)
        text += fmt::format(" · {:.3g}/s", double(m_done) / elapsed);
    if (const auto seconds = secondsLeft(now))
        text += " · " + formatRemaining(*seconds) + " left";
    return text;
}

std::string ProgressLine::text(const std::string& what)
{
    if (m_steps == 0)
        return what;
    const std::string line = counts(Clock::now());
    return what.empty() ? line : line + " · " + what;
}

void ProgressLine::show(const std::string& what)
{
    if (m_silent)
        return;
    const auto now = Clock::now();
    if (m_terminal) {
        if (m_drawn && now - m_lastLine < redrawInterval)
            return;
        const auto columns = size_t(std::max(20, terminalColumns() - 1));
        const std::string full = m_steps == 0 ? "" : bar(reached() / double(m_steps));
        writeError("\r\x1b[K" + cut(full + text(what), columns));
        m_drawn = true;
    } else {
        if (now - m_lastLine < lineInterval)
            return;
        writeError(text(what) + "\n");
    }
    m_lastLine = now;
}

void ProgressLine::message(const std::string& sentence)
{
    finish();
    writeMessage(sentence);
}

void ProgressLine::finish()
{
    if (m_drawn)
        writeError("\r\x1b[K");
    m_drawn = false;
}

}
