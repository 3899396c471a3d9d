// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/scale_bench.h"

#include <utility>

namespace attnscope::ui {

ScaleBench::ScaleBench(ScaleTools tools, std::shared_ptr<MeasuringGate> gate, QObject* parent)
    : QObject(parent)
    , m_tools(std::move(tools))
    , m_thread(std::move(gate), MeasuringGate::Work::Laboratory)
{}

void ScaleBench::scale(const ScaleRequest& request, std::int64_t threads)
{
    start(threads, [this, request](const ProgressCallback& progress, std::stop_token stop) -> JobThread::LastWord {
        const ScaleObserver grew = [this](const ScaleReport& report) { emit scaleGrew(std::make_shared<const ScaleReport>(report)); };
        const auto report = std::make_shared<const ScaleReport>(m_tools.scale(request, grew, progress, stop));
        return [this, report] { emit scaled(report); };
    });
}

void ScaleBench::approximate(const ApproximateJob& job, std::int64_t threads)
{
    start(threads, [this, job](const ProgressCallback& progress, std::stop_token stop) -> JobThread::LastWord {
        const auto report = std::make_shared<const ApproximateReport>(m_tools.approximate(job, progress, stop));
        return [this, report] { emit approximated(report); };
    });
}

void ScaleBench::plan(const PlanJob& job, std::int64_t threads)
{
    start(threads, [this, job](const ProgressCallback& progress, std::stop_token stop) -> JobThread::LastWord {
        const auto report = std::make_shared<const PlanReport>(m_tools.plan(job, progress, stop));
        return [this, report] { emit planned(report); };
    });
}

void ScaleBench::start(std::int64_t threads, Work work)
{
    JobThread::Job job;
    job.work = [this, threads, work = std::move(work)](JobTurn& turn) {
        if (m_tools.setThreads)
            m_tools.setThreads(threads);
        ReportRate rate;
        const ProgressCallback progress = [&](const Progress& step) {
            if (rate.isDue())
                emit progressed(step);
            turn.restIfWanted();
        };
        return work(progress, turn.stop());
    };
    job.cancelled = [this] { emit stopped(); };
    job.failed = [this](const QString& sentence) { emit failed(sentence); };
    job.resting = [this](bool resting) { emit restingChanged(resting); };
    m_thread.start(std::move(job));
}

}  // namespace attnscope::ui
