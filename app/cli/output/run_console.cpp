// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/run_console.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace attnscope::cli {

namespace {

const char* toText(RunStage stage)
{
    switch (stage) {
    case RunStage::Predict:
        return "predict";
    case RunStage::Latency:
        return "latency";
    case RunStage::Memory:
        return "memory";
    case RunStage::Error:
        break;
    }
    return "error";
}

constexpr std::array allStages{RunStage::Predict, RunStage::Latency, RunStage::Memory, RunStage::Error};

}  // namespace

RunConsole::RunConsole(ProgressLine& progress, std::size_t inputs, const RunRequest& request)
    : m_progress(progress)
    , m_request(request)
{
    m_progress.start(static_cast<std::int64_t>(inputs), inputs == 1 ? "input" : "inputs");
}

void RunConsole::onInput(std::size_t input, const InputRecord& record)
{
    if (input >= m_inputs.size())
        m_inputs.resize(input + 1);
    m_inputs[input] = record;
    m_reached.assign(record.runs.size(), 0);
    m_finishedRuns = 0;
    m_progress.show(printable(record.path));
}

double RunConsole::costOf(RunStage stage) const
{
    constexpr double passesPerSecond = 50;  // a guess: only the part of the line that it is given depends on it
    switch (stage) {
    case RunStage::Predict:
        return 1;
    case RunStage::Latency:
        return m_request.latency ? 2 + std::max(static_cast<double>(m_request.minimumRepetitions), passesPerSecond * m_request.minimumSeconds) : 0;
    case RunStage::Memory:
        return m_request.memory ? 1 : 0;
    case RunStage::Error:
        break;
    }
    return m_request.error ? 3 * static_cast<double>(m_request.seeds) : 0;
}

RunStage RunConsole::lastStage() const
{
    return *std::find_if(allStages.rbegin(), allStages.rend(), [this](RunStage stage) { return costOf(stage) > 0; });
}

void RunConsole::reach(std::size_t run, RunStage stage, double fraction)
{
    double before = 0, all = 0;
    for (const RunStage one : allStages) {
        before += one < stage ? costOf(one) : 0;
        all += costOf(one);
    }
    m_reached.at(run) = (before + fraction * costOf(stage)) / all;
    m_progress.within(std::accumulate(m_reached.begin(), m_reached.end(), 0.0) / static_cast<double>(m_reached.size()));
}

void RunConsole::onRun(std::size_t input, std::size_t run, RunStage stage, const RunRecord& record)
{
    RunRecord& kept = m_inputs.at(input).runs.at(run);
    const bool failedNow = !record.failure.empty() && kept.failure.empty();
    kept = record;
    const bool isOver = failedNow || (record.failure.empty() && stage == lastStage());
    reach(run, isOver ? allStages.back() : stage, 1);
    if (failedNow)
        m_progress.message(printable(m_inputs[input].path) + ": " + record.failure);
    if (isOver && ++m_finishedRuns == m_reached.size())
        m_progress.advance();
}

void RunConsole::onView(std::size_t input, std::size_t run, std::size_t, const RunRecord& record)
{
    m_inputs.at(input).runs.at(run) = record;
}

void RunConsole::onUnreadable(const UnreadableInput& input)
{
    m_unreadable.push_back(input);
    m_progress.message(printable(input.path) + ": " + input.reason);
    m_progress.advance();
}

void RunConsole::onProgress(std::size_t input, std::size_t run, RunStage stage, const Progress& progress)
{
    // A backend that failed may still be announced for the round in which it did.
    if (progress.total > 0 && m_inputs.at(input).runs.at(run).failure.empty())
        reach(run, stage, static_cast<double>(progress.done) / static_cast<double>(progress.total));
    std::string what = printable(m_inputs.at(input).path) + " · " + progress.what + " · " + toText(stage);
    if (progress.total > 1)
        what += " " + std::to_string(progress.done) + "/" + std::to_string(progress.total);
    m_progress.show(what);
}

}  // namespace attnscope::cli
