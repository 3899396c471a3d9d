#include "ui/scale/scale_tab.h"

#include "ui/charts/figure_file.h"
#include "ui/charts/sketch.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/page_stack.h"
#include "ui/widgets/table_text.h"
#include "ui/workspace/made_with.h"

#include <QFileInfo>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

namespace attnscope::ui {

namespace {

/// Cost against length or position, error against samples or the norm, or the front of plans.
SketchPainter scaleSketch(ScaleSession::Kind kind)
{
    switch (kind) {
    case ScaleSession::Length:
        return sketchCurves({{"softmax-explicit", 0.16, 0.98, 0.12, tr("softmax, explicit")},
                             {"softmax", 0.1, 0.7, 0.1},
                             {"lara", 0.3, 0.52},
                             {"performer", 0.2, 0.28}});
    case ScaleSession::Decode:
        return sketchCurves({{"softmax", 0.12, 0.96, 0.16, tr("cache")},
                             {"rfa", 0.42, 0.42},
                             {"local", 0.16, 0.16, 0, tr("window")}});
    case ScaleSession::Samples:
        return sketchCurves({{"performer", 0.96, 0.64}, {"lara", 0.78, 0.42, 0.03}, {"ra", 0.88, 0.1}});
    case ScaleSession::Kernel:
        return sketchCurves(
            {{"rfa", 0.1, 0.98, 0.12, tr("trigonometric")}, {"performer", 0.14, 0.56, 0.05, tr("positive")}});
    case ScaleSession::Plans:
        break;
    }
    return sketchFront({{"performer", 0.1, 0.9, true},
                        {"mixed", 0.24, 0.52, true, tr("a plan")},
                        {"lara", 0.36, 0.62},
                        {"mixed", 0.42, 0.28, true, tr("a plan")},
                        {"nystrom", 0.6, 0.4},
                        {"softmax", 0.78, 0.05, true}});
}

EmptyScreen::Action secondAction(ScaleSession::Kind kind)
{
    const QString open = u"open"_s, scale = u"scale"_s;
    return kind == ScaleSession::Length  ? EmptyScreen::Action{scale, EmptyScreen::tr("LARA paper, table 6")}
           : kind == ScaleSession::Plans ? EmptyScreen::Action{scale, EmptyScreen::tr("Selected backends only")}
                                         : EmptyScreen::Action{open, EmptyScreen::tr("Open q, k, v…")};
}

/// A tab before its first run; its words depend on the form.
EmptyScreen::Description scaleEmpty(ScaleSession::Kind kind)
{
    return {{},
            {u"run"_s, EmptyScreen::tr("Run"), u"F5"_s},
            secondAction(kind),
            {.minHeight = 90, .maxHeight = 190, .widthPerHeight = 2.3, .paint = scaleSketch(kind)}};
}

}

ScaleTab::ScaleTab(ScaleSession& session, ScaleSession::Kind kind, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_kind(kind)
    , m_content(new QVBoxLayout(new QWidget(this)))
{
    m_content->setContentsMargins(0, 0, 0, 0);
    m_content->setSpacing(12);
}

void ScaleTab::build(const QList<QWidget*>& form, QWidget* aside)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 10, 0, 0);
    column->setSpacing(12);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    for (QWidget* field : form) {
        row->addWidget(field, qobject_cast<QLineEdit*>(field) != nullptr ? 2 : 0);
        if (auto* text = qobject_cast<QLineEdit*>(field))
            connect(text, &QLineEdit::textChanged, this, &ScaleTab::refreshWish);
        else if (auto* box = qobject_cast<QComboBox*>(field))
            connect(box, &QComboBox::currentIndexChanged, this, &ScaleTab::refreshWish);
        else if (auto* count = qobject_cast<QSpinBox*>(field))
            connect(count, &QSpinBox::valueChanged, this, &ScaleTab::refreshWish);
        else if (auto* number = qobject_cast<QDoubleSpinBox*>(field))
            connect(number, &QDoubleSpinBox::valueChanged, this, &ScaleTab::refreshWish);
    }
    row->addStretch(1);
    column->addLayout(row);
    m_stack = new PageStack(this);
    m_empty = new EmptyScreen(scaleEmpty(m_kind), m_stack);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_content->parentWidget());
    auto* body = new QHBoxLayout;
    body->setSpacing(12);
    body->addWidget(m_stack, 1);
    if (aside != nullptr)
        body->addWidget(aside);
    column->addLayout(body, 1);
    connect(m_empty->first(), &QPushButton::clicked, this, &ScaleTab::run);
    connect(&m_session, &ScaleSession::resultsChanged, this, [this](int kind) {
        if (kind == m_kind)
            refreshIfShown();
    });
    connect(&m_session, &ScaleSession::stateChanged, this, &ScaleTab::refreshIfShown);
    connect(&m_session, &ScaleSession::wishesChanged, this, &ScaleTab::refreshIfShown);
    refresh();
}

