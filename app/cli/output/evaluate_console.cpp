// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/evaluate_console.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace attnscope::cli {

namespace {

/// All of them are in the store and in the JSON: a terminal need not scroll by thousands.
constexpr std::int64_t mostSaid = 20;
constexpr auto spaceEvery = std::chrono::seconds(5);

std::string accuracies(const EvaluationProgress& progress)
{
    std::string text;
    for (const RunProgress& run : progress.runs)
        text += fmt::format("{}{:.1f}", text.empty() ? "" : " ", 100 * run.accuracy.top1());
    return text.empty() ? text : "top-1 " + text + " %";
}

std::string quantities(const EvaluationProgress& progress, Countdown& countdown)
{
    const PipelineLoad& load = progress.load;
    std::string text = fmt::format("{:.3g}/s · {} · queue {}/{}", load.samplesPerSecond, load.bottleneck,
                                   load.queued, load.queueSize);
    if (progress.secondsLeft && progress.done < progress.total)
        text += " · " + formatRemaining(countdown.follow(*progress.secondsLeft, Countdown::Clock::now())) + " left";
    return text;
}

}  // namespace

EvaluateConsole::EvaluateConsole(ProgressLine::Mode mode, bool resumes, std::stop_token stop)
    : m_line(mode)
    , m_resumes(resumes)
    , m_stop(std::move(stop))
{}

void EvaluateConsole::onStart(std::int64_t evaluation, const EvaluationProgress& progress)
{
    m_evaluation = evaluation;
    m_unreadable = progress.unreadable;
    m_line.start(progress.total, "samples");
    if (m_resumes)
        m_line.message(
            progress.done == progress.total ? fmt::format("all {} samples have already been evaluated.", progress.total)
            : progress.done > 0 ? fmt::format("resumes after {} of {} samples.", progress.done, progress.total)
                                : "nothing to resume; starting from the beginning.");
}

void EvaluateConsole::onProgress(const EvaluationProgress& progress)
{
    m_saidFull = false;
    m_line.reach(progress.done, quantities(progress, m_countdown));
    m_line.show(accuracies(progress));
}

void EvaluateConsole::onUnreadable(const UnreadableSample& sample)
{
    if (++m_unreadable <= mostSaid)
        m_line.message(printable(sample.path) + ": " + sample.reason);
    if (m_unreadable == mostSaid)
        m_line.message("more unreadable samples are listed at the end, in the JSON and in the store.");
}

bool EvaluateConsole::retriesWithoutSpace(const std::string& sentence)
{
    if (!m_saidFull)
        m_line.message(sentence + " Paused; it continues as soon as there is space. Ctrl-C stops it so that it can be resumed.");
    m_saidFull = true;
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, m_stop, spaceEvery, [] { return false; });
    return !m_stop.stop_requested();
}

void EvaluateConsole::finish()
{
    m_line.finish();
}

}  // namespace attnscope::cli
