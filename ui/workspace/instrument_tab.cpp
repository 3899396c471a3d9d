#include "ui/workspace/instrument_tab.h"

#include "ui/style/qt_text.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/field_row.h"
#include "ui/widgets/page_head.h"
#include "ui/widgets/page_stack.h"
#include "ui/workspace/made_with.h"

#include <QLineEdit>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

namespace attnscope::ui {

InstrumentTab::InstrumentTab(Session& session, About about, QWidget* parent)
    : QWidget(parent)
    , m_about(std::move(about))
    , m_content(new QVBoxLayout(new QWidget(this)))
    , m_activity(session)
{
    m_content->setContentsMargins(0, 0, 0, 0);
    m_content->setSpacing(12);
}

Segments* InstrumentTab::newChoices(const QString& name, const QStringList& choices, const QString& help)
{
    auto* made = new Segments(name, choices, this);
    made->setToolTip(help);
    connect(made, &Segments::chosen, this, &InstrumentTab::refreshParts);
    return made;
}

QVBoxLayout* InstrumentTab::addCharts(const QList<ChartPart>& parts, int stretch)
{
    QVBoxLayout* column = addCard(*m_content, this, stretch);
    m_legend = new LegendRow(this);
    column->addWidget(m_legend);
    auto* row = new QHBoxLayout;
    row->setSpacing(16);
    int high = 0;
    for (const ChartPart& part : parts) {
        const TitledChart& made = m_charts.emplace_back(
            parts.size() == 1 ? TitledChart{newHeading(part.name, this), new ChartView(part.name, this)}
                              : addTitledChart(*row, part.name, this, ChartView::Names::Aside, part.choices));
        made.title->setToolTip(part.help);
        made.view->setNotice(part.notice);
        high = std::max(high, part.choices == nullptr ? 0 : part.choices->sizeHint().height());
    }
    for (const TitledChart& chart : m_charts)
        chart.title->setMinimumHeight(high);
    if (parts.size() == 1) {
        column->insertWidget(0, m_charts.front().title);
        row->addWidget(m_charts.front().view, 1);
    }
    column->addLayout(row, 1);
    connect(m_legend, &LegendRow::hiddenChanged, this, &InstrumentTab::refreshCharts);
    return column;
}

QTableView* InstrumentTab::addTable(QBoxLayout& column, const QString& name, QAbstractItemModel& cells)
{
    auto* table = new QTableView(this);
    dressTable(*table, name);
    table->setModel(&cells);
    column.addWidget(table, 1);
    return table;
}

void InstrumentTab::addTables(const QStringList& names)
{
    QVBoxLayout* column = addCard(*m_content, this, 5);
    if (names.size() > 1)
        column->addWidget(m_tables = newChoices(tr("Table"), names));
    m_table = addTable(*column, names.front(), m_cells);
}

void InstrumentTab::addHead(const QString& exportHelp)
{
    m_head = new ReportHead(exportHelp, this);
    connect(m_head, &ReportHead::againRequested, this, &InstrumentTab::run);
    connect(m_head, &ReportHead::exportRequested, this, &InstrumentTab::askExport);
    connect(m_head, &ReportHead::copyRequested, this, &InstrumentTab::copyRequested);
    connect(this, &InstrumentTab::changed, m_head, [this] { showHead(*m_head); });
}

QLayout* InstrumentTab::newFormRow(const QList<QWidget*>& form)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    for (QWidget* field : form) {
        auto* path = qobject_cast<PathField*>(field);
        row->addWidget(field, path != nullptr ? 1 : qobject_cast<QLineEdit*>(field) != nullptr ? 2 : 0);
        if (path != nullptr)
            connect(path, &PathField::pathChanged, this, &InstrumentTab::refreshForm);
        else if (auto* text = qobject_cast<QLineEdit*>(field))
            connect(text, &QLineEdit::textChanged, this, &InstrumentTab::refreshForm);
        else if (auto* box = qobject_cast<QComboBox*>(field))
            connect(box, &QComboBox::currentIndexChanged, this, &InstrumentTab::refreshForm);
        else if (auto* count = qobject_cast<QSpinBox*>(field))
            connect(count, &QSpinBox::valueChanged, this, &InstrumentTab::refreshForm);
        else if (auto* number = qobject_cast<QDoubleSpinBox*>(field))
            connect(number, &QDoubleSpinBox::valueChanged, this, &InstrumentTab::refreshForm);
    }
    if (qobject_cast<PathField*>(form.front()) == nullptr)  // a path takes the room that is left
        row->addStretch(1);
    return row;
}

