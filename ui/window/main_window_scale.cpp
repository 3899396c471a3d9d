// SPDX-License-Identifier: GPL-3.0-or-later
// The Scale screen in its window: the job that is under way, and the plans that it gives to the Backends.
#include "ui/scale/scale_page.h"
#include "ui/style/qt_text.h"
#include "ui/window/main_window.h"

#include <QStackedWidget>

#include <algorithm>

namespace attnscope::ui {

void MainWindow::connectScale()
{
    connect(&m_scale, &ScaleSession::stateChanged, this, [this] {
        refreshActions();
        refreshStatus();
        refreshJobs();
    });
    connect(&m_scale, &ScaleSession::progressed, this, [this] {
        refreshStatus();
        refreshJobs();
    });
    // Where another screen is looked at, it hears of the end.
    connect(&m_scale, &ScaleSession::problem, this, [this](int, const QString& sentence) {
        if (m_screen != Screen::Scale)
            showMessage(MessageBar::Kind::Error, sentence)->addAction(tr("Show"), [this] {
                showScreen(Screen::Scale);
            });
    });
}

ScalePage* MainWindow::scalePage()
{
    if (m_scalePage != nullptr)
        return m_scalePage;
    m_scalePage = new ScalePage(m_scale, m_screens);
    m_screens->addWidget(m_scalePage);
    connect(m_scalePage, &ScalePage::changed, this, [this] {
        if (m_screen == Screen::Scale)
            refreshActions();
    });
    connect(m_scalePage, &ScalePage::planRequested, this, &MainWindow::usePlan);
    applyDensity();
    return m_scalePage;
}

/// Among the Backends and ticked, as if it had been typed there.
void MainWindow::usePlan(const QString& spec)
{
    const AttentionSpec plan = AttentionSpec::parse(fromQt(spec));
    const auto& entries = m_backends.entries();
    const auto known = std::find_if(entries.begin(), entries.end(),
                                    [&](const BackendList::Entry& entry) { return entry.spec == plan; });
    if (known != entries.end())
        m_backends.setChecked(known->id, true);
    else
        m_backends.add(plan);
    scalePage()->showMessage(MessageBar::Kind::Info,
                             tr("The plan was added to the Backends and selected; Compare and Batch use it."));
}

}  // namespace attnscope::ui
