#include "ui/train/training_worker.h"

#include "ui/style/qt_text.h"

#include <utility>

namespace attnscope::ui {

/// Sends on what the training tells, and rests between steps while something is measured.
class TrainingWorker::Forwarder : public TrainingObserver {
public:
    Forwarder(TrainingWorker& job, WorkerTurn& turn)
        : m_job(job)
        , m_turn(turn)
    {}

    void onStart(const TrainingStart& start) override { emit m_job.started(start); }

    void onHistory(const std::vector<EpochRecord>& epochs) override { emit m_job.historyKnown(epochs); }
    void onTeacher(const ValidationResult& teacher) override { emit m_job.teacherKnown(teacher); }

    void onStep(const TrainingStep& step) override
    {
        // The first of an epoch says that it began, the last that validation comes next.
        if (step.step == 1 || step.step == step.steps || m_rate.isDue())
            emit m_job.stepped(step);
        rest();
    }

    void onValidation(const ValidationStep& step) override
    {
        if (step.done == step.total || m_rate.isDue())
            emit m_job.validated(step);
        rest();
    }

    void onEpoch(const EpochRecord& epoch) override { emit m_job.epochDone(epoch); }
    void onDistillation(const DistillationState& before) override { emit m_job.distillationKnown(before); }
    void onMessage(const std::string& sentence) override { emit m_job.said(toQt(sentence)); }
    bool finishesEpochAndStops() override { return m_job.m_finishesEpoch; }

private:
    void rest()
    {
        m_turn.restIfWanted();
        std::unique_lock lock(m_job.m_holdMutex);
        if (!m_job.m_held)
            return;
        m_turn.finish();  // others have the machine meanwhile
        m_job.m_holdChanged.wait(lock, m_turn.stop(), [this] { return !m_job.m_held; });
        lock.unlock();
        m_turn.comeBack();
    }

    TrainingWorker& m_job;
    WorkerTurn& m_turn;
    ReportRate m_rate;
};

TrainingWorker::TrainingWorker(TrainingBackend backend, std::shared_ptr<MeasuringGate> gate, QObject* parent)
    : QObject(parent)
    , m_backend(std::move(backend))
    , m_thread(std::move(gate), MeasuringGate::Work::Training)
{}

void TrainingWorker::start(const TrainRequest& request, std::int64_t threads)
{
    m_finishesEpoch = false;
    hold(false);
    const auto work = [this, request, threads](WorkerTurn& turn) -> WorkerThread::LastWord {
        if (m_backend.setThreads)
            m_backend.setThreads(threads);
        Forwarder forwarder(*this, turn);
        const auto report = std::make_shared<const TrainingReport>(
            m_backend.train(request, forwarder, turn.stop()));
        return [this, report] { emit ended(report); };
    };
    m_thread.start({work, [this] { emit ended(std::make_shared<const TrainingReport>()); },
                    [this](const QString& sentence) { emit failed(sentence); },
                    [this](bool resting) { emit restingChanged(resting); }});
}

void TrainingWorker::hold(bool held)
{
    {
        const std::scoped_lock lock(m_holdMutex);
        m_held = held;
    }
    m_holdChanged.notify_all();
}

}
