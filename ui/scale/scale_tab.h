#pragma once

#include "ui/charts/chart_view.h"
#include "ui/scale/scale_command.h"
#include "ui/scale/scale_json.h"
#include "ui/scale/scale_session.h"
#include "ui/widgets/cell_table.h"

#include <QWidget>

class QBoxLayout;
class QLineEdit;
class QStackedWidget;
class QTableView;
class QVBoxLayout;

namespace attnscope::ui {

class CaptionCombo;
class EmptyScreen;

/// A tab of the Scale screen: a form of what is measured; below it what that shows, and after a run figures and tables.
class ScaleTab : public QWidget {
    Q_OBJECT
public:
    ScaleTab(ScaleSession& session, ScaleSession::Kind kind, QWidget* parent);

    ScaleSession::Kind kind() const { return m_kind; }
    EmptyScreen* empty() const { return m_empty; }
    QTableView* table() const { return m_table; }
    const CellTable& cells() const { return m_cells; }

    virtual bool canRun() const = 0;
    virtual void run() = 0;
    QString headline() const;
    QString detail() const { return said().detail; }
    /// The line that repeats what is shown, or with nothing shown what the form asks for.
    virtual QString command() const = 0;
    /// What is shown was made with other settings than the form's: how; empty: with the same.
    virtual QString staleText() const = 0;
    /// One sentence where the machine was busy with other things while it was measured; else empty.
    virtual QString loadText() const { return {}; }
    /// The chart as SVG, PNG or PDF, the table as CSV or TSV, everything as JSON, by the suffix. Empty, or what is wrong.
    QString exportTo(const QString& path) const;
    /// What else an export to this path writes: the second chart.
    QString secondFile(const QString& path) const;
    virtual bool hasResults() const = 0;
    /// What is shown is what was measured until it was stopped.
    virtual bool isPartial() const = 0;
    /// Works on the dumped q, k and v of this file from now on. False: it has no use for them.
    virtual bool takeTensors(const QString&) { return false; }
    /// For little height.
    virtual void setCompact(bool) {}

signals:
    /// What can be run, or what it came to.
    void changed();

protected:
    /// What the head of the page says; the headline is another one while this is measured.
    struct Said {
        QString running, headline, detail;
    };
    virtual Said said() const = 0;
    virtual void showResults() = 0;
    /// The form asks for another thing now.
    void refreshWish();
    /// What the empty state says.
    virtual void describeWish() = 0;
    /// To be called at the end of a constructor: the form's fields, and `m_content` below them once there are results; `aside` stands next
    /// to that all the time.
    void build(const QList<QWidget*>& form, QWidget* aside = nullptr);
    /// A further card of `into`: what stands in it, from above.
    QVBoxLayout* addCard(QBoxLayout& into, int stretch);
    QTableView* addTable(QBoxLayout& column, const QString& name, CellTable& cells);
    /// A field for numbers with commas between them.
    QLineEdit* newCountsField(const QString& name, int minWidth);
    CaptionCombo* newImageSizes();
    virtual void fitTables();
    /// Its charts; the second one is written next to the first, under the first one's name and its own.
    struct Charts {
        ChartView* first = nullptr;
        ChartView* second = nullptr;
        QString secondName = {};
    };
    virtual Charts charts() const = 0;
    virtual QByteArray json() const = 0;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

    ScaleSession& m_session;
    ScaleSession::Kind m_kind;
    EmptyScreen* m_empty = nullptr;
    QVBoxLayout* m_content;
    QTableView* m_table = nullptr;
    CellTable m_cells;

private:
    void refresh();
    /// A hidden tab is brought up to date when it is shown.
    void refreshIfShown();

    QStackedWidget* m_stack = nullptr;
    bool m_old = false;  ///< something changed while it was hidden
};

/// A tab whose form asks for a `Job`, of which the session has what `get` says.
template <typename Job, auto get>
class ScaleTabOf : public ScaleTab {
public:
    using ScaleTab::ScaleTab;
    virtual Job job() const = 0;

    bool hasResults() const override { return report() != nullptr; }
    bool isPartial() const override
    {
        if constexpr (requires { report()->complete; })
            return hasResults() && !report()->complete;
        return false;
    }
    void run() override
    {
        if (canRun())
            m_session.start(job());
    }
    QString command() const override
    {
        return hasResults() || m_session.isRunning(m_kind) ? m_session.command(m_kind)
                                                           : commandOf(job(), m_session.chosenThreads()).text();
    }
    QString staleText() const override { return m_session.staleText(job()); }

protected:
    auto* report() const { return (m_session.*get)().get(); }
    QByteArray json() const override { return jsonText(*report()); }
};

}
