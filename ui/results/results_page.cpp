#include "ui/results/results_page.h"

#include "ui/charts/chart_view.h"
#include "ui/charts/run_marks.h"
#include "ui/results/exits_tab.h"
#include "ui/results/results_empty.h"
#include "ui/results/runs_delegate.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/confirm.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/tab_strip.h"
#include "ui/workspace/command_line.h"

#include "core/attention/network/attention_title.h"
#include "core/report/result_tables.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>
#include <set>
#include <utility>

namespace attnscope::ui {

namespace {

/// The data, by its hash, on which a network of these runs was evaluated with several transforms: there they are settings, elsewhere the
/// network's own.
std::set<std::string> dataOfSeveralTransforms(const std::vector<const ResultRow*>& rows)
{
    std::map<std::pair<std::string, std::string>, std::string> transforms;
    std::set<std::string> several;
    for (const ResultRow* row : rows) {
        const EvaluationSettings& settings = row->evaluation->settings;
        const std::string& data = row->evaluation->dataHash;
        const auto [known, isNew] = transforms.try_emplace({data, settings.weightsHash}, settings.transform);
        if (!isNew && known->second != settings.transform)
            several.insert(data);
    }
    return several;
}

/// What accuracy depends on besides the network: runs are only compared where it is the same.
QString conditionsOf(const ResultRow& row, const std::set<std::string>& severalTransforms)
{
    const EvaluationSettings& settings = row.evaluation->settings;
    const bool transform = severalTransforms.contains(row.evaluation->dataHash);
    return toQt(row.evaluation->dataHash + '\n' + (transform ? settings.transform : "") + '\n' + settings.views
                + '\n' + std::to_string(settings.limit));
}

/// Names that tell runs apart: attention, weights and data set if there are several, and if need be the run's number.
QStringList namesOf(const std::vector<ResultRow>& rows)
{
    const auto data = [](const ResultRow& row) { return dataTitle(toQt(row.evaluation->dataRoot)); };
    const auto weights = [](const ResultRow& row) {
        return shortCheckpointName(toQt(row.evaluation->settings.weights));
    };
    const auto several = [&rows](const auto& what) {
        return std::ranges::any_of(rows, [&](const ResultRow& row) { return what(row) != what(rows.front()); });
    };
    const bool severalWeights = several(weights), severalData = several(data);
    QStringList names;
    for (const ResultRow& row : rows)
        names << titleOfSpec(toQt(row.stored().attention)) + (severalWeights ? u" · "_s + weights(row) : QString())
                     + (severalData ? u" · "_s + data(row) : QString());
    const QStringList alike = names;
    for (size_t i = 0; i < rows.size(); ++i)
        if (QString& name = names[qsizetype(i)]; alike.count(name) > 1)
            name += ResultsPage::tr(" · run %1").arg(rows[i].id());
    return names;
}

/// The best of runs on the same samples; it is no clear winner where intervals overlap.
struct BestRun {
    const ResultRow* row = nullptr;
    bool clear = false;
    QString data;
};

BestRun bestOf(const std::vector<const ResultRow*>& rows)
{
    const ResultRow* best = *std::ranges::max_element(rows, {},
                                                      [](const ResultRow* row) { return row->accuracy.value(); });
    const bool clear = std::ranges::none_of(rows, [&](const ResultRow* row) {
        return row != best && row->accuracy.interval().high >= best->accuracy.interval().low;
    });
    return {best, clear, dataTitle(toQt(best->evaluation->dataRoot))};
}

constexpr int soonMs = 1500;
constexpr size_t maxDrawn = 60;  // more marks than that say nothing
enum LowerView { ScatterView, SidesView };
enum Tab { RunsTabIndex, ExitsTabIndex };

}

ResultsPage::ResultsPage(ResultsSession& session, QWidget* parent)
    : Page(session.workspace(), parent)
    , m_store(session.store())
{
    m_proxy.setSourceModel(&m_runs);
    m_soon.setSingleShot(true);
    m_soon.setInterval(soonMs);
    connect(&m_soon, &QTimer::timeout, this, [this] { isVisible() ? reload() : void(m_stale = true); });
    if (session.hasExits())
        buildExits(session);
    setContents(resultsEmpty(), buildContent());
    if (m_exits != nullptr)
        column()->addWidget(m_exits, 1);
    connect(empty()->first(), &QPushButton::clicked, this, [this] { m_workspace.showScreen(u"batch"_s); });
    connect(empty()->second(), &QPushButton::clicked, this, &ResultsPage::askFiles);
    connect(&m_workspace, &Workspace::resultsStored, this, &ResultsPage::reloadSoon);
    connectModels();
    refreshWords();
    showTab();
}

/// The rows of all evaluations, with what only the store can count.
ResultsPage::Contents ResultsPage::contentsOf(ResultStore& store)
{
    Contents contents;
    std::vector<StoredEvaluation> evaluations = store.evaluations(false);
    std::ranges::reverse(evaluations);
    for (StoredEvaluation& each : evaluations) {
        const auto shared = std::make_shared<const StoredEvaluation>(std::move(each));
        for (size_t run = 0; run < shared->runs.size(); ++run)
            contents.rows.push_back({shared, run, store.accuracy(shared->runs[run].id)});
    }
    for (const StoredEvaluation& each : store.evaluations(true)) {
        ++contents.trash.evaluations;
        contents.trash.runs += each.runs.size();
    }
    contents.trainings = store.trainings().size();
    return contents;
}

void ResultsPage::reload()
{
    m_stale = false;
    m_store.ask("results", this, contentsOf, [this, file = m_store.file()](Contents& contents) {
        if (file != m_store.file())
            return;
        if (std::exchange(m_rowsOf, file) != file)
            m_runs.setRows({});  // the numbers that are ticked there are other runs here
        take(contents);
    });
}

void ResultsPage::reloadSoon()
{
    if (!m_soon.isActive())
        m_soon.start();
}

void ResultsPage::take(Contents& contents)
{
    const ResultRow* now = current();
    const int64_t chosen = now == nullptr ? 0 : now->id();
    const bool first = m_runs.rowCount() == 0;
    m_runs.setRows(std::move(contents.rows));
    m_trashed = contents.trash;
    m_trainings = contents.trainings;
    refreshTrash();
    showContents(m_runs.rowCount() > 0 || m_trashed.evaluations > 0 || m_trainings > 0);
    // A row that is still there is still chosen, and a note in it may be being typed.
    for (int row = 0; row < m_proxy.rowCount() && (current() == nullptr || current()->id() != chosen); ++row)
        if (m_proxy.row(row).id() == chosen)
            m_table->selectRow(row);
    if (first && m_proxy.rowCount() > 0)
        m_table->selectRow(0);
    fitColumns();
    refreshWords();
    refreshLower();
}

const ResultRow* ResultsPage::current() const
{
    const QModelIndex index = m_table->currentIndex();
    return index.isValid() ? &m_proxy.row(index.row()) : nullptr;
}

/// The ticked runs; with none ticked, all that the filter lets through.
std::vector<ResultRow> ResultsPage::compared() const
{
    std::vector<ResultRow> rows = m_runs.ticked();
    if (rows.empty())
        for (int row = 0; row < m_proxy.rowCount(); ++row)
            rows.push_back(m_proxy.row(row));
    if (rows.size() > maxDrawn)
        rows.resize(maxDrawn);
    return rows;
}

void ResultsPage::refreshWords()
{
    const int all = m_runs.rowCount(), shown = m_proxy.rowCount();
    std::map<QString, std::vector<const ResultRow*>> sets;  // runs that can be compared
    std::vector<const ResultRow*> evaluated;
    for (int row = 0; row < shown; ++row)
        if (const ResultRow& each = m_proxy.row(row); each.accuracy.samples > 0)
            evaluated.push_back(&each);
    const std::set<std::string> severalTransforms = dataOfSeveralTransforms(evaluated);
    for (const ResultRow* each : evaluated)
        sets[conditionsOf(*each, severalTransforms)].push_back(each);
    const QString runs = counted(all, [](int n) { return tr("%1 run(s)", nullptr, n); });
    QString headline = shown == all ? runs : tr("%1 of %2").arg(QString::number(shown), runs);
    std::vector<BestRun> bests;
    for (const auto& [conditions, rows] : sets)
        bests.push_back(bestOf(rows));
    std::ranges::stable_partition(bests, &BestRun::clear);
    if (bests.size() > 2 || (bests.size() == 2 && bests[0].data == bests[1].data))
        headline = tr("%1 on different samples or with different settings; filter to see the best").arg(headline);
    else
        for (const auto& [best, clear, data] : bests)
            headline = (clear ? tr("%1; best top-1: %2 with %3 % on %4")
                              : tr("%1; no clear winner on %4 (%2: %3 % top-1)"))
                           .arg(headline, titleOfSpec(toQt(best->stored().attention)), percentText(best->accuracy),
                                data);
    m_head->setHeadline(
        headline, m_trainings == 0 ? m_store.file()
                                   : counted(m_trainings, [](int n) { return tr("%1 training(s)", nullptr, n); })
                                         + u" · "_s + m_store.file());
    m_copy->setEnabled(current() != nullptr);
    emit changed();
}

void ResultsPage::refreshLower()
{
    const bool scatter = m_views->current() == ScatterView;
    m_lowerStack->setCurrentIndex(m_views->current());
    m_x->setVisible(scatter);
    m_scale->setVisible(scatter);
    m_y->setVisible(scatter);
    m_differences->setVisible(!scatter);
    const int ticked = int(m_runs.ticked().size());
    m_hint->setText(ticked == 0
                        ? !scatter ? tr("Select runs to compare them side by side")
                          : m_proxy.rowCount() > int(maxDrawn)
                              ? tr("First %1 runs of the table; select runs or filter to see others").arg(maxDrawn)
                              : tr("All runs of the table; select runs to see only those")
                        : counted(ticked, [](int n) { return tr("%1 selected run(s)", nullptr, n); }));
    scatter ? refreshChart() : refreshComparison();
}

void ResultsPage::refreshChart()
{
    const Measure& x = evaluationMeasures()[size_t(m_x->currentIndex())];
    const Measure& y = evaluationMeasures()[size_t(m_y->currentIndex())];
    const auto valueOf = [](const Measure& measure, const ResultRow& row) {
        return chartValue(measure, row.measurements());
    };
    std::vector<RunMark> marks;
    std::vector<ResultRow> drawn = compared();
    std::erase_if(drawn, [&](const ResultRow& row) { return !valueOf(x, row) || !valueOf(y, row); });
    const QStringList names = namesOf(drawn);
    std::vector<const ResultRow*> all;
    std::ranges::transform(drawn, std::back_inserter(all), [](const ResultRow& row) { return &row; });
    const std::set<std::string> severalTransforms = dataOfSeveralTransforms(all);
    for (const ResultRow& row : drawn) {
        const auto xValue = valueOf(x, row), yValue = valueOf(y, row);
        const QString& name = names[&row - drawn.data()];
        const EvaluationSettings& settings = row.evaluation->settings;
        marks.push_back(
            {row.id(),
             name,
             m_runs.look(row),
             xValue,
             *yValue,
             {},
             false,
             conditionsOf(row, severalTransforms) + toQt(settings.device) + QString::number(settings.threads)});
        if (const auto known = published(y, row)) {
            // At the cost that we measured: papers print none for this machine.
            const ChartValue cost{xValue->mid, xValue->mid, xValue->mid, xValue->text};
            marks.push_back({row.id(),
                             tr("%1, published").arg(name),
                             marks.back().backend,
                             cost,
                             {*known, *known, *known, tr("%1 % (LARA paper, ImageNet-1k)").arg(*known)},
                             {},
                             true});
        }
    }
    m_chart->setChart(runChart(marks, axisOf(x), axisOf(y)));
}

void ResultsPage::refreshComparison()
{
    std::vector<ResultRow> rows = m_runs.ticked();
    if (rows.empty() && current() != nullptr)
        rows.push_back(*current());
    std::vector<ComparedRun> runs;
    for (const ResultRow& row : rows)
        runs.push_back(
            {attentionTitle(row.stored().attention), row.evaluation.get(), &row.stored(), row.accuracy});
    m_sides.show(
        comparisonTable(runs, m_differences->isChecked() ? Compared::DifferencesOnly : Compared::Everything));
    fitTableColumns(*m_comparison, 300);
}

void ResultsPage::change(const std::function<void(ResultStore&)>& what)
{
    m_store.change(
        this,
        [what](ResultStore& store) {
            what(store);
            return true;
        },
        [this](bool) { reload(); });
}

void ResultsPage::changeNote(int64_t evaluation, const QString& note)
{
    change([evaluation, text = fromQt(note)](ResultStore& store) { store.setNote(evaluation, text); });
}

void ResultsPage::hide(int64_t evaluation, bool hidden)
{
    change([=](ResultStore& store) { store.setHidden(evaluation, hidden); });
}

void ResultsPage::discard()
{
    const ResultRow* row = current();
    if (row == nullptr)
        return;
    const int64_t evaluation = row->evaluation->id;
    MessageBar* bar = showMessage(
        MessageBar::Kind::Info,
        tr("The evaluation of %1 with its %2 was moved to the trash.")
            .arg(dataTitle(toQt(row->evaluation->dataRoot)),
                 counted(row->evaluation->runs.size(), [](int n) { return tr("%1 run(s)", nullptr, n); })));
    bar->addAction(tr("Undo"), [this, bar, evaluation] {
        restoreEvaluation(evaluation);
        bar->QWidget::hide();
        bar->deleteLater();
    });
    m_discarded.emplace_back(bar);
    m_steps.push_back({evaluation, std::nullopt});
    hide(evaluation, true);
}

void ResultsPage::refreshTrash()
{
    m_trash->setVisible(m_trashed.evaluations > 0);
    m_trash->setToolTip(tr("Delete for good what was moved to the trash: %1").arg(trashedRuns()));
}

QString ResultsPage::trashedRuns() const
{
    return counted(m_trashed.runs, [](int n) { return tr("%1 run(s)", nullptr, n); });
}

void ResultsPage::emptyTrash()
{
    const QString evaluations = counted(m_trashed.evaluations,
                                        [](int n) { return tr("%1 evaluation(s)", nullptr, n); });
    const Confirmation question{u"empty-trash"_s,
                                tr("Empty the trash?"),
                                tr("%1 of %2 will be deleted from %3 for good.")
                                    .arg(trashedRuns(), evaluations, QFileInfo(m_store.file()).fileName()),
                                {},
                                tr("Delete %1").arg(trashedRuns()),
                                tr("Keep")};
    if (m_trashed.evaluations == 0 || !confirmed(this, question))
        return;
    std::erase_if(m_steps, [](const Step& step) { return !step.note; });
    for (const QPointer<MessageBar>& bar : m_discarded)
        if (bar)
            bar->deleteLater();
    m_discarded.clear();
    change([](ResultStore& store) { store.emptyTrash(); });
}

/// What that bar is about, whatever was done since.
void ResultsPage::restoreEvaluation(int64_t evaluation)
{
    const auto own = std::ranges::find_if(std::views::reverse(m_steps), [&](const Step& step) {
        return step.evaluation == evaluation && !step.note;
    });
    if (own != m_steps.rend())
        m_steps.erase(std::next(own).base());
    hide(evaluation, false);
}

void ResultsPage::undo()
{
    if (m_steps.empty())
        return;
    const Step step = m_steps.back();
    m_steps.pop_back();
    step.note ? changeNote(step.evaluation, *step.note) : hide(step.evaluation, false);
}

void ResultsPage::editNote()
{
    const QModelIndex index = m_table->currentIndex();
    if (!index.isValid())
        return;
    const QModelIndex note = m_proxy.index(index.row(), RunsModel::NoteColumn);
    m_table->setCurrentIndex(note);
    m_table->edit(note);
}

void ResultsPage::setReference()
{
    if (const ResultRow* row = current(); row != nullptr)
        m_runs.setReference(m_runs.reference() == row->id() ? 0 : row->id());
}

bool ResultsPage::showsExits() const
{
    return m_exits != nullptr && m_tabs->currentIndex() == ExitsTabIndex;
}

void ResultsPage::showTab()
{
    if (m_exits == nullptr)
        return;
    stack()->setVisible(!showsExits());
    m_exits->setVisible(showsExits());
    if (const ResultRow* row = current(); showsExits() && row != nullptr)
        m_exits->take(Content::Folder, toQt(row->evaluation->dataRoot));
    emit usesChanged();
    emit changed();
}

bool ResultsPage::canRun() const
{
    return showsExits() && m_exits->canRun();
}

void ResultsPage::run()
{
    if (canRun())
        m_exits->run();
}

bool ResultsPage::showsContents() const
{
    return showsExits() ? m_exits->hasResults() : Page::showsContents();
}

void ResultsPage::showNextView()
{
    m_views->setCurrent((m_views->current() + 1) % m_views->count());
}

QMenu* ResultsPage::menuForCurrent()
{
    auto* menu = new QMenu(this);
    const ResultRow* row = current();
    if (row == nullptr)
        return menu;
    const int64_t run = row->id();
    menu->addAction(m_runs.isTicked(run) ? tr("Deselect (Space)") : tr("Select (Space)"), this,
                    [this, run] { m_runs.setTicked(run, !m_runs.isTicked(run)); });
    menu->addAction(m_runs.reference() == run ? tr("Clear reference (R)") : tr("Use as reference (R)"), this,
                    &ResultsPage::setReference);
    menu->addAction(tr("Edit note (F2)"), this, &ResultsPage::editNote);
    menu->addAction(tr("Copy as command"), this, &Page::copyCommand);
    menu->addSeparator();
    menu->addAction(tr("Move to Trash (Del)"), this, &ResultsPage::discard);
    menu->addAction(tr("Empty Trash…"), this, &ResultsPage::emptyTrash)->setEnabled(m_trashed.evaluations > 0);
    return menu;
}

bool ResultsPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_table || event->type() != QEvent::KeyPress)
        return Page::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_F2:
        editNote();
        return true;
    case Qt::Key_Delete:
        discard();
        return true;
    case Qt::Key_R:
        setReference();
        return true;
    case Qt::Key_Space:
        if (current() != nullptr)
            m_runs.setTicked(current()->id(), !m_runs.isTicked(current()->id()));
        return true;
    default:
        return Page::eventFilter(watched, event);
    }
}

