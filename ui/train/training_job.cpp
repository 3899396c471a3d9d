// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/training_job.h"

#include "ui/style/qt_text.h"

#include "core/base/error.h"

#include <chrono>
#include <utility>

namespace attnscope::ui {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds fastestStep(100);

}  // namespace

/// Sends on what the training tells, and rests between steps while something is measured.
class TrainingJob::Forwarder : public TrainingObserver {
public:
    Forwarder(TrainingJob& job, MeasuringGate::Training& turn, std::stop_token stop)
        : m_job(job)
        , m_turn(turn)
        , m_stop(std::move(stop))
    {}

    void onStart(const TrainingStart& start) override { emit m_job.started(start); }

    void onHistory(const std::vector<EpochRecord>& epochs) override { emit m_job.historyKnown(epochs); }
    void onTeacher(const ValidationResult& teacher) override { emit m_job.teacherKnown(teacher); }

    void onStep(const TrainingStep& step) override
    {
        // The first of an epoch says that it began, the last that validation comes next.
        if (step.step == 1 || step.step == step.steps || isDue())
            emit m_job.stepped(step);
        restIfWanted();
    }

    void onValidation(const ValidationStep& step) override
    {
        if (step.done == step.total || isDue())
            emit m_job.validated(step);
        restIfWanted();
    }

    void onEpoch(const EpochRecord& epoch) override { emit m_job.epochDone(epoch); }
    void onDistillation(const DistillationState& before) override { emit m_job.distillationKnown(before); }
    void onMessage(const std::string& sentence) override { emit m_job.said(toQt(sentence)); }
    bool finishesEpochAndStops() override { return m_job.m_finishesEpoch; }

private:
    bool isDue()
    {
        const auto now = Clock::now();
        if (now - m_last < fastestStep)
            return false;
        m_last = now;
        return true;
    }

    void restIfWanted()
    {
        if (!m_turn.wanted() || m_stop.stop_requested())
            return;
        emit m_job.restingChanged(true);
        m_turn.rest(m_stop);
        emit m_job.restingChanged(false);
    }

    TrainingJob& m_job;
    MeasuringGate::Training& m_turn;
    std::stop_token m_stop;
    Clock::time_point m_last{};
};

TrainingJob::TrainingJob(TrainingTools tools, std::shared_ptr<MeasuringGate> gate, QObject* parent)
    : QObject(parent)
    , m_tools(std::move(tools))
    , m_gate(std::move(gate))
{
    qRegisterMetaType<TrainingStart>();
    qRegisterMetaType<TrainingStep>();
    qRegisterMetaType<std::vector<EpochRecord>>();
    qRegisterMetaType<ValidationResult>();
    qRegisterMetaType<ValidationStep>();
    qRegisterMetaType<EpochRecord>();
    qRegisterMetaType<DistillationState>();
    qRegisterMetaType<std::shared_ptr<const TrainingReport>>();
}

TrainingJob::~TrainingJob()
{
    pause();
}

void TrainingJob::start(const TrainRequest& request, std::int64_t threads)
{
    if (m_running)
        qFatal("a training run was started while another one is running");
    m_thread = {};  // joins the one before, which has said its last word
    m_finishesEpoch = false;
    m_running = true;
    m_thread = std::jthread(
        [this, request, threads](std::stop_token stop) { onThread(request, threads, std::move(stop)); });
}

void TrainingJob::pause()
{
    m_thread.request_stop();
}

void TrainingJob::onThread(const TrainRequest& request, std::int64_t threads, std::stop_token stop)
{
    std::shared_ptr<const TrainingReport> report;
    QString problem;
    try {
        const bool waits = m_gate->trainingWaits();
        if (waits)
            emit restingChanged(true);
        MeasuringGate::Training turn(*m_gate, stop);
        if (waits)
            emit restingChanged(false);
        if (stop.stop_requested())
            throw Cancelled();
        if (m_tools.setThreads)
            m_tools.setThreads(threads);
        Forwarder forwarder(*this, turn, stop);
        report = std::make_shared<const TrainingReport>(m_tools.train(request, forwarder, stop));
    } catch (const Cancelled&) {
        report = std::make_shared<const TrainingReport>();
    } catch (const std::exception& error) {
        problem = toQt(error.what());
    }
    m_running = false;
    if (report)
        emit ended(report);
    else
        emit failed(problem);
}

}  // namespace attnscope::ui
