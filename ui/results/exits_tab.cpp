#include "ui/results/exits_tab.h"

#include "ui/charts/chart_view.h"
#include "ui/charts/figure_file.h"
#include "ui/charts/legend_row.h"
#include "ui/results/exits_empty.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/field_row.h"
#include "ui/widgets/page_head.h"
#include "ui/widgets/page_stack.h"
#include "ui/widgets/table_text.h"
#include "ui/workspace/accuracy_text.h"
#include "ui/workspace/made_with.h"

#include "core/lab/exits/exit_figures.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

namespace attnscope::ui {

namespace {

enum ExitsView { AccuracyView, OracleView };
constexpr int maxSamples = 2'000'000'000;

}

ExitsTab::ExitsTab(ResultsSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_head(new ReportHead(tr("Charts as SVG, PNG or PDF, the table as CSV or TSV"), this))
    , m_folder(new PathField(PathField::Kind::Folder, tr("Labelled folder"), {}, this))
    , m_limit(new CaptionSpin(tr("Limit"), 0, maxSamples, 0, this))
    , m_stack(new PageStack(this))
    , m_empty(new EmptyScreen(exitsEmpty(), m_stack))
{
    m_folder->edit()->setPlaceholderText(tr("A folder with one subfolder per class"));
    m_limit->setAccessibleName(tr("Number of samples"));
    m_limit->setSpecialValueText(tr("All"));
    m_limit->setToolTip(tr("Number of samples, spread evenly over the folder"));
    auto* form = new QHBoxLayout;
    form->setSpacing(8);
    form->addWidget(m_folder, 1);
    form->addWidget(m_limit);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Layout::gap);
    column->addWidget(m_head);
    column->addLayout(form);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(buildContent());
    column->addWidget(m_stack, 1);
    connect(m_empty->first(), &QPushButton::clicked, this, &ExitsTab::run);
    connect(m_empty->second(), &QPushButton::clicked, this, &ExitsTab::chooseFolder);
    connect(m_head, &ReportHead::againRequested, this, &ExitsTab::run);
    connect(m_head, &ReportHead::exportRequested, this, &ExitsTab::askExport);
    connect(m_head, &ReportHead::copyRequested, this, &ExitsTab::copyRequested);
    connect(m_folder, &PathField::pathChanged, this, &ExitsTab::refreshWish);
    connect(m_limit, &QSpinBox::valueChanged, this, &ExitsTab::refreshWish);
    connect(m_views, &Segments::chosen, this, &ExitsTab::refreshChart);
    connect(&m_session, &ResultsSession::stateChanged, this, &ExitsTab::refresh);
    connect(&m_session, &ResultsSession::progressed, this, &ExitsTab::refreshHead);
    connect(&m_session, &ResultsSession::wishesChanged, this, &ExitsTab::refreshWish);
    refresh();
}

QWidget* ExitsTab::buildContent()
{
    auto* content = new QWidget(m_stack);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Layout::gap);
    const auto card = [&](int stretch) {
        auto* frame = new QFrame(content);
        frame->setProperty("card", true);
        column->addWidget(frame, stretch);
        auto* inside = new QVBoxLayout(frame);
        inside->setContentsMargins(11, 8, 11, 6);
        inside->setSpacing(4);
        return inside;
    };
    QVBoxLayout* upper = card(6);
    m_views = new Segments(tr("View"), {tr("Thresholds"), tr("Oracles")}, content);
    m_views->setToolTip(tr("Oracles know the label, and bound what any rule without it can do"));
    m_chart = new ChartView(tr("Accuracy against blocks run"), content);
    m_chart->setNotice(tr("Curves appear once everything has been measured"));
    m_legend = new LegendRow(content);
    auto* above = new QHBoxLayout;
    above->setSpacing(8);
    above->addWidget(m_views, 0, Qt::AlignTop);
    above->addWidget(m_legend, 1);
    upper->addLayout(above);
    connect(m_legend, &LegendRow::hiddenChanged, this, [this] { m_chart->setHidden(m_legend->hidden()); });
    upper->addWidget(m_chart, 1);
    m_table = new QTableView(content);
    dressTable(*m_table, tr("Thresholds"));
    m_table->setModel(&m_cells);
    card(5)->addWidget(m_table);
    return content;
}

ExitsJob ExitsTab::job() const
{
    return m_session.exitsJob(m_folder->path(), m_limit->value());
}

bool ExitsTab::canRun() const
{
    return !m_session.isRunning() && !m_folder->path().isEmpty() && !job().request.attention.empty();
}

void ExitsTab::run()
{
    if (canRun())
        m_session.start(job());
}

QString ExitsTab::command() const
{
    if (hasResults() || m_session.isRunning())
        return m_session.exitsCommand();
    return m_folder->path().isEmpty() ? QString() : m_session.commandOf(job());
}

QLabel* ExitsTab::headline() const
{
    return m_head->headline();
}

void ExitsTab::suggestFolder(const QString& folder)
{
    if (m_folder->path().isEmpty())
        m_folder->setPath(folder);
}

