#include "ui/layers/layers_page.h"

#include "ui/layers/heat_table.h"
#include "ui/layers/layer_details.h"
#include "ui/layers/layer_words.h"
#include "ui/layers/layers_empty.h"
#include "ui/layers/leaderboard/leaderboard_tab.h"
#include "ui/layers/maps/colour_legend.h"
#include "ui/layers/networks/networks_tab.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/message_stack.h"
#include "ui/widgets/tab_strip.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QStackedWidget>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int detailsWidth = 380, comfortableCell = 40;

constexpr HeadMetric shownFigures[]{HeadMetric::Relative, HeadMetric::MeanSquared, HeadMetric::BiasSquared,
                                    HeadMetric::Variance, HeadMetric::ClassToken,  HeadMetric::Patches};

}

LayersPage::LayersPage(LayersSession& session, QWidget* parent)
    : Page(session.workspace(), parent)
    , m_session(session)
{
    setContents(layersEmpty(), buildContent());
    buildTabs();
    connect(empty()->second(), &QPushButton::clicked, this, &LayersPage::askFiles);
    connect(empty()->first(), &QPushButton::clicked, this,
            [this] { m_session.nextInputName().isEmpty() ? emit actionRequested(u"demo"_s) : m_session.run(); });
    connectSession();
    refresh();
}

/// Above the stack, behind whose two widgets are the instruments with empty states of their own.
void LayersPage::buildTabs()
{
    m_tabs = new TabStrip(tr("View"), {tr("Errors"), tr("Leaderboard"), tr("Two networks")}, this);
    column()->insertWidget(column()->indexOf(stack()), m_tabs);
    m_instruments = {leaderboardTab(m_session, stack()), networksTab(m_session, stack())};
    connect(m_tabs, &QTabBar::currentChanged, this, &LayersPage::refresh);
    for (InstrumentTab* tab : m_instruments) {
        stack()->addWidget(tab);
        followTab(*tab);
        connect(tab, &InstrumentTab::changed, this, &Page::changed);
        connect(tab->empty()->second(), &QPushButton::clicked, this, &LayersPage::askFiles);
    }
    connect(leaderboard()->empty()->first(), &QPushButton::clicked, this, [this] {
        if (!leaderboard()->canRun())
            emit actionRequested(u"demo"_s);
    });
}

InstrumentTab* LayersPage::instrument() const
{
    return tab() == Tab::Errors ? nullptr : m_instruments[size_t(tab()) - 1];
}

LayersPage::Tab LayersPage::tab() const
{
    return static_cast<Tab>(m_tabs->currentIndex());
}

void LayersPage::showTab(Tab tab)
{
    m_tabs->setCurrentIndex(int(tab));
}

bool LayersPage::canRun() const
{
    return instrument() != nullptr ? instrument()->canRun() : m_session.canRun();
}

void LayersPage::run()
{
    instrument() != nullptr ? instrument()->run() : m_session.run();
}

bool LayersPage::showsContents() const
{
    return instrument() != nullptr ? instrument()->hasResults() : Page::showsContents();
}

bool LayersPage::hasResults() const
{
    return instrument() != nullptr ? instrument()->hasResults() : m_session.inspection() != nullptr;
}

const QAbstractItemModel* LayersPage::shownTable() const
{
    return instrument() != nullptr ? instrument()->table()->model() : &m_cells;
}

void LayersPage::askExport()
{
    instrument() != nullptr ? instrument()->askExport() : askExport(Export::Errors);
}

QWidget* LayersPage::buildContent()
{
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    column->addWidget(buildToolBar());
    column->addSpacing(Layout::gap);
    m_cards = new QHBoxLayout;
    QBoxLayout* row = m_cards;
    row->setSpacing(Layout::gap);
    row->addWidget(buildErrors(), 4);
    QVBoxLayout* inner = addCard(*row, content, 3);
    inner->setContentsMargins(0, 0, 0, 0);
    m_details = new LayerDetails(m_session, content);
    m_details->setMinimumWidth(detailsWidth);
    inner->addWidget(m_details);
    column->addLayout(row, 1);
    return content;
}

QWidget* LayersPage::buildHead()
{
    m_head = newReportHead(tr("Figures as PNG, SVG or CSV, maps as tensors"));
    connect(m_head, &ReportHead::exportRequested, this, [this] {
        QMenu* menu = exportMenu();
        menu->setAttribute(Qt::WA_DeleteOnClose);
        const QWidget* button = m_head->exportButton();
        menu->popup(button->mapToGlobal(QPoint(0, button->height())));
    });
    return m_head;
}

