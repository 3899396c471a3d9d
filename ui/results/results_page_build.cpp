// How the Results screen is put together.
#include "ui/charts/chart_view.h"
#include "ui/charts/run_marks.h"
#include "ui/results/exits_tab.h"
#include "ui/results/results_page.h"
#include "ui/results/runs_delegate.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/page_stack.h"
#include "ui/widgets/tab_strip.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>

namespace attnscope::ui {

void ResultsPage::buildExits(ResultsSession& session)
{
    m_tabs = new TabStrip(tr("Results"), {tr("Runs"), tr("Early exits")}, this);
    column()->addWidget(m_tabs);
    column()->addSpacing(4);
    m_exits = exitsTab(session, this);
    followMessages(session);
    connect(m_tabs, &QTabBar::currentChanged, this, &ResultsPage::showTab);
    connect(m_exits, &InstrumentTab::changed, this, &Page::changed);
    followTab(*m_exits);
}

QWidget* ResultsPage::buildContent()
{
    m_content = new QWidget(this);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    column->addWidget(buildFilter());
    column->addSpacing(Layout::gap);
    column->addWidget(buildTable(), 5);
    column->addSpacing(Layout::gap);
    column->addWidget(buildLower(), 6);
    return m_content;
}

QWidget* ResultsPage::buildHead()
{
    m_head = new PageHead(m_content);
    m_head->detail()->setElideMode(Qt::ElideMiddle);  // a path
    m_copy = m_head->addButton(u"copy"_s, tr("Copy as command"),
                               tr("The attnscope-cli command that repeats the current row's evaluation"));
    m_open = m_head->addButton(u"open"_s, tr("Open store"), {}, ActionButton::Look::Plain);
    m_report = m_head->addButton(
        u"export"_s, tr("Report"),
        tr("One file with tables, figures, settings and the commands to repeat them: HTML, Markdown or CSV"),
        ActionButton::Look::Plain);
    connect(m_copy, &QPushButton::clicked, this, &Page::copyCommand);
    connect(m_open, &QPushButton::clicked, this, &ResultsPage::askFiles);
    connect(m_report, &QPushButton::clicked, this, &ResultsPage::askReport);
    return m_head;
}

QWidget* ResultsPage::buildFilter()
{
    auto* made = new QWidget(m_content);
    auto* row = new QHBoxLayout(made);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    m_filter = new QLineEdit(made);
    m_filter->setAccessibleName(tr("Filter runs"));
    m_filter->setPlaceholderText(tr("Filter, e.g. model:deit attention:lara folder:imagenet-val, or any word"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setTextMargins(6, 0, 6, 0);
    m_filter->setToolTip(tr("Fields: %1. Use quotation marks for text with spaces; a minus sign excludes a word.")
                             .arg(RunFilter::fields().join(u", "_s)));
    m_filterProblem = newHint({}, made);
    m_filterProblem->hide();
    row->addWidget(m_filter, 1);
    row->addWidget(m_filterProblem);
    m_trash = new ActionButton(QString(), tr("Empty Trash"), ActionButton::Look::Flat, made);
    m_trash->hide();
    row->addWidget(m_trash);
    connect(m_trash, &QPushButton::clicked, this, &ResultsPage::emptyTrash);
    return made;
}

QWidget* ResultsPage::buildTable()
{
    m_upper = new QFrame(m_content);
    m_upper->setProperty("card", true);
    auto* inset = new QVBoxLayout(m_upper);
    inset->setContentsMargins(1, 1, 1, 4);
    m_table = new QTableView(m_upper);
    dressTable(*m_table, tr("Runs"));
    m_table->setItemDelegate(new RunsDelegate(m_table));
    m_table->setModel(&m_proxy);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->installEventFilter(this);
    inset->addWidget(m_table);
    return m_upper;
}

QWidget* ResultsPage::buildLower()
{
    m_lower = new QFrame(m_content);
    m_lower->setProperty("card", true);
    auto* column = new QVBoxLayout(m_lower);
    column->setContentsMargins(11, 8, 11, 6);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    m_views = new Segments(tr("View"), {tr("Scatter"), tr("Side by side")}, m_lower);
    m_hint = new ElidedLabel(m_lower);
    m_hint->setFont(fontFor(Type::Small));
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_y = new CaptionCombo(tr("y"), m_lower);
    m_y->setAccessibleName(tr("Vertical axis"));
    m_x = new CaptionCombo(tr("x"), m_lower);
    m_x->setAccessibleName(tr("Horizontal axis"));
    for (const Measure& each : evaluationMeasures()) {
        m_y->addItem(axisName(each));
        m_x->addItem(axisName(each));
    }
    m_x->setCurrentIndex(2);
    m_differences = new QCheckBox(tr("Differences only"), m_lower);
    m_differences->setAccessibleName(tr("Show only settings that differ"));
    m_differences->setChecked(true);
    row->addWidget(m_views);
    m_lowerStack = new PageStack(m_lower);
    m_chart = new ChartView(tr("Scatter chart of runs"), m_lowerStack, ChartView::Names::AtMarks);
    m_scale = newScaleBox(*m_chart, m_lower);
    row->addWidget(m_hint, 1);
    row->addWidget(m_scale);
    row->addWidget(m_y);
    row->addWidget(m_x);
    row->addWidget(m_differences);
    column->addLayout(row);
    m_chart->setNotice(tr("Select runs that have values for both axes"));
    m_comparison = new QTableView(m_lowerStack);
    dressTable(*m_comparison, tr("Runs side by side"));
    m_comparison->setModel(&m_sides);
    m_lowerStack->addWidget(m_chart);
    m_lowerStack->addWidget(m_comparison);
    column->addWidget(m_lowerStack, 1);
    return m_lower;
}

void ResultsPage::connectModels()
{
    connect(&m_store, &StoreReader::fileChanged, this, [this] {
        m_steps.clear();
        m_stale = true;
        if (isVisible())
            reload();
    });
    connect(&m_store, &StoreReader::failed, this, &Page::showProblem);
    connect(&m_runs, &RunsModel::tickedChanged, this, &ResultsPage::refreshLower);
    connect(&m_runs, &RunsModel::noteEdited, this, [this](int64_t evaluation, const QString& note) {
        for (const ResultRow& row : m_runs.rows())
            if (row.evaluation->id == evaluation && toQt(row.evaluation->note) != note) {
                m_steps.push_back({evaluation, toQt(row.evaluation->note)});
                return changeNote(evaluation, note);
            }
    });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        const RunFilter filter = RunFilter::parse(text);
        m_filterProblem->setText(filter.problem());
        m_filterProblem->setVisible(!filter.problem().isEmpty());
        m_proxy.setFilter(filter);
        refreshWords();
        refreshLower();
    });
    connect(m_views, &Segments::chosen, this, &ResultsPage::refreshLower);
    connect(m_x, &QComboBox::currentIndexChanged, this, &ResultsPage::refreshChart);
    connect(m_y, &QComboBox::currentIndexChanged, this, &ResultsPage::refreshChart);
    connect(m_differences, &QCheckBox::toggled, this, &ResultsPage::refreshComparison);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        m_chart->setChosen(current() == nullptr ? ChartView::none : current()->id());
        m_copy->setEnabled(current() != nullptr);
    });
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        if (m_table->indexAt(at).isValid()) {
            QMenu* menu = menuForCurrent();
            menu->setAttribute(Qt::WA_DeleteOnClose);
            menu->popup(m_table->viewport()->mapToGlobal(at));
        }
    });
    connect(m_chart, &ChartView::chosenChanged, this, [this](qint64 key) {
        for (int row = 0; row < m_proxy.rowCount(); ++row)
            if (m_proxy.row(row).id() == key)
                m_table->selectRow(row);
    });
}

}
