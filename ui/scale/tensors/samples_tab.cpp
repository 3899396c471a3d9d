#include "ui/scale/tensors/samples_tab.h"

#include "core/lab/lab_tables.h"
#include "ui/charts/legend_row.h"
#include "ui/scale/scale_charts.h"
#include "ui/scale/scale_words.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/workspace/accuracy_text.h"

#include <QBoxLayout>
#include <QLineEdit>
#include <QTableView>

namespace attnscope::ui {

namespace {

constexpr int64_t maxShownSamples = 1 << 20;

}

SamplesTab::SamplesTab(ScaleSession& session, QWidget* parent)
    : ScaleTabOf(session, ScaleSession::Samples, parent)
    , m_source(new TensorSource(newImageSizes(), this))
    , m_counts(newCountsField(tr("Sample counts"), 190))
    , m_seeds(new CaptionSpin(tr("Seeds"), 1, 100, 5, this))
{
    m_counts->setText(u"1, 4, 9, 16, 25, 49, 100, 196"_s);
    m_seeds->setToolTip(tr("Number of seeds for each random attention"));
    buildContent();
    build(m_source->fields() + QList<QWidget*>{m_counts, m_seeds});
    connect(m_source, &TensorSource::changed, this, &SamplesTab::refreshWish);
    connect(empty()->second(), &QPushButton::clicked, m_source, &TensorSource::askDump);
    m_source->setKind(TensorSource::Kind::Model);
}

void SamplesTab::buildContent()
{
    QVBoxLayout* column = addCard(*m_content, 7);
    QWidget* upper = column->parentWidget();
    m_legend = new LegendRow(upper);
    column->addWidget(m_legend);
    auto* charts = new QHBoxLayout;
    charts->setSpacing(16);
    m_part = new Segments(tr("Error component"), {tr("Variance"), tr("Bias²")}, upper);
    m_errors = addTitledChart(*charts, tr("Mean squared error"), upper);
    m_errors.title->setMinimumHeight(m_part->sizeHint().height());
    m_errors.view->setNotice(tr("Curves appear once everything has been measured"));
    m_parts = addTitledChart(*charts, tr("Variance"), upper, ChartView::Names::Aside, m_part);
    column->addLayout(charts, 1);
    m_table = addTable(*addCard(*m_content, 5), tr("Errors"), m_cells);
    connect(m_part, &Segments::chosen, this, &SamplesTab::refreshCharts);
    connect(m_legend, &LegendRow::hiddenChanged, this, &SamplesTab::refreshCharts);
}

bool SamplesTab::takeTensors(const QString& path)
{
    m_source->setDump(path);
    return true;
}

ApproximateJob SamplesTab::job() const
{
    ApproximateJob form{m_source->subject(), {}};
    QString problem;
    form.request.attention = m_session.approximations();
    form.request.samples = parseCounts(m_counts->text(), maxShownSamples, problem);
    form.request.seeds = m_seeds->value();
    return m_session.completed(form, m_session.inputs());
}

bool SamplesTab::canRun() const
{
    const ApproximateJob wish = job();
    return !m_session.isRunning() && !wish.request.samples.empty() && !wish.request.attention.empty()
           && (m_source->kind() != TensorSource::Kind::Model || !wish.subject.inputs.empty());
}

void SamplesTab::describeWish()
{
    QString problem;
    const auto counts = parseCounts(m_counts->text(), maxShownSamples, problem);
    m_counts->setToolTip(problem.isEmpty() ? tr("Sample counts in ascending order, separated by commas")
                                           : problem);
    EmptyScreen::Words words{tr("How many samples does an approximation need?"), problem, {}};
    if (problem.isEmpty()) {
        const ApproximateJob wish = job();
        QStringList names;
        for (const AttentionSpec& spec : wish.request.attention)
            names << toQt(spec.isMixed() ? spec.canonical() : spec.backend());
        if (names.isEmpty())
            words.line = tr("Select a backend other than softmax, which is the reference for the error.");
        else if (m_source->kind() == TensorSource::Kind::Model && wish.subject.inputs.empty())
            words.line = tr("Open an image in Compare, or a file with q, k and v.");
        else
            words.line = tr("Error of %1 with %3 to %4 samples (%2), %5: %6.")
                             .arg(fewNames(names),
                                  counted(counts.size(), [](int n) { return tr("%1 value(s)", nullptr, n); }),
                                  QString::number(counts.front()), QString::number(counts.back()),
                                  m_source->text(m_session.inputs()),
                                  remainingText(guessedSeconds(wish, m_session.model(), m_session.threads(),
                                                               m_session.onGpu())));
        words.small = tr("Mean, standard deviation, bias² and variance over seeds, with a 1/samples line and two "
                         "baselines. Exact "
                         "softmax is 0.");
    }
    empty()->setWords(words);
}

ScaleTab::Said SamplesTab::said() const
{
    const QString running = tr("Measuring the error %1").arg(m_source->text(m_session.inputs()));
    if (hasResults())
        return {running, translated(attnscope::verdict(*report())), translated(conditions(*report()))};
    return {
        running, tr("Error vs. number of samples"),
        tr("As in figure 1 of the LARA paper: the same q, k, v for all, averaged over heads, layers and inputs.")};
}

void SamplesTab::showResults()
{
    QList<LegendRow::Entry> entries;
    if (hasResults()) {
        const std::vector<Curve>& curves = report()->curves;
        QStringList specs;
        for (const Curve& curve : curves)
            specs << toQt(curve.attention);
        const QStringList looks = looksOfSpecs(specs);
        for (const Curve& curve : curves)
            entries << LegendRow::Entry{
                toQt(curve.attention), translated(curveTitle(curve)), looks[entries.size()], false, true,
                toQt(curve.attention)};
        entries << LegendRow::Entry{.key = u"mean of the values"_s,
                                    .name = tr("mean of the values"),
                                    .help = tr("Baseline: every query outputs the mean of v")}
                << LegendRow::Entry{
                       .key = u"zero"_s, .name = tr("zero"), .help = tr("Baseline: every query outputs 0")};
    }
    m_legend->setEntries(entries);
    m_cells.show(hasResults() ? approximationErrors(*report()) : Table());
    refreshCharts();
}

void SamplesTab::refreshCharts()
{
    const bool variance = m_part->current() == 0;
    m_parts.title->setText(variance ? tr("Variance and 1/samples") : tr("Bias²"));
    m_parts.view->setNotice(variance ? tr("Deterministic backends have no variance") : tr("No bias² above 0"));
    ChartPair charts;
    if (hasResults()) {
        QStringList hidden = m_legend->hidden();
        for (const Curve& curve : report()->curves)
            if (hidden.contains(toQt(curve.attention)))
                hidden << toQt(curve.attention + ", 1/samples");
        m_errors.view->setHidden(hidden);
        m_parts.view->setHidden(hidden);
        charts = errorCharts(*report(), variance ? ErrorFraction::Variance : ErrorFraction::BiasSquared);
    }
    m_errors.view->setChart(std::move(charts.left));
    m_parts.view->setChart(std::move(charts.right));
}

ScaleTab::Charts SamplesTab::charts() const
{
    return {errors(), parts(), m_part->current() == 0 ? u"variance"_s : u"bias"_s};
}

}
