#include "ui/scale/tensors/kernel_tab.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/workspace/accuracy_text.h"

#include "core/attention/backend_info.h"
#include "core/lab/lab_charts.h"
#include "core/lab/lab_tables.h"

#include <QBoxLayout>
#include <QTableView>

namespace attnscope::ui {

KernelTab::KernelTab(ScaleSession& session, QWidget* parent)
    : ScaleTabOf(session, ScaleSession::Kernel, parent)
    , m_source(new TensorSource(newImageSizes(), this))
    , m_features(new CaptionSpin(tr("Features"), 1, 16'384, 64, this))
{
    m_features->setToolTip(tr("Number of random features of every map"));
    buildContent();
    build(m_source->fields() + QList<QWidget*>{m_features});
    connect(m_source, &TensorSource::changed, this, &KernelTab::refreshWish);
    connect(empty()->second(), &QPushButton::clicked, m_source, &TensorSource::askDump);
    m_source->setKind(TensorSource::Kind::Model);
}

void KernelTab::buildContent()
{
    QVBoxLayout* column = addCard(*m_content, 7);
    QWidget* upper = column->parentWidget();
    m_legend = new LegendRow(upper);
    column->addWidget(m_legend);
    auto* charts = new QHBoxLayout;
    charts->setSpacing(16);
    QStringList angles;
    for (const KernelAngle each : kernelAngles)
        angles << toQt(describe(each));
    m_angles = new Segments(tr("Angle between x and y"), angles, upper);
    m_angles->setToolTip(tr("How y lies to x, of equal length"));
    m_values = addTitledChart(*charts, tr("exp(x·y) and its estimates ± std. dev."), upper,
                              ChartView::Names::Aside, m_angles);
    m_spread = addTitledChart(*charts, tr("Std. dev. relative to exp(x·y)"), upper);
    m_spread.title->setToolTip(tr("Lines: in closed form, for this angle. Single marks: measured heads"));
    m_spread.title->setMinimumHeight(m_angles->sizeHint().height());
    column->addLayout(charts, 1);
    column = addCard(*m_content, 5);
    m_tables = new Segments(tr("Table"), {tr("Measured heads"), tr("Estimates")}, this);
    column->addWidget(m_tables);
    m_table = addTable(*column, tr("Measured heads"), m_cells);
    connect(m_angles, &Segments::chosen, this, [this] {
        refreshCharts();
        refreshTable();
    });
    connect(m_legend, &LegendRow::hiddenChanged, this, &KernelTab::refreshCharts);
    connect(m_tables, &Segments::chosen, this, &KernelTab::refreshTable);
}

KernelAngle KernelTab::angle() const
{
    return kernelAngles[size_t(m_angles->current())];
}

QStringList KernelTab::inputs() const
{
    const QString input = m_session.input();
    return input.isEmpty() ? QStringList() : QStringList{input};
}

KernelJob KernelTab::job() const
{
    return m_session.completed(KernelJob{m_source->subject(), {.samples = m_features->value()}}, inputs());
}

bool KernelTab::canRun() const
{
    return !m_session.isRunning() && (m_source->kind() != TensorSource::Kind::Model || !inputs().isEmpty());
}

bool KernelTab::takeTensors(const QString& path)
{
    m_source->setDump(path);
    return true;
}

void KernelTab::setCompact(bool compact)
{
    m_content->setSpacing(compact ? 8 : 12);
    m_content->setStretch(0, compact ? 8 : 7);
    m_content->setStretch(1, compact ? 4 : 5);
}

void KernelTab::describeWish()
{
    EmptyScreen::Words words{tr("How well do random features estimate exp(q·k)?"), {}, {}};
    words.line = m_source->kind() == TensorSource::Kind::Model && inputs().isEmpty()
                     ? tr("Open an image in Compare, or a file with q and k.")
                     : counted(m_features->value(),
                               [](int n) {
                                   return tr(
                                       "Positive, hyperbolic, trigonometric and cosine maps with %1 feature(s)",
                                       nullptr, n);
                               })
                           + u", "_s + m_source->text(inputs()) + QLatin1Char('.');
    words.small = tr(
        "Exact values, estimates and their variance against the norm of q and k, before any normaliser.");
    empty()->setWords(words);
}

ScaleTab::Said KernelTab::said() const
{
    const QString running = tr("Estimating the kernel %1").arg(m_source->text(inputs()));
    if (hasResults())
        return {running, translated(attnscope::verdict(*report())), translated(conditions(*report()))};
    return {running, tr("Random features vs. norm"),
            tr("Variances are exact, in closed form; estimates are one draw with the seed above.")};
}

void KernelTab::showResults()
{
    refreshCharts();
    refreshTable();
}

/// One entry for each feature map: it stands for the map's curves and for its measured heads.
QList<LegendRow::Entry> KernelTab::entries() const
{
    QList<LegendRow::Entry> all{
        {.key = u"exact"_s, .name = tr("exact"), .backend = toQt(referenceBackend), .help = tr("exp(x·y)")}};
    for (size_t f = 0; f < kernelFeatures.size(); ++f) {
        const QString name = toQt(toText(kernelFeatures[f]));
        all << LegendRow::Entry{.key = name, .name = name, .backend = toQt(kernelLook(f, angle())), .help = name};
    }
    return all;
}

void KernelTab::refreshCharts()
{
    Chart values, spread;
    m_legend->setEntries(hasResults() ? entries() : QList<LegendRow::Entry>());
    if (hasResults()) {
        values = kernelEstimateChart(*report(), angle());
        spread = kernelChart(*report());
        QStringList hidden = m_legend->hidden();
        for (size_t f = 0; f < kernelFeatures.size(); ++f)
            for (const KernelAngle each : kernelAngles)
                if (each != angle() || hidden.contains(toQt(toText(kernelFeatures[f]))))
                    hidden << toQt(kernelSeries(f, each));
        for (const KernelFeatures features : kernelFeatures)
            if (hidden.contains(toQt(toText(features))))
                hidden << toQt(std::string(toText(features)) + ", measured");
        m_values.view->setHidden(hidden);
        m_spread.view->setHidden(hidden);
    }
    m_values.view->setChart(std::move(values));
    m_spread.view->setChart(std::move(spread));
}

void KernelTab::refreshTable()
{
    Table contents;
    if (hasResults()) {
        const bool heads = m_tables->current() == 0;
        if (heads && !report()->heads.empty())
            contents = kernelHeads(*report());
        else if (heads)
            contents = kernelValues(report()->pairs);
        for (const KernelCurve& curve : report()->curves)
            if (!heads && curve.angle == angle())
                contents = kernelValues(curve.points);
    }
    m_table->setAccessibleName(m_tables->text(m_tables->current()));
    m_cells.show(contents);
    fitTables();
}

}
