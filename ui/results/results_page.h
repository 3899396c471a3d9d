#pragma once

#include "ui/results/results_session.h"
#include "ui/results/runs_model.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/page_head.h"
#include "ui/workspace/page.h"

#include <QPointer>
#include <QTimer>

#include <vector>

class QCheckBox;
class QFrame;
class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QTableView;

namespace attnscope::ui {

class ActionButton;
class CaptionCombo;
class ElidedLabel;
class InstrumentTab;
class ChartView;
class Segments;
class TabStrip;

/// Results: every run that was ever evaluated, to filter, to put side by side, to draw and to export; and in a tab of their own, early
/// exits. The store is read and changed on its own thread.
class ResultsPage : public Page {
    Q_OBJECT
public:
    explicit ResultsPage(ResultsSession& session, QWidget* parent = nullptr);

    /// Runs are what they are; exits are measured with the ticked backends.
    Uses uses() const override { return {.backends = showsExits(), .run = showsExits()}; }
    bool canRun() const override;
    void run() override;
    bool showsContents() const override;
    bool hasResults() const override { return true; }
    QString command() const override;
    const QAbstractItemModel* shownTable() const override;
    void askExport() override;
    void askFiles() override;
    void take(Content, const QStringList& paths) override;
    bool hasViews() const override { return !showsExits(); }
    /// Scatter, or side by side.
    void showNextView() override;
    bool canUndo() const override { return !m_steps.empty(); }
    void undo() override;
    void reload();
    /// Later, and only while it is looked at: an evaluation adds batches all the time.
    void reloadSoon();
    /// The table as CSV, TSV, Markdown or LaTeX, the chart as PNG, SVG or PDF, by the suffix. Returns a sentence when that failed.
    QString exportTo(const QString& path);
    void askReport();
    void writeReport(const QString& path);
    /// Moves the evaluation of the current row to the trash; `undo` takes back the last such step, or a note.
    void discard();
    /// Asks, then deletes for good what is in the trash.
    void emptyTrash();
    void editNote();
    void setReference();
    QMenu* menuForCurrent();

    /// Null in a build without them.
    InstrumentTab* exits() const { return m_exits; }
    TabStrip* tabs() const { return m_tabs; }
    bool showsExits() const;
    QLineEdit* filter() const { return m_filter; }
    QTableView* table() const { return m_table; }
    QTableView* comparison() const { return m_comparison; }
    Segments* views() const { return m_views; }
    QCheckBox* differencesOnly() const { return m_differences; }
    CaptionCombo* xBox() const { return m_x; }
    ChartView* chart() const { return m_chart; }
    RunsModel& runs() { return m_runs; }
    RunProxy& shown() { return m_proxy; }
    QLabel* headline() const;
    /// There while the trash holds something.
    ActionButton* trashButton() const { return m_trash; }

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange() override;
    void buildExits(ResultsSession& session);
    void showTab();
    QWidget* buildContent();
    QWidget* buildHead();
    QWidget* buildFilter();
    QWidget* buildTable();
    QWidget* buildLower();
    void connectModels();
    /// What is in the trash of the store.
    struct Trash {
        size_t evaluations = 0, runs = 0;
    };
    struct Contents {
        std::vector<ResultRow> rows;
        Trash trash;
        size_t trainings = 0;
    };
    static Contents contentsOf(ResultStore& store);
    void take(Contents& contents);
    void refreshTrash();
    QString trashedRuns() const;
    /// Does that to the store and shows what it holds then.
    void change(const std::function<void(ResultStore&)>& what);
    void changeNote(int64_t evaluation, const QString& note);
    void hide(int64_t evaluation, bool hidden);
    void restoreEvaluation(int64_t evaluation);
    void refreshWords();
    void refreshLower();
    void refreshChart();
    void refreshComparison();
    void fitColumns();
    const ResultRow* current() const;
    std::vector<ResultRow> compared() const;
    QString defaultName(const QString& suffix) const;

    struct Step {
        int64_t evaluation = 0;
        std::optional<QString> note;  ///< as it was; else it was moved to the trash
    };

    StoreReader& m_store;
    RunsModel m_runs;
    RunProxy m_proxy;
    CellTable m_sides;
    std::vector<Step> m_steps;
    Trash m_trashed;
    size_t m_trainings = 0;                         ///< in the store; reports have them
    std::vector<QPointer<MessageBar>> m_discarded;  ///< bars that offer to take a move to the trash back
    QTimer m_soon;
    QString m_rowsOf;  ///< the store that the rows are of
    bool m_stale = true;
    TabStrip* m_tabs = nullptr;
    InstrumentTab* m_exits = nullptr;
    QWidget* m_content;
    PageHead* m_head;
    ActionButton* m_open;
    ActionButton* m_report;
    ActionButton* m_copy;
    QLineEdit* m_filter;
    QLabel* m_filterProblem;
    ActionButton* m_trash;
    QFrame* m_upper;
    QTableView* m_table;
    QFrame* m_lower;
    Segments* m_views;
    QLabel* m_hint;
    CaptionCombo* m_y;
    CaptionCombo* m_x;
    CaptionCombo* m_scale;
    QCheckBox* m_differences;
    QStackedWidget* m_lowerStack;
    ChartView* m_chart;
    QTableView* m_comparison;
};

}
