#pragma once

#include "core/lab/lab_charts.h"
#include "ui/layers/layers_task.h"
#include "ui/layers/leaderboard/leaderboard_session.h"
#include "ui/layers/networks/networks_session.h"
#include "ui/workspace/command_line.h"

#include "models/lab_options.h"
#include "ui/workspace/session.h"

#include <QHash>

namespace attnscope::ui {

/// One cell of the error map.
struct HeadCell {
    int layer = 0;
    int head = 0;  ///< −1: the mean over heads
    bool operator==(const HeadCell&) const = default;
};

/// What the Layers screen shows: the inspection of one input under the ticked attentions, and what of it is looked at. Input, model and
/// context are the workspace's. No widget in here.
class LayersSession : public Session {
    Q_OBJECT
public:
    LayersSession(Workspace& workspace, std::shared_ptr<LayersBackend> layersBackend, QObject* parent = nullptr);

    /// Inspects the current input. Attentions that are exact softmax are what the others are held against, and take no part.
    void run();
    void stop() override;
    std::optional<Job> job() const override;
    QString status() const override
    {
        return isInspecting()               ? tr("Inspecting the layers")
               : m_leaderboard->isRunning() ? m_leaderboard->status()
                                            : m_networks->status();
    }
    bool isRunning() const override
    {
        return isInspecting() || m_leaderboard->isRunning() || m_networks->isRunning();
    }
    bool isInspecting() const { return m_errors.isRunning() || m_runWhenKnown; }
    /// Every attention that needs no training, on the same input.
    LeaderboardSession& leaderboard() const { return *m_leaderboard; }
    /// The open network next to another one.
    NetworksSession& networks() const { return *m_networks; }
    /// What a run would look at.
    LayerQuestion question() const;
    bool asksMaps() const { return m_mapsTask.isRunning(); }
    /// Takes a file of q, k and v instead of the workspace's input, until another input is opened, and inspects it.
    void openDump(const QString& path);
    /// The same without inspecting it.
    void takeDump(const QString& path);
    /// What a run would take is such a file.
    bool takesDump() const { return !m_dump.isEmpty(); }
    /// What is shown is of such a file: there is no network, and nothing end to end.
    bool showsDump() const { return m_result != nullptr && m_requested.question.dump; }
    bool hasInput() const { return takesDump() || m_workspace.input() != nullptr; }
    bool canRun() const { return hasInput() && !specs().isEmpty(); }
    /// What is missing for `run`, as a sentence; empty: nothing.
    QString whatIsMissing() const;

    const LayerInspection* inspection() const { return m_result.get(); }
    /// "lara 49", one a shown attention.
    QStringList names() const;
    /// Of marks and colour of an attention that was inspected.
    QString look(int attention) const;
    int attention() const { return m_attention; }
    void setAttention(int attention);
    /// Null before anything is known.
    const InspectedAttention* shown() const;
    const std::vector<InspectedLayer>& layers() const;
    InspectionMode mode() const { return m_mode; }
    void setMode(InspectionMode mode);
    HeadMetric figure() const { return m_figure; }
    void setFigure(HeadMetric figure);
    HeadCell cell() const { return m_cell; }
    void setCell(const HeadCell& cell);
    /// Errors of the cell in the present mode; null where there is no such cell.
    const HeadErrors* cellErrors() const;
    int seeds() const { return m_seeds; }
    void setSeeds(int seeds);

    const TokenQuery& query() const { return m_query; }
    void setQuery(const TokenQuery& query);
    /// "class", "9,4", "2,9,4": as the command line writes it.
    QString queryText() const;
    /// Maps of the shown attention and query: null while they are computed.
    const InspectedAttention* maps() const;
    const LayerMaps* layerMaps() const;
    /// Why there are none.
    QString mapsProblem() const { return m_mapsProblem; }
    void writeTensors(const QString& path);
    /// Which keys the queries of the chosen layer see; null where the shown attention leaves none out.
    const LayerKeys* layerKeys() const;

    /// Terms of the first layer's logits are asked for while they are shown.
    void setTermsShown(bool shown);
    /// For the present query: null while they are computed.
    const LogitTermReport* terms() const;
    bool asksTerms() const { return m_termsTask.isRunning(); }
    /// Why there are none.
    QString termsProblem() const { return m_termsProblem; }

    /// Of the input that was inspected: what the model sees of it, and of a video its frames.
    const QImage& image() const { return m_image; }
    const QVector<QImage>& frames() const { return m_requested.frames; }
    /// What the model would see of the current input; null for a video.
    QImage seenImage() const;
    /// The frame of a video in which tokens of that number lie, or the image.
    QImage frameImage(int64_t frame) const;
    QString inputName() const { return m_requested.question.input.name; }
    /// "made with seed 3"; empty while everything belongs to the present settings.
    QString staleText() const;
    /// The line that repeats the inspection; empty when the input has no file.
    QString command() const;
    /// The same for the terms.
    QString termsCommand() const;
    /// Name of the input that a run would take.
    QString nextInputName() const;

signals:
    /// Other figures, another attention, mode or metric.
    void changed();
    void cellChanged();
    void mapsChanged();
    void termsChanged();
    void exported(const QString& path, const QString& problem);

private:
    void connectTasks();
    void take();
    void takeProgress();
    void takeMaps();
    void takeTerms();
    void takePreview(const std::shared_ptr<const Preview>& preview);
    void cropImage();
    void startCell();
    void startQuery();
    void askMaps();
    void askTerms();
    LayersOptions optionsShown() const;
    void end();
    QStringList specs() const;
    /// Whether a run would take the input that was inspected.
    bool takesSameInput() const;
    QString mapsKey() const;

    LeaderboardSession* m_leaderboard;
    NetworksSession* m_networks;
    std::shared_ptr<const LayerInspection> m_result;
    struct Requested {
        LayerQuestion question;
        RunContext context;
        QStringList specs, names, looks;
        QVector<QImage> frames;
    };
    Requested m_requested;  ///< what m_result belongs to
    Requested m_running;    ///< becomes that with its first result
    QString m_dump;
    quint64 m_subject = 0;  ///< counts the inputs that were inspected
    bool m_video = false, m_fresh = true;
    bool m_runWhenKnown = false;  ///< a run was asked for before the catalogue was there
    int m_attention = 0, m_seeds = 8;
    InspectionMode m_mode = InspectionMode::TeacherForced;
    HeadMetric m_figure = HeadMetric::Relative;
    HeadCell m_cell;
    TokenQuery m_query;
    QHash<QString, std::shared_ptr<const LayerInspection>> m_mapsKept;
    QString m_mapsProblem, m_mapsRequested;
    QHash<QString, std::shared_ptr<const LogitTermReport>> m_termsKept;  ///< by query
    QString m_termsProblem, m_termsRequested;
    bool m_termsShown = false;
    std::shared_ptr<const Preview> m_preview;
    QImage m_image;
    StepCount m_progress;
    /// Steps before the phase under way, of it, and of an attention: its layers twice, and its seeds.
    QString m_phase;
    int m_before = 0, m_phaseSteps = 0, m_stepsEach = 0;
    InspectionTask m_errors, m_mapsTask;
    Task<LayerQuestion, LogitTermReport> m_termsTask;
};

}
