#include "ui/scale/scale_worker.h"

#include <type_traits>
#include <utility>

namespace attnscope::ui {

ScaleWorker::ScaleWorker(ScaleBackend backend, std::shared_ptr<MeasuringGate> gate, QObject* parent)
    : QObject(parent)
    , m_backend(std::move(backend))
    , m_thread(std::move(gate), MeasuringGate::Work::Laboratory)
{}

ScaleResult ScaleWorker::onWorkerMeasured(const ScaleQuestion& question, const ProgressCallback& progress,
                                          const std::stop_token& stop)
{
    const auto shared = []<typename Report>(const Report& report) {
        return ScaleResult(std::make_shared<const Report>(report));
    };
    const auto grow = [&](const auto& report) { emit grew(shared(report)); };
    return std::visit(
        [&]<typename Request>(const Request& request) {
            if constexpr (std::is_same_v<Request, ScaleRequest>)
                return shared(m_backend.scale(request, grow, progress, stop));
            else if constexpr (std::is_same_v<Request, DecodeRequest>)
                return shared(m_backend.decode(request, grow, progress, stop));
            else if constexpr (std::is_same_v<Request, ApproximateJob>)
                return shared(m_backend.approximate(request, progress, stop));
            else if constexpr (std::is_same_v<Request, KernelJob>)
                return shared(m_backend.kernel(request, stop));
            else
                return shared(m_backend.plan(request, progress, stop));
        },
        question);
}

void ScaleWorker::measure(const ScaleQuestion& question, std::int64_t threads)
{
    const auto work = [this, question, threads](WorkerTurn& turn) -> WorkerThread::LastWord {
        if (m_backend.setThreads)
            m_backend.setThreads(threads);
        ReportRate rate;
        const ProgressCallback progress = [&](const Progress& step) {
            if (rate.isDue())
                emit progressed(step);
            turn.restIfWanted();
        };
        return [this, result = onWorkerMeasured(question, progress, turn.stop())] { emit measured(result); };
    };
    m_thread.start({work, [this] { emit stopped(); }, [this](const QString& sentence) { emit failed(sentence); },
                    [this](bool resting) { emit restingChanged(resting); }});
}

}
