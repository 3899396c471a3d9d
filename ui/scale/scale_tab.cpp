// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/scale_tab.h"

#include "ui/charts/figure_file.h"
#include "ui/scale/scale_empty.h"
#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/table_text.h"

#include <QFileInfo>
#include <QFrame>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

namespace attnscope::ui {

ScaleTab::ScaleTab(ScaleSession& session, ScaleSession::Kind kind, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_kind(kind)
{}

void ScaleTab::build(const QList<QWidget*>& form, QWidget* content)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 10, 0, 0);
    column->setSpacing(12);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    for (QWidget* field : form)
        row->addWidget(field, qobject_cast<QLineEdit*>(field) != nullptr ? 2 : 0);
    row->addStretch(1);
    column->addLayout(row);
    m_stack = new QStackedWidget(this);
    m_empty = new EmptyScreen(scaleEmpty(m_kind), m_stack);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(content);
    column->addWidget(m_stack, 1);
    connect(m_empty->first(), &QPushButton::clicked, this, &ScaleTab::run);
    connect(&m_session, &ScaleSession::resultsChanged, this, [this](int kind) {
        if (kind == m_kind)
            refresh();
    });
    connect(&m_session, &ScaleSession::stateChanged, this, &ScaleTab::refresh);
    connect(&m_session, &ScaleSession::wishesChanged, this, &ScaleTab::refresh);
    refresh();
}

void ScaleTab::refresh()
{
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

QFrame* ScaleTab::card(QBoxLayout*& column, QWidget* parent) const
{
    auto* frame = new QFrame(parent);
    frame->setProperty("card", true);
    column = new QVBoxLayout(frame);
    column->setContentsMargins(11, 8, 11, 6);
    column->setSpacing(4);
    return frame;
}

QTableView* ScaleTab::newTable(const QString& name, CellTable& cells, QWidget* parent) const
{
    auto* table = new QTableView(parent);
    dressTable(*table, name);
    table->setModel(&cells);
    return table;
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
    if (suffix == QLatin1String("csv") || suffix == QLatin1String("tsv"))
        return writeBytes(path, (suffix == QLatin1String("csv") ? tableAsCsv(m_cells) : tableAsTsv(m_cells)).toUtf8());
    const QString problem = charts().first->saveAs(path);
    return problem.isEmpty() && !aside.isEmpty() ? charts().second->saveAs(aside) : problem;
}

QString ScaleTab::secondFile(const QString& path) const
{
    const QFileInfo file(path);
    const QString suffix = file.suffix().toLower();
    if (charts().second == nullptr || suffix == QLatin1String("csv") || suffix == QLatin1String("tsv"))
        return {};
    return QStringLiteral("%1/%2-%3.%4").arg(file.path(), file.completeBaseName(), charts().secondName, file.suffix());
}

void ScaleTab::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    QTimer::singleShot(0, this, &ScaleTab::fitTables);
}

void ScaleTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    QTimer::singleShot(0, this, &ScaleTab::fitTables);
}

}  // namespace attnscope::ui
