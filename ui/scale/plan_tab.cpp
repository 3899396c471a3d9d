#include "ui/scale/plan_tab.h"

#include "core/lab/lab_tables.h"
#include "ui/charts/legend_row.h"
#include "ui/scale/scale_words.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/number_fields.h"
#include "ui/workspace/accuracy_text.h"

#include "core/lab/lab_charts.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QFileInfo>
#include <QTableView>

#include <algorithm>
#include <array>

namespace attnscope::ui {

namespace {

struct BudgetChoice {
    PlanBudget kind;
    const char* name;
    const char* suffix;
    double usual;
};
constexpr std::array budgets{
    BudgetChoice{PlanBudget::Speed, QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", "speed"),
                 QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", "×"), 1.5},
    BudgetChoice{PlanBudget::Latency, QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", "latency"),
                 QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", " ms"), 20},
    BudgetChoice{PlanBudget::Error, QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", "relative error"), "", 0.1},
    BudgetChoice{PlanBudget::Divergence, QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", "KL"),
                 QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", " nats"), 0.01},
    BudgetChoice{PlanBudget::Drop, QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", "top-1 loss"),
                 QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", " points"), 1}};
constexpr int defaultSamples = 240, maxPlanSamples = 100'000;
enum CandidatesChoice { DefaultCandidates, TickedCandidates };

}

PlanTab::PlanTab(ScaleSession& session, QWidget* parent)
    : ScaleTabOf(session, ScaleSession::Plans, parent)
    , m_budget(new CaptionCombo(tr("Budget"), this))
    , m_value(new RealSpin(this))
    , m_candidates(new CaptionCombo(tr("Candidates"), this))
    , m_imageSize(newImageSizes())
    , m_labelledButton(new ActionButton(u"folder"_s, tr("Labelled folder…"), ActionButton::Look::Plain, this))
    , m_samples(new CaptionSpin(tr("Samples"), 1, maxPlanSamples, defaultSamples, this))
{
    m_budget->setAccessibleName(tr("Budget type"));
    for (const BudgetChoice& budget : budgets)
        m_budget->addItem(tr(budget.name));
    m_value->setAccessibleName(tr("Budget"));
    m_value->setRange(1e-6, 1e9);
    m_value->setDecimals(6);
    m_value->setMinimumWidth(96);
    m_candidates->setAccessibleName(tr("Candidates"));
    m_candidates->addItems({tr("Default"), tr("Selected")});
    m_samples->setToolTip(
        tr("Number of samples of the labelled folder, spread over its classes, that every plan is evaluated on"));
    buildContent();
    build({m_budget, m_value, m_labelledButton, m_samples, m_candidates, m_imageSize});
    connect(m_budget, &QComboBox::currentIndexChanged, this, &PlanTab::takeBudget);
    connect(m_labelledButton, &QPushButton::clicked, this, &PlanTab::askLabelled);
    connect(empty()->second(), &QPushButton::clicked, this,
            [this] { m_candidates->setCurrentIndex(TickedCandidates); });
    setLabelled({});
    takeBudget(0);
}

PlanBudget PlanTab::kindOfBudget() const
{
    return budgets[size_t(m_budget->currentIndex())].kind;
}

void PlanTab::takeBudget(int index)
{
    const BudgetChoice& budget = budgets[size_t(index)];
    m_value->setSuffix(*budget.suffix == '\0' ? QString() : tr(budget.suffix));
    m_value->setRange(needsLabels(budget.kind) ? 0 : 1e-6, needsLabels(budget.kind) ? 100 : 1e9);
    m_value->setValue(budget.usual);
    m_labelledButton->setVisible(needsLabels(budget.kind));
    m_samples->setVisible(needsLabels(budget.kind));
    refreshWish();
}

void PlanTab::askLabelled()
{
    const QString folder = QFileDialog::getExistingDirectory(
        this, tr("A folder with one subfolder of images or videos per class"), m_labelled);
    if (!folder.isEmpty())
        setLabelled(folder);
}

void PlanTab::setLabelled(const QString& folder)
{
    m_labelled = folder;
    const QString name = QFileInfo(folder).fileName();
    m_labelledButton->setText(folder.isEmpty() ? tr("Labelled folder…")
                                               : fontMetrics().elidedText(name, Qt::ElideMiddle, 120));
    m_labelledButton->setAccessibleName(folder.isEmpty()
                                            ? tr("Choose a labelled folder")
                                            : tr("Labelled folder: %1; click to choose another").arg(name));
    m_labelledButton->setToolTip(
        folder.isEmpty() ? tr("Images or videos in subfolders named after the model's classes") : folder);
    refreshWish();
}

void PlanTab::buildContent()
{
    QVBoxLayout* column = addCard(*m_content, 6);
    m_chartTitle = new QLabel(this);
    m_chartTitle->setFont(fontFor(Type::BodyStrong));
    column->addWidget(m_chartTitle);
    m_legend = new LegendRow(this);
    column->addWidget(m_legend);
    m_front = new ChartView(tr("Attention error vs. latency"), this);
    m_front->setNotice(tr("Plans appear once all layers have been measured"));
    column->addWidget(m_front, 1);
    auto* below = new QHBoxLayout;
    below->setSpacing(12);
    m_content->addLayout(below, 6);
    column = addCard(*below, 1);
    auto* leftTitle = new QLabel(tr("Measured plans"), this);
    leftTitle->setFont(fontFor(Type::BodyStrong));
    column->addWidget(leftTitle);
    m_table = addTable(*column, tr("Plans"), m_cells);
    column = addCard(*below, 1);
    auto* row = new QHBoxLayout;
    m_layersTitle = new ElidedLabel(this);
    m_layersTitle->setFont(fontFor(Type::BodyStrong));
    m_use = new ActionButton(u"plus"_s, tr("Use this plan"), ActionButton::Look::Plain, this);
    m_use->setToolTip(tr("Adds its specification to the Backends and selects it"));
    row->addWidget(m_layersTitle, 1);
    row->addWidget(m_use);
    column->addLayout(row);
    m_layersTable = addTable(*column, tr("Layers of the plan"), m_layers);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &PlanTab::showLayers);
    connect(m_legend, &LegendRow::hiddenChanged, this, [this] { m_front->setHidden(m_legend->hidden()); });
    connect(m_use, &QPushButton::clicked, this, [this] {
        if (const auto plan = current())
            emit planRequested(toQt(plan->attention));
    });
}

PlanJob PlanTab::job() const
{
    PlanJob form;
    form.request.kind = kindOfBudget();
    form.request.budget = needsLabels(kindOfBudget()) ? m_value->value() / 100 : m_value->value();
    if (needsLabels(kindOfBudget())) {
        form.subject.labelled = fromQt(m_labelled);
        form.subject.samples = m_samples->value();
    }
    form.subject.model.imageSize = InputSize::square(m_imageSize->currentData().toInt());
    if (m_candidates->currentIndex() == TickedCandidates)
        form.request.candidates = m_session.candidates();
    return m_session.completed(form, m_session.inputs());
}

QString PlanTab::missing() const
{
    if (needsLabels(kindOfBudget()) && m_labelled.isEmpty())
        return tr("Choose a labelled folder, whose subfolder names give the true classes.");
    if (!needsLabels(kindOfBudget()) && m_session.inputs().isEmpty())
        return tr("Open an image in Compare, on which the cost and error of every layer are measured.");
    if (m_candidates->currentIndex() == TickedCandidates && m_session.candidates().empty())
        return tr("Select a backend other than softmax, or use the default approximations.");
    return {};
}

void PlanTab::describeWish()
{
    EmptyScreen::Words words{tr("Which layers can use a cheaper attention?"), {}, {}};
    const PlanJob wish = job();
    const QStringList inputs = m_session.inputs();
    words.line = missing();
    if (words.line.isEmpty()) {
        const QString where = !wish.subject.labelled.empty()
                                  ? counted(wish.subject.samples,
                                            [](int n) { return tr("%1 sample(s) from %2", nullptr, n); })
                                        .arg(QFileInfo(m_labelled).fileName())
                              : inputs.size() == 1 ? QFileInfo(inputs.front()).fileName()
                                                   : tr("%1 inputs").arg(inputs.size());
        words.line = tr("Plan %1: %2 for every layer, on %3; takes a few minutes.")
                         .arg(budgetText(wish.request),
                              counted(wish.request.candidates.empty() ? defaultCandidates().size()
                                                                      : wish.request.candidates.size(),
                                      [](int n) { return tr("%1 candidate(s)", nullptr, n); }),
                              where);
    }
    words.small = tr("Measures the cost and error of each candidate in each layer, combines them into "
                     "Pareto-optimal plans, and "
                     "measures those end to end.");
    empty()->setWords(words);
}

ScaleTab::Said PlanTab::said() const
{
    const QString running = tr("Measuring every candidate in every layer");
    if (hasResults())
        return {running, translated(attnscope::verdict(*report())), translated(conditions(*report()))};
    return {running, tr("A backend for each layer, within a budget"),
            tr("Layer times and errors are added up; the Pareto front is searched, then measured.")};
}

QString PlanTab::loadText() const
{
    return hasResults() ? loadWarning(report()->model.environment, report()->model.device.threads) : QString();
}

void PlanTab::showResults()
{
    Chart chart;
    Table plans;
    QList<LegendRow::Entry> entries;
    const bool accuracy = needsLabels(hasResults() ? report()->kind : kindOfBudget());
    m_chartTitle->setText(accuracy ? tr("Top-1 on labelled samples vs. model latency; bars: 95 % interval")
                                   : tr("Relative attention error vs. model latency"));
    if (hasResults()) {
        chart = planChart(*report());
        if (chart.y.scale == AxisScale::Log)
            m_chartTitle->setText(tr("%1; logarithmic").arg(m_chartTitle->text()));
        plans = measuredPlans(*report());
        for (const ChartSeries& series : chart.series)
            entries << LegendRow::Entry{toQt(series.name),
                                        series.name == "softmax-explicit" ? tr("softmax, explicit")
                                        : series.backend == "mixed"       ? tr("mixed plans")
                                                                          : toQt(series.name),
                                        toQt(series.backend),
                                        series.published,
                                        series.joined,
                                        {}};
    }
    m_legend->setEntries(entries);
    m_front->setHidden(m_legend->hidden());
    m_front->setChart(std::move(chart));
    m_cells.show(plans);
    if (m_cells.rowCount() > 0)
        m_table->selectRow(0);
    if (hasResults() && report()->chosen)
        for (int row = 0; row < m_cells.rowCount(); ++row)
            if (m_cells.index(row, 0).data(CellTable::KeyRole).toString() == toQt(report()->chosen->attention))
                m_table->selectRow(row);
    showLayers();
}

/// What does not fit is left out: the fraction of inputs with the same class, then the divergence.
void PlanTab::fitTables()
{
    constexpr int needed = 3;  // the plan, its cost, and what it loses
    for (int column = needed; column < m_cells.columnCount(); ++column)
        m_table->setColumnHidden(column, false);
    if (!m_table->isVisible())
        return;
    for (int column = m_cells.columnCount() - 1; column >= needed; --column)
        if (!fitTableColumns(*m_table, 260))
            m_table->setColumnHidden(column, true);
    fitTableColumns(*m_table, 260);
    fitTableColumns(*m_layersTable, 200);
}

std::optional<Plan> PlanTab::current() const
{
    if (!hasResults())
        return std::nullopt;
    const QString key = m_table->currentIndex().data(CellTable::KeyRole).toString();
    for (const auto* list : {&report()->front, &report()->uniform})
        for (const Plan& plan : *list)
            if (toQt(plan.attention) == key)
                return plan;
    return report()->chosen;
}

void PlanTab::showLayers()
{
    const auto plan = current();
    m_use->setEnabled(plan.has_value());
    m_layersTitle->setText(plan ? translated(planTitle(*report(), *plan)) : tr("Layers"));
    m_layersTitle->setToolTip(plan ? toQt(plan->attention) : QString());
    m_layers.show(plan ? planLayers(*report(), *plan) : Table());
    fitTables();
}

}
