#pragma once

#include "core/lab/networks/network_comparison.h"
#include "ui/layers/layers_task.h"
#include "ui/workspace/command_line.h"
#include "ui/workspace/session.h"

#include "models/lab_options.h"

#include <QImage>

namespace attnscope::ui {

/// The open network next to another one, block by block, on the workspace's inputs; and what one query attends to in both. No widget in here.
class NetworksSession : public Session {
    Q_OBJECT
public:
    /// What is compared.
    struct Question {
        LayersOptions options;  ///< the line that measures the same
        ModelRequest first, second;
        std::vector<InputEntry> inputs;
        ViewGrid views{1, 1};  ///< of videos
        InputEntry shown;      ///< whose attention is shown
        std::optional<TokenQuery> query = {};
    };
    /// What the query attends to in each layer, in the first network and in the second.
    using Maps = std::vector<LayerInspection>;

    NetworksSession(Workspace& workspace, QObject* parent);

    std::optional<Job> job() const override;
    QString status() const override { return isRunning() ? tr("Comparing two networks") : QString(); }
    void stop() override;

    /// Of these weights and this type; empty: those of the second network of Compare, else of the open one, and the open one's type.
    Question question(const QString& checkpoint, const QString& dtype) const;
    void start(const Question& question);
    /// Null before the first comparison.
    const NetworkComparison* report() const { return m_comparison.report().get(); }
    CommandLine command() const { return lineOf(m_comparison.request()); }
    static CommandLine lineOf(const Question& question) { return {"layers", question.options, {}}; }

    /// Null while they are computed, and where there are none.
    const Maps* maps() const { return m_mapped == m_comparison.report() ? m_maps.report().get() : nullptr; }
    bool isAskingMaps() const { return m_maps.isRunning(); }
    QString mapsProblem() const { return m_maps.failure(); }
    /// Whose attention is shown, and the query that was chosen.
    const InputEntry& shown() const { return m_comparison.request().shown; }
    const std::optional<TokenQuery>& query() const { return m_maps.request().query; }
    void setQuery(const TokenQuery& query);

signals:
    void mapsChanged();

private:
    void askMaps(const std::optional<TokenQuery>& query);

    StepCount m_progress;
    std::shared_ptr<const NetworkComparison> m_mapped;  ///< whose maps are or will be there
    Task<Question, NetworkComparison> m_comparison;
    Task<Question, Maps> m_maps;
};

}
