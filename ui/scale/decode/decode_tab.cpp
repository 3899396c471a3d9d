#include "ui/scale/decode/decode_tab.h"

#include "core/lab/decode/decode_output.h"
#include "ui/charts/legend_row.h"
#include "ui/scale/decode/decode_words.h"
#include "ui/scale/decode/mechanisms_panel.h"
#include "ui/scale/scale_words.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/number_fields.h"
#include "ui/workspace/accuracy_text.h"

#include "core/lab/decode/decode_output.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QTableView>

#include <algorithm>

namespace attnscope::ui {

namespace {

enum StreamSource { IndependentTokens, SmoothTokens, RecalledTokens, FileTokens };
enum DecodeTable { SummaryTable, PointsTable, ImpulseTable };
constexpr TokenKind madeTokens[]{TokenKind::Normal, TokenKind::Smooth, TokenKind::Recall};
constexpr const char* defaultPositions = "1024, 4096, 16384, 65536";
constexpr int maxDecodePositions = 1 << 20, panelWidth = 236;

}

DecodeTab::DecodeTab(ScaleSession& session, QWidget* parent)
    : ScaleTabOf(session, ScaleSession::Decode, parent)
    , m_panel(new MechanismsPanel(m_mechanisms, this))
    , m_source(new CaptionCombo(tr("Tokens"), this))
    , m_layer(new CaptionSpin(tr("Layer"), 0, 65'535, 0, this))
    , m_heads(new CaptionSpin(tr("Heads"), 1, 256, 3, this))
    , m_width(new CaptionSpin(tr("Head size"), 1, 1024, 64, this))
    , m_positions(newCountsField(tr("Positions in tokens"), 180))
    , m_factor(new RealSpin(this))
{
    m_source->setAccessibleName(tr("Source of the tokens"));
    m_source->addItems({tr("Independent"), tr("Correlated"), tr("To be recalled"), tr("From a file…")});
    m_source->setItemData(IndependentTokens,
                          tr("q, k and v of every token are independent standard normal numbers"),
                          Qt::ToolTipRole);
    m_source->setItemData(SmoothTokens, tr("Neighbours are alike, as the frames of a video"), Qt::ToolTipRole);
    m_source->setItemData(RecalledTokens, tr("Every query asks for what came 128 tokens ago"), Qt::ToolTipRole);
    m_source->setItemData(FileTokens, tr("The tokens of one layer in a file of q, k and v"), Qt::ToolTipRole);
    m_layer->setToolTip(tr("Layer of the file"));
    m_factor->setAccessibleName(tr("Factor of the logits"));
    m_factor->setToolTip(tr("Factor of the logits: q and k are each multiplied by its square root"));
    m_factor->setPrefix(u"τ "_s);
    m_factor->setRange(1e-6, 1e6);
    m_factor->setDecimals(6);
    m_factor->setValue(1);
    m_factor->setMinimumWidth(72);
    m_positions->setText(QLatin1String(defaultPositions));
    m_positions->setPlaceholderText(tr("The whole file"));
    buildContent();
    auto* positions = new QLabel(tr("Positions"), this);
    positions->setForegroundRole(QPalette::PlaceholderText);
    m_panel->setFixedWidth(panelWidth);
    build({m_source, m_layer, m_heads, m_width, positions, m_positions, m_factor}, m_panel);
    connect(m_source, &QComboBox::activated, this,
            [this](int index) { index == FileTokens ? askFile() : takeSource(index); });
    connect(&m_mechanisms, &MechanismList::selectionChanged, this, [this] {
        showLegend();
        refreshWish();
    });
    connect(empty()->second(), &QPushButton::clicked, this, &DecodeTab::askFile);
    takeSource(IndependentTokens);
    setCompact(false);
}

void DecodeTab::buildContent()
{
    QVBoxLayout* column = addCard(*m_content, 7);
    QWidget* upper = column->parentWidget();
    m_legend = new LegendRow(upper);
    column->addWidget(m_legend);
    auto* charts = new QHBoxLayout;
    charts->setSpacing(16);
    m_quantity = new Segments(tr("Quantity"), {tr("Time"), tr("State"), tr("Error")}, upper);
    m_cost = addTitledChart(*charts, tr("Time of one token"), upper, ChartView::Names::Aside, m_quantity);
    m_impulse = addTitledChart(*charts, tr("Weight of a token in later outputs"), upper);
    m_impulse.title->setMinimumHeight(m_quantity->sizeHint().height());
    m_impulse.title->setToolTip(
        tr("The response to a value of 1 at one token and 0 at all others: what a gate or a window forgets"));
    m_cost.view->setNotice(tr("Points appear as positions are reached"));
    m_impulse.view->setNotice(tr("Needs more tokens"));
    column->addLayout(charts, 1);
    column = addCard(*m_content, 5);
    m_tables = new Segments(tr("Table"), {tr("Summary"), tr("All values"), tr("Later weights")}, this);
    column->addWidget(m_tables);
    m_table = addTable(*column, tr("Summary"), m_cells);
    connect(m_quantity, &Segments::chosen, this, &DecodeTab::refreshCharts);
    connect(m_legend, &LegendRow::hiddenChanged, this, &DecodeTab::refreshCharts);
    connect(m_tables, &Segments::chosen, this, &DecodeTab::refreshTable);
}

void DecodeTab::setCompact(bool compact)
{
    m_compact = compact;
    m_content->setSpacing(compact ? 8 : 12);
    showLegend();
}

/// Where there is little height the panel shows the marks, as long as it has those of the charts.
void DecodeTab::showLegend()
{
    std::vector<std::string> shown, chosen;
    if (hasResults())
        for (const DecodeRow& row : report()->rows)
            shown.push_back(row.mechanism);
    for (const StreamSpec& spec : m_mechanisms.checked())
        chosen.push_back(spec.canonical());
    const bool same = shown.size() == chosen.size() + 1
                      && std::equal(chosen.begin(), chosen.end(), shown.begin() + 1);
    m_legend->setVisible(!m_compact || !same || !m_legend->hidden().isEmpty());
}

void DecodeTab::takeSource(int index)
{
    const bool file = index == FileTokens;
    // A file has an end of its own.
    if (file != (m_chosen == FileTokens))
        m_positions->setText(file ? QString() : QString::fromLatin1(defaultPositions));
    m_chosen = index;
    m_source->setCurrentIndex(index);
    m_layer->setVisible(file);
    m_heads->setVisible(!file);
    m_width->setVisible(!file);
    refreshWish();
}

void DecodeTab::askFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("A file of q, k and v"), QFileInfo(m_file).path(),
                                                      tr("Tensors (*.safetensors);;All files (*)"));
    if (path.isEmpty())
        takeSource(m_chosen);  // the combo box has moved on
    else
        takeTensors(path);
}

bool DecodeTab::takeTensors(const QString& path)
{
    m_file = path;
    m_source->setItemText(FileTokens,
                          path.isEmpty() ? tr("From a file…") : tr("From %1").arg(QFileInfo(path).fileName()));
    takeSource(path.isEmpty() ? IndependentTokens : FileTokens);
    return true;
}

QString DecodeTab::positionsProblem(std::vector<int64_t>& positions) const
{
    QString problem;
    if (m_chosen != FileTokens || !m_positions->text().trimmed().isEmpty())
        positions = parseCounts(m_positions->text(), maxDecodePositions, problem);
    return problem;
}

DecodeRequest DecodeTab::job() const
{
    DecodeRequest form;
    form.mechanisms = m_mechanisms.checked();
    (void)positionsProblem(form.positions);
    if (m_chosen == FileTokens) {
        form.file = fromQt(m_file);
        form.layer = m_layer->value();
    } else {
        form.tokens = madeTokens[m_chosen];
        form.heads = m_heads->value();
        form.width = m_width->value();
    }
    form.temperature = m_factor->value();
    return m_session.decodeRequest(form);
}

QString DecodeTab::missing() const
{
    std::vector<int64_t> positions;
    if (const QString problem = positionsProblem(positions); !problem.isEmpty())
        return problem;
    const DecodeRequest wish = job();
    if (wish.mechanisms.empty())
        return tr("Select a mechanism to compare with the cache.");
    if (wish.dtype != "float32" && wish.dtype != "float64")
        return tr("Streams are not computed in %1; choose float32 or float64 in the bar above.")
            .arg(toQt(wish.dtype));
    return {};
}

void DecodeTab::describeWish()
{
    std::vector<int64_t> positions;
    const QString problem = positionsProblem(positions);
    m_positions->setToolTip(problem.isEmpty() ? tr("Positions in ascending order, separated by commas") : problem);
    EmptyScreen::Words words{tr("What does one more token cost?"), missing(), {}};
    if (words.line.isEmpty()) {
        const DecodeRequest wish = job();
        QStringList names;
        for (const StreamSpec& spec : wish.mechanisms)
            names << mechanismTitle(spec.canonical());
        constexpr int maxNamed = 3;
        const QString what = tr("Time, state and error of %1")
                                 .arg(names.size() <= maxNamed ? fewNames(names)
                                                               : counted(names.size(), [](int n) {
                                                                     return tr("%1 mechanism(s)", nullptr, n);
                                                                 }));
        words.line = wish.positions.empty()
                         ? tr("%1, over all tokens of %2.").arg(what, QFileInfo(m_file).fileName())
                     : m_chosen == FileTokens
                         ? tr("%1, up to token %2 of %3.")
                               .arg(what, countText(wish.positions.back()), QFileInfo(m_file).fileName())
                         : tr("%1, up to %2 tokens: %3.")
                               .arg(what, countText(wish.positions.back()), remainingText(guessedSeconds(wish)));
        words.small = tr("Next to softmax with a cache, on one thread of the CPU. Errors are those from softmax "
                         "over all tokens so far.");
    }
    empty()->setWords(words);
}

bool DecodeTab::hasPoints() const
{
    return hasResults() && !report()->rows.front().points.empty();
}

ScaleTab::Said DecodeTab::said() const
{
    const QString running = m_session.isStopping() ? tr("Stopping")
                            : hasPoints()          ? translated(attnscope::verdict(*report()))
                                                   : tr("Measuring the first position");
    if (!hasPoints())
        return {running, tr("Cost of a token vs. position"),
                tr("Streams take turns over the same tokens; the last ones before each position are timed one by "
                   "one.")};
    return {running, translated(verdict(*report())), translated(conditions(*report()))};
}

QString DecodeTab::loadText() const
{
    return hasResults() ? loadWarning(report()->environment, report()->device.threads) : QString();
}

void DecodeTab::showResults()
{
    QList<LegendRow::Entry> entries;
    if (hasResults()) {
        std::vector<std::string> mechanisms;
        for (const DecodeRow& row : report()->rows)
            mechanisms.push_back(row.mechanism);
        const std::vector<std::string> looks = looksOfMechanisms(mechanisms);
        for (size_t i = 0; i < looks.size(); ++i)
            entries << LegendRow::Entry{
                .key = toQt(mechanisms[i]),
                .name = mechanismTitle(mechanisms[i]),
                .backend = toQt(looks[i]),
                .help = tr("%1: %2").arg(mechanismTitle(mechanisms[i]), toQt(report()->rows[i].title))};
    }
    m_legend->setEntries(entries);
    showLegend();
    refreshCharts();
    refreshTable();
}

void DecodeTab::refreshCharts()
{
    const auto metric = static_cast<DecodeMetric>(m_quantity->current());
    m_cost.title->setText(metric == DecodeMetric::Time    ? tr("Time of one token")
                          : metric == DecodeMetric::State ? tr("State between tokens")
                                                          : tr("Error vs. exact softmax"));
    m_cost.title->setToolTip(metric == DecodeMetric::Time ? tr("Medians; bands: 5th to 95th percentile")
                             : metric == DecodeMetric::State
                                 ? tr("Bytes that are kept for the next token, all heads")
                                 : tr("Relative error of the timed tokens; the cache's own is rounding"));
    Chart cost, impulse;
    if (hasPoints()) {
        cost = decodeChart(*report(), metric);
        impulse = impulseChart(*report());
        m_cost.view->setPlaces(report()->request.positions);
        for (ChartView* view : {m_cost.view, m_impulse.view})
            view->setHidden(m_legend->hidden());
    }
    m_cost.view->setChart(std::move(cost));
    m_impulse.view->setChart(std::move(impulse));
}

void DecodeTab::refreshTable()
{
    m_table->setAccessibleName(m_tables->text(m_tables->current()));
    m_cells.show(!hasPoints()                          ? Table()
                 : m_tables->current() == SummaryTable ? decodeSummary(*report())
                 : m_tables->current() == PointsTable  ? decodePoints(*report())
                                                       : decodeImpulses(*report()));
    fitTables();
}

}
