#include "ui/window/main_window.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"
#include "ui/style/theme_sheet.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/drop_hint.h"
#include "ui/window/backend_history.h"
#include "ui/window/command_palette.h"
#include "ui/window/context_bar.h"
#include "ui/window/jobs_bar.h"
#include "ui/window/rail.h"
#include "ui/window/recent_files.h"
#include "ui/window/settings_dialog.h"
#include "ui/workspace/accuracy_text.h"
#include "ui/workspace/backends_panel.h"

#include "core/base/format.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMessageBox>
#include <QStackedWidget>
#include <QTimer>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int compactWidth = 1160;

QString systemTheme()
{
    const QPalette before = QApplication::palette();
    QApplication::setPalette(QPalette());  // what the desktop says
    const bool dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    QApplication::setPalette(before);
    return dark ? u"dark"_s : u"light"_s;
}

const Theme& themeNamed(const QString& name)
{
    const QString chosen = name == "system"_L1 ? systemTheme() : name;
    return chosen == "dark"_L1 ? Theme::darkTheme() : Theme::light();
}

}

void applyTheme(const QString& name)
{
    const Theme& theme = themeNamed(name);
    QApplication::setPalette(theme.palette());
    ThemeSheet::apply(theme);
}

MainWindow::MainWindow(Engine& engine, const Options& options, const std::vector<Screen>& screens, QWidget* parent)
    : QMainWindow(parent)
    , m_options(options)
    , m_engine(engine)
    , m_workspace(engine, options.demoImage)
    , m_theme(options.loaded.settings.theme)
{
    setWindowTitle(tr("Attnscope"));
    setAcceptDrops(true);
    for (const Screen& screen : screens)
        m_entries.push_back({screen, screen.newSession(m_workspace, this)});
    m_recent = new RecentFiles(options.settingsPath, this);
    buildFrame();
    buildDock();
    buildMenus();
    buildStatus();
    connectAll();
    restore();
    m_history = new BackendHistory(m_workspace.backends(), this);
    connect(m_history, &BackendHistory::changed, this, &MainWindow::refreshActions);
    m_workspace.setSettings(options.loaded.settings);
    showEntry(0);
    if (!options.loaded.problem.isEmpty())
        page()->showMessage(MessageBar::Kind::Warning, options.loaded.problem);
    refreshStatus();
    beginKeeping();
}

