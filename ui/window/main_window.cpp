// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/batch/batch_page.h"
#include "ui/compare/compare_card.h"
#include "ui/compare/compare_page.h"
#include "ui/layers/layers_page.h"
#include "ui/live/live_page.h"
#include "ui/results/results_page.h"
#include "ui/scale/scale_page.h"
#include "ui/style/icons.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme_sheet.h"
#include "ui/train/train_page.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/drop_hint.h"
#include "ui/window/command_palette.h"
#include "ui/window/context_bar.h"
#include "ui/window/jobs_bar.h"
#include "ui/window/rail.h"
#include "ui/window/settings_dialog.h"
#include "ui/workspace/backends_panel.h"

#include "core/attention/backend_info.h"
#include "core/base/format.h"
#include "core/base/version.h"

#include <QApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>

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
    return dark ? QStringLiteral("dark") : QStringLiteral("light");
}

const Theme& themeNamed(const QString& name)
{
    const QString chosen = name == QLatin1String("system") ? systemTheme() : name;
    return chosen == QLatin1String("dark") ? Theme::darkTheme() : Theme::light();
}

}  // namespace

void applyTheme(const QString& name)
{
    const Theme& theme = themeNamed(name);
    QApplication::setPalette(theme.palette());
    ThemeSheet::apply(theme);
}

MainWindow::MainWindow(Engine& engine, const Options& options, QWidget* parent)
    : QMainWindow(parent), m_options(options), m_engine(engine), m_session(engine, m_backends, m_runs, this),
      m_live(engine, options.live ? options.live : coreLiveBackend(), m_session, m_backends, m_liveRows, this),
      m_layers(engine, options.layers ? options.layers : coreLayersBackend(), m_session, m_backends, m_runs, this),
      m_train(engine, options.training, this), m_batchStore(options.openStore, options.storePath, this),
      m_store(options.openStore, options.storePath, this),
      m_batch(engine, options.evaluation, m_batchStore, m_session, m_backends, this),
      m_scale(engine, options.scale, m_session, m_backends, m_runs, options.demoImage, this)
{
    setWindowTitle(tr("Attnscope"));
    setAcceptDrops(true);
    m_theme = options.loaded.settings.theme;
    buildFrame();
    buildDock();
    buildMenus();
    buildStatus();
    connectAll();
    restore();
    m_session.setSettings(options.loaded.settings);
    if (!options.loaded.problem.isEmpty())
        m_page->showMessage(MessageBar::Kind::Warning, options.loaded.problem);
    m_runs.setColumns(m_backends.columns());
    refreshActions();
    refreshStatus();
}

