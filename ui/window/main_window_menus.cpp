// What can be asked of the window: its menus, which the command palette lists too.
#include "ui/style/qt_text.h"
#include "ui/window/main_window.h"

#include "ui/help/help_window.h"
#include "ui/window/backend_history.h"
#include "ui/window/command_dialog.h"
#include "ui/window/recent_files.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMenuBar>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr QLatin1String manualContents("manual/index.md");

/// Under X11, fields of text take Ctrl+E and Ctrl+K for moves and deletions of their own; a menu's key means the menu there, too.
class MenuKeysFirst : public QObject {
public:
    MenuKeysFirst(const QList<QAction*>& actions, QObject* parent)
        : QObject(parent)
        , m_actions(actions)
    {}

    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() != QEvent::ShortcutOverride)
            return false;
        const QKeySequence pressed(static_cast<QKeyEvent*>(event)->keyCombination());
        if (std::ranges::none_of(m_actions, [&](const QAction* action) { return action->shortcut() == pressed; }))
            return false;
        event->ignore();
        return true;
    }

private:
    QList<QAction*> m_actions;
};

}

QAction* MainWindow::add(QMenu& menu, const QString& name, const QString& text, const QKeySequence& key,
                         std::function<void()> act)
{
    QAction* action = menu.addAction(text);
    action->setObjectName(name);
    m_actions.insert(name, action);
    action->setShortcut(key);
    connect(action, &QAction::triggered, this, [act = std::move(act)] { act(); });
    return action;
}

QMenu& MainWindow::addMenu(const QString& title)
{
    return *findChild<QMenuBar*>(u"menus"_s)->addMenu(title);
}

void MainWindow::buildMenus()
{
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildRunMenu();
    buildHelpMenu();
    qApp->installEventFilter(new MenuKeysFirst({action(u"export"_s), action(u"palette"_s)}, this));
}