void ScaleTab::refreshIfShown()
{
    if (isHidden())
        m_old = true;
    else
        refresh();
}

void ScaleTab::refresh()
{
    m_old = false;
    m_stack->setCurrentIndex(hasResults() || m_session.isRunning(m_kind) ? 1 : 0);
    describeWish();
    m_empty->first()->setEnabled(canRun());
    showResults();
    fitTables();
    emit changed();
}

void ScaleTab::refreshWish()
{
    describeWish();
    m_empty->first()->setEnabled(canRun());
    emit changed();
}

QString ScaleTab::headline() const
{
    if (!m_session.isRunning(m_kind))
        return headlineOf(said().headline, !isPartial());
    return m_session.isResting() ? tr("Waiting for the current measurement or evaluation") : said().running;
}

QVBoxLayout* ScaleTab::addCard(QBoxLayout& into, int stretch)
{
    auto* frame = new QFrame(this);
    frame->setProperty("card", true);
    into.addWidget(frame, stretch);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(11, 8, 11, 6);
    column->setSpacing(4);
    return column;
}

QTableView* ScaleTab::addTable(QBoxLayout& column, const QString& name, CellTable& cells)
{
    auto* table = new QTableView(this);
    dressTable(*table, name);
    table->setModel(&cells);
    column.addWidget(table, 1);
    return table;
}

QLineEdit* ScaleTab::newCountsField(const QString& name, int minWidth)
{
    auto* field = new QLineEdit(this);
    field->setAccessibleName(name);
    field->setMinimumWidth(minWidth);
    field->setMaximumWidth(320);
    field->setTextMargins(4, 0, 4, 0);
    return field;
}

CaptionCombo* ScaleTab::newImageSizes()
{
    auto* box = new CaptionCombo(tr("Image"), this);
    box->setAccessibleName(tr("Image size, which determines the number of tokens"));
    box->addItem(tr("Same as run"), 0);
    box->setItemData(0, tr("The size in the bar above, or else the model's own"), Qt::ToolTipRole);
    for (const int side : {224, 384, 448})
        box->addItem(tr("%1 px").arg(side), side);
    return box;
}

void ScaleTab::fitTables()
{
    for (QTableView* table : findChildren<QTableView*>())
        if (table->isVisible())
            fitTableColumns(*table, 260);
}

QString ScaleTab::exportTo(const QString& path) const
{
    if (!hasResults())
        return tr("There is nothing to export yet; run a measurement first.");
    const QString suffix = QFileInfo(path).suffix().toLower(), aside = secondFile(path);
    if (suffix == "tsv"_L1)
        return writeBytes(path, tableAsTsv(m_cells).toUtf8());
    if (suffix == "csv"_L1)
        return writeBytes(path, recordsAsCsv(Json::parse(json().toStdString())));
    if (suffix == "json"_L1)
        return writeBytes(path, json());
    const QString problem = charts().first->saveAs(path);
    return problem.isEmpty() && !aside.isEmpty() ? charts().second->saveAs(aside) : problem;
}

QString ScaleTab::secondFile(const QString& path) const
{
    const QFileInfo file(path);
    const QString suffix = file.suffix().toLower();
    if (charts().second == nullptr || QStringList{u"csv"_s, u"tsv"_s, u"json"_s}.contains(suffix))
        return {};
    return u"%1/%2-%3.%4"_s.arg(file.path(), file.completeBaseName(), charts().secondName, file.suffix());
}

void ScaleTab::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    QTimer::singleShot(0, this, &ScaleTab::fitTables);
}

void ScaleTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_old)
        refresh();
    QTimer::singleShot(0, this, &ScaleTab::fitTables);
}

}