void ExitsTab::chooseFolder()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Labelled folder"), m_folder->path());
    if (!folder.isEmpty())
        m_folder->setPath(folder);
}

void ExitsTab::setCompact(bool compact)
{
    m_head->setCompact(compact);
    fitTableColumns(*m_table, 260);
}

void ExitsTab::refresh()
{
    m_stack->setCurrentIndex(hasResults() || m_session.isRunning() ? 1 : 0);
    m_cells.show(hasResults() ? exitTable(*m_session.exits(), &AttentionExits::confidence) : Table());
    fitTableColumns(*m_table, 260);
    refreshChart();
    refreshWish();
}

void ExitsTab::refreshWish()
{
    const ExitsJob wish = job();
    EmptyScreen::Words words{tr("How many blocks does a sample need?"), {}, {}};
    if (wish.request.attention.empty())
        words.line = tr("Select at least one backend.");
    else if (wish.folder.empty())
        words.line = tr(
            "Choose a labelled folder: every block's prediction for its samples is compared with the last one's.");
    else
        words.line = tr("Accuracy behind every block for %1, with %2.")
                         .arg(QFileInfo(m_folder->path()).fileName(),
                              counted(wish.request.attention.size(),
                                      [](int n) { return tr("%1 backend(s)", nullptr, n); }));
    words.small = tr("attnscope-cli exits measures the same; attnscope-cli train --exits trains a head for each "
                     "block, without which exits "
                     "say little.");
    m_empty->setWords(words);
    m_empty->first()->setEnabled(canRun());
    refreshHead();
    emit changed();
}

QLabel* ExitsTab::stale() const
{
    return m_head->stale();
}

void ExitsTab::refreshHead()
{
    m_head->setStale(hasResults() && m_session.commandOf(job()) != m_session.exitsCommand()
                         ? tr("Made with other settings")
                         : QString(),
                     canRun());
    m_head->setResults(hasResults(), !command().isEmpty());
    if (m_session.isRunning())
        m_head->setHeadline(tr("Measuring early exits"), m_session.progressText());
    else if (const auto& report = m_session.exits(); report && hasResults())
        m_head->setHeadline(headlineOf(translated(verdict(*report)), report->complete),
                            translated(conditions(*report)));
    else
        m_head->setHeadline(tr("Early exits"),
                            tr("Accuracy behind each block, and what samples that leave early save"));
}

void ExitsTab::refreshChart()
{
    if (!hasResults()) {
        m_legend->setEntries({});
        return m_chart->setChart({});
    }
    const ExitReport& report = *m_session.exits();
    const bool accuracy = m_views->current() == AccuracyView;
    Chart chart = accuracy ? exitChart(report) : oracleChart(report);
    const double margin = 0.015 * (*chart.x.high - *chart.x.low);  // marks at the ends are whole
    chart.x.low = *chart.x.low - margin;
    chart.x.high = *chart.x.high + margin;
    const QStringList rules = accuracy ? QStringList{tr("confidence"), tr("fixed depth")}
                                       : QStringList{tr("confidence"), tr("correctness oracle"),
                                                     tr("likelihood oracle")};
    const auto each = size_t(rules.size());
    QList<LegendRow::Entry> entries;
    for (size_t i = 0; i < chart.series.size(); ++i) {
        const QString attention = titleOfSpec(toQt(report.attention[i / each].attention));
        entries << LegendRow::Entry{.key = toQt(chart.series[i].name),
                                    .name = u"%1 · %2"_s.arg(attention, rules[qsizetype(i % each)]),
                                    .backend = toQt(chart.series[i].backend)};
    }
    m_legend->setEntries(entries);
    m_chart->setHidden(m_legend->hidden());
    m_chart->setChart(std::move(chart));
}

void ExitsTab::askExport()
{
    const QString path = askExportPath(this, u"exits"_s,
                                       tr("Chart as SVG (*.svg);;Chart as PNG, 2× (*.png);;Chart as PDF "
                                          "(*.pdf);;Table as CSV (*.csv);;Table as TSV (*.tsv)"));
    if (path.isEmpty())
        return;
    if (const QString sentence = exportTo(path); !sentence.isEmpty())
        emit problem(sentence);
}

QString ExitsTab::exportTo(const QString& path)
{
    if (!hasResults())
        return tr("There is nothing to export yet; run a measurement first.");
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == "tsv"_L1)
        return writeBytes(path, tableAsTsv(m_cells).toUtf8());
    if (suffix == "csv"_L1) {
        Json json = toJson(*m_session.exits());
        for (Json& run : json["runs"]) {
            Json points = Json::array();
            for (const char* rule : {"depth", "confidence", "oracle_likelihood", "oracle_correctness"}) {
                for (Json& point : run[rule])
                    points.emplace_back(std::move(point))["rule"] = rule;
                run.erase(rule);
            }
            run["points"] = std::move(points);
        }
        return writeBytes(path, recordsAsCsv(json));
    }
    return m_chart->saveAs(path);
}

}
