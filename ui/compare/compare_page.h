#pragma once

#include "ui/compare/compare_session.h"
#include "ui/compare/table/quantities_model.h"
#include "ui/widgets/controls.h"
#include "ui/workspace/page.h"

#include <array>
#include <vector>

class QBoxLayout;
class QLabel;
class QStackedWidget;
class QTableView;
class QTimer;

namespace attnscope::ui {

class ChartView;
class CompareCard;
class FeaturesPanel;
class MergedPanel;
class ViewsPanel;

/// Compare: one input (or a set), N backends, side by side. Head with the verdict, grid, chart.
class ComparePage : public Page {
    Q_OBJECT
public:
    explicit ComparePage(CompareSession& session, QWidget* parent = nullptr);

    Uses uses() const override { return {.networks = true}; }
    bool canRun() const override { return m_session.canRun(); }
    void run() override { m_session.run(); }
    bool hasResults() const override { return !m_workspace.inputs().empty(); }
    QString command() const override { return m_session.command(); }
    const QAbstractItemModel* shownTable() const override { return m_figures; }
    QString attentionToExport() const override;
    void askExport() override;
    void askFiles() override { askInputs(); }
    void take(Content content, const QStringList& paths) override;
    bool hasViews() const override { return hasResults(); }
    void showNextView() override;
    /// What the suffix says: the numbers, or the chart or the images that are shown. Returns a sentence when that failed.
    QString exportTo(const QString& path);

    CompareCard* card() const { return m_card; }
    QWidget* chartCard() const { return m_chartCard; }
    ChartView* chart() const { return m_chart; }
    ElidedLabel* headline() const { return m_headline; }
    Segments* chartSegments() const { return m_segments; }
    ViewsPanel* viewsPanel() const { return m_viewsPanel; }
    FeaturesPanel* featuresPanel() const { return m_featuresPanel; }
    MergedPanel* mergedPanel() const { return m_mergedPanel; }
    /// Classes or features; hidden for a network that has no classes.
    Segments* subjects() const { return m_subjects; }
    QString savedForm() const override;
    void restoreForm(const QString& form) override;

private:
    void arrange() override;
    QWidget* buildContent();
    QWidget* buildHead();
    QWidget* buildChartCard();
    void connectSession();
    void refresh();
    void refreshInput();
    void refreshUntrained();
    void refreshUnreadable();
    enum class ChartKind { Pareto, Bars, Table, Views, Merged, Features };
    ChartKind chartKind() const { return m_kinds[size_t(m_segments->current())]; }
    /// The one that is shown, where it can be; else the first.
    void offerCharts(ChartKind wanted);
    void showChart();
    void refreshChart();
    void takeSubject();
    QStringList exportFilters() const;
    void choose(int column);
    void showChosen();
    void fitDetail();

    CompareSession& m_session;
    RunTableModel& m_runs;
    QuantitiesModel* m_figures;
    QWidget* m_content;
    QBoxLayout* m_body;
    QWidget* m_head;
    ElidedLabel* m_headline;
    std::array<ElidedLabel*, 2> m_detail;
    ActionButton* m_copy;
    Segments* m_subjects;
    Segments* m_view;
    CompareCard* m_card;
    QWidget* m_chartCard;
    Segments* m_segments;
    ElidedLabel* m_hint;
    CaptionCombo* m_y;
    CaptionCombo* m_x;
    CaptionCombo* m_scale;
    ChartView* m_chart;
    QTableView* m_table;
    ViewsPanel* m_viewsPanel;
    FeaturesPanel* m_featuresPanel;
    MergedPanel* m_mergedPanel;
    std::vector<ChartKind> m_kinds;  ///< of the segments
    QStackedWidget* m_chartStack;
    MessageBar* m_unreadable = nullptr;
    QTimer* m_later;
    QString m_previewNote, m_details, m_videoNote;
    bool m_turned = false;
    int m_chosen = 0;  ///< ColumnSpec::id
};

}
