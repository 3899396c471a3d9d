#pragma once

#include "ui/neighbours/neighbours_task.h"
#include "ui/workspace/session.h"

#include <memory>
#include <optional>

namespace attnscope::ui {

/// Samples of the folder that is evaluated, spread evenly, to look at.
struct EvaluatedSamples {
    std::vector<LabelledFile> files;
    std::vector<std::string> classes;
};

/// What the Neighbours screen searches, how far it is and what was found. No widget in here.
class NeighboursSession : public Session {
    Q_OBJECT
public:
    NeighboursSession(Workspace& workspace, const NeighboursBackend& backend, QObject* parent = nullptr);

    /// A sample to look at.
    const std::function<QImage(const std::string& path)>& loadImage() const { return m_image; }
    std::optional<Job> job() const override;
    QString status() const override;
    /// Only the neighbours of an image are looked for, which does not take long.
    bool isLooking() const { return isRunning() && isOfImage(); }

    /// Features are computed now.
    bool isBuilding() const
    {
        return isRunning() && !m_task.request().build.empty() && m_task.step().what != "accuracy";
    }
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
    DemoTask& demo() { return m_demo; }

    /// Of the last run: the datastore, and where a folder was evaluated its accuracy. Null: there was none.
    const std::shared_ptr<const NeighbourReport>& report() const { return m_report; }
    /// Of the folder that is or was evaluated last; null: there is none.
    const std::shared_ptr<const EvaluatedSamples>& samples() const { return m_samples; }
    /// The neighbours that were found last; null: none were.
    const ImageNeighbours* image() const;
    /// Distance and temperature of these.
    const NeighbourReport* imageReport() const { return m_found.get(); }
    /// The name of the true class, where the samples say it.
    std::optional<QString> classOf(const QString& path) const;
    bool wasStopped() const { return m_cut; }
    /// What is shown was made with other settings than these: how, in words.
    QString staleText(const NeighbourQuestion& now) const;
    /// The lines that repeat what is shown; empty: nothing is.
    QString command() const;

signals:
    void resultsChanged();
    void samplesChanged();
    void imageChanged();
    /// A datastore was written to this file.
    void built(const QString& file);

private:
    bool isOfImage() const { return !m_task.request().image.empty(); }
    void begin(const NeighbourQuestion& question);
    void end();
    void take(std::shared_ptr<const NeighbourReport> report);
    void reportUnreadable(const std::vector<UnreadableInput>& inputs);

    std::function<QImage(const std::string& path)> m_image;
    bool m_cut = false;
    std::optional<NeighbourQuestion> m_next;
    QString m_command, m_imageCommand;
    NeighbourQuestion m_reported;  ///< what `m_report` was made with
    std::shared_ptr<const NeighbourReport> m_report, m_found;
    std::shared_ptr<const EvaluatedSamples> m_samples;
    DemoTask m_demo;
    NeighboursTask m_task;
};

}
