#include "ui/layers/layers_worker.h"

#include "ui/engine/view_frames.h"
#include "ui/engine/worker_thread.h"

namespace attnscope::ui {

constexpr int frameSide = 224;  // maps lie over them

LayersWorker::LayersWorker(Engine& engine, std::shared_ptr<LayersBackend> layersBackend)
    : m_engine(engine)
    , m_backend(std::move(layersBackend))
{}

quint64 LayersWorker::inspect(const LayerQuestion& question)
{
    const bool errors = question.request.errors;
    m_maps.request_stop();
    if (errors)
        m_errors.request_stop();
    std::stop_source& source = errors ? m_errors : m_maps;
    source = std::stop_source();
    const quint64 ticket = m_nextTicket++;
    m_engine.post(errors ? "layers" : "layer-maps",
                  [self = shared_from_this(), ticket, question, stop = source.get_token()] {
                      self->onWorkerTurn(ticket, stop, [&] { self->onWorker(ticket, question, stop); });
                  });
    return ticket;
}

quint64 LayersWorker::decompose(const LayerQuestion& question)
{
    m_terms.request_stop();
    m_terms = std::stop_source();
    const quint64 ticket = m_nextTicket++;
    m_engine.post("layer-terms", [self = shared_from_this(), ticket, question, stop = m_terms.get_token()] {
        self->onWorkerTurn(ticket, stop, [&] {
            const LogitTermRequest request{question.request.query, question.request.seed};
            emit self->decomposed(ticket, std::make_shared<const LogitTermReport>(self->m_backend->decompose(
                                              self->onWorkerSubject(ticket, question, stop), request, stop)));
        });
    });
    return ticket;
}

quint64 LayersWorker::rank(const LayerQuestion& question, std::shared_ptr<const LeaderboardReport> earlier)
{
    m_ranking.request_stop();
    m_ranking = std::stop_source();
    const quint64 ticket = m_nextTicket++;
    m_engine.post("leaderboard", [self = shared_from_this(), ticket, question, earlier = std::move(earlier),
                                  stop = m_ranking.get_token()] {
        self->onWorkerTurn(ticket, stop, [&] { self->onWorkerRank(ticket, question, earlier.get(), stop); });
    });
    return ticket;
}

void LayersWorker::onWorkerRank(quint64 ticket, const LayerQuestion& question, const LeaderboardReport* earlier,
                                const std::stop_token& stop)
{
    LeaderboardCalls calls{.earlier = earlier, .stop = stop};
    calls.progress = [this, ticket](const Progress& progress) { emit progressed(ticket, progress); };
    calls.measured = [this, ticket, rate = ReportRate()](const LeaderboardReport& soFar) mutable {
        if (rate.isDue() || soFar.rows.size() == 1)
            emit ranked(ticket, std::make_shared<const LeaderboardReport>(soFar));
    };
    const LeaderboardRequest request{.seed = question.request.seed, .seeds = question.request.seeds};
    const LeaderboardReport report = m_backend->rank(onWorkerSubject(ticket, question, stop), request, calls);
    emit ranked(ticket, std::make_shared<const LeaderboardReport>(report));
    emit rankingFinished(ticket);
}

void LayersWorker::stop()
{
    for (std::stop_source* source : {&m_errors, &m_maps, &m_terms, &m_ranking})
        source->request_stop();
}

void LayersWorker::onWorkerTurn(quint64 ticket, const std::stop_token& stop, const std::function<void()>& work)
{
    const auto alone = [&] {
        if (stop.stop_requested())
            throw Cancelled();
        if (m_engine.gate()->waits(MeasuringGate::Work::Measuring))
            emit waits(ticket);
        // Times nothing itself, but whoever does would time it, too.
        const MeasuringGate::Turn turn(*m_engine.gate(), MeasuringGate::Work::Measuring, stop);
        if (stop.stop_requested())
            throw Cancelled();
        work();
    };
    guarded(
        alone, [&](const QString& sentence) { emit failed(ticket, sentence); }, [&] { emit cancelled(ticket); });
}

void LayersWorker::onWorker(quint64 ticket, const LayerQuestion& question, const std::stop_token& stop)
{
    InspectionCalls calls;
    calls.progress = [this, ticket, rate = ReportRate(), what = std::string()](const Progress& progress) mutable {
        const bool due = rate.isDue();
        if (due || progress.what != what)
            emit progressed(ticket, progress);
        what = progress.what;
    };
    calls.stop = stop;
    calls.inspected = [this, ticket](const LayerInspection& sofar) {
        emit advanced(ticket, std::make_shared<const LayerInspection>(sofar));
    };
    emit finished(ticket,
                  std::make_shared<const LayerInspection>(m_backend->inspect(
                      question.subject, onWorkerSubject(ticket, question, stop), question.request, calls)));
}

LabSubject LayersWorker::onWorkerSubject(quint64 ticket, const LayerQuestion& question,
                                         const std::stop_token& stop)
{
    if (question.dump)
        return TensorFile{
            .file = fromQt(question.input.path), .device = question.model.device, .limits = question.model.limits};
    const auto model = m_engine.onWorkerOpened(question.model, question.threads);
    const InputSource source = watchViews(
        m_engine.onWorkerInput(question.input, question.model.limits, question.views, stop),
        [this, ticket, transform = model->transform](std::size_t, const FloatArray& values) {
            emit framesDecoded(ticket, smallFrames(values, transform, frameSide));
        });
    return NetworkInputs{model->classifier, {source}};
}

void LayersWorker::writeTensors(std::shared_ptr<const LayerInspection> inspection, const QString& path)
{
    m_engine.postFiles({}, [self = shared_from_this(), inspection = std::move(inspection), path] {
        QString problem;
        guarded([&] { writeMaps(*inspection, fromQt(path)); },
                [&](const QString& sentence) { problem = sentence; });
        emit self->written(path, problem);
    });
}

}
