#include "ui/scale/length_tab.h"

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

#include "core/attention/backend_info.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLineEdit>
#include <QTableView>

namespace attnscope::ui {

namespace {

enum QuantityChoice { TimeChoice, MemoryChoice };
enum TableChoice { GrowthChoice, PointsChoice };

struct LengthPreset {
    const char* name;
    const char* lengths;
};
constexpr LengthPreset lengthPresets[]{
    {QT_TRANSLATE_NOOP("attnscope::ui::LengthTab", "Quick"), "256, 512, 1024, 2048"},
    {QT_TRANSLATE_NOOP("attnscope::ui::LengthTab", "Whole range"), "256, 512, 1024, 2048, 4096, 8192, 16384"},
    {QT_TRANSLATE_NOOP("attnscope::ui::LengthTab", "LARA paper, table 6"), "1024, 2048, 3072, 4096, 8192"}};
constexpr int paperPreset = 2, ownPreset = 3, networkPreset = 4;

}

LengthTab::LengthTab(ScaleSession& session, QWidget* parent)
    : ScaleTabOf(session, ScaleSession::Length, parent)
    , m_preset(new CaptionCombo(tr("Lengths"), this))
    , m_lengths(newCountsField(tr("Sequence lengths in tokens"), 170))
    , m_layers(new CaptionSpin(tr("Layers"), 1, 64, 8, this))
    , m_width(new CaptionSpin(tr("Dim"), 1, 4096, 192, this))
    , m_heads(new CaptionSpin(tr("Heads"), 1, 64, 3, this))
    , m_pass(new CaptionCombo(tr("Pass"), this))
{
    m_preset->setAccessibleName(tr("Set of lengths"));
    for (const LengthPreset& preset : lengthPresets)
        m_preset->addItem(tr(preset.name));
    m_preset->addItem(tr("Custom"));
    m_preset->addItem(tr("Open network"));
    m_preset->setItemData(networkPreset,
                          tr("Layers, width and heads of the open network, from its own number of tokens on"),
                          Qt::ToolTipRole);
    m_pass->setAccessibleName(tr("Pass"));
    m_pass->addItems({tr("Forward"), tr("Forward + backward")});
    m_heads->setToolTip(tr("Must divide the embedding dimension"));
    buildContent();
    build({m_preset, m_lengths, m_layers, m_width, m_heads, m_pass});
    connect(m_preset, &QComboBox::activated, this, &LengthTab::takePreset);
    connect(m_lengths, &QLineEdit::textChanged, this, [this] {
        int preset = ownPreset;
        for (int i = 0; i < ownPreset; ++i)
            if (m_lengths->text() == QLatin1String(lengthPresets[i].lengths))
                preset = i;
        m_preset->setCurrentIndex(preset);
    });
    connect(empty()->second(), &QPushButton::clicked, this, [this] { takePreset(paperPreset); });
    takePreset(0);
}

void LengthTab::takePreset(int index)
{
    m_preset->setCurrentIndex(index);
    if (index == networkPreset && m_session.workspace().model()) {
        const ModelSummary& model = m_session.workspace().model()->summary;
        m_layers->setValue(int(model.layers));
        m_width->setValue(int(model.width));
        m_heads->setValue(int(model.heads));
        QStringList lengths;
        for (const int times : {1, 2, 4, 8})
            lengths << QString::number(times * model.tokens);
        m_lengths->setText(lengths.join(u", "_s));
    } else if (index < ownPreset) {
        m_lengths->setText(QString::fromLatin1(lengthPresets[index].lengths));
        m_lengths->setCursorPosition(0);  // where there is little room, the first ones are seen
    } else {
        m_lengths->setFocus();
    }
}

void LengthTab::buildContent()
{
    m_chartColumn = addCard(*m_content, 0);
    QWidget* frame = m_chartColumn->parentWidget();
    auto* row = m_row = new QHBoxLayout;
    row->setSpacing(10);
    m_quantity = new Segments(tr("Quantity"), {tr("Time"), tr("Memory")}, frame);
    m_values = new Segments(tr("Values"), {tr("Absolute"), tr("Relative to softmax")}, frame);
    m_published = new QCheckBox(tr("Published"), frame);
    m_published->setChecked(true);
    m_published->setToolTip(tr("Hollow markers: ratios from the LARA paper, table 6, 16 landmarks or samples; "
                               "never connected to our own"));
    m_hint = new ElidedLabel(frame);
    m_hint->setFont(fontFor(Type::Small));
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(m_quantity);
    row->addWidget(m_values);
    row->addWidget(m_published);
    row->addWidget(m_hint, 1);
    m_chartColumn->addLayout(row);
    m_legend = new LegendRow(frame);
    auto* charts = new QHBoxLayout;
    charts->setSpacing(16);
    m_whole = addTitledChart(*charts, tr("Whole encoder"), frame);
    m_alone = addTitledChart(*charts, tr("Attention only"), frame);
    for (ChartView* chart : {whole(), alone()})
        chart->setNotice(tr("Points appear as they are measured"));
    m_chartColumn->addLayout(charts, 1);
    connect(m_quantity, &Segments::chosen, this, &LengthTab::refreshCharts);
    connect(m_values, &Segments::chosen, this, &LengthTab::refreshCharts);
    connect(m_published, &QCheckBox::toggled, this, &LengthTab::refreshCharts);
    connect(m_legend, &LegendRow::hiddenChanged, this, &LengthTab::refreshCharts);
    QVBoxLayout* column = addCard(*m_content, 0);
    m_tables = new Segments(tr("Table"), {tr("Scaling and break-even"), tr("All values")}, this);
    column->addWidget(m_tables);
    m_table = addTable(*column, tr("Scaling and break-even"), m_cells);
    connect(m_tables, &Segments::chosen, this, &LengthTab::refreshTable);
    setCompact(false);
}

/// Where there is little height, the legend takes the hint's place, and the charts most of the room.
void LengthTab::setCompact(bool compact)
{
    m_hint->setVisible(!compact);
    m_row->removeWidget(m_legend);
    m_chartColumn->removeWidget(m_legend);
    if (compact)
        m_row->addWidget(m_legend, 1);
    else
        m_chartColumn->insertWidget(1, m_legend);
    m_content->setSpacing(compact ? 8 : 12);
    m_content->setStretch(0, compact ? 8 : 7);
    m_content->setStretch(1, compact ? 4 : 5);
}

ScaleRequest LengthTab::job() const
{
    ScaleRequest form;
    QString problem;
    form.lengths = parseCounts(m_lengths->text(), 1 << 20, problem);
    form.layers = m_layers->value();
    form.width = m_width->value();
    form.heads = m_heads->value();
    form.backward = m_pass->currentIndex() == 1;
    return m_session.scaleRequest(form);
}

bool LengthTab::canRun() const
{
    return !m_session.isRunning() && !job().lengths.empty() && m_width->value() % m_heads->value() == 0;
}

void LengthTab::describeWish()
{
    QString problem;
    const auto lengths = parseCounts(m_lengths->text(), 1 << 20, problem);
    if (problem.isEmpty() && m_width->value() % m_heads->value() != 0)
        problem = tr("The embedding dimension %2 is not divisible by %1 heads; choose a multiple of the number of "
                     "heads.")
                      .arg(m_heads->value())
                      .arg(m_width->value());
    m_lengths->setToolTip(problem.isEmpty() ? tr("Numbers of tokens in ascending order, separated by commas")
                                            : problem);
    EmptyScreen::Words words{tr("What does attention cost as sequences get longer?"), problem, {}};
    if (problem.isEmpty()) {
        const ScaleRequest wish = job();
        QStringList names;
        for (const AttentionSpec& spec : wish.attention)
            if (spec.backend() != referenceBackend || spec != spec.alone())
                names << titleOfSpec(toQt(spec.canonical()));
        words.line = tr("Time and memory of %1, %2 from %3 to %4 tokens: %5.")
                         .arg(names.isEmpty() ? tr("explicit and fused softmax")
                                              : tr("%1 alongside softmax").arg(fewNames(names)),
                              counted(lengths.size(), [](int n) { return tr("%1 length(s)", nullptr, n); }),
                              countText(lengths.front()), countText(lengths.back()),
                              remainingText(guessedSeconds(wish, m_session.threads(), m_session.onGpu())));
        words.small = tr("Uses an encoder with random weights, so neither an image nor a checkpoint is needed, "
                         "and runs the backends "
                         "selected under Backends.");
        if (const QStringList others = m_session.leftOut(); !others.isEmpty())
            words.small =
                tr("Skipped: %1, which needs a network with spatial reduction.").arg(others.join(u", "_s));
    }
    empty()->setWords(words);
}

ScaleTab::Said LengthTab::said() const
{
    const bool judged = hasResults() && (m_session.hasPoints() || !m_session.isRunning(kind()));
    const QString verdict = judged ? translated(attnscope::verdict(*report()))
                                   : tr("Time and memory vs. number of tokens");
    return {m_session.isStopping() ? tr("Stopping after this pass")
            : judged               ? verdict
                                   : tr("Measuring the first length"),
            verdict,
            hasResults()
                ? translated(conditions(*report()))
                : tr("Backends are timed in random order; time inside attention is reported next to the total.")};
}

QString LengthTab::loadText() const
{
    return hasResults() ? loadWarning(report()->environment, report()->device.threads) : QString();
}

void LengthTab::showResults()
{
    QList<LegendRow::Entry> entries;
    if (hasResults()) {
        QStringList specs;
        for (const ScaleRow& row : report()->rows)
            specs << toQt(row.attention);
        const QStringList looks = looksOfSpecs(specs);
        for (const QString& spec : specs)
            entries << LegendRow::Entry{
                .key = spec, .name = scaleTitle(fromQt(spec)), .backend = looks[entries.size()], .help = spec};
    }
    m_legend->setEntries(entries);
    refreshCharts();
    refreshTable();
}

/// Names of the chart's series: an attention that is left out takes its published marks with it.
QStringList LengthTab::hiddenSeries() const
{
    QStringList hidden = m_legend->hidden();
    for (const ScaleRow& row : report()->rows)
        if (!m_published->isChecked() || hidden.contains(toQt(row.attention)))
            hidden << toQt(row.backend + ", published");
    return hidden;
}

void LengthTab::refreshCharts()
{
    const bool time = m_quantity->current() == TimeChoice, over = m_values->current() == 1;
    m_published->setVisible(over);
    m_whole.title->setText(time ? tr("Whole encoder") : tr("Whole encoder, peak"));
    const bool backward = hasResults() && report()->request.backward;
    m_alone.title->setText(!time      ? tr("Attention only, one layer")
                           : backward ? tr("Attention only, all layers, forward")
                                      : tr("Attention only, all layers"));
    m_hint->setText(over   ? tr("relative to explicit softmax at the same length; hollow: published, 16 samples")
                    : time ? tr("medians; bands: 5th to 95th percentile; ✕: stopped")
                           : tr("tensor memory above the level before the pass; ✕: stopped"));
    m_hint->setToolTip(m_hint->text());
    ChartPair charts;
    if (hasResults()) {
        const QStringList hidden = hiddenSeries();
        charts = lengthCharts(*report(), time ? ScaleQuantity::Time : ScaleQuantity::Memory,
                              over ? ScaleMeasure::OverSoftmax : ScaleMeasure::Absolute, hidden);
        for (ChartView* view : {whole(), alone()}) {
            view->setHidden(hidden);
            view->setPlaces(report()->request.lengths);
        }
    }
    m_whole.view->setChart(std::move(charts.left));
    m_alone.view->setChart(std::move(charts.right));
}

void LengthTab::refreshTable()
{
    m_table->setAccessibleName(m_tables->text(m_tables->current()));
    m_cells.show(!hasResults()                         ? Table()
                 : m_tables->current() == GrowthChoice ? scaleExponents(*report())
                                                       : scalePoints(*report()));
    fitTables();
}

}
