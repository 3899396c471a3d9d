#pragma once

#include "ui/charts/train_curves.h"
#include "ui/train/epochs_model.h"
#include "ui/train/training_task.h"
#include "ui/workspace/session.h"

#include <atomic>
#include <optional>

namespace attnscope::ui {

/// One training as the window knows it: what was asked for, how far it is, what came of it. No widget in here.
class TrainSession : public Session {
    Q_OBJECT
public:
    /// `store`: the results store that keeps the trainings; empty: none.
    TrainSession(Workspace& workspace, const TrainingBackend& backend, const QString& store,
                 QObject* parent = nullptr);

    enum class State {
        Idle,     ///< nothing was trained yet
        Loading,  ///< begun, before the first step
        Training,
        Validating,
        Resting,  ///< between two steps, while something is measured
        Held,     ///< between two steps, until `resume`; nothing is lost
        Pausing,  ///< stops after the step under way
        Paused,   ///< stopped; `resume` goes on after the last epoch
        Finished,
        Failed,  ///< ended by an error; what was written stays
    };
    State state() const { return m_state; }
    bool isRunning() const override { return m_state >= State::Loading && m_state <= State::Pausing; }
    bool canResume() const { return isHeld() || m_state == State::Paused || m_state == State::Failed; }
    bool isHeld() const { return m_state == State::Held; }

    /// Looks into a folder: `folderKnown` or `folderRefused`, unless another one is asked about meanwhile.
    void look(const QString& folder, const QString& layout, const QString& validation);

    /// What the files next to `output` go on with: `interruptedKnown`, or a problem.
    void askInterrupted(const QString& output);
    /// That the training that writes `output` can be continued; empty: there is no state of it.
    static QString interruptedSentence(const QString& output);
    /// The output of one that is under way.
    std::string savedResults() const override;
    void restoreResults(const std::string& output) override;
    /// Data to try a training on.
    DemoTask& demo() { return m_demo; }

    void start(const TrainRequest& request, int threads);
    void resume();
    /// Waits between two steps, in memory.
    void hold();
    /// Stops; the epoch under way is lost.
    void pause();
    void stop() override { pause(); }
    void setFinishesEpoch(bool finishes);
    bool finishesEpoch() const { return m_finishesEpoch; }

    const TrainRequest& request() const { return m_request; }
    int threads() const { return m_threads; }
    EpochsModel& epochs() { return m_epochs; }
    const StepLosses& stepLosses() const { return m_steps; }
    const TrainingStart& settings() const { return m_settings; }
    /// With a teacher, once known.
    const std::optional<DistillationState>& before() const { return m_before; }
    const std::optional<DistillationState>& after() const { return m_after; }
    const std::optional<ValidationResult>& teacher() const { return m_teacher; }
    /// The checkpoint that can be compared now; empty before the first epoch is written.
    QString checkpoint() const;
    /// One of the samples of the folder that was looked into last; empty: none is known.
    QString sample() const;
    /// Fraction of the whole training that is done.
    double part() const;
    /// "epoch 12/30 · 843/1200 · 96 img/s · about 2 h 10 min"
    QString progressText() const;
    QString status() const override
    {
        return isHeld() ? tr("Training paused") : isRunning() ? tr("Training: %1").arg(progressText()) : QString();
    }
    std::optional<ClosingQuestion> closingQuestion() const override;
    /// What the terminal needs to go on with the training under way; empty when nothing runs.
    QString commandToGoOn() const;
    QString headline() const;
    QString detail() const;

signals:
    /// Epochs, the teacher, what distilling came to.
    void resultsChanged();
    void folderKnown(const attnscope::ui::DataFolder& folder);
    void folderRefused(const QString& sentence);
    void interruptedKnown(const attnscope::TrainRequest& request);

private:
    class Observer;
    void begin(bool resumed);
    void take(State now, State before);
    void end();
    void setState(State state);
    void forgetLost();
    QString sampleUnit() const;
    QString runningHeadline() const;

    Engine& m_engine;
    TrainingBackend m_backend;
    QString m_store;
    TrainRequest m_request;
    EpochsModel m_epochs;
    StepLosses m_steps;
    TrainingStart m_settings;
    TrainingStep m_step;
    ValidationStep m_validation;
    std::optional<DistillationState> m_before, m_after;
    std::optional<ValidationResult> m_teacher;
    DataFolder m_folder;
    DemoTask m_demo;
    quint64 m_looks = 0;
    int m_threads = 0;
    State m_state = State::Idle, m_beforeRest = State::Loading;
    std::atomic<bool> m_finishesEpoch{false};
    TrainingTask m_task;
};

}
