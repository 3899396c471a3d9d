// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/batch/evaluation_job.h"

#include "ui/style/qt_text.h"

#include "core/base/error.h"

#include <chrono>
#include <optional>
#include <utility>

namespace attnscope::ui {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds fastestProgress(100);

}  // namespace

/// Sends on what the evaluation tells, and rests between batches while something is measured.
class EvaluationJob::Forwarder : public EvaluationObserver {
public:
    Forwarder(EvaluationJob& job, quint64 ticket, MeasuringGate::Evaluating& turn, std::stop_token stop)
        : m_job(job)
        , m_ticket(ticket)
        , m_turn(turn)
        , m_stop(std::move(stop))
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
        const auto now = Clock::now();
        m_unsent = progress;
        if (progress.done == progress.total || now - m_last >= fastestProgress) {
            m_last = now;
            emit m_job.progressed(m_ticket, progress);
            m_unsent.reset();
        }
        if (!m_turn.wanted() || m_stop.stop_requested())
            return;
        emit m_job.restingChanged(m_ticket, true);
        m_turn.rest(m_stop);
        emit m_job.restingChanged(m_ticket, false);
    }

    void onMessage(const std::string& sentence) override { emit m_job.said(m_ticket, toQt(sentence)); }

    bool retriesWithoutSpace(const std::string& sentence) override
    {
        // It may take until tomorrow that somebody makes room: others have the machine until then.
        m_turn.leave();
        waitForSpace(sentence);
        const bool waits = m_job.m_gate->evaluatingWaits();
        if (waits)
            emit m_job.restingChanged(m_ticket, true);
        m_turn.comeBack(m_stop);
        if (waits)
            emit m_job.restingChanged(m_ticket, false);
        return !m_stop.stop_requested();
    }

private:
    void waitForSpace(const std::string& sentence)
    {
        std::unique_lock lock(m_job.m_spaceMutex);
        m_job.m_tryAgain = false;
        emit m_job.noSpace(m_ticket, toQt(sentence));
        m_job.m_spaceChanged.wait(lock, m_stop, [this] { return m_job.m_tryAgain; });
    }

    EvaluationJob& m_job;
    quint64 m_ticket;
    MeasuringGate::Evaluating& m_turn;
    std::stop_token m_stop;
    Clock::time_point m_last{};
    std::optional<EvaluationProgress> m_unsent;
};

EvaluationJob::EvaluationJob(EvaluationTools tools, std::shared_ptr<MeasuringGate> gate, QObject* parent)
    : QObject(parent)
    , m_tools(std::move(tools))
    , m_gate(std::move(gate))
{
    qRegisterMetaType<EvaluationProgress>();
    qRegisterMetaType<std::shared_ptr<const EvaluationCheck>>();
    m_checker = std::jthread([this](std::stop_token stop) { onCheckerLoop(std::move(stop)); });
}

EvaluationJob::~EvaluationJob()
{
    pause();
    m_checking.request_stop();
    m_checker.request_stop();
}

void EvaluationJob::check(quint64 ticket, quint64 number, const EvaluationPlan& plan)
{
    m_checks.post({std::to_string(ticket), [this, ticket, number, plan] { onChecker(ticket, number, plan); }});
}

void EvaluationJob::start(quint64 ticket, const EvaluationPlan& plan, const std::string& command,
                          std::shared_ptr<const LabelledSet> data)
{
    if (m_running)
        qFatal("an evaluation was started while another one is running");
    m_worker = {};  // joins the one before, which has said its last word
    m_running = true;
    m_worker = std::jthread([this, ticket, plan, command, data = std::move(data)](std::stop_token stop) mutable {
        onWorker(ticket, plan, command, std::move(data), std::move(stop));
    });
}

void EvaluationJob::pause()
{
    m_worker.request_stop();
}

void EvaluationJob::tryAgain()
{
    {
        const std::lock_guard lock(m_spaceMutex);
        m_tryAgain = true;
    }
    m_spaceChanged.notify_all();
}

void EvaluationJob::writeDemo(const std::string& folder)
{
    m_checks.post(
        {"demo", [this, folder] {
             try {
                 const std::string data = m_tools.writeDemo(
                     folder,
                     [this](const Progress& progress) { emit demoProgressed(progress.done, progress.total); },
                     m_checking.get_token());
                 emit demoReady(toQt(data));
             } catch (const std::exception& error) {
                 emit demoFailed(toQt(error.what()));
             }
         }});
}

void EvaluationJob::onCheckerLoop(std::stop_token stop)
{
    while (const auto request = m_checks.take(stop))
        request->onWorker();
}

std::shared_ptr<const OpenedModel> EvaluationJob::opened(const ModelRequest& request)
{
    const std::lock_guard lock(m_modelMutex);
    if (!m_model || m_modelRequest != request) {
        m_model.reset();  // two large models at a time may be one too many
        m_model = std::make_shared<const OpenedModel>(m_tools.open(request));
        m_modelRequest = request;
    }
    return m_model;
}

EvaluationRequest EvaluationJob::requestOf(const EvaluationPlan& plan, const LabelledSet& data) const
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
    if (m_tools.noteOrigin)
        m_tools.noteOrigin(request, plan.model);
    return request;
}

void EvaluationJob::onChecker(quint64 ticket, quint64 number, const EvaluationPlan& plan)
{
    const std::stop_token stop = m_checking.get_token();
    if (stop.stop_requested())
        return;
    try {
        // Its figures are seconds of forward passes: nobody measures meanwhile.
        const MeasuringGate::Evaluating turn(*m_gate, stop);
        if (m_tools.setThreads)
            m_tools.setThreads(plan.threads);
        const auto model = opened(plan.model);
        auto check = std::make_shared<EvaluationCheck>();
        check->data = std::make_shared<const LabelledSet>(m_tools.scan(plan, *model));
        check->estimate = m_tools.estimate(*model, requestOf(plan, *check->data), stop);
        check->model = model->summary.name;
        check->device = model->device;
        emit checked(ticket, number, check);
    } catch (const Cancelled&) {
    } catch (const std::exception& error) {
        emit refused(ticket, number, toQt(error.what()));
    }
}

void EvaluationJob::onWorker(quint64 ticket, const EvaluationPlan& plan, const std::string& command,
                             std::shared_ptr<const LabelledSet> data, std::stop_token stop)
{
    std::int64_t evaluation = 0;
    QString problem;
    bool cancelled = false;
    try {
        const bool waits = m_gate->evaluatingWaits();
        if (waits)
            emit restingChanged(ticket, true);
        MeasuringGate::Evaluating turn(*m_gate, stop);
        if (waits)
            emit restingChanged(ticket, false);
        if (stop.stop_requested())
            throw Cancelled();
        if (m_tools.setThreads)
            m_tools.setThreads(plan.threads);
        const auto model = opened(plan.model);
        if (!data)
            data = std::make_shared<const LabelledSet>(m_tools.scan(plan, *model));
        EvaluationRequest request = requestOf(plan, *data);
        request.command = command;
        Forwarder forwarder(*this, ticket, turn, stop);
        evaluation = m_tools.evaluate(*model, request, forwarder, stop);
        cancelled = stop.stop_requested();
    } catch (const Cancelled&) {
        cancelled = true;
    } catch (const std::exception& error) {
        problem = toQt(error.what());
    }
    m_running = false;
    if (!problem.isEmpty())
        emit failed(ticket, problem);
    else if (cancelled)
        emit stopped(ticket);
    else
        emit finished(ticket, evaluation);
}

}  // namespace attnscope::ui
