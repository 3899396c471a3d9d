// SPDX-License-Identifier: GPL-3.0-or-later
// The Layers screen in its window: what is opened on it, and its job.
#include "ui/layers/layers_page.h"
#include "ui/scale/samples_tab.h"
#include "ui/scale/scale_page.h"
#include "ui/window/jobs_bar.h"
#include "ui/window/main_window.h"

#include <QStackedWidget>

namespace attnscope::ui {

void MainWindow::connectLayers()
{
    connect(&m_layers, &LayersSession::busyChanged, this, [this] {
        refreshJobs();
        refreshActions();
        refreshStatus();
    });
    connect(&m_layers, &LayersSession::progressChanged, m_jobs, &JobsBar::show);
    connect(&m_layers, &LayersSession::changed, this, &MainWindow::refreshActions);
    connect(&m_layers, &LayersSession::problem, this, [this](const QString& sentence) {
        if (m_screen != Screen::Layers)  // which shows it itself
            showMessage(MessageBar::Kind::Error, sentence);
    });
}

LayersPage* MainWindow::layersPage()
{
    if (m_layersPage != nullptr)
        return m_layersPage;
    m_layersPage = new LayersPage(m_layers, m_session, m_screens);
    m_screens->addWidget(m_layersPage);
    connect(m_layersPage, &LayersPage::openRequested, this, &MainWindow::askImages);
    connect(m_layersPage, &LayersPage::demoRequested, this, &MainWindow::tryDemo);
    connect(m_layersPage, &LayersPage::checkpointRequested, this, &MainWindow::askCheckpoint);
    applyDensity();
    return m_layersPage;
}

bool MainWindow::inspectPaths(const QStringList& paths)
{
    if (m_screen != Screen::Layers)
        return false;
    if (m_session.takeInputs(paths))
        m_layers.run();
    return true;
}

void MainWindow::openTensors(const QString& path)
{
    if (m_screen == Screen::Scale && m_scalePage != nullptr) {
        m_scalePage->showTab(ScaleSession::Samples);
        m_scalePage->samples()->setDump(path);
        return;
    }
    showScreen(Screen::Layers);
    m_layers.openDump(path);
}

void MainWindow::takePasted(const QByteArray& bytes)
{
    if (m_screen != Screen::Layers) {
        showScreen(Screen::Compare);
        m_session.openPasted(bytes);
        return;
    }
    m_session.takePasted(bytes);
    m_layers.run();
}

}  // namespace attnscope::ui
