#include "ui/layers/leaderboard/leaderboard_panel.h"

#include "ui/charts/chart_view.h"
#include "ui/charts/figure_file.h"
#include "ui/charts/legend_row.h"
#include "ui/layers/layers_session.h"
#include "ui/layers/leaderboard/leaderboard_empty.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/page_head.h"
#include "ui/widgets/page_stack.h"
#include "ui/widgets/table_text.h"

#include "core/lab/leaderboard/leaderboard_chart.h"
#include "core/lab/leaderboard/leaderboard_json.h"
#include "core/lab/leaderboard/leaderboard_table.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QTimer>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int widestColumn = 300;

}

LeaderboardPanel::LeaderboardPanel(LayersSession& layers, QWidget* parent)
    : QWidget(parent)
    , m_layers(layers)
    , m_session(layers.leaderboard())
{
    m_sorted.setSourceModel(&m_cells);
    m_sorted.setSortRole(CellModel::SortRole);
    build();
    connect(&m_session, &LeaderboardSession::changed, this, &LeaderboardPanel::refresh);
    connect(&m_layers, &Session::wishesChanged, this, &LeaderboardPanel::refresh);
    refresh();
}

void LeaderboardPanel::build()
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    m_stack = new PageStack(this);
    outer->addWidget(m_stack);
    auto* inset = new QWidget(m_stack);
    auto* insetColumn = new QVBoxLayout(inset);
    insetColumn->setContentsMargins(0, Layout::gap, 0, 4);
    m_empty = new EmptyScreen(leaderboardEmpty(), inset);
    insetColumn->addWidget(m_empty);
    m_stack->addWidget(inset);
    auto* content = new QWidget(m_stack);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_head = new ReportHead(tr("The chart as SVG, PNG or PDF, the table as CSV or TSV, everything as JSON"),
                            content);
    column->addWidget(m_head);
    column->addWidget(buildControls());
    column->addSpacing(Layout::gap);
    column->addWidget(buildChart(), 6);
    column->addSpacing(Layout::gap);
    column->addWidget(buildTable(), 5);
    m_stack->addWidget(content);
    connect(m_empty->first(), &QPushButton::clicked, this,
            [this] { m_layers.hasInput() ? run() : emit demoRequested(); });
    connect(m_empty->second(), &QPushButton::clicked, this, &LeaderboardPanel::filesRequested);
    connect(m_head, &ReportHead::againRequested, this, &LeaderboardPanel::run);
    connect(m_head, &ReportHead::exportRequested, this, &LeaderboardPanel::askExport);
    connect(m_head, &ReportHead::copyRequested, this, &LeaderboardPanel::copyRequested);
}

QWidget* LeaderboardPanel::buildControls()
{
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_errors = new Segments(tr("Error"), {tr("End to end"), tr("Same q, k, v")}, bar);
    m_costs = new Segments(tr("Cost"), {tr("Time"), tr("Memory")}, bar);
    m_seeds = new CaptionSpin(tr("Seeds"), 1, 64, m_session.seeds(), bar);
    m_seeds->setAccessibleName(tr("Number of seeds for random attention"));
    m_seeds->setToolTip(tr("Errors of random attentions are averaged over this many seeds"));
    m_progress = new QLabel(bar);
    m_progress->setForegroundRole(QPalette::PlaceholderText);
    m_start = new ActionButton(u"run"_s, tr("Run"), ActionButton::Look::Plain, bar);
    row->addWidget(m_errors);
    row->addWidget(m_costs);
    row->addWidget(m_progress);
    row->addStretch(1);
    row->addWidget(m_seeds);
    row->addWidget(m_start);
    connect(m_errors, &Segments::chosen, this, &LeaderboardPanel::refreshChart);
    connect(m_costs, &Segments::chosen, this, &LeaderboardPanel::refreshChart);
    connect(m_seeds, &QSpinBox::valueChanged, &m_session, &LeaderboardSession::setSeeds);
    connect(m_start, &QPushButton::clicked, this, [this] { m_session.isRunning() ? m_session.stop() : run(); });
    return bar;
}