MainWindow::~MainWindow()
{
    // The widgets look at the models, which are members: so they go first.
    hide();
    m_live.close();
    for (QWidget* child : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        delete child;
}

void MainWindow::connectAll()
{
    connect(m_page, &ComparePage::openRequested, this, &MainWindow::askImages);
    connect(m_rail, &Rail::chosen, this, [this](int screen) { showScreen(static_cast<Screen>(screen)); });
    connect(&m_session, &CompareSession::problem, this, [this](const QString& sentence) {
        if (m_screen != Screen::Compare)  // which shows it itself
            showMessage(MessageBar::Kind::Error, sentence);
    });
    connect(&m_session, &CompareSession::modelChanged, this, &MainWindow::refreshDemoBar);
    connectTraining();
    connectLayers();
    connectBatch();
    connectScale();
    connect(&m_live, &LiveSession::sourceChanged, this, &MainWindow::refreshActions);
    connect(&m_liveRows, &LiveRowsModel::predictionsChanged, this, [this] {
        if (m_screen == Screen::Live)
            action(QStringLiteral("copyCommand"))->setEnabled(!m_live.command().isEmpty());
    });
    connect(m_page, &ComparePage::demoRequested, this, &MainWindow::tryDemo);
    connect(m_page, &ComparePage::checkpointRequested, this, &MainWindow::askCheckpoint);
    connect(m_page, &ComparePage::referenceRequested, &m_backends, &BackendList::setReference);
    connect(m_page, &ComparePage::removeRequested, this, [this](int id) { m_backends.setChecked(id, false); });
    connect(m_context, &ContextBar::checkpointRequested, this, &MainWindow::askCheckpoint);
    connect(&m_session, &CompareSession::checkpointUnclear, this, &MainWindow::showCheckpoint);
    connect(&m_session, &CompareSession::checkpointTaken, this, [this](const QString& sentence, bool details) {
        MessageBar* bar = m_page->showMessage(MessageBar::Kind::Info, sentence);
        if (details)
            bar->addAction(tr("Report"), [this] { showCheckpoint(); });
    });
    connect(m_context, &ContextBar::runRequested, this, &MainWindow::runScreen);
    connect(m_context, &ContextBar::stopRequested, this, &MainWindow::stopScreen);
    connect(m_context, &ContextBar::backendsRequested, this, &MainWindow::showBackends);
    connect(&m_backends, &BackendList::selectionChanged, this, &MainWindow::refreshActions);
    connect(&m_runs, &RunTableModel::currentInputChanged, this, &MainWindow::refreshActions);
    connect(&m_session, &CompareSession::busyChanged, this, [this] {
        refreshJobs();
        refreshActions();
        refreshStatus();
    });
    connect(&m_session, &CompareSession::progressChanged, m_jobs, &JobsBar::show);
    connect(&m_session, &CompareSession::unreadableChanged, this, &MainWindow::refreshStatus);
    connect(&m_session, &CompareSession::surroundingsChanged, this, &MainWindow::refreshStatus);
}

void MainWindow::refreshActions()
{
    const bool inputs = !m_runs.inputs().empty(), columns = !m_backends.checkedSpecs().isEmpty(), busy = m_session.isBusy() || m_layers.isBusy();
    const int count = static_cast<int>(m_runs.inputs().size()), current = m_runs.currentInput();
    const bool comparing = m_screen == Screen::Compare;
    const bool training = m_screen == Screen::Train, batch = m_screen == Screen::Batch, results = m_screen == Screen::Results;
    const bool scaling = m_screen == Screen::Scale, layers = m_screen == Screen::Layers;
    const bool runnable = scaling  ? m_scalePage != nullptr && m_scalePage->canRun()
                          : batch  ? m_batch.canRun()
                          : layers ? m_layers.canRun()
                                   : inputs && columns && comparing;
    const bool inspected = layers && m_layers.inspection() != nullptr;
    action(QStringLiteral("run"))->setEnabled(training ? !m_train.isRunning() : runnable);
    action(QStringLiteral("stop"))->setEnabled(busy || m_scale.isRunning());
    action(QStringLiteral("chart"))->setEnabled(results || (inputs && comparing));
    action(QStringLiteral("previous"))->setEnabled(current > 0);
    action(QStringLiteral("next"))->setEnabled(current >= 0 && current + 1 < count);
    for (const QString& name : {QStringLiteral("copy"), QStringLiteral("copyMarkdown"), QStringLiteral("copyCommand")})
        action(name)->setEnabled(training || batch || scaling || results || inspected || (inputs && comparing));
    action(QStringLiteral("export"))->setEnabled(results || scaling || inspected || (inputs && comparing));
    if (m_screen == Screen::Live)
        action(QStringLiteral("copyCommand"))->setEnabled(!m_live.command().isEmpty());
    m_context->setStoppable(scaling && m_scale.isRunning());
    m_context->setRunnable(runnable);
    m_context->setPrimary(scaling  ? m_scalePage != nullptr && m_scalePage->hasResults()
                          : batch  ? !m_batch.queue().evaluations().empty()
                          : layers ? inspected
                                   : inputs && comparing);
    m_context->runButton()->setVisible(!training && !results);
    m_context->setBackendCount(static_cast<int>(m_backends.checkedSpecs().size()));
}

void MainWindow::refreshStatus()
{
    const int unreadable = static_cast<int>(m_session.unreadable().size());
    m_status->setText(unreadable > 0 ? (unreadable == 1 ? tr("1 file could not be read") : tr("%1 files could not be read").arg(unreadable))
                                     : m_session.isBusy() ? tr("Measuring")
                                     : m_scale.isRunning() ? tr("Measuring: %1").arg(m_scale.progressText())
                                     : m_layers.isBusy() ? tr("Inspecting the layers")
                                     : m_batch.isRunning() ? tr("Evaluating: %1").arg(m_batch.progressText())
                                     : m_train.isRunning() ? tr("Training: %1").arg(m_train.progressText()) : tr("Ready"));
    m_showUnreadable->setVisible(unreadable > 0);
    if (!m_session.surroundings())
        return;
    const DeviceInfo* device = m_session.device();
    if (device == nullptr || !device->available || device->memoryBytes <= 0) {
        m_memory->clear();
        return;
    }
    m_memory->setText(tr("%1 of %2 in use").arg(toQt(formatBytes(device->memoryBytes - device->freeBytes).text()), toQt(formatBytes(device->memoryBytes).text())));
    m_memory->setToolTip(toQt(device->description));
}

void MainWindow::applyDensity()
{
    m_compact = width() < compactWidth;
    m_context->setDensity(m_compact ? ContextBar::Density::Compact : ContextBar::Density::Roomy);
    m_page->setDensity(m_compact || height() < 700 ? ComparePage::Density::Compact : ComparePage::Density::Roomy);
    if (m_livePage != nullptr)
        m_livePage->setDensity(m_compact || height() < 700 ? LivePage::Density::Compact : LivePage::Density::Roomy);
    if (m_layersPage != nullptr)
        m_layersPage->setDensity(m_compact || height() < 700 ? LayersPage::Density::Compact : LayersPage::Density::Roomy);
    if (m_trainPage != nullptr)
        m_trainPage->setDensity(m_compact || height() < 700 ? TrainPage::Density::Compact : TrainPage::Density::Roomy);
    if (m_batchPage != nullptr)
        m_batchPage->setDensity(m_compact || height() < 700 ? BatchPage::Density::Compact : BatchPage::Density::Roomy);
    if (m_resultsPage != nullptr)
        m_resultsPage->setDensity(m_compact || height() < 700 ? ResultsPage::Density::Compact : ResultsPage::Density::Roomy);
    if (m_scalePage != nullptr)
        m_scalePage->setDensity(m_compact || height() < 700 ? ScalePage::Density::Compact : ScalePage::Density::Roomy);
    if (m_compact) {
        m_dock->hide();
        if (m_panel->parentWidget() != m_overlay)
            m_overlay->layout()->addWidget(m_panel);
        const int dockWidth = m_panel->minimumWidth() + 1;
        m_overlay->setGeometry(width() - dockWidth - 28, m_context->mapTo(this, QPoint(0, m_context->height())).y() + 4, dockWidth + 16,
                               std::max(200, height() - 160));
    } else {
        m_overlay->hide();
        if (m_panel->parentWidget() != m_dock)
            m_dock->setWidget(m_panel);
        m_panel->show();
        // Train chooses its one attention itself, and what was stored has them.
        m_dock->setVisible(m_dockWanted && m_screen != Screen::Train && m_screen != Screen::Results);
    }
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
    applyDensity();
    m_dropHint->setGeometry(rect());
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ThemeChange && m_theme == QLatin1String("system") && !m_switchingTheme)
        QTimer::singleShot(0, this, [this] { setTheme(m_theme); });
}

