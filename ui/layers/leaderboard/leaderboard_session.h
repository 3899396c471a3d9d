#pragma once

#include "core/lab/leaderboard/leaderboard.h"
#include "ui/layers/layers_task.h"
#include "ui/workspace/session.h"

#include <functional>
#include <memory>

namespace attnscope::ui {

/// The leaderboard of the Layers screen: every attention that needs no training on the input that the screen would inspect. Rows come one by
/// one; a run that was stopped goes on where it was, as long as the settings are the same.
class LeaderboardSession : public Session {
    Q_OBJECT
public:
    /// `ask`: what a run would look at; its attentions play no part.
    LeaderboardSession(Workspace& workspace, const std::shared_ptr<LayersBackend>& layersBackend,
                       std::function<LayerQuestion()> ask, QObject* parent);

    void run();
    void stop() override;
    std::optional<Job> job() const override;
    QString status() const override { return isRunning() ? tr("Measuring the leaderboard") : QString(); }

    /// Null before the first row.
    const LeaderboardReport* report() const { return m_task.report().get(); }
    /// "3 of 160 attentions", while it runs and where it was stopped; empty: complete.
    QString progressText() const;
    int seeds() const { return m_seeds; }
    void setSeeds(int seeds);
    /// "made with cat.jpg"; empty while what is shown belongs to the present settings. `next`: what a run would look at.
    QString staleText(const LayerQuestion& next) const;
    /// The line that measures the same; empty before anything was measured, and for an input without a file.
    QString command() const;

signals:
    /// Rows, or whether it runs.
    void changed();

private:
    struct Question {
        LayerQuestion layers;
        std::shared_ptr<const LeaderboardReport> earlier;  ///< rows that are not measured again; null: none
    };

    std::function<LayerQuestion()> m_ask;
    LayerQuestion m_question;  ///< what the report belongs to
    RunContext m_context;
    int m_seeds = 3;
    StepCount m_progress;
    Task<Question, LeaderboardReport> m_task;
};

}