QWidget* LeaderboardPanel::buildChart()
{
    auto* card = new QFrame(this);
    card->setProperty("card", true);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(11, 8, 11, 6);
    column->setSpacing(4);
    m_legend = new LegendRow(card);
    column->addWidget(m_legend);
    m_chart = new ChartView(tr("Error against cost"), card);
    m_chart->setNotice(tr("Attentions appear as they are measured"));
    m_chart->setMinimumHeight(150);
    column->addWidget(m_chart, 1);
    connect(m_legend, &LegendRow::hiddenChanged, this, &LeaderboardPanel::refreshChart);
    connect(m_chart, &ChartView::chosenChanged, this, [this](qint64 key) {
        if (const LeaderboardReport* report = m_session.report();
            report != nullptr && key >= 0 && key < std::ssize(report->rows))
            choose(toQt(report->rows[size_t(key)].attention));
    });
    return card;
}

QWidget* LeaderboardPanel::buildTable()
{
    auto* card = new QFrame(this);
    card->setProperty("card", true);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(11, 6, 11, 6);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    auto* hint = new QLabel(
        tr("Best at equal: no other attention has both a smaller error and less time, or less memory"), card);
    hint->setFont(fontFor(Type::Small));
    hint->setForegroundRole(QPalette::PlaceholderText);
    hint->setMinimumWidth(40);
    m_compare = new ActionButton(u"plus"_s, tr("Compare this one"), ActionButton::Look::Plain, card);
    m_compare->setToolTip(tr("Adds the chosen attention to the Backends and selects it"));
    row->addWidget(hint, 1);
    row->addWidget(m_compare);
    column->addLayout(row);
    m_table = new QTableView(card);
    dressTable(*m_table, tr("Leaderboard"));
    m_table->setModel(&m_sorted);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    column->addWidget(m_table, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (!m_choosing && index.isValid())
                    choose(index.data(CellModel::KeyRole).toString());
            });
    const auto add = [this] {
        if (!m_chosen.isEmpty())
            emit compared(m_chosen);
    };
    connect(m_compare, &QPushButton::clicked, this, add);
    connect(m_table, &QAbstractItemView::activated, this, add);
    return card;
}

bool LeaderboardPanel::canRun() const
{
    return m_layers.hasInput();
}

void LeaderboardPanel::run()
{
    if (canRun())
        m_session.run();
    else
        emit problem(tr("Open an image or a video first."));
}

LeaderboardError LeaderboardPanel::error() const
{
    const LeaderboardReport* report = m_session.report();
    return report != nullptr && report->model && m_errors->current() == 0 ? LeaderboardError::EndToEnd
                                                                          : LeaderboardError::TeacherForced;
}

LeaderboardCost LeaderboardPanel::cost() const
{
    return m_costs->current() == 0 ? LeaderboardCost::Time : LeaderboardCost::Memory;
}

void LeaderboardPanel::refresh()
{
    const LeaderboardReport* report = m_session.report();
    const bool running = m_session.isRunning();
    m_stack->setCurrentIndex(report != nullptr || running ? 1 : 0);
    refreshEmpty();
    const QString stale = running || !m_layers.hasInput() ? QString() : m_session.staleText(m_layers.question());
    m_head->setStale(stale, true);
    m_head->setResults(report != nullptr, !m_session.command().isEmpty());
    m_errors->setVisible(report == nullptr || report->model.has_value());
    m_progress->setText(m_session.progressText());
    m_start->setText(running                                                  ? tr("Stop")
                     : m_session.progressText().isEmpty() || !stale.isEmpty() ? tr("Run again")
                                                                              : tr("Go on"));
    m_start->setIconName(running ? u"stop"_s : u"run"_s);
    if (report == nullptr)
        m_head->setHeadline(tr("Measuring every attention that needs no training"),
                            tr("Rows appear as they are measured."));
    else
        m_head->setHeadline(translated(attnscope::verdict(*report)), translated(conditions(*report)));
    refreshTable();
    refreshChart();
    emit changed();
}

