#pragma once

#include "ui/compare/table/run_table_model.h"
#include "ui/workspace/session.h"

#include <QElapsedTimer>

namespace attnscope::ui {

struct CompareJob {
    std::vector<ModelRequest> checkpoints;  ///< of the networks, the first one's first
    RunRequest run;
    std::vector<InputEntry> inputs;
    ViewGrid views{1, 1};  ///< of videos
};

/// Brings comparisons of the inputs to the engine and what comes back into the table. No widget in here.
class CompareSession : public Session {
    Q_OBJECT
public:
    explicit CompareSession(Workspace& workspace, QObject* parent = nullptr);

    RunTableModel& runs() { return m_runs; }
    const RunTableModel& runs() const { return m_runs; }
    /// Also measure features of a network that has classes, and show them instead.
    void setFeatures(bool features);
    bool hasFeatures() const { return m_features; }
    /// The model that was opened has no head: its features are all that it gives.
    bool isHeadless() const;
    bool canRun() const;
    void run();
    void stop() override;
    bool isRunning() const override { return m_task.isRunning() || m_runWhenKnown; }
    std::optional<Job> job() const override;
    QString status() const override { return isRunning() ? tr("Measuring") : QString(); }
    std::string savedResults() const override;
    void restoreResults(const std::string& saved) override;
    /// The networks behind the first that the last run opened.
    std::vector<ComparedModel> otherModels() const;
    /// The line that repeats this comparison, or nothing when an input has no file, or networks say their heads each for itself.
    QString command() const;

signals:
    void subjectChanged();
    /// Small images of the frames of one view of a video, as the model is fed them.
    void viewFramesReady(int input, int view, const QVector<QImage>& frames);

private:
    class Observer;
    void end();
    void chooseSubject();
    void compareFeatures();
    void connectWorkspace();

    Engine& m_engine;
    RunTableModel m_runs;
    StepCount m_steps;  ///< a step is one forward pass
    bool m_features = false;
    bool m_runWhenKnown = false;  ///< a run was asked for before the catalogue was there
    Task<CompareJob, RunReport> m_task;
};

}
