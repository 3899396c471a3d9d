// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output/progress_line.h"
#include "core/evaluate/evaluate.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

namespace attnscope::cli {

/// Watches an evaluation for the terminal: rate, queue, what limits it, time to go; unreadable samples as they
/// come. On a full disk it waits, and tries again every few seconds.
class EvaluateConsole : public EvaluationObserver {
public:
    EvaluateConsole(ProgressLine::Mode mode, bool resumes, std::stop_token stop);
    ~EvaluateConsole() override { m_line.finish(); }

    void onStart(std::int64_t evaluation, const EvaluationProgress& progress) override;
    void onProgress(const EvaluationProgress& progress) override;
    void onUnreadable(const UnreadableSample& sample) override;
    void onMessage(const std::string& sentence) override { m_line.message(sentence); }
    bool retriesWithoutSpace(const std::string& sentence) override;

    void finish();
    std::optional<std::int64_t> evaluation() const { return m_evaluation; }

private:
    ProgressLine m_line;
    bool m_resumes;
    std::stop_token m_stop;
    std::optional<std::int64_t> m_evaluation;
    std::int64_t m_unreadable = 0;
    bool m_saidFull = false;
    Countdown m_countdown;
};

}  // namespace attnscope::cli