MainWindow::~MainWindow()
{
    // The widgets look at sessions and workspace: so they go first, and the sessions before what they work on.
    hide();
    for (const Entry& entry : m_entries)
        entry.session->stop();
    for (QWidget* child : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        delete child;
    for (const Entry& entry : m_entries)
        delete entry.session;
}

void MainWindow::connectAll()
{
    for (const Entry& entry : m_entries)
        connectSession(entry);
    connect(m_rail, &Rail::chosen, this, [this](int entry) { showEntry(size_t(entry)); });
    connect(m_context, &ContextBar::checkpointRequested, this,
            [this] { askCheckpoint(Workspace::Opened::Replaces); });
    connect(m_context, &ContextBar::gpusRequested, this, &MainWindow::showGpus);
    connect(m_context, &ContextBar::furtherCheckpointRequested, this,
            [this] { askCheckpoint(Workspace::Opened::IsAdded); });
    connect(m_context, &ContextBar::classEmbeddingsRequested, this, &MainWindow::askClassEmbeddings);
    connect(m_context, &ContextBar::imageSizeRequested, this, &MainWindow::askImageSize);
    connect(m_context, &ContextBar::runRequested, this, [this] { page()->run(); });
    connect(m_context, &ContextBar::stopRequested, this, &MainWindow::stopJob);
    connect(m_context, &ContextBar::backendsRequested, this, &MainWindow::showBackends);
    connect(&m_workspace.backends(), &BackendList::selectionChanged, this, &MainWindow::refreshActions);
    connect(&m_workspace, &Workspace::inputsReplaced, this, &MainWindow::refreshActions);
    connect(&m_workspace, &Workspace::currentInputChanged, this, &MainWindow::refreshActions);
    connect(&m_workspace, &Workspace::modelChanged, this, &MainWindow::refreshDemoBar);
    connect(&m_workspace, &Workspace::unreadableChanged, this, &MainWindow::refreshStatus);
    connect(&m_workspace, &Workspace::surroundingsChanged, this, &MainWindow::refreshStatus);
    connect(&m_workspace, &Workspace::problem, this,
            [this](const QString& sentence) { page()->showMessage(MessageBar::Kind::Error, sentence); });
    connect(&m_workspace, &Workspace::checkpointUnclear, this, &MainWindow::showCheckpoint);
    connect(&m_workspace, &Workspace::checkpointTaken, this, [this](const QString& sentence, bool details) {
        MessageBar* bar = page()->showMessage(MessageBar::Kind::Info, sentence);
        if (details)
            bar->addAction(tr("Report"), [this] { showCheckpoint(); });
    });
    connect(&m_workspace, &Workspace::checkpointAdded, this,
            [this](const QString& sentence, bool details, const FurtherCheckpoint& checkpoint) {
                MessageBar* bar = page()->showMessage(MessageBar::Kind::Info, sentence);
                if (details)
                    bar->addAction(tr("Report"), [this] { showCheckpoint(); });
                bar->addAction(tr("Replace instead"), [this, bar, checkpoint] {
                    m_workspace.useCheckpoint(checkpoint.weights, checkpoint.model, checkpoint.heads);
                    bar->hide();
                    bar->deleteLater();
                });
            });
    connect(&m_workspace, &Workspace::nextStep, this,
            [this](const QString& sentence, const QString& action, const QString& screen, const QString& path) {
                page()->showMessage(MessageBar::Kind::Info, sentence)->addAction(action, [this, screen, path] {
                    m_workspace.showScreen(screen, {path});
                });
            });
    connect(&m_workspace, &Workspace::screenRequested, this,
            [this](const QString& name, const QStringList& paths) {
                if (showScreen(name) && !paths.isEmpty())
                    page()->take(m_entries[m_shown].screen.takes.front(), paths);
            });
}

/// What a screen has to say while another one is looked at is said there.
void MainWindow::connectSession(const Entry& entry)
{
    const auto showElsewhere = [this, session = entry.session, name = entry.screen.name](MessageBar::Kind kind,
                                                                                         const QString& sentence) {
        if (m_entries[m_shown].session == session)
            return;
        MessageBar* bar = page()->showMessage(kind, sentence);
        bar->addAction(tr("Show"), [this, bar, name] {
            showScreen(name);
            bar->hide();
            bar->deleteLater();
        });
    };
    connect(entry.session, &Session::problem, this,
            [=](const QString& sentence) { showElsewhere(MessageBar::Kind::Error, sentence); });
    connect(entry.session, &Session::announcement, this,
            [=](const QString& sentence) { showElsewhere(MessageBar::Kind::Info, sentence); });
    connect(entry.session, &Session::activityChanged, this, [this] {
        refreshJobs();
        refreshActions();
        refreshStatus();
    });
}

Page* MainWindow::pageAt(size_t index)
{
    Entry& entry = m_entries[index];
    if (entry.page != nullptr)
        return entry.page;
    entry.page = entry.screen.newPage(*entry.session, m_pages);
    m_pages->addWidget(entry.page);
    connect(entry.page, &Page::changed, this, [this, made = entry.page] {
        if (page() != made)
            return;
        refreshActions();
        if (made->uses().backends != m_usesBackends)
            refreshDock();
    });
    connect(entry.page, &Page::usesChanged, this, [this, made = entry.page] {
        if (page() == made)
            arrangeAround(*made);
    });
    connect(entry.page, &Page::actionRequested, this, [this](const QString& name) { action(name)->trigger(); });
    connect(entry.page, &Page::inputsChosen, this,
            [this, made = entry.page](const QStringList& paths) { takeChosen(*made, paths); });
    if (const QString form = m_options.loaded.settings.forms.value(entry.screen.name); !form.isEmpty())
        entry.page->restoreForm(form);
    entry.page->setDensity(density());
    return entry.page;
}

bool MainWindow::showScreen(const QString& name)
{
    for (size_t i = 0; i < m_entries.size(); ++i)
        if (m_entries[i].screen.name == name) {
            showEntry(i);
            return true;
        }
    return false;
}

void MainWindow::showEntry(size_t entry)
{
    Page* shown = pageAt(entry);
    m_shown = entry;
    m_rail->setCurrent(int(entry));
    shown->setDensity(density());
    m_pages->setCurrentWidget(shown);
    shown->setFocus();
    refreshActions();
    arrangeAround(*shown);
    const BackendList& backends = m_workspace.backends();
    const Page::Uses uses = shown->uses();
    if (uses.backends && !uses.networks && backends.allSpecs() != backends.checkedSpecs()
        && !std::exchange(m_entries[entry].hasFirstAloneNote, true))
        shown->showMessage(MessageBar::Kind::Info,
                           tr("This screen runs %1 alone: backends in other networks, or in a dtype of their own, "
                              "are left out.")
                               .arg(backends.networks().front()));
}

/// Shows the parts of the window that serve the page, and no others.
void MainWindow::arrangeAround(const Page& shown)
{
    m_context->setFields(shown.uses().weights ? ContextBar::Fields::All : ContextBar::Fields::WithoutWeights);
    m_context->runButton()->setVisible(shown.uses().run);
    applyDensity();
}

void MainWindow::refreshActions()
{
    if (page() == nullptr)
        return;
    const Page& shown = *page();
    const bool results = shown.hasResults(), runnable = shown.canRun();
    const Session* running = runningSession();
    const int count = int(m_workspace.inputs().size()), current = m_workspace.currentInput();
    action(u"run"_s)->setEnabled(runnable);
    action(u"stop"_s)->setEnabled(running != nullptr && !running->job()->pausable);
    action(u"chart"_s)->setEnabled(shown.hasViews());
    action(u"previous"_s)->setEnabled(current > 0);
    action(u"next"_s)->setEnabled(current >= 0 && current + 1 < count);
    action(u"copy"_s)->setEnabled(results);
    action(u"copyMarkdown"_s)->setEnabled(results);
    action(u"copyCommand"_s)->setEnabled(results || !shown.command().isEmpty());
    action(u"export"_s)->setEnabled(results);
    action(u"exportNetwork"_s)->setEnabled(m_options.exportNetwork != nullptr);
    action(u"plugin"_s)->setEnabled(m_options.restartWithPlugin != nullptr);
    action(u"print"_s)->setEnabled(shown.showsContents());
    action(u"undo"_s)->setEnabled(shown.canUndo() || (shown.uses().backends && m_history->canUndo()));
    action(u"redo"_s)->setEnabled(shown.uses().backends && m_history->canRedo());
    const std::optional<Session::Job> job = m_entries[m_shown].session->job();
    m_context->setStoppable(job && !job->pausable);
    m_context->setRunnable(runnable);
    m_context->setPrimary(shown.showsContents());
    const BackendList& backends = m_workspace.backends();
    m_context->setBackendCount(
        int((shown.uses().networks ? backends.allSpecs() : backends.checkedSpecs()).size()));
}

Session* MainWindow::runningSession() const
{
    Session* pausable = nullptr;
    for (const Entry& entry : m_entries)
        if (const auto job = entry.session->job(); job && !job->pausable)
            return entry.session;
        else if (job && pausable == nullptr)
            pausable = entry.session;
    return pausable;
}

bool MainWindow::isRunning() const
{
    return std::ranges::any_of(
        m_entries, [](const Entry& entry) { return entry.session->isRunning() || entry.session->job(); });
}

void MainWindow::refreshJobs()
{
    const Session* running = runningSession();
    m_jobs->setVisible(running != nullptr);
    if (running != nullptr)
        m_jobs->show(*running->job());
}

/// The screen's own job; else the one that the jobs bar shows.
void MainWindow::stopJob()
{
    for (Session* session : {m_entries[m_shown].session, runningSession()})
        if (const auto job = session == nullptr ? std::nullopt : session->job(); job && !job->pausable)
            return session->stop();
}

void MainWindow::refreshStatus()
{
    const int unreadable = int(m_workspace.unreadable().size());
    QString status;
    for (const Entry& entry : m_entries)
        if (status.isEmpty())
            status = entry.session->status();
    m_status->setText(
        unreadable > 0 ? counted(unreadable, [](int n) { return tr("%1 file(s) could not be read", nullptr, n); })
        : status.isEmpty() ? tr("Ready")
                           : status);
    m_showUnreadable->setVisible(unreadable > 0);
    const DeviceInfo* device = m_workspace.device();
    if (device == nullptr || !device->available || device->memoryBytes <= 0) {
        m_memory->clear();
        return;
    }
    m_memory->setText((device->name == "cpu" ? tr("Memory of this computer: %1 of %2 in use")
                                             : tr("Memory of the GPU: %1 of %2 in use"))
                          .arg(toQt(formatBytes(device->memoryBytes - device->freeBytes).text()),
                               toQt(formatBytes(device->memoryBytes).text())));
    m_memory->setToolTip(toQt(device->description));
}

Page::Density MainWindow::density() const
{
    return width() < compactWidth || height() < 700 ? Page::Density::Compact : Page::Density::Roomy;
}

void MainWindow::applyDensity()
{
    if (page() == nullptr)
        return;
    m_compact = isCrowded();
    m_context->setDensity(m_compact ? ContextBar::Density::Compact : ContextBar::Density::Roomy);
    if (m_compact) {
        m_dock->hide();
        if (m_panel->parentWidget() != m_overlay)
            m_overlay->layout()->addWidget(m_panel);
    } else {
        m_overlay->hide();
        if (m_panel->parentWidget() != m_dock)
            m_dock->setWidget(m_panel);
        m_panel->show();
        refreshDock();
    }
    followSize();
}

bool MainWindow::isCrowded() const
{
    return width() < compactWidth;
}

/// What depends on the size as long as the bars stay as they are.
void MainWindow::followSize()
{
    if (page() != nullptr)
        page()->setDensity(density());  // the others when they are shown
    if (!m_compact)
        return;
    const int dockWidth = m_panel->minimumWidth() + 1;
    m_overlay->setGeometry(width() - dockWidth - 28,
                           m_context->mapTo(this, QPoint(0, m_context->height())).y() + 4, dockWidth + 16,
                           std::max(200, height() - 160));
}

void MainWindow::refreshDock()
{
    m_usesBackends = page()->uses().backends;
    if (!m_compact)
        m_dock->setVisible(m_dockWanted && m_usesBackends);
}

void MainWindow::showBackends()
{
    if (m_compact) {
        const bool open = !m_overlay->isVisible();
        m_overlay->setVisible(open);
        m_panel->setVisible(open);
        m_overlay->raise();
        return;
    }
    m_dockWanted = !m_dock->isVisible();
    m_dock->setVisible(m_dockWanted);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (isCrowded() == m_compact)
        followSize();
    else if (!isVisible())
        applyDensity();
    else
        QTimer::singleShot(
            0, this, [this] {  // moving the bars and arranging the page at once would keep the window for long
                if (isCrowded() != m_compact)
                    applyDensity();
            });
    m_dropHint->setGeometry(rect());
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ThemeChange && m_theme == "system"_L1 && !m_switchingTheme)
        QTimer::singleShot(0, this, [this] { setTheme(m_theme); });
}

