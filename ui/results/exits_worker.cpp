#include "ui/results/exits_worker.h"

#include <utility>

namespace attnscope::ui {

ExitsWorker::ExitsWorker(ExitsBackend backend, std::shared_ptr<MeasuringGate> gate, QObject* parent)
    : QObject(parent)
    , m_backend(std::move(backend))
    , m_thread(std::move(gate), MeasuringGate::Work::Laboratory)
{}

void ExitsWorker::start(const ExitsJob& job, std::int64_t threads)
{
    const auto work = [this, job, threads](WorkerTurn& turn) -> WorkerThread::LastWord {
        if (m_backend.setThreads)
            m_backend.setThreads(threads);
        ReportRate rate;
        const ProgressCallback progress = [&](const Progress& step) {
            if (rate.isDue())
                emit progressed(step);
            turn.restIfWanted();
        };
        const auto report = std::make_shared<const ExitReport>(m_backend.measure(job, progress, turn.stop()));
        return [this, report] { emit measured(report); };
    };
    m_thread.start({work, [this] { emit stopped(); }, [this](const QString& sentence) { emit failed(sentence); },
                    [this](bool resting) { emit restingChanged(resting); }});
}

}
