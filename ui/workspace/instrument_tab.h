#pragma once

#include "ui/charts/chart_view.h"
#include "ui/charts/exports.h"
#include "ui/charts/legend_row.h"
#include "ui/charts/sketch.h"
#include "ui/widgets/cell_table.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/workspace/page.h"

#include <vector>

class QStackedWidget;
class QTableView;
class QVBoxLayout;

namespace attnscope::ui {

class ReportHead;

/// A measurement with its form: below that first what it would show, then charts with their legend and a table. An instrument says what its
/// form asks for, and what its report looks like.
class InstrumentTab : public QWidget {
    Q_OBJECT
public:
    EmptyScreen* empty() const { return m_empty; }
    LegendRow* legend() const { return m_legend; }
    QTableView* table() const { return m_table; }
    const CellTable& cells() const { return m_cells; }
    const std::vector<TitledChart>& chartViews() const { return m_charts; }

    virtual bool canRun() const;
    virtual void run();
    /// Works on this file or folder from now on. False: it has no use for it.
    virtual bool take(Content, const QString&) { return false; }
    virtual bool hasResults() const = 0;
    /// It is what the session measures now.
    virtual bool isMeasuring() const { return m_activity.isRunning(); }
    /// The line that repeats what is shown, or with nothing shown what the form asks for.
    virtual QString command() const = 0;
    /// What is shown was made with other settings than the form's: how; empty: with the same.
    virtual QString staleText() const = 0;
    void showHead(ReportHead& head) const;
    /// Its own; null: its page has one.
    ReportHead* head() const { return m_head; }
    /// Of what is shown, by the suffix; see Exports. Empty, or what is wrong.
    QString exportTo(const QString& path);
    void askExport();
    /// For little height.
    virtual void setCompact(bool compact);

signals:
    /// What can be run, or what it came to.
    void changed();
    void problem(const QString& sentence);
    void copyRequested();
    /// This attention is to be among the backends.
    void attentionRequested(const QString& spec);

protected:
    /// What it says whatever its form asks for.
    struct About {
        QString file;              ///< what exported files are named after
        QString question;          ///< of the empty state
        QString headline, detail;  ///< before there is a result
        EmptyScreen::Action second;
        SketchPainter sketch;
    };
    InstrumentTab(Session& session, About about, QWidget* parent);

    // What its form asks for.
    /// Why it cannot be run, as a sentence; empty: it can.
    virtual QString missing() const = 0;
    /// What would be measured, with nothing missing, and in smaller letters how.
    virtual QString summary() const = 0;
    virtual QString note() const = 0;
    virtual void start() = 0;

    // What its report looks like; asked only while there is one.
    struct Outcome {
        QString verdict, conditions;  ///< empty: nothing can be said yet
        bool complete = true;
    };
    virtual Outcome outcome() const = 0;
    /// The headline while nothing can be said yet.
    virtual QString running() const = 0;
    virtual QList<LegendRow::Entry> entries() const = 0;
    virtual QStringList hiddenSeries() const { return m_legend->hidden(); }
    virtual std::vector<Chart> charts() const = 0;
    virtual Table contents() const = 0;
    virtual Exports exports() const;
    /// What the file of the second chart is named after.
    virtual QString secondName() const { return {}; }
    virtual Json results() const = 0;
    /// Titles that depend on what is chosen. Asked also while there is nothing.
    virtual void nameParts() {}

    // To be called by a constructor, in this order.
    /// A choice of what is shown of the report.
    Segments* newChoices(const QString& name, const QStringList& choices, const QString& help = {});
    struct ChartPart {
        QString name;
        Segments* choices = nullptr;
        QString notice = {}, help = {};
    };
    /// A card of a legend with charts side by side below; a single one has its title above.
    QVBoxLayout* addCharts(const QList<ChartPart>& parts, int stretch = 7);
    QTableView* addTable(QBoxLayout& column, const QString& name, QAbstractItemModel& cells);
    /// A card of one of some tables.
    void addTables(const QStringList& names);
    /// A head of its own above the form, unless it is put elsewhere before `build`; without one, its page has it.
    void addHead(const QString& exportHelp);
    /// The fields of the form, whose changes change the summary; `m_content` below them once there are results; `aside` stands next to that
    /// all the time.
    void build(const QList<QWidget*>& form, QWidget* aside = nullptr);

    void refresh();
    /// A hidden tab is brought up to date when it is shown.
    void refreshIfShown();
    /// The form asks for another thing now.
    virtual void refreshForm();
    virtual void refreshParts();
    void refreshCharts();
    virtual void fitTables();
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

    const About m_about;
    QVBoxLayout* m_content;
    LegendRow* m_legend = nullptr;
    QTableView* m_table = nullptr;
    Segments* m_tables = nullptr;  ///< null: there is one table
    CellTable m_cells;
    std::vector<TitledChart> m_charts;

private:
    QLayout* newFormRow(const QList<QWidget*>& form);

    Session& m_activity;
    ReportHead* m_head = nullptr;
    QStackedWidget* m_stack = nullptr;
    EmptyScreen* m_empty = nullptr;
    bool m_isOld = false;  ///< something changed while it was hidden
};

}
