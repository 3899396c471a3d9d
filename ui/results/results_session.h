#pragma once

#include "ui/engine/store_reader.h"
#include "ui/results/exits_worker.h"
#include "ui/workspace/session.h"

namespace attnscope::ui {

/// What the Results screen shows: a results store, and the early exits of the model in use.
class ResultsSession : public Session {
    Q_OBJECT
public:
    ResultsSession(Workspace& workspace, const std::function<void()>& storeDelay, const QString& file,
                   const ExitsBackend& exits, QObject* parent = nullptr);
    StoreReader& store() { return m_store; }

    /// This build can measure exits.
    bool hasExits() const { return m_worker->isBuilt(); }
    /// Of the model in use and the ticked attentions.
    ExitsJob exitsJob(const QString& folder, int limit) const;
    /// The `attnscope-cli` line of a job.
    QString commandOf(const ExitsJob& job) const;
    void start(const ExitsJob& job);
    void stop() override;
    bool isRunning() const override { return m_running; }
    std::optional<Job> job() const override;
    QString status() const override;
    QString progressText() const;
    /// What was measured last; null before, and while something is measured.
    const std::shared_ptr<const ExitReport>& exits() const { return m_exits; }
    /// What repeats that.
    QString exitsCommand() const { return m_command; }

signals:
    /// Began, rests, ended; another report.
    void exitsChanged();
    void progressed();
    /// Context or attentions changed: what would be measured next is another thing.
    void wishesChanged();

private:
    void end();

    StoreReader m_store;
    std::shared_ptr<const ExitReport> m_exits;
    QString m_command;
    Progress m_step;
    bool m_running = false, m_resting = false;
    std::unique_ptr<ExitsWorker> m_worker;  // last: its thread ends before what it tells about
};

}
