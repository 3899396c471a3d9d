#include "ui/layers/leaderboard/leaderboard_tab.h"

#include "ui/style/qt_text.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/page_head.h"

#include "core/lab/leaderboard/leaderboard_chart.h"
#include "core/lab/leaderboard/leaderboard_json.h"
#include "core/lab/leaderboard/leaderboard_table.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTableView>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int widestColumn = 300;

class LeaderboardTab : public InstrumentTab {
    Q_DECLARE_TR_FUNCTIONS(attnscope::ui::LeaderboardTab)
public:
    LeaderboardTab(LayersSession& layers, QWidget* parent)
        : InstrumentTab(layers.leaderboard(),
                        {u"leaderboard"_s,
                         tr("What could replace softmax here?"),
                         tr("Measuring every attention that needs no training"),
                         tr("Rows appear as they are measured."),
                         {u"open"_s, EmptyScreen::tr("Open…"), u"Ctrl+O"_s},
                         sketchFront({{"performer", 0.1, 0.9, true},
                                      {"lara", 0.24, 0.58, true},
                                      {"nystrom", 0.4, 0.3, true},
                                      {"rfa", 0.5, 0.85},
                                      {"topk", 0.8, 0.1, true},
                                      {"clustered", 0.68, 0.45}})},
                        parent)
        , m_layers(layers)
        , m_session(layers.leaderboard())
    {
        m_sorted.setSourceModel(&m_cells);
        m_sorted.setSortRole(CellModel::SortRole);
        addHead(tr("The chart as SVG, PNG or PDF, the table as CSV or TSV, everything as JSON"));
        buildControls();
        buildCards();
        build({});
        connect(&m_session, &LeaderboardSession::changed, this, &LeaderboardTab::refreshIfShown);
        connect(&m_layers, &Session::choicesChanged, this, &LeaderboardTab::refreshIfShown);
    }

    bool canRun() const override { return missing().isEmpty(); }
    bool hasResults() const override { return m_session.report() != nullptr; }
    QString command() const override { return m_session.command(); }
    QString staleText() const override
    {
        return isMeasuring() || !canRun() ? QString() : m_session.staleText(m_layers.question());
    }
    void setCompact(bool compact) override { head()->setCompact(compact); }

private:
    void buildControls()
    {
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        m_seeds->setAccessibleName(tr("Number of seeds for random attention"));
        m_seeds->setToolTip(tr("Errors of random attentions are averaged over this many seeds"));
        m_progress->setForegroundRole(QPalette::PlaceholderText);
        for (QWidget* widget : std::initializer_list<QWidget*>{m_errors, m_costs, m_progress})
            row->addWidget(widget);
        row->addStretch(1);
        row->addWidget(m_seeds);
        row->addWidget(m_start);
        auto* above = new QVBoxLayout;
        above->setSpacing(0);
        above->addWidget(head());
        above->addLayout(row);
        m_content->addLayout(above);
        connect(m_seeds, &QSpinBox::valueChanged, &m_session, &LeaderboardSession::setSeeds);
        connect(m_start, &QPushButton::clicked, this, [this] { isMeasuring() ? m_session.stop() : run(); });
    }

