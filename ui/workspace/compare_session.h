// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/engine.h"
#include "ui/workspace/backend_list.h"
#include "ui/workspace/command_line.h"
#include "ui/workspace/run_table_model.h"
#include "ui/workspace/settings.h"

#include <QElapsedTimer>
#include <QObject>

namespace attnscope::ui {

/// How far the running job is. A step of a comparison is one measurement of one backend on one input.
struct JobProgress {
    QString what;
    int done = 0, total = 0;
    double seconds = 0;
    QString job;  ///< "compare"
};

/// Brings requests of the window to the engine and what comes back into the models. No widget in here.
class CompareSession : public QObject {
    Q_OBJECT
public:
    CompareSession(Engine& engine, BackendList& backends, RunTableModel& runs, QObject* parent = nullptr);

    void setSettings(const Settings& settings);
    const Settings& settings() const { return m_settings; }
    void setContext(const RunContext& context);
    const RunContext& context() const { return m_settings.context; }

    /// Images become the inputs (instead of those shown), are looked at and compared at once. Checkpoints become the weights.
    void openPaths(const QStringList& paths);
    void openPasted(const QByteArray& bytes);
    /// The same without comparing. False: no input was among the paths.
    bool takeInputs(const QStringList& paths);
    void takePasted(const QByteArray& bytes);
    /// Looks into the checkpoint first. One that says what it is becomes the weights at once; otherwise `checkpointUnclear`.
    void openCheckpoint(const QString& path);
    /// Takes the checkpoint into use, as `model` (empty: as it says itself) with `heads` (0: as it says itself).
    void useCheckpoint(const QString& path, const QString& model, int heads);
    /// Of the checkpoint opened last.
    std::shared_ptr<const Inspection> inspection() const { return m_inspection; }
    void run();
    void stop();
    bool isBusy() const { return m_ticket != 0 || m_runWhenKnown; }
    /// The line that repeats this comparison, or nothing when an input has no file.
    QString command() const;

    ModelRequest modelRequest() const;
    std::shared_ptr<const OpenedModel> model() const { return m_model; }
    std::shared_ptr<const Surroundings> surroundings() const { return m_surroundings; }
    /// What the context's device comes to: "auto" is the first GPU, else the processor. Null before devices are known, or for one that
    /// is not there.
    const DeviceInfo* device() const;
    const std::vector<UnreadableInput>& unreadable() const { return m_unreadable; }

signals:
    void busyChanged(bool busy);
    void modelChanged();
    void contextChanged();
    /// What the settings' dialog asks for.
    void settingsChanged();
    /// Another input or checkpoint was asked for.
    void opening();
    void surroundingsChanged();
    void previewChanged(std::shared_ptr<const attnscope::ui::Preview> preview, const QString& note);
    void unreadableChanged();
    /// Small images of the frames of one view of a video, as the model is fed them.
    void viewFramesReady(int input, int view, const QVector<QImage>& frames);
    void progressChanged(const attnscope::ui::JobProgress& progress);
    void problem(const QString& sentence);
    void notice(const QString& sentence);
    /// Taken into use; there is more to know of it than one line when `details`.
    void checkpointTaken(const QString& sentence, bool details);
    /// It cannot be run before the user has supplied what is missing, or not at all: `inspection()` says why.
    void checkpointUnclear();

private:
    void takeInspection(const std::shared_ptr<const Inspection>& inspection);
    void openModelNow();
    void askPreview();
    void addUnreadable(const QString& path, const QString& reason);
    void end();
    void connectEngine();
    void takeProgress(quint64 ticket, const RunStep& step, const Progress& progress);

    Engine& m_engine;
    BackendList& m_backends;
    RunTableModel& m_runs;
    Settings m_settings;
    std::shared_ptr<const OpenedModel> m_model;
    std::shared_ptr<const Surroundings> m_surroundings;
    std::vector<UnreadableInput> m_unreadable;
    std::shared_ptr<const Inspection> m_inspection;
    QString m_inspectedPath;
    quint64 m_ticket = 0, m_previewTicket = 0, m_modelTicket = 0, m_inspectTicket = 0;
    ModelRequest m_runModel;  ///< of the comparison under way
    JobProgress m_job;
    QElapsedTimer m_clock;
    int m_pasted = 0;
    bool m_runWhenKnown = false;  ///< a run was asked for before the catalogue was there
};

}  // namespace attnscope::ui