void MainWindow::setTheme(const QString& name)
{
    m_switchingTheme = true;
    m_theme = name;
    applyTheme(name);
    Settings settings = m_workspace.settings();
    if (settings.theme != name) {
        settings.theme = name;
        m_workspace.setSettings(settings);
    }
    m_switchingTheme = false;
}

void MainWindow::editSettings()
{
    SettingsDialog dialog(m_workspace.settings(), this);
    connect(&dialog, &SettingsDialog::gpusRequested, this, &MainWindow::showGpus);
    if (dialog.exec() != QDialog::Accepted)
        return;
    Settings edited = dialog.edited();
    edited.context = m_workspace.context();
    m_workspace.setSettings(edited);
    setTheme(edited.theme);
    remember(settingsNow());
}

void MainWindow::about()
{
    QMessageBox box(QMessageBox::NoIcon, tr("About Attnscope"),
                    tr("Attnscope %1").arg(QCoreApplication::applicationVersion()), QMessageBox::Close, this);
    box.setInformativeText(
        tr("What efficient attention saves in a vision transformer, and what it costs.\n\nLicence: Apache-2.0."));
    box.exec();
}

void MainWindow::openPalette()
{
    QList<QAction*> actions;
    for (QAction* action : findChildren<QAction*>())
        if (!action->objectName().isEmpty() && action->menu() == nullptr && action->objectName() != "palette"_L1)
            actions << action;
    auto* palette = new CommandPalette(actions, tr("Find a command"), this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    palette->move(mapToGlobal(QPoint(width() / 2 - palette->width() / 2, 60)));
    palette->show();
    palette->field()->setFocus();
}

void MainWindow::resetLayout()
{
    m_dockWanted = true;
    m_dock->setFloating(false);
    addDockWidget(Qt::RightDockWidgetArea, m_dock);
    resizeToScreen();
    applyDensity();
}

void MainWindow::undo()
{
    if (page()->canUndo())
        page()->undo();
    else
        m_history->undo();
}

}
