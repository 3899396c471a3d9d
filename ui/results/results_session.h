#pragma once

#include "ui/engine/store_reader.h"
#include "ui/results/exits_task.h"
#include "ui/workspace/command_line.h"
#include "ui/workspace/session.h"

namespace attnscope::ui {

/// What the Results screen shows: a results store, and the early exits of the model in use.
class ResultsSession : public Session {
    Q_OBJECT
public:
    ResultsSession(Workspace& workspace, const std::function<void()>& storeDelay, const QString& file,
                   const ExitsTask::Measure& exits, QObject* parent = nullptr);
    StoreReader& store() { return m_store; }

    /// This build can measure exits.
    bool hasExits() const { return m_task.isBuilt(); }
    /// Of the model in use and the ticked attentions.
    ExitsJob exitsJob(const QString& folder, int limit) const;
    /// The `attnscope-cli` line of a job.
    CommandLine commandOf(const ExitsJob& job) const;
    void start(const ExitsJob& job);
    std::optional<Job> job() const override;
    QString status() const override;
    QString progressText() const;
    /// What was measured last; null before, and while something is measured.
    const std::shared_ptr<const ExitReport>& exits() const { return m_task.report(); }
    /// What repeats that.
    const CommandLine& exitsCommand() const { return m_command; }

private:
    StoreReader m_store;
    CommandLine m_command;
    ExitsTask m_task;
};

}
