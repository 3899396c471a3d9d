#include "ui/scale/scale_page.h"

#include "ui/scale/scale_tab.h"
#include "ui/widgets/page_head.h"
#include "ui/widgets/page_stack.h"

#include <QVBoxLayout>

namespace attnscope::ui {

ScalePage::ScalePage(ScaleSession& session, QWidget* parent)
    : Page(session.workspace(), parent)
    , m_session(session)
    , m_head(newReportHead(tr("Charts as SVG, PNG or PDF, the table as CSV or TSV, all results as JSON")))
    , m_tabs(new TabStrip(tr("Measurement"), {tr("Length"), tr("Decode"), tr("Samples"), tr("Kernel"), tr("Plan")},
                          this))
{
    column()->addWidget(m_head);
    column()->addWidget(m_tabs);
    auto* stack = new PageStack(this);
    for (const auto make : {lengthTab, decodeTab, samplesTab, kernelTab, planTab}) {
        ScaleTab* tab = m_all.emplace_back(make(session, stack));
        stack->addWidget(tab);
        connect(tab, &ScaleTab::changed, this, [this, tab] {
            if (tab == this->tab())
                refresh();
        });
        followTab(*tab);
    }
    column()->addWidget(stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this, stack](int tab) {
        stack->setCurrentIndex(tab);
        refresh();
    });
    followMessages(m_session);
    connect(m_head, &ReportHead::exportRequested, this, &ScalePage::askExport);
    connect(&m_session, &ScaleSession::stateChanged, this, &ScalePage::refresh);
    refresh();
}

void ScalePage::refresh()
{
    tab()->showHead(*m_head);
    const QString load = tab()->loadText();
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

Page::Uses ScalePage::uses() const
{
    return {.backends = tab()->kind() != ScaleSession::Decode && tab()->kind() != ScaleSession::Kernel};
}

/// While another tab measures, `run` says so.
bool ScalePage::canRun() const
{
    return tab()->canRun() || (m_session.isRunning() && !tab()->isMeasuring());
}

void ScalePage::run()
{
    if (m_session.isRunning())
        showMessage(MessageBar::Kind::Info,
                    tr("Another tab is being measured: run this one once it has ended, or stop that one."));
    else
        tab()->run();
}

void ScalePage::showTab(ScaleSession::Kind kind)
{
    m_tabs->setCurrentIndex(kind);
}

bool ScalePage::showsContents() const
{
    return tab()->hasResults() || m_session.isRunning();
}

QString ScalePage::command() const
{
    return tab()->command();
}

const QAbstractItemModel* ScalePage::shownTable() const
{
    return &tab()->cells();
}

void ScalePage::askExport()
{
    tab()->askExport();
}

/// Dumped q, k and v are what samples are tried on, unless the current tab has a use for them.
void ScalePage::take(Content content, const QStringList& paths)
{
    if (tab()->take(content, paths.front()))
        return;
    showTab(ScaleSession::Samples);
    tab()->take(content, paths.front());
}

void ScalePage::arrange()
{
    m_head->setCompact(isCompact());
    for (ScaleTab* tab : m_all)
        tab->setCompact(isCompact());
}

}
