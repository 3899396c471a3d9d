// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_console.h"

#include "core/base/text.h"

#include <algorithm>

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

}  // namespace

RunConsole::RunConsole(ProgressLine& progress, std::size_t inputs, std::size_t stages)
    : m_progress(progress)
    , m_stages(stages)
{
    m_progress.start(static_cast<std::int64_t>(inputs), inputs == 1 ? "input" : "inputs");
}

void RunConsole::onInput(std::size_t input, const InputRecord& record)
{
    if (input >= m_inputs.size())
        m_inputs.resize(input + 1);
    m_inputs[input] = record;
    m_finishedCells = 0;
    m_progress.show(printable(record.path));
}

void RunConsole::onRun(std::size_t input, std::size_t run, RunStage, const RunRecord& record)
{
    RunRecord& kept = m_inputs.at(input).runs.at(run);
    const bool failedNow = !record.failure.empty() && kept.failure.empty();
    const std::size_t backends = m_inputs[input].runs.size();
    kept = record;
    ++m_finishedCells;
    if (failedNow) {
        m_progress.message(printable(m_inputs[input].path) + ": " + record.failure);
        m_finishedCells = std::min(m_finishedCells + m_stages - 1, backends * m_stages);
    }
    if (m_finishedCells >= backends * m_stages)
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

void RunConsole::onProgress(std::size_t input, std::size_t, RunStage stage, const Progress& progress)
{
    std::string what = printable(m_inputs.at(input).path) + " · " + progress.what + " · " + toText(stage);
    if (progress.total > 1)
        what += " " + std::to_string(progress.done) + "/" + std::to_string(progress.total);
    m_progress.show(what);
}

}  // namespace attnscope::cli