void MainWindow::setTheme(const QString& name)
{
    m_switchingTheme = true;
    m_theme = name;
    applyTheme(name);
    Settings settings = m_session.settings();
    if (settings.theme != name) {
        settings.theme = name;
        m_session.setSettings(settings);
    }
    m_switchingTheme = false;
}

LivePage* MainWindow::livePage()
{
    if (m_livePage != nullptr)
        return m_livePage;
    m_livePage = new LivePage(m_live, m_liveRows, m_screens);
    m_screens->addWidget(m_livePage);
    connect(m_livePage, &LivePage::openRequested, this, &MainWindow::askVideo);
    connect(m_livePage, &LivePage::checkpointRequested, this, &MainWindow::askCheckpoint);
    applyDensity();
    return m_livePage;
}

void MainWindow::showScreen(Screen screen)
{
    m_screen = screen;
    m_rail->setCurrent(static_cast<int>(screen));
    // A training starts from the weights that its form names, in float32.
    m_context->setFields(screen == Screen::Train ? ContextBar::Fields::WithoutWeights : ContextBar::Fields::All);
    m_screens->setCurrentWidget(pageOf(screen));
    m_screens->currentWidget()->setFocus();
    refreshActions();
    applyDensity();
}

QWidget* MainWindow::pageOf(Screen screen)
{
    switch (screen) {
    case Screen::Live: return livePage();
    case Screen::Layers: return layersPage();
    case Screen::Batch: return batchPage();
    case Screen::Scale: return scalePage();
    case Screen::Train: return trainPage();
    case Screen::Results: return resultsPage();
    case Screen::Compare: break;
    }
    return m_page;
}

void MainWindow::editSettings()
{
    SettingsDialog dialog(m_session.settings(), this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    Settings edited = dialog.edited();
    edited.context = m_session.context();
    m_session.setSettings(edited);
    setTheme(edited.theme);
    remember();
}

void MainWindow::about()
{
    QMessageBox box(QMessageBox::NoIcon, tr("About Attnscope"), tr("Attnscope %1").arg(QCoreApplication::applicationVersion()), QMessageBox::Close, this);
    box.setInformativeText(tr("What efficient attention saves in a vision transformer, and what it costs.\n\nEngine and command "
                              "line: Apache-2.0. Desktop app: GPL-3.0-or-later (QCustomPlot)."));
    box.exec();
}

void MainWindow::openPalette()
{
    QList<QAction*> actions;
    for (QAction* action : findChildren<QAction*>())
        if (!action->objectName().isEmpty() && action->menu() == nullptr && action->objectName() != QLatin1String("palette"))
            actions << action;
    auto* palette = new CommandPalette(actions, this);
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
    resize(1280, 800);
    applyDensity();
}

void MainWindow::remember()
{
    if (m_options.settingsPath.isEmpty())
        return;
    Settings settings = m_session.settings();
    settings.specs = m_backends.checkedSpecs();
    settings.demoBar = m_options.loaded.settings.demoBar;
    if (m_trainPage != nullptr)
        settings.training = m_trainPage->remembered();
    settings.geometry = saveGeometry();
    settings.state = saveState();
    const QString problem = saveSettings(m_options.settingsPath, settings);
    if (!problem.isEmpty())
        m_page->showMessage(MessageBar::Kind::Error, problem);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayClose()) {
        event->ignore();
        return;
    }
    m_session.stop();
    m_scale.stop();
    m_layers.stop();
    remember();
    event->accept();
}

}  // namespace attnscope::ui
