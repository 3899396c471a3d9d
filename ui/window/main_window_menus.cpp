// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked of the window: its menus, which the command palette lists too.
#include "ui/batch/batch_page.h"
#include "ui/compare/compare_page.h"
#include "ui/layers/layers_page.h"
#include "ui/live/live_page.h"
#include "ui/results/results_page.h"
#include "ui/scale/scale_page.h"
#include "ui/train/train_page.h"
#include "ui/window/main_window.h"

#include <QMenuBar>

namespace attnscope::ui {

QAction* MainWindow::add(QMenu& menu, const QString& name, const QString& text, const QKeySequence& key, std::function<void()> act)
{
    QAction* action = menu.addAction(text);
    action->setObjectName(name);
    action->setShortcut(key);
    connect(action, &QAction::triggered, this, [act = std::move(act)] { act(); });
    return action;
}

void MainWindow::buildMenus()
{
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildRunMenu();
    buildHelpMenu();
}

void MainWindow::buildFileMenu()
{
    QMenu& menu = *findChild<QMenuBar*>(QStringLiteral("menus"))->addMenu(tr("&File"));
    add(menu, QStringLiteral("open"), tr("&Open…"), QKeySequence::Open, [this] { askFiles(); });
    add(menu, QStringLiteral("checkpoint"), tr("Open a &checkpoint…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), [this] { askCheckpoint(); });
    add(menu, QStringLiteral("folder"), tr("Evaluate a &folder…"), {}, [this] {
        showScreen(Screen::Batch);
        batchPage()->askFolder();
    });
    add(menu, QStringLiteral("store"), tr("Open &store…"), {}, [this] { askStore(); });
    add(menu, QStringLiteral("demo"), tr("Try the &demo"), {}, [this] { m_screen == Screen::Batch ? m_batch.tryDemo() : tryDemo(); });
    menu.addSeparator();
    add(menu, QStringLiteral("export"), tr("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E), [this] {
        m_screen == Screen::Results  ? resultsPage()->askExport()
        : m_screen == Screen::Layers ? layersPage()->askExport(LayersPage::Export::Errors)
        : m_screen == Screen::Scale  ? scalePage()->askExport()
                                     : saveChart();
    });
    menu.addSeparator();
    add(menu, QStringLiteral("quit"), tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });
}

void MainWindow::buildEditMenu()
{
    QMenu& menu = *findChild<QMenuBar*>(QStringLiteral("menus"))->addMenu(tr("&Edit"));
    add(menu, QStringLiteral("copy"), tr("&Copy values"), QKeySequence::Copy, [this] {
        m_screen == Screen::Train     ? trainPage()->copyTable()
        : m_screen == Screen::Layers  ? layersPage()->copyTable()
        : m_screen == Screen::Batch   ? batchPage()->copyTable()
        : m_screen == Screen::Scale   ? scalePage()->copyTable()
        : m_screen == Screen::Results ? resultsPage()->copyTable()
                                      : m_page->copyFigures();
    });
    add(menu, QStringLiteral("copyMarkdown"), tr("Copy values as &Markdown"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), [this] {
        m_screen == Screen::Train     ? trainPage()->copyMarkdown()
        : m_screen == Screen::Layers  ? layersPage()->copyMarkdown()
        : m_screen == Screen::Batch   ? batchPage()->copyMarkdown()
        : m_screen == Screen::Scale   ? scalePage()->copyMarkdown()
        : m_screen == Screen::Results ? resultsPage()->copyMarkdown()
                                      : m_page->copyMarkdown();
    });
    add(menu, QStringLiteral("copyCommand"), tr("Copy as co&mmand"), {}, [this] {
        m_screen == Screen::Live      ? livePage()->copyCommand()
        : m_screen == Screen::Train   ? trainPage()->copyCommand()
        : m_screen == Screen::Layers  ? layersPage()->copyCommand()
        : m_screen == Screen::Batch   ? batchPage()->copyCommand()
        : m_screen == Screen::Scale   ? scalePage()->copyCommand()
        : m_screen == Screen::Results ? resultsPage()->copyCommand()
                                      : m_page->copyCommand();
    });
    add(menu, QStringLiteral("undo"), tr("&Undo"), QKeySequence::Undo, [this] {
        if (m_screen == Screen::Results)
            resultsPage()->undo();
    });
    add(menu, QStringLiteral("paste"), tr("&Paste image"), QKeySequence::Paste, [this] { paste(); });
    menu.addSeparator();
    add(menu, QStringLiteral("settings"), tr("&Settings…"), QKeySequence(Qt::CTRL | Qt::Key_Comma), [this] { editSettings(); });
}

void MainWindow::buildViewMenu()
{
    QMenu& menu = *findChild<QMenuBar*>(QStringLiteral("menus"))->addMenu(tr("&View"));
    add(menu, QStringLiteral("compare"), tr("&Compare"), QKeySequence(Qt::CTRL | Qt::Key_1), [this] { showScreen(Screen::Compare); });
    add(menu, QStringLiteral("live"), tr("L&ive"), QKeySequence(Qt::CTRL | Qt::Key_2), [this] { showScreen(Screen::Live); });
    add(menu, QStringLiteral("layers"), tr("La&yers"), QKeySequence(Qt::CTRL | Qt::Key_3), [this] { showScreen(Screen::Layers); });
    add(menu, QStringLiteral("batch"), tr("Ba&tch"), QKeySequence(Qt::CTRL | Qt::Key_4), [this] { showScreen(Screen::Batch); });
    if (m_scale.isBuilt())
        add(menu, QStringLiteral("scale"), tr("Scal&e"), QKeySequence(Qt::CTRL | Qt::Key_5), [this] { showScreen(Screen::Scale); });
    if (m_options.training.train)
        add(menu, QStringLiteral("train"), tr("T&rain"), QKeySequence(Qt::CTRL | Qt::Key_6), [this] { showScreen(Screen::Train); });
    add(menu, QStringLiteral("results"), tr("Re&sults"), QKeySequence(Qt::CTRL | Qt::Key_7), [this] { showScreen(Screen::Results); });
    add(menu, QStringLiteral("camera"), tr("Use a c&amera"), {}, [this] {
        showScreen(Screen::Live);
        livePage()->askCamera();
    });
    add(menu, QStringLiteral("backends"), tr("&Backends"), QKeySequence(Qt::CTRL | Qt::Key_B), [this] { showBackends(); });
    add(menu, QStringLiteral("chart"), tr("Next &chart view"), QKeySequence(Qt::Key_F4), [this] { cycleView(); });
    menu.addSeparator();
    for (const auto& [name, text] : {std::pair(QStringLiteral("light"), tr("&Light theme")), std::pair(QStringLiteral("dark"), tr("&Dark theme")),
                                     std::pair(QStringLiteral("system"), tr("Follow the &system theme"))})
        add(menu, QStringLiteral("theme-") + name, text, {}, [this, theme = name] { setTheme(theme); });
    menu.addSeparator();
    add(menu, QStringLiteral("resetLayout"), tr("&Reset layout"), {}, [this] { resetLayout(); });
    add(menu, QStringLiteral("fullScreen"), tr("&Full screen"), QKeySequence(Qt::Key_F11), [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
}

void MainWindow::cycleView()
{
    if (m_screen == Screen::Compare)
        m_page->cycleChart();
    else if (m_screen == Screen::Results)
        resultsPage()->cycleView();
}

void MainWindow::buildRunMenu()
{
    QMenuBar& bar = *findChild<QMenuBar*>(QStringLiteral("menus"));
    QMenu& menu = *bar.addMenu(tr("&Run"));
    add(menu, QStringLiteral("run"), tr("&Run"), QKeySequence(Qt::Key_F5), [this] { runScreen(); });
    add(menu, QStringLiteral("stop"), tr("&Stop"), QKeySequence(Qt::Key_Escape), [this] { stopScreen(); });
    menu.addSeparator();
    add(menu, QStringLiteral("previous"), tr("&Previous input"), QKeySequence(Qt::ALT | Qt::Key_Left), [this] { m_runs.setCurrentInput(m_runs.currentInput() - 1); });
    add(menu, QStringLiteral("next"), tr("&Next input"), QKeySequence(Qt::ALT | Qt::Key_Right), [this] { m_runs.setCurrentInput(m_runs.currentInput() + 1); });
    QMenu& tools = *bar.addMenu(tr("&Tools"));
    add(tools, QStringLiteral("palette"), tr("&Find a command"), QKeySequence(Qt::CTRL | Qt::Key_K), [this] { openPalette(); });
}

void MainWindow::buildHelpMenu()
{
    QMenu& menu = *findChild<QMenuBar*>(QStringLiteral("menus"))->addMenu(tr("&Help"));
    add(menu, QStringLiteral("about"), tr("&About Attnscope"), QKeySequence(Qt::Key_F1), [this] { about(); });
}

}  // namespace attnscope::ui
