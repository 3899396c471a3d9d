#pragma once

#include "ui/neighbours/neighbours_worker.h"
#include "ui/workspace/session.h"

#include <QElapsedTimer>

#include <memory>
#include <optional>

namespace attnscope::ui {

/// What the Neighbours screen searches, how far it is and what was found. No widget in here.
class NeighboursSession : public Session {
    Q_OBJECT
public:
    NeighboursSession(Workspace& workspace, const NeighboursBackend& backend, QObject* parent = nullptr);

    const NeighboursBackend& backend() const { return m_backend; }
    bool isRunning() const override { return m_running; }
    std::optional<Job> job() const override;
    QString status() const override;
    bool isResting() const { return m_resting; }
    bool isStopping() const { return m_stopping; }
    /// Only the neighbours of an image are looked for, which does not take long.
    bool isLooking() const { return m_running && !m_question.image.empty(); }

    /// Features are computed now.
    bool isBuilding() const { return m_running && !m_question.build.empty() && m_step.what != "accuracy"; }
    /// Which is read now, or was last.
    QString folder() const;

    /// Model, device, dtype and seed, put into what the form asks for.
    NeighbourQuestion question(NeighbourQuestion form) const;
    /// Where the features of a folder go.
    QString datastoreFor(const QString& folder, const AttentionSpec& attention) const;
    /// While a folder is read, only an image can be asked for, which is next then; what looks for an image makes way.
    void start(const NeighbourQuestion& question);
    void stop() override;
    void tryDemo();
    DemoWriter& demo() { return m_demo; }

    /// Of the last run: the datastore, and where a folder was evaluated its accuracy. Null: there was none.
    const std::shared_ptr<const NeighbourReport>& report() const { return m_report; }
    /// Of the folder that is or was evaluated last; null: there is none.
    const std::shared_ptr<const EvaluatedSamples>& samples() const { return m_samples; }
    /// The neighbours that were found last; null: none were.
    const ImageNeighbours* image() const;
    /// Distance and temperature of these.
    const NeighbourReport* imageReport() const { return m_image.get(); }
    /// The name of the true class, where the samples say it.
    std::optional<QString> classOf(const QString& path) const;
    bool wasStopped() const { return m_cut; }
    /// What is shown was made with other settings than these: how, in words.
    QString staleText(const NeighbourQuestion& now) const;
    /// The lines that repeat what is shown; empty: nothing is.
    QString command() const;

signals:
    /// Began, rests, ended.
    void stateChanged();
    void progressed();
    void resultsChanged();
    void samplesChanged();
    void imageChanged();
    /// A datastore was written to this file.
    void built(const QString& file);
    /// Model or backends are others.
    void wishesChanged();

private:
    void connectWorker();
    void begin(const NeighbourQuestion& question);
    void end();
    void take(const std::shared_ptr<const NeighbourReport>& report);
    void reportUnreadable(const std::vector<UnreadableInput>& inputs);

    NeighboursBackend m_backend;
    bool m_running = false, m_resting = false, m_stopping = false, m_cut = false;
    NeighbourQuestion m_question;  ///< under way, or the last one
    std::optional<NeighbourQuestion> m_next;
    Progress m_step;
    QElapsedTimer m_clock;
    QString m_command, m_imageCommand;
    NeighbourQuestion m_reported;  ///< what `m_report` was made with
    std::shared_ptr<const NeighbourReport> m_report, m_image;
    std::shared_ptr<const EvaluatedSamples> m_samples;
    DemoWriter m_demo;
    std::unique_ptr<NeighboursWorker> m_worker;  // last: its thread ends before what it tells about
};

}
