// SPDX-License-Identifier: Apache-2.0
#include "app/cli/progress_line.h"

#include "app/cli/console.h"
#include "app/cli/table_output.h"
#include "core/base/format.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <vector>

namespace attnscope::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto redrawInterval = 100ms;  // on a terminal
constexpr auto lineInterval = 10s;      // elsewhere
constexpr std::size_t keptSteps = 30;

double secondsBetween(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to)
{
    return std::chrono::duration<double>(to - from).count();
}

std::string bar(std::int64_t done, std::int64_t total)
{
    constexpr int cells = 20;
    const int full = total > 0 ? static_cast<int>(cells * done / total) : 0;
    return "[" + std::string(static_cast<std::size_t>(full), '#')
           + std::string(static_cast<std::size_t>(cells - full), '.') + "]";
}

/// At most `columns` characters: cut between UTF-8 sequences.
std::string cut(std::string text, std::size_t columns)
{
    while (displayWidth(text) > columns) {
        while (!text.empty() && (text.back() & 0xc0) == 0x80)
            text.pop_back();
        if (!text.empty())
            text.pop_back();
    }
    return text;
}

}  // namespace

ProgressLine::ProgressLine(Mode mode)
    : m_terminal(isTerminal(STDERR_FILENO))
    , m_silent(mode == Mode::Silent)
{
    start(0, "steps");
}

ProgressLine::~ProgressLine()
{
    clear();
}

void ProgressLine::start(std::int64_t steps, std::string unit)
{
    m_steps = steps;
    m_done = 0;
    m_unit = std::move(unit);
    m_figures.clear();
    m_seconds.clear();
    m_started = m_lastStep = m_lastLine = Clock::now();
}

void ProgressLine::reach(std::int64_t done, std::string figures)
{
    m_done = done;
    m_figures = std::move(figures);
}

void ProgressLine::advance()
{
    const auto now = Clock::now();
    m_seconds.push_back(secondsBetween(m_lastStep, now));
    if (m_seconds.size() > keptSteps)
        m_seconds.pop_front();
    m_lastStep = now;
    ++m_done;
}

double ProgressLine::medianStep() const
{
    std::vector<double> sorted(m_seconds.begin(), m_seconds.end());
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                     sorted.end());
    return sorted[sorted.size() / 2];
}

std::string ProgressLine::text(const std::string& what) const
{
    std::string line = fmt::format("{}/{} {}", m_done, m_steps, m_unit);
    if (!m_figures.empty())
        return line + " · " + m_figures + (what.empty() ? "" : " · " + what);
    const double elapsed = secondsBetween(m_started, Clock::now());
    if (m_done > 0 && elapsed > 0)
        line += fmt::format(" · {:.3g}/s", static_cast<double>(m_done) / elapsed);
    if (m_seconds.size() >= 3 && m_done < m_steps)
        line += " · " + formatRemaining(medianStep() * static_cast<double>(m_steps - m_done)) + " left";
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
        const auto columns = static_cast<std::size_t>(std::max(20, terminalColumns() - 1));
        writeError("\r\x1b[K" + cut(bar(m_done, m_steps) + " " + text(what), columns));
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
    clear();
    writeMessage(sentence);
}

void ProgressLine::finish()
{
    clear();
}

void ProgressLine::clear()
{
    if (m_drawn)
        writeError("\r\x1b[K");
    m_drawn = false;
}

}  // namespace attnscope::cli