QWidget* LayersPage::buildToolBar()
{
    auto* backend = new QWidget(this);
    auto* row = new QHBoxLayout(backend);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_metric = new CaptionCombo(tr("Metric"), backend);
    m_metric->setAccessibleName(tr("Metric"));
    for (const HeadMetric figure : shownFigures)
        m_metric->addItem(metricText(figure), int(figure));
    m_modes = new Segments(tr("Mode"), {tr("Same q, k, v as softmax"), tr("End to end")}, backend);
    m_seedCount = new CaptionSpin(tr("Seeds"), backend);
    m_seedCount->setAccessibleName(tr("Number of seeds for random attention"));
    m_seedCount->setRange(1, 64);
    m_seedCount->setValue(m_session.seeds());
    m_seedCount->setToolTip(tr("Errors are averaged over this many seeds; bias² and variance need more than one"));
    m_backend = new CaptionCombo(tr("Backend"), backend);
    m_backend->setAccessibleName(tr("Displayed backend"));
    row->addWidget(m_metric);
    m_tensors = new QLabel(tr("Tensors only: no model is run, so there are no end-to-end results"), backend);
    m_tensors->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(m_modes);
    row->addWidget(m_tensors);
    row->addStretch(1);
    row->addWidget(m_seedCount);
    row->addWidget(m_backend);
    connect(m_metric, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_session.setFigure(static_cast<HeadMetric>(m_metric->itemData(index).toInt()));
    });
    connect(m_modes, &Segments::chosen, this,
            [this](int mode) { m_session.setMode(static_cast<InspectionMode>(mode)); });
    connect(m_seedCount, &QSpinBox::valueChanged, &m_session, &LayersSession::setSeeds);
    connect(m_backend, &QComboBox::activated, &m_session, &LayersSession::setAttention);
    return backend;
}

QWidget* LayersPage::buildErrors()
{
    m_errors = new QFrame(this);
    m_errors->setProperty("card", true);
    auto* column = new QVBoxLayout(m_errors);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(8);
    m_table = new HeatTable(m_cells, m_errors);
    m_legend = new ColourLegend(HeatColours::Magnitude, AxisScale::Log, m_errors);
    m_hint = newHint(
        tr("Corner: worse than the mean of the values. Arrow keys move between cells, Enter opens the maps"),
        m_errors);
    m_hint->setWordWrap(true);
    auto* below = new QHBoxLayout;
    below->setSpacing(20);
    below->addWidget(m_legend, 5);
    below->addWidget(m_hint, 6, Qt::AlignBottom);
    column->addWidget(m_table, 1);
    column->addLayout(below);
    connect(m_table, &HeatTable::cellChosen, this, [this](int row, int cell) {
        if (!m_choosing)
            m_session.setCell({row, cell == m_cells.heads() ? -1 : cell});
    });
    connect(m_table, &HeatTable::cellOpened, this, [this] { m_details->focusMaps(); });
    return m_errors;
}

void LayersPage::connectSession()
{
    connect(&m_session, &LayersSession::changed, this, &LayersPage::refresh);
    connect(&m_session, &LayersSession::cellChanged, this, &LayersPage::chooseCell);
    connect(&m_session, &Session::choicesChanged, this, &LayersPage::refreshWords);
    connect(&m_session, &Session::stateChanged, this, &LayersPage::refreshWords);
    followMessages(m_session);
    connect(&m_session, &LayersSession::exported, this, [this](const QString& path, const QString& problem) {
        showMessage(problem.isEmpty() ? MessageBar::Kind::Info : MessageBar::Kind::Error,
                    problem.isEmpty() ? tr("Maps saved to %1.").arg(path) : problem);
    });
}

void LayersPage::refresh()
{
    const InspectedAttention* one = m_session.shown();
    showContents(one != nullptr);
    if (instrument() != nullptr)
        stack()->setCurrentWidget(instrument());
    static const std::vector<LayerAlone> none;
    const bool endToEnd = m_session.mode() == InspectionMode::EndToEnd;
    m_table->setBackend(one == nullptr ? QString() : m_session.look(m_session.attention()));
    m_cells.setLayers(m_session.layers(), m_session.figure(), one != nullptr && endToEnd ? one->alone : none);
    const QString figure = metricText(m_session.figure());
    m_legend->setRange(tr("%1, log").arg(figure), m_cells.low(), m_cells.high());
    arrange();
    refreshToolBar();
    refreshWords();
    chooseCell();
    emit changed();
}