void ResultsPage::take(Content, const QStringList& paths)
{
    if (m_tabs != nullptr)
        m_tabs->setCurrentIndex(RunsTabIndex);
    m_store.setFile(paths.front());
}

QLabel* ResultsPage::headline() const
{
    return m_head->headline();
}

void ResultsPage::fitColumns()
{
    // What does not fit is left out, least important first; side by side, everything is there.
    static constexpr RunsModel::Column spare[]{RunsModel::Top5Column, RunsModel::ErrorColumn,
                                               RunsModel::ModelColumn, RunsModel::WeightsColumn};
    const bool editing = m_table->findChild<QLineEdit*>() != nullptr;
    for (const RunsModel::Column column : spare)
        if (!editing)
            m_table->setColumnHidden(column, false);
    for (const RunsModel::Column column : spare) {
        if (fitTableColumns(*m_table, isCompact() ? 170 : 200) || editing)
            return;
        m_table->setColumnHidden(column, true);
    }
    fitTableColumns(*m_table, isCompact() ? 170 : 200);
}

void ResultsPage::arrange()
{
    m_head->setCompact(isCompact());
    if (m_exits != nullptr)
        m_exits->setCompact(isCompact());
    fitColumns();
    fitTableColumns(*m_comparison, 300);
}

void ResultsPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    if (m_stale)
        reload();
}

}