    void buildCards()
    {
        addCharts({{tr("Error against cost"), nullptr, tr("Attentions appear as they are measured")}}, 6);
        m_charts.front().title->hide();
        ChartView* chart = m_charts.front().view;
        chart->setMinimumHeight(150);
        connect(chart, &ChartView::chosenChanged, this, [this](qint64 key) {
            if (hasResults() && key >= 0 && key < std::ssize(report().rows))
                choose(toQt(report().rows[size_t(key)].attention));
        });
        QVBoxLayout* column = addCard(*m_content, this, 5);
        auto* row = new QHBoxLayout;
        QLabel* hint = newHint(
            tr("Best at equal: no other attention has both a smaller error and less time, or less memory"), this);
        hint->setMinimumWidth(40);
        m_compare->setToolTip(tr("Adds the chosen attention to the Backends and selects it"));
        row->addWidget(hint, 1);
        row->addWidget(m_compare);
        column->addLayout(row);
        m_table = addTable(*column, tr("Leaderboard"), m_sorted);
        m_table->setSelectionMode(QAbstractItemView::SingleSelection);
        m_table->setSortingEnabled(true);
        m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
        connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
                [this](const QModelIndex& index) {
                    if (!m_isChoosing && index.isValid())
                        choose(index.data(CellModel::KeyRole).toString());
                });
        const auto add = [this] {
            if (!m_chosen.isEmpty())
                emit attentionRequested(m_chosen);
        };
        connect(m_compare, &QPushButton::clicked, this, add);
        connect(m_table, &QAbstractItemView::activated, this, add);
    }

    const LeaderboardReport& report() const { return *m_session.report(); }
    QString missing() const override
    {
        return m_layers.hasInput() ? QString() : tr("Drop an image, a video or a file of q, k and v");
    }
    QString summary() const override
    {
        return tr("Every attention that needs no training, at several sizes: error, time and memory next to each "
                  "other.");
    }
    QString note() const override
    {
        return canRun()
                   ? tr("Measured on %1 in about a minute; rows appear as they come").arg(m_layers.nextInputName())
                   : missing();
    }
    /// A run that was stopped goes on.
    void start() override { m_session.run(); }

    Outcome outcome() const override { return {translated(verdict(report())), translated(conditions(report()))}; }
    QString running() const override { return m_about.headline; }

    void refreshForm() override
    {
        InstrumentTab::refreshForm();
        empty()->setWords({m_about.question, summary(), note()});
        empty()->setFirst(canRun() ? EmptyScreen::tr("Run") : EmptyScreen::tr("Try the demo"),
                          canRun() ? u"F5"_s : QString());
        empty()->first()->setEnabled(true);
    }

    void nameParts() override
    {
        const QString progress = m_session.progressText();
        m_errors->setVisible(!hasResults() || report().model.has_value());
        m_progress->setText(progress);
        m_start->setText(isMeasuring()                                  ? tr("Stop")
                         : progress.isEmpty() || !staleText().isEmpty() ? tr("Run again")
                                                                        : tr("Go on"));
        m_start->setIconName(isMeasuring() ? u"stop"_s : u"run"_s);
    }

    QList<LegendRow::Entry> entries() const override
    {
        QList<LegendRow::Entry> entries;
        const std::vector<Chart> drawn = charts();
        for (const ChartSeries& series : drawn.front().series)
            entries << LegendRow::Entry{.key = toQt(series.name),
                                        .name = toQt(series.name),
                                        .backend = toQt(series.backend),
                                        .joined = false};
        return entries;
    }

    std::vector<Chart> charts() const override
    {
        Chart chart = leaderboardChart(report(),
                                       report().model && m_errors->current() == 0
                                           ? LeaderboardError::EndToEnd
                                           : LeaderboardError::TeacherForced,
                                       m_costs->current() == 0 ? LeaderboardCost::Time : LeaderboardCost::Memory);
        std::ranges::sort(chart.series, {}, &ChartSeries::name);
        return {std::move(chart)};
    }
    Table contents() const override { return leaderboardTable(report()); }
    Json results() const override { return toJson(report()); }
    Exports exports() const override
    {
        Exports all = InstrumentTab::exports();
        all.table = &m_sorted;
        return all;
    }

    void refreshParts() override
    {
        const int before = m_cells.columnCount();
        m_isChoosing = true;
        InstrumentTab::refreshParts();
        m_isChoosing = false;
        if (m_cells.columnCount() != before)
            m_table->sortByColumn(-1, Qt::AscendingOrder);
        showChosen();
    }
    void fitTables() override { fitTableColumns(*m_table, widestColumn); }

    void choose(const QString& attention)
    {
        m_chosen = attention;
        showChosen();
    }

    void showChosen()
    {
        m_compare->setEnabled(!m_chosen.isEmpty());
        qint64 index = ChartView::none;
        for (size_t i = 0; hasResults() && i < report().rows.size(); ++i)
            if (toQt(report().rows[i].attention) == m_chosen)
                index = qint64(i);
        m_charts.front().view->setChosen(index);
        const QModelIndexList found = m_sorted.match(m_sorted.index(0, 0), CellModel::KeyRole, m_chosen, 1,
                                                     Qt::MatchExactly);
        if (m_chosen.isEmpty() || found.isEmpty() || m_table->currentIndex().row() == found.front().row())
            return;
        m_isChoosing = true;
        m_table->setCurrentIndex(found.front());
        m_isChoosing = false;
    }

    LayersSession& m_layers;
    LeaderboardSession& m_session;
    Segments* m_errors = newChoices(tr("Error"), {tr("End to end"), tr("Same q, k, v")});
    Segments* m_costs = newChoices(tr("Cost"), {tr("Time"), tr("Memory")});
    QLabel* m_progress = new QLabel(this);
    CaptionSpin* m_seeds = new CaptionSpin(tr("Seeds"), 1, 64, m_session.seeds(), this);
    ActionButton* m_start = new ActionButton(u"run"_s, EmptyScreen::tr("Run"), ActionButton::Look::Plain, this);
    ActionButton* m_compare = new ActionButton(u"plus"_s, tr("Compare this one"), ActionButton::Look::Plain, this);
    QSortFilterProxyModel m_sorted;
    QString m_chosen;
    bool m_isChoosing = false;
};

}

InstrumentTab* leaderboardTab(LayersSession& layers, QWidget* parent)
{
    return new LeaderboardTab(layers, parent);
}

}
