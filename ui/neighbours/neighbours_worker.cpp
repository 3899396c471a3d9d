#include "ui/neighbours/neighbours_worker.h"

#include <algorithm>
#include <utility>

namespace attnscope::ui {

namespace {

constexpr std::size_t mostLookedAt = 240;

EvaluatedSamples samplesToLookAt(const LabelledSet& data)
{
    EvaluatedSamples samples{{}, data.classes};
    const std::size_t count = std::min(mostLookedAt, data.files.size());
    for (std::size_t i = 0; i < count; ++i)
        samples.files.push_back(data.files[i * data.files.size() / count]);
    return samples;
}

}

NeighboursWorker::NeighboursWorker(NeighboursBackend backend, std::shared_ptr<MeasuringGate> gate, QObject* parent)
    : QObject(parent)
    , m_backend(std::move(backend))
    , m_thread(std::move(gate), MeasuringGate::Work::Laboratory)
{}

void NeighboursWorker::search(const NeighbourQuestion& question, std::int64_t threads)
{
    const auto work = [this, question, threads](WorkerTurn& turn) -> WorkerThread::LastWord {
        if (m_backend.setThreads)
            m_backend.setThreads(threads);
        ReportRate rate;
        NeighbourCalls calls;
        calls.progress = [&](const Progress& step) {
            if (rate.isDue() || step.done == step.total)
                emit progressed(step);
            turn.restIfWanted();
        };
        calls.built = [this](const BuiltDatastore& datastore) {
            emit built(std::make_shared<const BuiltDatastore>(datastore));
        };
        calls.evaluating = [this](const LabelledSet& data) {
            emit evaluating(std::make_shared<const EvaluatedSamples>(samplesToLookAt(data)));
        };
        calls.stop = turn.stop();
        const auto report = std::make_shared<const NeighbourReport>(m_backend.search(question, calls));
        return [this, report] { emit found(report); };
    };
    m_thread.start({work, [this] { emit stopped(); }, [this](const QString& sentence) { emit failed(sentence); },
                    [this](bool resting) { emit restingChanged(resting); }});
}

}
