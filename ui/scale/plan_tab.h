#pragma once

#include "ui/scale/scale_tab.h"

#include <optional>

class QLabel;

namespace attnscope::ui {

class ActionButton;
class CaptionCombo;
class CaptionSpin;
class ElidedLabel;
class LegendRow;
class RealSpin;

/// Which layers to give which attention for a budget: the front of plans, and the layers of one of them.
class PlanTab : public ScaleTabOf<PlanJob, &ScaleSession::plan> {
    Q_OBJECT
public:
    PlanTab(ScaleSession& session, QWidget* parent);

    PlanJob job() const override;
    bool canRun() const override { return !m_session.isRunning() && missing().isEmpty(); }

    QString loadText() const override;

    /// The labelled folder or list for a budget of accuracy; empty: none.
    void setLabelled(const QString& folder);
    void askLabelled();
    CaptionCombo* budget() const { return m_budget; }
    RealSpin* value() const { return m_value; }
    ActionButton* labelledButton() const { return m_labelledButton; }
    CaptionSpin* samples() const { return m_samples; }
    QLabel* chartTitle() const { return m_chartTitle; }
    ActionButton* useButton() const { return m_use; }
    const CellTable& layers() const { return m_layers; }
    /// The plan of the current row, else the one chosen.
    std::optional<Plan> current() const;

signals:
    void planRequested(const QString& spec);

protected:
    Said said() const override;
    void showResults() override;
    void describeWish() override;
    void fitTables() override;
    Charts charts() const override { return {m_front}; }

private:
    void buildContent();
    void showLayers();
    void takeBudget(int index);
    PlanBudget kindOfBudget() const;
    /// Why the form cannot be run, as a sentence; empty: it can.
    QString missing() const;

    CaptionCombo* m_budget;
    RealSpin* m_value;
    CaptionCombo* m_candidates;
    CaptionCombo* m_imageSize;
    ActionButton* m_labelledButton;
    CaptionSpin* m_samples;
    QString m_labelled;
    QLabel* m_chartTitle = nullptr;
    ChartView* m_front = nullptr;
    LegendRow* m_legend = nullptr;
    ElidedLabel* m_layersTitle = nullptr;
    ActionButton* m_use = nullptr;
    QTableView* m_layersTable = nullptr;
    CellTable m_layers;
};

}
