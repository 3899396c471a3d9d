// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/progress_line.h"
#include "core/run/compare.h"

#include <cstddef>
#include <vector>

namespace attnscope::cli {

/// Watches a run for the terminal: draws progress, says at once what could not be read or run, and keeps every figure as it
/// comes, so that an interrupted run loses nothing.
class RunConsole : public RunObserver {
public:
    /// `stages` is the number of stages that the request measures.
    RunConsole(ProgressLine& progress, std::size_t inputs, std::size_t stages);

    void onInput(std::size_t input, const InputRecord& record) override;
    void onRun(std::size_t input, std::size_t run, RunStage stage, const RunRecord& record) override;
    void onView(std::size_t input, std::size_t run, std::size_t view, const RunRecord& record) override;
    void onUnreadable(const UnreadableInput& input) override;
    void onProgress(std::size_t input, std::size_t run, RunStage stage, const Progress& progress) override;

    const std::vector<InputRecord>& inputs() const { return m_inputs; }
    const std::vector<UnreadableInput>& unreadable() const { return m_unreadable; }

private:
    ProgressLine& m_progress;
    std::size_t m_stages;
    std::size_t m_finishedCells = 0;
    std::vector<InputRecord> m_inputs;
    std::vector<UnreadableInput> m_unreadable;
};

}  // namespace attnscope::cli