void InstrumentTab::build(const QList<QWidget*>& form, QWidget* aside)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, m_head == nullptr ? 10 : 0, 0, 0);
    column->setSpacing(12);
    if (m_head != nullptr && m_head->parentWidget() == this)
        column->addWidget(m_head);
    if (!form.isEmpty())
        column->addLayout(newFormRow(form));
    m_stack = new PageStack(this);
    m_empty = new EmptyScreen(
        {{},
         {u"run"_s, EmptyScreen::tr("Run"), u"F5"_s},
         m_about.second,
         {.minHeight = 90, .maxHeight = 190, .widthPerHeight = 2.3, .paint = m_about.sketch}},
        m_stack);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_content->parentWidget());
    auto* body = new QHBoxLayout;
    body->setSpacing(12);
    column->addLayout(body, 1);
    body->addWidget(m_stack, 1);
    if (aside != nullptr)
        body->addWidget(aside);
    connect(m_empty->first(), &QPushButton::clicked, this, &InstrumentTab::run);
    connect(&m_activity, &Session::stateChanged, this, &InstrumentTab::refreshIfShown);
    connect(&m_activity, &Session::progressed, this, [this] {
        if (isMeasuring() && isVisible())
            emit changed();
    });
    connect(&m_activity, &Session::choicesChanged, this, &InstrumentTab::refreshIfShown);
    setCompact(false);
    refresh();
}

bool InstrumentTab::canRun() const
{
    return !m_activity.isRunning() && missing().isEmpty();
}

void InstrumentTab::run()
{
    if (canRun())
        start();
}

void InstrumentTab::showHead(ReportHead& head) const
{
    const Outcome outcome = hasResults() ? this->outcome() : Outcome();
    QString headline = outcome.verdict.isEmpty() ? m_about.headline
                                                 : headlineOf(outcome.verdict, outcome.complete);
    if (isMeasuring())
        headline = m_activity.isResting()      ? tr("Waiting for the current measurement or evaluation")
                   : m_activity.isStopping()   ? tr("Stopping after this step")
                   : outcome.verdict.isEmpty() ? running()
                                               : outcome.verdict;
    const auto job = isMeasuring() ? m_activity.job() : std::nullopt;
    head.setHeadline(headline, !outcome.conditions.isEmpty() ? outcome.conditions
                               : job                         ? job->text
                                                             : m_about.detail);
    head.setResults(hasResults(), !command().isEmpty());
    head.setStale(staleText(), canRun());
}

void InstrumentTab::refreshIfShown()
{
    if (isHidden())
        m_isOld = true;
    else
        refresh();
}

void InstrumentTab::refresh()
{
    m_isOld = false;
    m_stack->setCurrentIndex(hasResults() || isMeasuring() ? 1 : 0);
    refreshParts();
    refreshForm();
}

void InstrumentTab::refreshForm()
{
    const QString problem = missing();
    m_empty->setWords({m_about.question, problem.isEmpty() ? summary() : problem, note()});
    m_empty->first()->setEnabled(canRun());
    emit changed();
}

void InstrumentTab::refreshParts()
{
    m_legend->setEntries(hasResults() ? entries() : QList<LegendRow::Entry>());
    refreshCharts();
    if (m_tables != nullptr)
        m_table->setAccessibleName(m_tables->text(m_tables->current()));
    m_cells.show(hasResults() ? contents() : Table());
    fitTables();
}

void InstrumentTab::refreshCharts()
{
    nameParts();
    std::vector<Chart> charts = hasResults() ? this->charts() : std::vector<Chart>();
    charts.resize(m_charts.size());
    const QStringList hidden = hasResults() ? hiddenSeries() : QStringList();
    for (size_t i = 0; i < charts.size(); ++i) {
        m_charts[i].view->setHidden(hidden);
        m_charts[i].view->setChart(std::move(charts[i]));
    }
}

void InstrumentTab::setCompact(bool compact)
{
    if (m_head != nullptr)
        m_head->setCompact(compact);
    m_content->setSpacing(compact ? 8 : 12);
    m_content->setStretch(0, compact ? 8 : 7);
    m_content->setStretch(1, compact ? 4 : 5);
}

void InstrumentTab::fitTables()
{
    for (QTableView* table : findChildren<QTableView*>())
        if (table->isVisible())
            fitTableColumns(*table, 260);
}

Exports InstrumentTab::exports() const
{
    return {.name = m_about.file,
            .chart = m_charts.front().view,
            .second = m_charts.size() > 1 ? m_charts[1].view : nullptr,
            .secondName = secondName(),
            .table = &m_cells,
            .results = [this] { return results(); }};
}

QString InstrumentTab::exportTo(const QString& path)
{
    return hasResults() ? ui::exportTo(this, exports(), path)
                        : tr("There is nothing to export yet; run a measurement first.");
}

void InstrumentTab::askExport()
{
    const QString path = askExportPath(this, m_about.file);
    if (const QString sentence = path.isEmpty() ? QString() : exportTo(path); !sentence.isEmpty())
        emit problem(sentence);
}

void InstrumentTab::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    QTimer::singleShot(0, this, [this] { fitTables(); });
}

void InstrumentTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isOld)
        refresh();
    QTimer::singleShot(0, this, [this] { fitTables(); });
}

}