void MainWindow::buildFileMenu()
{
    QMenu& menu = addMenu(tr("&File"));
    add(menu, u"open"_s, tr("&Open…"), QKeySequence::Open, [this] { page()->askFiles(); });
    QMenu* recent = menu.addMenu(tr("Open &recent"));
    recent->setObjectName(u"recent"_s);
    m_recent->listIn(*recent);
    connect(m_recent, &RecentFiles::chosen, this, &MainWindow::openRecent);
    add(menu, u"checkpoint"_s, tr("Open a &checkpoint…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
        [this] { askCheckpoint(); });
    add(menu, u"folder"_s, tr("Evaluate a &folder…"), {}, [this] { showFirst(Content::Folder)->askFiles(); });
    add(menu, u"archive"_s, tr("Evaluate an &archive…"), {}, [this] { askArchive(); });
    add(menu, u"store"_s, tr("Open &store…"), {}, [this] { showFirst(Content::Store)->askFiles(); });
    add(menu, u"demo"_s, tr("Try the &demo"), {}, [this] { tryDemo(); });
    add(menu, u"shortDemo"_s, tr("Try the demo with 197 &tokens"), {}, [this] {
        compareDemo(shortDemoNetwork);
    })->setVisible(!m_workspace.demoNetwork(shortDemoNetwork).isEmpty());
    menu.addSeparator();
    add(menu, u"export"_s, tr("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E), [this] { page()->askExport(); });
    add(menu, u"exportNetwork"_s, tr("Export &network…"), {}, [this] {
        askExportNetwork();
    })->setWhatsThis(tr("as ONNX, for ONNX Runtime and OpenVINO"));
    QMenu* images = menu.addMenu(tr("Save i&mage"));
    images->setObjectName(u"images"_s);
    connect(images, &QMenu::aboutToShow, this, [this, images] { listImages(*images); });
    add(menu, u"print"_s, tr("Pr&int…"), QKeySequence::Print, [this] { askPrint(); });
    menu.addSeparator();
    add(menu, u"quit"_s, tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });
}

void MainWindow::buildEditMenu()
{
    QMenu& menu = addMenu(tr("&Edit"));
    add(menu, u"copy"_s, tr("&Copy values"), QKeySequence::Copy, [this] { page()->copyTable(); });
    add(menu, u"copyMarkdown"_s, tr("Copy values as &Markdown"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
        [this] { page()->copyMarkdown(); });
    add(menu, u"copyCommand"_s, tr("Copy as c&ommand"), {}, [this] { page()->copyCommand(); });
    add(menu, u"undo"_s, tr("&Undo"), QKeySequence::Undo, [this] { undo(); });
    add(menu, u"redo"_s, tr("&Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z),
        [this] { m_history->redo(); });
    add(menu, u"paste"_s, tr("&Paste image"), QKeySequence::Paste, [this] { paste(); });
    menu.addSeparator();
    add(menu, u"settings"_s, tr("&Settings…"), QKeySequence(Qt::CTRL | Qt::Key_Comma), [this] { editSettings(); });
}

void MainWindow::buildViewMenu()
{
    QMenu& menu = addMenu(tr("&View"));
    for (size_t i = 0; i < m_entries.size(); ++i) {
        const Screen& screen = m_entries[i].screen;
        add(menu, screen.name, screen.title, QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_0 + screen.key)),
            [this, i] { showEntry(i); });
    }
    add(menu, u"camera"_s, tr("Use a c&amera"), {}, [this] { showFirst(Content::Video)->askCamera(); });
    add(menu, u"backends"_s, tr("&Backends"), QKeySequence(Qt::CTRL | Qt::Key_B), [this] { showBackends(); });
    add(menu, u"chart"_s, tr("Next c&hart view"), QKeySequence(Qt::Key_F4), [this] { page()->showNextView(); });
    menu.addSeparator();
    for (const auto& [name, text] :
         {std::pair(u"light"_s, tr("&Light theme")), std::pair(u"dark"_s, tr("&Dark theme")),
          std::pair(u"system"_s, tr("Follow the syste&m theme"))})
        add(menu, u"theme-"_s + name, text, {}, [this, theme = name] { setTheme(theme); });
    menu.addSeparator();
    add(menu, u"resetLayout"_s, tr("Reset lay&out"), {}, [this] { resetLayout(); });
    add(menu, u"fullScreen"_s, tr("&Full screen"), QKeySequence(Qt::Key_F11),
        [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
}

void MainWindow::buildRunMenu()
{
    QMenu& menu = addMenu(tr("&Run"));
    add(menu, u"run"_s, tr("&Run"), QKeySequence(Qt::Key_F5), [this] { page()->run(); });
    add(menu, u"stop"_s, tr("&Stop"), QKeySequence(Qt::Key_Escape), [this] { stopJob(); });
    add(menu, u"imageSize"_s, tr("&Image size…"), {}, [this] { askImageSize(); });
    menu.addSeparator();
    add(menu, u"previous"_s, tr("&Previous input"), QKeySequence(Qt::ALT | Qt::Key_Left),
        [this] { m_workspace.setCurrentInput(m_workspace.currentInput() - 1); });
    add(menu, u"next"_s, tr("&Next input"), QKeySequence(Qt::ALT | Qt::Key_Right),
        [this] { m_workspace.setCurrentInput(m_workspace.currentInput() + 1); });
    QMenu& tools = addMenu(tr("&Tools"));
    add(tools, u"palette"_s, tr("&Find a command"), QKeySequence(Qt::CTRL | Qt::Key_K), [this] { openPalette(); });
    add(tools, u"plugin"_s, tr("Load your own &attention…"), {}, [this] { askPlugin(); });
    add(tools, u"doctor"_s, tr("&Doctor"), {}, [this] { showDoctor(); });
    add(tools, u"gpus"_s, tr("&GPUs…"), {}, [this] { showGpus(); });
}

void MainWindow::buildHelpMenu()
{
    QMenu& menu = addMenu(tr("&Help"));
    add(menu, u"help"_s, tr("&This screen"), QKeySequence::HelpContents, [this] { showHelp(); });
    add(menu, u"manual"_s, tr("&Manual"), QKeySequence(Qt::SHIFT | Qt::Key_F1),
        [this] { openManual(manualContents); });
    add(menu, u"about"_s, tr("&About Attnscope"), {}, [this] { about(); });
}

void MainWindow::showHelp()
{
    const QString page = m_entries[m_shown].screen.help;
    openManual(page.isEmpty() ? QString(manualContents) : page);
}

void MainWindow::showDoctor()
{
    CommandDialog* doctor = doctorDialog(m_options.commandLine, this);
    doctor->setAttribute(Qt::WA_DeleteOnClose);
    doctor->show();
}

void MainWindow::showGpus()
{
    QWidget* const settings =
        QApplication::activeModalWidget();  // in front of which it is, when opened from there
    CommandDialog* gpus = gpuDialog(m_options.commandLine, settings != nullptr ? settings : this);
    gpus->setAttribute(Qt::WA_DeleteOnClose);
    gpus->show();
}

void MainWindow::openManual(const QString& page)
{
    if (m_help == nullptr)
        m_help = new HelpWindow(m_options.manual, this);
    m_help->showPage(page);
}

}
