#pragma once

#include "ui/layers/leaderboard/leaderboard_session.h"
#include "ui/widgets/cell_table.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;
class QStackedWidget;
class QTableView;

namespace attnscope::ui {

class ActionButton;
class CaptionSpin;
class ChartView;
class EmptyScreen;
class LayersSession;
class LegendRow;
class ReportHead;
class Segments;

/// A tab of the Layers screen: every attention that needs no training as a chart of error and cost, and as a table. A chosen row can be put
/// among the compared backends.
class LeaderboardPanel : public QWidget {
    Q_OBJECT
public:
    LeaderboardPanel(LayersSession& layers, QWidget* parent);

    bool canRun() const;
    void run();
    bool hasResults() const { return m_session.report() != nullptr; }
    QString command() const { return m_session.command(); }
    const QAbstractItemModel& cells() const { return m_sorted; }
    void setCompact(bool compact);
    void askExport();
    /// The chart as SVG, PNG or PDF, the table as CSV or TSV, everything as JSON, by the suffix. Empty, or what is wrong.
    QString exportTo(const QString& path) const;

    ChartView* chart() const { return m_chart; }
    QTableView* table() const { return m_table; }
    EmptyScreen* empty() const { return m_empty; }
    Segments* errors() const { return m_errors; }
    Segments* costs() const { return m_costs; }
    ActionButton* compare() const { return m_compare; }
    ActionButton* start() const { return m_start; }
    ReportHead* head() const { return m_head; }
    QLabel* progress() const { return m_progress; }
    /// The canonical specification of the chosen row; empty: none is.
    QString chosen() const { return m_chosen; }
    void choose(const QString& attention);

signals:
    void changed();
    /// The chosen attention was added to the backends.
    void compared(const QString& attention);
    /// Files are to be opened, or the demo is to be shown.
    void filesRequested();
    void demoRequested();
    void copyRequested();
    void problem(const QString& sentence);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QWidget* buildControls();
    QWidget* buildChart();
    QWidget* buildTable();
    void refresh();
    void refreshEmpty();
    void refreshChart();
    void refreshTable();
    void showChosen();
    LeaderboardError error() const;
    LeaderboardCost cost() const;
    qint64 indexOf(const QString& attention) const;

    LayersSession& m_layers;
    LeaderboardSession& m_session;
    QStackedWidget* m_stack = nullptr;
    EmptyScreen* m_empty = nullptr;
    ReportHead* m_head = nullptr;
    QLabel* m_progress = nullptr;
    ActionButton* m_start = nullptr;
    Segments* m_errors = nullptr;
    Segments* m_costs = nullptr;
    CaptionSpin* m_seeds = nullptr;
    ActionButton* m_compare = nullptr;
    LegendRow* m_legend = nullptr;
    ChartView* m_chart = nullptr;
    QTableView* m_table = nullptr;
    CellTable m_cells;
    QSortFilterProxyModel m_sorted;
    QString m_chosen;
    bool m_choosing = false;
};

}
