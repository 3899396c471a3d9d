#include "ui/scale/scale_tab.h"
#include "ui/scale/scale_words.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/number_fields.h"
#include "ui/workspace/accuracy_text.h"

#include "core/lab/lab_charts.h"
#include "core/lab/lab_tables.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QFileInfo>
#include <QTableView>

namespace attnscope::ui {

namespace {

struct BudgetChoice {
    PlanBudget kind;
    const char* name;
    const char* suffix;
    double value;
};
constexpr BudgetChoice budgets[]{
    {PlanBudget::Speed, QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", "speed"),
     QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", "×"), 1.5},
    {PlanBudget::Latency, QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", "latency"),
     QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", " ms"), 20},
    {PlanBudget::Error, QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", "relative error"), "", 0.1},
    {PlanBudget::Divergence, QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", "KL"),
     QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", " nats"), 0.01},
    {PlanBudget::Drop, QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", "top-1 loss"),
     QT_TRANSLATE_NOOP("attnscope::ui::PlanTab", " points"), 1}};
constexpr int defaultSamples = 240, maxPlanSamples = 100'000;
enum CandidatesChoice { DefaultCandidates, TickedCandidates };

/// Which layers to give which attention for a budget: the front of plans, and the layers of one of them.
class PlanTab : public ScaleTab {
    Q_DECLARE_TR_FUNCTIONS(attnscope::ui::PlanTab)
public:
    PlanTab(ScaleSession& session, QWidget* parent)
        : ScaleTab(session, ScaleSession::Plans,
                   {u"plans"_s,
                    tr("Which layers can use a cheaper attention?"),
                    tr("A backend for each layer, within a budget"),
                    tr("Layer times and errors are added up; the Pareto front is searched, then measured."),
                    {u"scale"_s, tr("Selected backends only")},
                    sketchFront({{"performer", 0.1, 0.9, true},
                                 {"mixed", 0.24, 0.52, true, tr("a plan")},
                                 {"lara", 0.36, 0.62},
                                 {"mixed", 0.42, 0.28, true, tr("a plan")},
                                 {"nystrom", 0.6, 0.4},
                                 {"softmax", 0.78, 0.05, true}})},
                   parent)
    {
        m_budget->setAccessibleName(tr("Budget type"));
        for (const BudgetChoice& budget : budgets)
            m_budget->addItem(tr(budget.name));
        m_value->setAccessibleName(tr("Budget"));
        m_value->setDecimals(6);
        m_value->setMinimumWidth(96);
        m_candidates->setAccessibleName(tr("Candidates"));
        m_candidates->addItems({tr("Default"), tr("Selected")});
        m_samples->setToolTip(tr(
            "Number of samples of the labelled folder, spread over its classes, that every plan is evaluated on"));
        addCharts(
            {{tr("Attention error vs. latency"), nullptr, tr("Plans appear once all layers have been measured")}},
            6);
        auto* below = new QHBoxLayout;
        below->setSpacing(12);
        m_content->addLayout(below, 6);
        QVBoxLayout* column = addCard(*below, this, 1);
        column->addWidget(newHeading(tr("Measured plans"), this));
        m_table = addTable(*column, tr("Plans"), m_cells);
        column = addCard(*below, this, 1);
        auto* row = new QHBoxLayout;
        m_title->setFont(fontFor(Type::BodyStrong));
        m_use->setToolTip(tr("Adds its specification to the Backends and selects it"));
        row->addWidget(m_title, 1);
        row->addWidget(m_use);
        column->addLayout(row);
        m_layersTable = addTable(*column, tr("Layers of the plan"), m_layers);
        connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &PlanTab::showLayers);
        connect(m_use, &QPushButton::clicked, this,
                [this] { emit attentionRequested(toQt(current()->attention)); });
        build({m_budget, m_value, m_labelledButton, m_samples, m_candidates, m_imageSize});
        connect(m_budget, &QComboBox::currentIndexChanged, this, &PlanTab::takeBudget);
        connect(m_labelledButton, &QPushButton::clicked, this, [this] {
            const QString folder = QFileDialog::getExistingDirectory(
                this, tr("A folder with one subfolder of images or videos per class"), m_labelled);
            if (!folder.isEmpty())
                setLabelled(folder);
        });
        connect(empty()->second(), &QPushButton::clicked, this,
                [this] { m_candidates->setCurrentIndex(TickedCandidates); });
        setLabelled({});
        takeBudget();
    }

    ScaleQuestion job() const override { return request(); }

    bool take(Content content, const QString& path) override
    {
        if (content == Content::Folder)
            setLabelled(path);
        return content == Content::Folder;
    }

    void setCompact(bool) override {}

private:
    const PlanReport& report() const { return *m_session.report<PlanReport>(); }
    const BudgetChoice& budget() const { return budgets[m_budget->currentIndex()]; }
    bool isOfAccuracy() const { return needsLabels(budget().kind); }

    void takeBudget()
    {
        m_value->setSuffix(*budget().suffix == '\0' ? QString() : tr(budget().suffix));
        m_value->setRange(isOfAccuracy() ? 0 : 1e-6, isOfAccuracy() ? 100 : 1e9);
        m_value->setValue(budget().value);
        m_labelledButton->setVisible(isOfAccuracy());
        m_samples->setVisible(isOfAccuracy());
        refreshForm();
    }

    /// The labelled folder or list for a budget of accuracy; empty: none.
    void setLabelled(const QString& folder)
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
        refreshForm();
    }

    PlanJob request() const
    {
        PlanJob form;
        form.request.kind = budget().kind;
        form.request.budget = isOfAccuracy() ? m_value->value() / 100 : m_value->value();
        if (isOfAccuracy()) {
            form.subject.labelled = fromQt(m_labelled);
            form.subject.samples = m_samples->value();
        }
        form.subject.model.imageSize = InputSize::square(m_imageSize->currentData().toInt());
        if (m_candidates->currentIndex() == TickedCandidates)
            form.request.candidates = m_session.candidates();
        return m_session.completed(form, m_session.inputs());
    }

    QString missing() const override
    {
        if (isOfAccuracy() && m_labelled.isEmpty())
            return tr("Choose a labelled folder, whose subfolder names give the true classes.");
        if (!isOfAccuracy() && m_session.inputs().isEmpty())
            return tr("Open an image in Compare, on which the cost and error of every layer are measured.");
        return m_candidates->currentIndex() == TickedCandidates && m_session.candidates().empty()
                   ? tr("Select a backend other than softmax, or use the default approximations.")
                   : QString();
    }

    QString summary() const override
    {
        const PlanJob wanted = request();
        const QStringList inputs = m_session.inputs();
        const QString where = isOfAccuracy()
                                  ? counted(wanted.subject.samples,
                                            [](int n) { return tr("%1 sample(s) from %2", nullptr, n); })
                                        .arg(QFileInfo(m_labelled).fileName())
                              : inputs.size() == 1 ? QFileInfo(inputs.front()).fileName()
                                                   : tr("%1 inputs").arg(inputs.size());
        return tr("Plan %1: %2 for every layer, on %3; takes a few minutes.")
            .arg(budgetText(wanted.request),
                 counted(
                     (wanted.request.candidates.empty() ? defaultCandidates() : wanted.request.candidates).size(),
                     [](int n) { return tr("%1 candidate(s)", nullptr, n); }),
                 where);
    }

    QString note() const override
    {
        return tr("Measures the cost and error of each candidate in each layer, combines them into "
                  "Pareto-optimal plans, and measures those end to end.");
    }

    QString running() const override { return tr("Measuring every candidate in every layer"); }

    QList<LegendRow::Entry> entries() const override
    {
        QList<LegendRow::Entry> entries;
        for (const ChartSeries& series : planChart(report()).series)
            entries << LegendRow::Entry{.key = toQt(series.name),
                                        .name = series.name == "softmax-explicit" ? tr("softmax, explicit")
                                                : series.backend == "mixed"       ? tr("mixed plans")
                                                                                  : toQt(series.name),
                                        .backend = toQt(series.backend),
                                        .published = series.published,
                                        .joined = series.joined};
        return entries;
    }

    void nameParts() override
    {
        const bool accuracy = hasResults() ? needsLabels(report().kind) : isOfAccuracy();
        const QString title = accuracy ? tr("Top-1 on labelled samples vs. model latency; bars: 95 % interval")
                                       : tr("Relative attention error vs. model latency");
        m_charts.front().title->setText(hasResults() && planChart(report()).y.scale == AxisScale::Log
                                            ? tr("%1; logarithmic").arg(title)
                                            : title);
    }

    std::vector<Chart> charts() const override { return {planChart(report())}; }
    Table contents() const override { return measuredPlans(report()); }

    void refreshParts() override
    {
        ScaleTab::refreshParts();
        if (m_cells.rowCount() > 0)
            m_table->selectRow(0);
        for (int row = 0; hasResults() && report().chosen && row < m_cells.rowCount(); ++row)
            if (m_cells.index(row, 0).data(CellTable::KeyRole).toString() == toQt(report().chosen->attention))
                m_table->selectRow(row);
        showLayers();
    }

    /// What does not fit is left out: the fraction of inputs with the same class, then the divergence.
    void fitTables() override
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

    /// The plan of the current row, else the one chosen.
    std::optional<Plan> current() const
    {
        if (!hasResults())
            return std::nullopt;
        const QString key = m_table->currentIndex().data(CellTable::KeyRole).toString();
        for (const auto* list : {&report().front, &report().uniform})
            for (const Plan& plan : *list)
                if (toQt(plan.attention) == key)
                    return plan;
        return report().chosen;
    }

    void showLayers()
    {
        const auto plan = current();
        m_use->setEnabled(plan.has_value());
        m_title->setText(plan ? translated(planTitle(report(), *plan)) : tr("Layers"));
        m_title->setToolTip(plan ? toQt(plan->attention) : QString());
        m_layers.show(plan ? planLayers(report(), *plan) : Table());
        fitTables();
    }

    CaptionCombo* m_budget = new CaptionCombo(tr("Budget"), this);
    RealSpin* m_value = new RealSpin(this);
    ActionButton* m_labelledButton = new ActionButton(u"folder"_s, {}, ActionButton::Look::Plain, this);
    CaptionSpin* m_samples = new CaptionSpin(tr("Samples"), 1, maxPlanSamples, defaultSamples, this);
    CaptionCombo* m_candidates = new CaptionCombo(tr("Candidates"), this);
    CaptionCombo* m_imageSize = newImageSizes();
    QString m_labelled;
    ElidedLabel* m_title = new ElidedLabel(this);  ///< of the layers
    ActionButton* m_use = new ActionButton(u"plus"_s, tr("Use this plan"), ActionButton::Look::Plain, this);
    QTableView* m_layersTable = nullptr;
    CellTable m_layers;
};

}

ScaleTab* planTab(ScaleSession& session, QWidget* parent)
{
    return new PlanTab(session, parent);
}

}
