// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/scale_worker.h"

#include <utility>

namespace attnscope::ui {

ScaleWorker::ScaleWorker(ScaleBackend backend, std::shared_ptr<MeasuringGate> gate, QObject* parent)
    : QObject(parent)
    , m_backend(std::move(backend))
    , m_thread(std::move(gate), MeasuringGate::Work::Laboratory)
{}

void ScaleWorker::scale(const ScaleRequest& request, std::int64_t threads)
{
    start(threads, [this, request](const ProgressCallback& progress, std::stop_token stop) -> WorkerThread::LastWord {
        const ScaleObserver grew = [this](const ScaleReport& report) { emit scaleGrew(std::make_shared<const ScaleReport>(report)); };
        const auto report = std::make_shared<const ScaleReport>(m_backend.scale(request, grew, progress, stop));
        return [this, report] { emit scaled(report); };
    });
}

void ScaleWorker::decode(const DecodeRequest& request, std::int64_t threads)
{
    start(threads, [this, request](const ProgressCallback& progress, std::stop_token stop) -> WorkerThread::LastWord {
        const DecodeObserver grew = [this](const DecodeReport& report) { emit decodeGrew(std::make_shared<const DecodeReport>(report)); };
        const auto report = std::make_shared<const DecodeReport>(m_backend.decode(request, grew, progress, stop));
        return [this, report] { emit decoded(report); };
    });
}

void ScaleWorker::approximate(const ApproximateJob& job, std::int64_t threads)
{
    start(threads, [this, job](const ProgressCallback& progress, std::stop_token stop) -> WorkerThread::LastWord {
        const auto report = std::make_shared<const ApproximateReport>(m_backend.approximate(job, progress, stop));
        return [this, report] { emit approximated(report); };
    });
}

void ScaleWorker::kernel(const KernelJob& job, std::int64_t threads)
{
    start(threads, [this, job](const ProgressCallback&, std::stop_token stop) -> WorkerThread::LastWord {
        const auto report = std::make_shared<const KernelReport>(m_backend.kernel(job, stop));
        return [this, report] { emit kernelPlotted(report); };
    });
}

void ScaleWorker::plan(const PlanJob& job, std::int64_t threads)
{
    start(threads, [this, job](const ProgressCallback& progress, std::stop_token stop) -> WorkerThread::LastWord {
        const auto report = std::make_shared<const PlanReport>(m_backend.plan(job, progress, stop));
        return [this, report] { emit planned(report); };
    });
}

void ScaleWorker::start(std::int64_t threads, Work work)
{
    const auto whole = [this, threads, work = std::move(work)](WorkerTurn& turn) {
        if (m_backend.setThreads)
            m_backend.setThreads(threads);
        ReportRate rate;
        const ProgressCallback progress = [&](const Progress& step) {
            if (rate.isDue())
                emit progressed(step);
            turn.restIfWanted();
        };
        return work(progress, turn.stop());
    };
    m_thread.start({whole, [this] { emit stopped(); }, [this](const QString& sentence) { emit failed(sentence); },
                    [this](bool resting) { emit restingChanged(resting); }});
}

}  // namespace attnscope::ui
