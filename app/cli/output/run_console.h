// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/progress_line.h"
#include "core/run/compare.h"

#include <cstddef>
#include <vector>

namespace attnscope::cli {

/// Watches a run for the terminal: draws progress, says at once what could not be read or run, and keeps every figure as it
/// comes, so that an interrupted run loses nothing.
class RunConsole : public RunObserver {
public:
    RunConsole(ProgressLine& progress, std::size_t inputs, const RunRequest& request);

    void onInput(std::size_t input, const InputRecord& record) override;
    void onRun(std::size_t input, std::size_t run, RunStage stage, const RunRecord& record) override;
    void onView(std::size_t input, std::size_t run, std::size_t view, const RunRecord& record) override;
    void onUnreadable(const UnreadableInput& input) override;
    void onProgress(std::size_t input, std::size_t run, RunStage stage, const Progress& progress) override;

    const std::vector<InputRecord>& inputs() const { return m_inputs; }
    const std::vector<UnreadableInput>& unreadable() const { return m_unreadable; }

private:
    /// About how many passes a stage costs a backend; 0 where the request leaves it out.
    double costOf(RunStage stage) const;
    RunStage lastStage() const;
    /// Backend `run` is done with that fraction of `stage`, and with all stages before it.
    void reach(std::size_t run, RunStage stage, double fraction);

    ProgressLine& m_progress;
    const RunRequest& m_request;
    std::vector<double> m_reached;     ///< of each backend on the input under way, 0 to 1
    std::size_t m_finishedRuns = 0;  ///< backends that are through with it, or failed
    std::vector<InputRecord> m_inputs;
    std::vector<UnreadableInput> m_unreadable;
};

}  // namespace attnscope::cli