void LayersPage::refreshToolBar()
{
    const QSignalBlocker quietBackend(m_backend), quietMetric(m_metric);
    if (QStringList shown = m_session.names();
        shown.size() != m_backend->count() || m_backend->itemText(0) != shown.value(0)) {
        m_backend->clear();
        m_backend->addItems(shown);
    } else {
        for (int i = 0; i < shown.size(); ++i)
            m_backend->setItemText(i, shown[i]);
    }
    m_backend->setCurrentIndex(m_session.attention());
    m_metric->setCurrentIndex(m_metric->findData(int(m_session.figure())));
    m_modes->setCurrent(int(m_session.mode()));
    m_modes->setVisible(!m_session.showsDump());
    m_tensors->setVisible(m_session.showsDump());
}

/// With an input at hand, the first button inspects it.
void LayersPage::refreshEmpty()
{
    const QString input = m_session.nextInputName(),
                  missing = m_session.isInspecting() ? tr("Computing…") : m_session.whatIsMissing();
    EmptyScreen::Words words = empty()->words();
    words.small = input.isEmpty()     ? tr("Drop an image or a video")
                  : missing.isEmpty() ? tr("Inspects %1 with the selected backends").arg(input)
                                      : missing;
    empty()->setWords(words);
    empty()->setFirst(input.isEmpty() ? tr("Try the demo") : tr("Inspect the layers"),
                      input.isEmpty() ? QString() : u"F5"_s);
    empty()->first()->setEnabled(input.isEmpty() || missing.isEmpty());
}

void LayersPage::refreshWords()
{
    refreshEmpty();
    messages()->setUntrained(!m_session.showsDump() && m_workspace.isUntrained() && m_session.shown() != nullptr);
    const bool isThere = m_session.inspection() != nullptr;
    m_head->setResults(isThere, isThere);
    m_head->setStale(m_session.staleText(), m_session.canRun() && !m_session.isInspecting());
    if (m_session.shown() == nullptr)
        return;
    const LayerWords words = layerWords(*m_session.shown(), m_session.mode(), m_session.figure(),
                                        m_session.names().value(m_session.attention()), m_session.inputName());
    m_head->setHeadline(words.headline, words.detail);
}

void LayersPage::chooseCell()
{
    const HeadCell cell = m_session.cell();
    const QModelIndex index = m_cells.index(cell.layer, cell.head < 0 ? m_cells.heads() : cell.head);
    if (!index.isValid() || index == m_table->currentIndex())
        return;
    m_choosing = true;
    m_table->setCurrentIndex(index);
    m_choosing = false;
}

void LayersPage::take(Content content, const QStringList& paths)
{
    if (content == Content::Tensors)
        m_session.takeDump(paths.front());
    if (content == Content::Tensors || m_workspace.takeInputs(paths))
        run();
}

bool LayersPage::takeCheckpoint(const QString& path)
{
    return tab() == Tab::Networks && networks()->take(Content::Inputs, path);
}

QString LayersPage::command() const
{
    if (instrument() != nullptr)
        return instrument()->command();
    return m_details->part() == LayerDetails::Part::Terms ? m_session.termsCommand() : m_session.command();
}

QString LayersPage::dropHint(Content content) const
{
    return content == Content::Inputs || content == Content::Video ? tr("Inspect the layers with this input")
                                                                   : QString();
}

/// The cells have room for their shownFigures first, then the details take more.
void LayersPage::arrange()
{
    const int most = width() - 32 - Layout::gap - detailsWidth - 2;
    m_errors->setMinimumWidth(std::clamp(m_table->widthFor(comfortableCell) + 24, 260, std::max(260, most)));
    const bool compact = isCompact();
    m_head->setCompact(compact);
    for (InstrumentTab* tab : m_instruments)
        tab->setCompact(compact);
    m_hint->setVisible(!compact);
    m_cards->setStretch(0, compact ? 3 : 4);
    m_cards->setStretch(1, compact ? 4 : 3);
    m_details->setDensity(compact ? LayerDetails::Density::Compact : LayerDetails::Density::Roomy);
}

}
