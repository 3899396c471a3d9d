#include "ui/neighbours/neighbours_page.h"

#include "ui/charts/exports.h"
#include "ui/neighbours/neighbour_view.h"
#include "ui/neighbours/neighbours_empty.h"
#include "ui/neighbours/neighbours_words.h"
#include "ui/neighbours/search_form.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/confirm.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/number_fields.h"
#include "ui/widgets/page_head.h"
#include "ui/widgets/page_stack.h"
#include "ui/workspace/made_with.h"

#include "core/lab/neighbours/neighbours_figures.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QTableView>

#include <algorithm>

namespace attnscope::ui {

NeighboursPage::NeighboursPage(NeighboursSession& session, QWidget* parent)
    : Page(session.workspace(), parent)
    , m_session(session)
    , m_thumbnails(session.loadImage(), GalleryView::imageSize() * 2)
    , m_samples(m_thumbnails)
{
    setContents(neighboursEmpty(), buildContent());
    connect(empty()->first(), &QPushButton::clicked, this, &NeighboursPage::tryDemo);
    connect(empty()->second(), &QPushButton::clicked, this, &NeighboursPage::askFiles);
    empty()->first()->setEnabled(m_session.demo().isBuilt());
    connectSession();
    refresh();
    refreshSamples();
}

QWidget* NeighboursPage::buildContent()
{
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_head = newReportHead(tr("Accuracy as SVG, PNG or PDF, its table as CSV or TSV, all results as JSON"));
    connect(m_head, &ReportHead::exportRequested, this, &NeighboursPage::askExport);
    column->addWidget(m_head);
    m_form = new SearchForm(m_session, content);
    column->addWidget(m_form);
    column->addSpacing(Layout::gap);
    auto* body = new QHBoxLayout;
    body->setSpacing(Layout::gap);
    column->addLayout(body, 1);
    auto* left = new QVBoxLayout;
    left->setSpacing(Layout::gap);
    buildAccuracy(*left);
    buildSamples(*left);
    body->addLayout(left, 4);
    m_view = new NeighbourView(m_session, m_thumbnails, content);
    body->addWidget(m_view, 6);
    return content;
}

void NeighboursPage::buildAccuracy(QBoxLayout& into)
{
    QVBoxLayout* column = addCard(into, this, 5);
    auto* head = new QHBoxLayout;
    QLabel* title = newHeading(tr("Top-1 vs. λ"), this);
    title->setToolTip(tr(
        "λ is the weight of the neighbours: 0 is the model alone, 1 the neighbours alone; bands: 95 % intervals"));
    m_curves = new CaptionCombo(tr("k"), this);
    m_curves->setAccessibleName(tr("Number of neighbours of the curve"));
    m_curves->setToolTip(tr("The curve that is drawn with its intervals; those of the others are pale"));
    m_parts = new Segments(tr("Accuracy as"), {tr("Chart"), tr("Table")}, this);
    head->addWidget(title, 1);
    head->addWidget(m_curves);
    head->addWidget(m_parts);
    column->addLayout(head);
    m_accuracyStack = new PageStack(this);
    m_chart = new ChartView(tr("Accuracy against λ"), this, ChartView::Names::AtEnds);
    m_table = new QTableView(this);
    dressTable(*m_table, tr("Accuracy for every k and λ"));
    m_table->setModel(&m_cells);
    m_accuracyStack->addWidget(m_chart);
    m_accuracyStack->addWidget(m_table);
    column->addWidget(m_accuracyStack, 1);
    connect(m_curves, &QComboBox::activated, this, &NeighboursPage::refreshChart);
    connect(m_parts, &Segments::chosen, this, [this](int part) {
        m_accuracyStack->setCurrentIndex(part);
        m_curves->setVisible(part == 0 && m_curves->count() > 1);
        arrange();
    });
}

void NeighboursPage::buildSamples(QBoxLayout& into)
{
    QVBoxLayout* column = addCard(into, this, 4);
    column->setContentsMargins(11, 8, 5, 6);
    m_samplesHint = newHint(tr("Those of the evaluated folder come here; any other image can be dropped."), this);
    m_samplesHint->setWordWrap(true);
    m_samplesView = new GalleryView(this);
    m_samplesView->setModel(&m_samples);
    m_samplesView->setAccessibleName(tr("Samples to look at"));
    column->addWidget(newHeading(tr("Samples to look at"), this));
    column->addWidget(m_samplesHint);
    column->addWidget(m_samplesView, 1);
    connect(m_samplesView, &GalleryView::opened, this,
            [this](const QModelIndex& index) { look(index.data(GalleryList::PathRole).toString()); });
}

void NeighboursPage::connectSession()
{
    followMessages(m_session);
    connect(&m_session, &NeighboursSession::stateChanged, this, [this] {
        refreshWords();
        m_view->refresh();
    });
    connect(&m_session, &NeighboursSession::progressed, this, &NeighboursPage::refreshWords);
    connect(&m_session, &NeighboursSession::resultsChanged, this, [this] {
        refresh();
        // An image to begin with.
        if (m_session.report() && m_view->image().isEmpty() && m_samples.rowCount() > 0)
            look(m_samples.items().front().path);
        else if (m_session.report() && !m_view->image().isEmpty())
            look(m_view->image());
    });
    connect(&m_session, &NeighboursSession::samplesChanged, this, &NeighboursPage::refreshSamples);
    connect(&m_session, &NeighboursSession::imageChanged, this, [this] {
        m_view->refresh();
        emit changed();
    });
    connect(&m_session, &NeighboursSession::built, m_form, &SearchForm::setDatastore);
    connect(m_form, &SearchForm::changed, this, &NeighboursPage::refreshWords);
    connect(m_view, &NeighbourView::choicesChanged, this, [this] {
        if (!m_view->image().isEmpty())
            look(m_view->image());
    });
    connect(m_view, &NeighbourView::opened, this, &NeighboursPage::look);
    followDemo(m_session.demo(), [this](const QString& folder) {
        m_form->setBuild(folder + u"/train"_s);
        m_form->setEvaluate(folder + u"/val"_s);
        m_session.start(m_form->question());
    });
}

bool NeighboursPage::canRun() const
{
    return m_form->missing().isEmpty() && (!m_session.isRunning() || m_session.isLooking())
           && !m_session.demo().isRunning();
}

void NeighboursPage::run()
{
    if (canRun() && mayReplaceDatastore())
        m_session.start(m_form->question());
}

/// Features of a folder take a while: those that are there are not replaced unasked.
bool NeighboursPage::mayReplaceDatastore()
{
    const QString file = toQt(m_form->question().datastore);
    return m_form->build().isEmpty() || !QFileInfo::exists(file)
           || confirmed(
               this, {u"replacing"_s, tr("Compute the features again?"),
                      tr("%1 already exists. To use it, choose Open a datastore.").arg(QFileInfo(file).fileName()),
                      file, tr("Replace"), tr("Cancel")});
}

void NeighboursPage::look(const QString& path)
{
    m_view->setImage(path);
    const int row = m_samples.rowOf(path);
    if (row >= 0)
        m_samplesView->setCurrentIndex(m_samples.index(row));
    NeighbourQuestion question = m_form->question();
    const bool comes = m_session.isRunning() && !m_session.isLooking();
    if (!comes && m_form->datastore().isEmpty()) {
        m_view->explain(tr("Its neighbours are looked for once a datastore is there: run first."));
        return;
    }
    question.build.clear();
    question.evaluate.clear();
    question.limit = 0;
    question.image = fromQt(path);
    question.request.k = {m_view->count()->value()};
    question.request.mix = {m_view->mix()->value()};
    m_session.start(question);
    m_view->refresh();
}

void NeighboursPage::refresh()
{
    m_chart->setNotice(m_session.isRunning() && !m_session.isLooking()
                           ? tr("Curves appear once all samples are classified")
                           : tr("Evaluate on a labelled folder to see its accuracy"));
    refreshCurves();
    refreshChart();
    m_cells.show(m_session.report() && m_session.report()->accuracy
                     ? neighbourAccuracies(*m_session.report()->accuracy)
                     : Table());
    refreshWords();
    arrange();
}

/// The best one is chosen.
void NeighboursPage::refreshCurves()
{
    m_curves->clear();
    if (m_session.report() && m_session.report()->accuracy) {
        const NeighbourAccuracy& accuracy = *m_session.report()->accuracy;
        for (const int64_t k : accuracy.k)
            m_curves->addItem(countText(k), static_cast<qlonglong>(k));
        if (const NeighbourAccuracyPoint* best = bestOf(accuracy))
            m_curves->setCurrentIndex(m_curves->findData(static_cast<qlonglong>(best->k)));
    }
    m_curves->setVisible(m_parts->current() == 0 && m_curves->count() > 1);
}

/// One curve with its intervals, in front of the others.
void NeighboursPage::refreshChart()
{
    Chart chart;
    if (m_session.report() && m_session.report()->accuracy)
        chart = mixChart(*m_session.report()->accuracy);
    widen(chart.x);
    const int chosen = m_curves->currentIndex();
    for (int i = 0; i < int(chart.series.size()); ++i) {
        if (i == chosen)
            continue;
        ChartSeries& other = chart.series[size_t(i)];
        other.line = SeriesLine::Faint;
        for (ChartPoint& point : other.points)
            point.low.reset(), point.high.reset();
    }
    if (chosen >= 0 && chosen < int(chart.series.size()))
        std::rotate(chart.series.begin() + chosen, chart.series.begin() + chosen + 1, chart.series.end());
    m_chart->setChart(std::move(chart));
}

void NeighboursPage::refreshSamples()
{
    m_samples.setItems(m_session.samples() ? sampleItems(*m_session.samples()) : QList<GalleryList::Item>());
    m_samplesHint->setVisible(m_samples.rowCount() == 0);
}

void NeighboursPage::refreshWords()
{
    m_wanted = m_wanted || !m_form->build().isEmpty() || !m_form->datastore().isEmpty();
    showContents(m_wanted || m_session.isRunning() || m_session.report() != nullptr);
    const bool searching = m_session.isRunning() && !m_session.isLooking();
    const QString before = m_form->missing();
    if (searching)
        m_head->setHeadline(runningText(), m_session.job()->text);
    else if (const auto& report = m_session.report())
        m_head->setHeadline(headlineOf(translated(verdict(*report)), report->complete),
                            translated(conditions(*report)));
    else
        m_head->setHeadline(m_session.wasStopped() ? tr("Stopped before all samples were classified")
                                                   : tr("Classify by nearest features"),
                            before.isEmpty() ? tr("Run computes what is missing and measures the accuracy.")
                                             : before);
    m_head->setStale(m_session.staleText(m_form->question()), canRun());
    m_head->setResults(hasResults(), true);
    emit changed();
}

QString NeighboursPage::runningText() const
{
    if (m_session.isStopping())
        return tr("Stopping after this batch");
    if (m_session.isResting())
        return tr("Waiting for the current measurement or evaluation");
    return m_session.isBuilding() ? tr("Computing the features of %1").arg(m_session.folder())
                                  : tr("Classifying %1").arg(m_session.folder());
}

QString NeighboursPage::command() const
{
    return hasResults() ? m_session.command() : QString();
}

const QAbstractItemModel* NeighboursPage::shownTable() const
{
    return m_view->isAncestorOf(focusWidget()) ? &m_view->predictions() : &m_cells;
}

void NeighboursPage::askExport()
{
    const QString path = askExportPath(this, u"neighbours"_s);
    if (!path.isEmpty())
        showProblem(exportTo(path));
}

QString NeighboursPage::exportTo(const QString& path)
{
    if (!hasResults())
        return tr("There is nothing to export yet; run a search first.");
    if (!m_session.report()->accuracy && QFileInfo(path).suffix().toLower() != "json"_L1)
        return tr("There is no accuracy to export; evaluate on a labelled folder first.");
    return ui::exportTo(this,
                        {.chart = m_chart,
                         .table = &m_cells,
                         .results =
                             [this] {
                                 NeighbourReport report = *m_session.report();
                                 if (const ImageNeighbours* image = m_session.image())
                                     report.images = {*image};
                                 return toJson(report);
                             },
                         .records =
                             [this] {
                                 return Json{{"rows", toJson(*m_session.report())["accuracy"]["points"]}};
                             }},
                        path);
}

void NeighboursPage::askFiles()
{
    m_form->askBuild();
}

void NeighboursPage::takeFolder(const QString& folder)
{
    if (m_form->build().isEmpty() && m_form->datastore().isEmpty())
        m_form->setBuild(folder);
    else
        m_form->setEvaluate(folder);
}

void NeighboursPage::take(Content content, const QStringList& paths)
{
    if (content == Content::Folder)
        takeFolder(paths.front());
    else if (m_workspace.takeInputs(paths) && m_workspace.input() != nullptr && !m_workspace.input()->pasted())
        look(m_workspace.input()->path);
}

QString NeighboursPage::dropHint(Content content) const
{
    if (content != Content::Folder)
        return content == Content::Inputs ? tr("Find the neighbours of this image") : QString();
    return m_form->build().isEmpty() && m_form->datastore().isEmpty() ? tr("Compute the features of this folder")
                                                                      : tr("Evaluate on this folder");
}

bool NeighboursPage::tryDemo()
{
    m_session.tryDemo();
    return true;
}

void NeighboursPage::arrange()
{
    m_head->setCompact(isCompact());
    if (m_table->isVisible())
        fitTableColumns(*m_table, 200);
}

}
