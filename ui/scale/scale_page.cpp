// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/scale_page.h"

#include "ui/scale/length_tab.h"
#include "ui/scale/plan_tab.h"
#include "ui/scale/samples_tab.h"
#include "ui/scale/scale_words.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/message_stack.h"
#include "ui/widgets/page_head.h"
#include "ui/widgets/tab_strip.h"
#include "ui/widgets/table_text.h"

#include <QClipboard>
#include <QDate>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace attnscope::ui {

ScalePage::ScalePage(ScaleSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_messages(new MessageStack(this))
    , m_head(new PageHead(this))
    , m_stale(new QLabel(m_head))
    , m_again(new LinkButton(tr("Run again"), m_head))
    , m_copy(new ActionButton(QStringLiteral("copy"), tr("Copy as command"), ActionButton::Look::Flat, m_head))
    , m_export(new ActionButton(QStringLiteral("export"), tr("Export"), ActionButton::Look::Flat, m_head))
    , m_tabs(new TabStrip(tr("Measurement"), {tr("Length"), tr("Samples"), tr("Plan")}, this))
    , m_stack(new QStackedWidget(this))
    , m_length(new LengthTab(session, m_stack))
    , m_samples(new SamplesTab(session, m_stack))
    , m_plan(new PlanTab(session, m_stack))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 0, 16, 12);
    column->setSpacing(0);
    column->addWidget(m_messages);
    m_copy->setToolTip(tr("The attnscope-cli command that gives the same results"));
    m_export->setToolTip(tr("Charts as SVG, PNG or PDF, the table as CSV or TSV"));
    m_stale->setForegroundRole(QPalette::PlaceholderText);
    m_head->addControl(m_stale);
    m_head->addControl(m_again);
    m_head->addControl(m_export);
    m_head->addControl(m_copy);
    column->addWidget(m_head);
    column->addWidget(m_tabs);
    for (ScaleTab* tab :
         {static_cast<ScaleTab*>(m_length), static_cast<ScaleTab*>(m_samples), static_cast<ScaleTab*>(m_plan)}) {
        m_stack->addWidget(tab);
        connect(tab, &ScaleTab::changed, this, &ScalePage::refresh);
    }
    column->addWidget(m_stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        m_stack->setCurrentIndex(tab);
        refresh();
    });
    connect(m_again, &QPushButton::clicked, this, &ScalePage::run);
    connect(m_copy, &QPushButton::clicked, this, &ScalePage::copyCommand);
    connect(m_export, &QPushButton::clicked, this, &ScalePage::askExport);
    connect(m_plan, &PlanTab::planRequested, this, &ScalePage::planRequested);
    connect(&m_session, &ScaleSession::problem, this,
            [this](int, const QString& sentence) { showMessage(MessageBar::Kind::Error, sentence); });
    connect(&m_session, &ScaleSession::stateChanged, this, &ScalePage::refresh);
    refresh();
}

ScaleTab* ScalePage::tab() const
{
    return static_cast<ScaleTab*>(m_stack->currentWidget());
}

QPushButton* ScalePage::again() const
{
    return m_again;
}

QLabel* ScalePage::headline() const
{
    return m_head->headline();
}

void ScalePage::refresh()
{
    m_head->setHeadline(tab()->headline(), tab()->detail());
    m_export->setVisible(tab()->hasResults());
    const QString stale = tab()->staleText();
    m_stale->setText(stale);
    m_stale->setVisible(!stale.isEmpty());
    m_again->setVisible(!stale.isEmpty());
    m_again->setEnabled(canRun());
    QString load;
    if (m_session.scale() && tab() == m_length)
        load = loadWarning(m_session.scale()->environment, m_session.scale()->device.threads);
    else if (m_session.plan() && tab() == m_plan)
        load = loadWarning(m_session.plan()->model.environment, m_session.plan()->model.device.threads);
    if (m_load && m_load->sentence() != load) {
        m_load->hide();
        m_load->deleteLater();
        m_load.clear();
    }
    if (!load.isEmpty() && !m_said.contains(load)) {
        m_said << load;
        m_load = showMessage(MessageBar::Kind::Warning, load);
    }
    emit changed();
}

MessageBar* ScalePage::showMessage(MessageBar::Kind kind, const QString& sentence)
{
    return m_messages->add(kind, sentence);
}

bool ScalePage::canRun() const
{
    return tab()->canRun();
}

void ScalePage::run()
{
    tab()->run();
}

bool ScalePage::hasResults() const
{
    return tab()->hasResults() || m_session.isRunning();
}

void ScalePage::showTab(ScaleSession::Kind kind)
{
    m_tabs->setCurrentIndex(kind);
}

void ScalePage::copyCommand()
{
    QGuiApplication::clipboard()->setText(tab()->command());
}

void ScalePage::copyTable()
{
    QGuiApplication::clipboard()->setText(tableAsTsv(tab()->cells()));
}

void ScalePage::copyMarkdown()
{
    QGuiApplication::clipboard()->setText(tableAsMarkdown(tab()->cells()));
}

void ScalePage::askExport()
{
    const QString what = tab() == m_length    ? QStringLiteral("scale")
                         : tab() == m_samples ? QStringLiteral("samples")
                                              : QStringLiteral("plans");
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export"),
        QStringLiteral("attnscope-%1-%2.svg").arg(what, QDate::currentDate().toString(Qt::ISODate)),
        tr("Charts as SVG (*.svg);;Charts as PNG, 2× (*.png);;Charts as PDF (*.pdf);;Table as CSV (*.csv);;Table as TSV (*.tsv)"));
    if (path.isEmpty())
        return;
    if (const QString problem = exportTo(path); !problem.isEmpty())
        showMessage(MessageBar::Kind::Error, problem);
}

QString ScalePage::exportTo(const QString& path)
{
    // The file dialog has asked about the first file alone.
    const QString aside = tab()->hasResults() ? tab()->secondFile(path) : QString();
    return !QFileInfo::exists(aside) || mayReplace(aside) ? tab()->exportTo(path) : QString();
}

bool ScalePage::mayReplace(const QString& path)
{
    QMessageBox box(QMessageBox::NoIcon, tr("Replace the second chart?"),
                    tr("The second chart is saved next to the first one, but %1 already exists.").arg(QFileInfo(path).fileName()),
                    QMessageBox::NoButton, this);
    box.setObjectName(QStringLiteral("replacing"));
    QPushButton* keep = box.addButton(tr("Cancel"), QMessageBox::RejectRole);
    QPushButton* replace = box.addButton(tr("Replace"), QMessageBox::AcceptRole);
    box.setDefaultButton(keep);
    box.setEscapeButton(keep);
    box.exec();
    return box.clickedButton() == replace;
}

void ScalePage::setDensity(Density density)
{
    const bool compact = density == Density::Compact;
    m_head->setCompact(compact);
    for (ScaleTab* tab : findChildren<ScaleTab*>())
        tab->setCompact(compact);
}

}  // namespace attnscope::ui