void LeaderboardPanel::refreshEmpty()
{
    const QString input = m_layers.nextInputName();
    m_empty->setWords({tr("What could replace softmax here?"),
                       tr("Every attention that needs no training, at several sizes: error, time and memory next "
                          "to each other."),
                       input.isEmpty()
                           ? tr("Drop an image, a video or a file of q, k and v")
                           : tr("Measured on %1 in about a minute; rows appear as they come").arg(input)});
    m_empty->setFirst(input.isEmpty() ? tr("Try the demo") : tr("Run"), input.isEmpty() ? QString() : u"F5"_s);
}

void LeaderboardPanel::refreshTable()
{
    const int before = m_cells.columnCount();
    m_choosing = true;
    m_cells.show(m_session.report() != nullptr ? leaderboardTable(*m_session.report()) : Table());
    m_choosing = false;
    if (m_cells.columnCount() != before)
        m_table->sortByColumn(-1, Qt::AscendingOrder);
    showChosen();
    fitTableColumns(*m_table, widestColumn);
}

void LeaderboardPanel::refreshChart()
{
    Chart chart;
    QList<LegendRow::Entry> entries;
    if (m_session.report() != nullptr) {
        chart = leaderboardChart(*m_session.report(), error(), cost());
        std::ranges::sort(chart.series, {}, &ChartSeries::name);
        for (const ChartSeries& series : chart.series)
            entries << LegendRow::Entry{.key = toQt(series.name),
                                        .name = toQt(series.name),
                                        .backend = toQt(series.backend),
                                        .joined = false};
    }
    m_legend->setEntries(entries);
    m_chart->setHidden(m_legend->hidden());
    m_chart->setChart(std::move(chart));
    showChosen();
}

qint64 LeaderboardPanel::indexOf(const QString& attention) const
{
    if (const LeaderboardReport* report = m_session.report())
        for (size_t i = 0; i < report->rows.size(); ++i)
            if (toQt(report->rows[i].attention) == attention)
                return qint64(i);
    return ChartView::none;
}

void LeaderboardPanel::choose(const QString& attention)
{
    m_chosen = attention;
    showChosen();
}

void LeaderboardPanel::showChosen()
{
    m_compare->setEnabled(!m_chosen.isEmpty());
    m_chart->setChosen(m_chosen.isEmpty() ? ChartView::none : indexOf(m_chosen));
    const QModelIndexList found = m_sorted.match(m_sorted.index(0, 0), CellModel::KeyRole, m_chosen, 1,
                                                 Qt::MatchExactly);
    if (m_chosen.isEmpty() || found.isEmpty() || m_table->currentIndex().row() == found.front().row())
        return;
    m_choosing = true;
    m_table->setCurrentIndex(found.front());
    m_choosing = false;
}

void LeaderboardPanel::setCompact(bool compact)
{
    m_head->setCompact(compact);
}

void LeaderboardPanel::askExport()
{
    const QString path = askExportPath(this, u"leaderboard"_s,
                                       tr("Chart as SVG (*.svg);;Chart as PNG, 2× (*.png);;Chart as PDF "
                                          "(*.pdf);;Table as CSV (*.csv);;Table as TSV (*.tsv);;"
                                          "All results as JSON (*.json)"));
    if (path.isEmpty())
        return;
    if (const QString sentence = exportTo(path); !sentence.isEmpty())
        emit problem(sentence);
}

QString LeaderboardPanel::exportTo(const QString& path) const
{
    if (!hasResults())
        return tr("There is nothing to export yet; run a measurement first.");
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == "tsv"_L1)
        return writeBytes(path, tableAsTsv(m_sorted).toUtf8());
    if (suffix == "csv"_L1)
        return writeBytes(path, recordsAsCsv(toJson(*m_session.report())));
    if (suffix == "json"_L1)
        return writeBytes(path, QByteArray::fromStdString(toJson(*m_session.report()).dump(2) + "\n"));
    return m_chart->saveAs(path);
}

void LeaderboardPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    QTimer::singleShot(0, this, [this] { fitTableColumns(*m_table, widestColumn); });
}

void LeaderboardPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    QTimer::singleShot(0, this, [this] { fitTableColumns(*m_table, widestColumn); });
}

}
