#pragma once

#include "ui/results/results_session.h"
#include "ui/widgets/cell_table.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QTableView;

namespace attnscope::ui {

class CaptionSpin;
class ChartView;
class EmptyScreen;
class LegendRow;
class ReportHead;
class PathField;
class Segments;

/// Early exits of the model in use on a labelled folder: accuracy against the blocks that samples run, and what each threshold gives.
class ExitsTab : public QWidget {
    Q_OBJECT
public:
    ExitsTab(ResultsSession& session, QWidget* parent);

    bool canRun() const;
    void run();
    bool hasResults() const { return m_session.exits() != nullptr; }
    /// Of what is shown; else of what would be measured.
    QString command() const;
    const CellTable& cells() const { return m_cells; }
    void askExport();
    /// The chart as SVG, PNG or PDF, the table as CSV or TSV, by the suffix. Empty, or what is wrong.
    QString exportTo(const QString& path);
    /// A folder to begin with, where none was chosen.
    void suggestFolder(const QString& folder);
    void setCompact(bool compact);

    PathField* folder() const { return m_folder; }
    CaptionSpin* limit() const { return m_limit; }
    EmptyScreen* empty() const { return m_empty; }
    ChartView* chart() const { return m_chart; }
    Segments* views() const { return m_views; }
    QTableView* table() const { return m_table; }
    QLabel* headline() const;
    QLabel* stale() const;

signals:
    /// What can be run, or what it came to.
    void changed();
    void copyRequested();
    void problem(const QString& sentence);

private:
    ExitsJob job() const;
    QWidget* buildContent();
    void chooseFolder();
    void refresh();
    void refreshWish();
    void refreshHead();
    void refreshChart();

    ResultsSession& m_session;
    CellTable m_cells;
    ReportHead* m_head;
    PathField* m_folder;
    CaptionSpin* m_limit;
    QStackedWidget* m_stack;
    EmptyScreen* m_empty;
    Segments* m_views = nullptr;
    LegendRow* m_legend = nullptr;
    ChartView* m_chart = nullptr;
    QTableView* m_table = nullptr;
};

}
