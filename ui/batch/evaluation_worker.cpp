#include "ui/batch/evaluation_worker.h"

#include <optional>
#include <utility>

namespace attnscope::ui {

/// Sends on what the evaluation tells, and rests between batches while something is measured.
class EvaluationWorker::Forwarder : public EvaluationObserver {
public:
    Forwarder(EvaluationWorker& job, quint64 ticket, WorkerTurn& turn)
        : m_job(job)
        , m_ticket(ticket)
        , m_turn(turn)
    {}

    /// Whatever ends the evaluation, what was done last is told.
    ~Forwarder() override
    {
        if (m_unsent)
            emit m_job.progressed(m_ticket, *m_unsent);
    }

    void onStart(std::int64_t evaluation, const EvaluationProgress& progress) override
    {
        emit m_job.started(m_ticket, evaluation, progress);
    }

    void onProgress(const EvaluationProgress& progress) override
    {
        m_unsent = progress;
        if (progress.done == progress.total || m_rate.isDue()) {
            emit m_job.progressed(m_ticket, progress);
            m_unsent.reset();
        }
        m_turn.restIfWanted();
    }

    void onMessage(const std::string& sentence) override { emit m_job.said(m_ticket, toQt(sentence)); }

    bool retriesWithoutSpace(const std::string& sentence) override
    {
        // It may take until tomorrow that somebody makes room: others have the machine until then.
        m_turn.finish();
        {
            std::unique_lock lock(m_job.m_spaceMutex);
            m_job.m_tryAgain = false;
            emit m_job.noSpace(m_ticket, toQt(sentence));
            m_job.m_spaceChanged.wait(lock, m_turn.stop(), [this] { return m_job.m_tryAgain; });
        }
        m_turn.comeBack();
        return !m_turn.isStopped();
    }

private:
    EvaluationWorker& m_job;
    quint64 m_ticket;
    WorkerTurn& m_turn;
    ReportRate m_rate;
    std::optional<EvaluationProgress> m_unsent;
};

EvaluationWorker::EvaluationWorker(EvaluationBackend backend, std::shared_ptr<MeasuringGate> gate, QObject* parent)
    : QObject(parent)
    , m_backend(std::move(backend))
    , m_gate(std::move(gate))
    , m_thread(m_gate, MeasuringGate::Work::Evaluating)
{}

EvaluationWorker::~EvaluationWorker()
{
    pause();
    m_checking.request_stop();
    m_checker.requestStop();
}

void EvaluationWorker::check(quint64 ticket, quint64 number, const EvaluationPlan& plan)
{
    m_checker.post(std::to_string(ticket), [this, ticket, number, plan] { onChecker(ticket, number, plan); });
}

void EvaluationWorker::start(quint64 ticket, const EvaluationPlan& plan, const std::string& command,
                             std::shared_ptr<const LabelledSet> data)
{
    m_thread.start({[=, this](WorkerTurn& turn) { return onWorker(ticket, plan, command, data, turn); },
                    [this, ticket] { emit stopped(ticket); },
                    [this, ticket](const QString& sentence) { emit failed(ticket, sentence); },
                    [this, ticket](bool resting) { emit restingChanged(ticket, resting); }});
}

void EvaluationWorker::tryAgain()
{
    {
        const std::scoped_lock lock(m_spaceMutex);
        m_tryAgain = true;
    }
    m_spaceChanged.notify_all();
}

std::shared_ptr<const OpenedModel> EvaluationWorker::opened(const ModelRequest& request)
{
    const std::scoped_lock lock(m_modelMutex);
    if (!m_model || m_modelRequest != request) {
        m_model.reset();  // two large models at a time may be one too many
        m_model = std::make_shared<const OpenedModel>(m_backend.open(request));
        m_modelRequest = request;
    }
    return m_model;
}

EvaluationRequest EvaluationWorker::requestOf(const EvaluationPlan& plan, const LabelledSet& data) const
{
    EvaluationRequest request;
    request.data = data;
    request.store = plan.store;
    request.resume = plan.resume;
    request.attention = plan.attention;
    request.seed = plan.seed;
    request.batch = plan.batch;
    request.limit = plan.limit;
    request.views = plan.views;
    if (!data.video)
        request.cache = plan.cache;
    request.cacheBytes = plan.cacheBytes;
    request.limits = plan.model.limits;
    if (m_backend.noteOrigin)
        m_backend.noteOrigin(request, plan.model);
    return request;
}

void EvaluationWorker::onChecker(quint64 ticket, quint64 number, const EvaluationPlan& plan)
{
    const std::stop_token stop = m_checking.get_token();
    if (stop.stop_requested())
        return;
    const auto look = [&] {
        // Its figures are seconds of forward passes: nobody measures meanwhile.
        const MeasuringGate::Turn turn(*m_gate, MeasuringGate::Work::Evaluating, stop);
        if (m_backend.setThreads)
            m_backend.setThreads(plan.threads);
        const auto model = opened(plan.model);
        auto check = std::make_shared<EvaluationCheck>();
        check->data = std::make_shared<const LabelledSet>(m_backend.scan(plan, *model));
        check->estimate = m_backend.estimate(*model, requestOf(plan, *check->data), stop);
        check->model = model->summary.name;
        check->device = model->device;
        check->features = m_backend.hasNoHead && m_backend.hasNoHead(*model);
        emit checked(ticket, number, check);
    };
    guarded(
        look, [&](const QString& sentence) { emit refused(ticket, number, sentence); }, [] {});
}

WorkerThread::LastWord EvaluationWorker::onWorker(quint64 ticket, const EvaluationPlan& plan,
                                                  const std::string& command,
                                                  std::shared_ptr<const LabelledSet> data, WorkerTurn& turn)
{
    if (m_backend.setThreads)
        m_backend.setThreads(plan.threads);
    const auto model = opened(plan.model);
    if (!data)
        data = std::make_shared<const LabelledSet>(m_backend.scan(plan, *model));
    EvaluationRequest request = requestOf(plan, *data);
    request.command = command;
    Forwarder forwarder(*this, ticket, turn);
    const std::int64_t evaluation = m_backend.evaluate(*model, request, forwarder, turn.stop());
    if (turn.isStopped())
        throw Cancelled();
    return [this, ticket, evaluation] { emit finished(ticket, evaluation); };
}

}
