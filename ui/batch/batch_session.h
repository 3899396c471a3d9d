#pragma once

#include "ui/batch/evaluation_task.h"
#include "ui/batch/queue_model.h"
#include "ui/engine/store_reader.h"
#include "ui/workspace/session.h"

#include <QTimer>

#include <functional>

namespace attnscope::ui {

/// What would be evaluated, in words: "Evaluate on scenes: 12 classes, 96 images", or what is wrong. Looks into the folder.
QString describeFolder(const decltype(EvaluationBackend::look)& look, const QString& folder);

/// The queue of evaluations: what is asked for, how far it is, what comes next. One runs at a time. No widget in here.
class BatchSession : public Session {
    Q_OBJECT
public:
    BatchSession(Workspace& workspace, const EvaluationBackend& backend, const std::function<void()>& storeDelay,
                 const QString& storePath, QObject* parent = nullptr);

    /// There is something to evaluate with.
    bool isBuilt() const { return bool(m_backend.evaluate); }
    QueueModel& queue() { return m_queue; }
    const QueueModel& queue() const { return m_queue; }
    /// All evaluations of the queue are in it, whatever Results has open.
    StoreReader& store() { return m_store; }
    const EvaluationBackend& backend() const { return m_backend; }

    /// Looks into a folder or list, with the model of the bar and the ticked attentions, and puts it at the end of the queue.
    quint64 addFolder(const QString& folder, qint64 limit = 0);
    /// Demo data, written where they are not there yet, evaluated at once.
    void tryDemo();
    bool isWritingDemo() const { return m_demo.isRunning(); }
    /// Goes on with an evaluation that the store has unfinished, before all others. 0: it cannot be, which was said.
    quint64 continueStored(const StoredEvaluation& evaluation);
    /// Samples that an evaluation looks at; 0: all. Not of one that has begun.
    /// Another limit or protocol of an evaluation that has not begun. `change` returns whether it changed something.
    void changePlan(quint64 id, const std::function<bool(EvaluationSetup&)>& change);

    /// Begins with the queue, or goes on with it.
    void run();
    /// After the batch under way; nothing is lost.
    void pause(quint64 id);
    /// Goes on with one that was paused or failed; after a full disk, tries again.
    void resume(quint64 id);
    /// Out of the queue. One that runs is stopped first; what it has stored stays in the store.
    void remove(quint64 id);
    /// The evaluation that was removed last comes back to its place, for the last twenty; not one that was stopped for it.
    void restoreRemoved();
    bool hasRemoved() const { return !m_removed.empty(); }
    void move(quint64 id, int steps) { m_queue.move(id, steps); }
    /// Everything, for closing the window.
    void stop() override;
    /// The evaluation under way alone.
    void pauseJob() override { pause(m_running); }

    bool isRunning() const override { return m_running != 0; }
    std::optional<Job> job() const override;
    QString status() const override { return isRunning() ? tr("Evaluating: %1").arg(progressText()) : QString(); }
    std::optional<ClosingQuestion> closingQuestion() const override;
    bool canRun() const;
    const QueuedEvaluation* running() const { return m_queue.find(m_running); }
    /// "31 200 of 50 000 · 41/s · about 8 min"
    QString progressText() const;
    double part() const;
    QString headline(quint64 id, int attention) const;
    QString detail(quint64 id) const;
    QString command(quint64 id) const;
    /// What the terminal needs to go on with the evaluation under way.
    QString commandToGoOn() const;
    /// Evaluations that the store had unfinished when the window was opened.
    const std::vector<StoredEvaluation>& unfinished() const { return m_unfinished; }

signals:
    void queueChanged();
    /// Figures in the store grew.
    void resultsGrew(quint64 id);
    void ended(quint64 id);
    void unfinishedFound();
    void demoChanged();

private:
    class Observer;
    struct Removed {
        QueuedEvaluation evaluation;
        int place = 0;
    };

    void lookForUnfinished();
    void setState(quint64 id, QueueState state, const QString& sentence = {});
    EvaluationSetup planNow(const QString& folder) const;
    void setCache(EvaluationSetup& plan) const;
    void follow();
    void startNext();
    void check(quint64 id);
    void checkNext();
    void takeCheck();
    void takeProgress(const EvaluationProgress& progress);
    void end();
    void askStored(quint64 id);
    QString throughputText(const QueuedEvaluation& evaluation) const;

    EvaluationBackend m_backend;
    StoreReader m_store;
    std::vector<Removed> m_removed;
    std::vector<StoredEvaluation> m_unfinished;
    QueueModel m_queue;
    QTimer m_followTimer;
    quint64 m_nextId = 1, m_nextCheck = 1, m_running = 0, m_removing = 0;
    bool m_wanted = false;
    DemoTask m_demo;
    CheckTask m_checker;
    EvaluationTask m_task;
};

}
