#include "ui/scale/scale_page.h"

#include "ui/charts/figure_file.h"
#include "ui/scale/decode/decode_tab.h"
#include "ui/scale/length_tab.h"
#include "ui/scale/plan_tab.h"
#include "ui/scale/tensors/kernel_tab.h"
#include "ui/scale/tensors/samples_tab.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/confirm.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/page_head.h"
#include "ui/widgets/page_stack.h"
#include "ui/widgets/tab_strip.h"

#include <QFileInfo>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace attnscope::ui {

ScalePage::ScalePage(ScaleSession& session, QWidget* parent)
    : Page(session.workspace(), parent)
    , m_session(session)
    , m_head(new ReportHead(tr("Charts as SVG, PNG or PDF, the table as CSV or TSV, all results as JSON"), this))
    , m_tabs(new TabStrip(tr("Measurement"), {tr("Length"), tr("Decode"), tr("Samples"), tr("Kernel"), tr("Plan")},
                          this))
    , m_tabStack(new PageStack(this))
    , m_length(new LengthTab(session, m_tabStack))
    , m_decode(new DecodeTab(session, m_tabStack))
    , m_samples(new SamplesTab(session, m_tabStack))
    , m_kernel(new KernelTab(session, m_tabStack))
    , m_plan(new PlanTab(session, m_tabStack))
{
    column()->addWidget(m_head);
    column()->addWidget(m_tabs);
    for (ScaleTab* tab : std::initializer_list<ScaleTab*>{m_length, m_decode, m_samples, m_kernel, m_plan}) {
        m_tabStack->addWidget(tab);
        connect(tab, &ScaleTab::changed, this, [this, tab] {
            if (tab == this->tab())
                refresh();
        });
    }
    column()->addWidget(m_tabStack, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        m_tabStack->setCurrentIndex(tab);
        refresh();
    });
    connect(m_head, &ReportHead::againRequested, this, &ScalePage::run);
    connect(m_head, &ReportHead::copyRequested, this, &Page::copyCommand);
    connect(m_head, &ReportHead::exportRequested, this, &ScalePage::askExport);
    connect(m_plan, &PlanTab::planRequested, this, &ScalePage::usePlan);
    followMessages(m_session);
    connect(&m_session, &ScaleSession::stateChanged, this, &ScalePage::refresh);
    refresh();
}

ScaleTab* ScalePage::tab() const
{
    return static_cast<ScaleTab*>(m_tabStack->currentWidget());
}

QPushButton* ScalePage::again() const
{
    return m_head->again();
}

QLabel* ScalePage::stale() const
{
    return m_head->stale();
}

QLabel* ScalePage::headline() const
{
    return m_head->headline();
}

void ScalePage::refresh()
{
    m_head->setHeadline(tab()->headline(), tab()->detail());
    m_head->setResults(tab()->hasResults(), true);
    m_head->setStale(tab()->staleText(), canRun());
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
    return {.backends = tab() != m_decode && tab() != m_kernel};
}

/// While another tab measures, `run` says so.
bool ScalePage::canRun() const
{
    return tab()->canRun() || (m_session.isRunning() && !m_session.isRunning(tab()->kind()));
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

/// Dumped q, k and v are what samples are tried on, unless the current tab has a use for them.
void ScalePage::take(Content, const QStringList& paths)
{
    if (tab()->takeTensors(paths.front()))
        return;
    showTab(ScaleSession::Samples);
    m_samples->takeTensors(paths.front());
}

/// Among the Backends and ticked, as if it had been typed there.
void ScalePage::usePlan(const QString& spec)
{
    m_workspace.backends().tick(AttentionSpec::parse(fromQt(spec)));
    showMessage(MessageBar::Kind::Info,
                tr("The plan was added to the Backends and selected; Compare and Batch use it."));
}

void ScalePage::askExport()
{
    constexpr const char* names[]{"scale", "decode", "samples", "kernel", "plans"};  // by ScaleSession::Kind
    const QString what = QString::fromLatin1(names[tab()->kind()]);
    const QString path = askExportPath(
        this, what,
        tr("Charts as SVG (*.svg);;Charts as PNG, 2× (*.png);;Charts as PDF (*.pdf);;Table as CSV (*.csv);;Table "
           "as TSV (*.tsv);;All results as JSON (*.json)"));
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
    return confirmed(this, {u"replacing"_s,
                            tr("Replace the second chart?"),
                            tr("The second chart is saved next to the first one, but %1 already exists.")
                                .arg(QFileInfo(path).fileName()),
                            {},
                            tr("Replace"),
                            tr("Cancel")});
}

void ScalePage::arrange()
{
    const bool compact = isCompact();
    m_head->setCompact(compact);
    for (ScaleTab* tab : findChildren<ScaleTab*>())
        tab->setCompact(compact);
}

}
