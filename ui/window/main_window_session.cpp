#include "ui/window/main_window.h"

#include "ui/style/qt_text.h"
#include "ui/widgets/confirm.h"

#include "core/base/error.h"

#include <QCloseEvent>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <mutex>
#include <utility>

namespace attnscope::ui {

namespace {

constexpr int keepingTime = 2000;  // milliseconds

}

void MainWindow::restoreSession()
{
    const Settings& settings = m_options.loaded.settings;
    if (!settings.screen.isEmpty())
        showScreen(settings.screen);
    if (!settings.inputs.isEmpty() && m_workspace.inputs().empty() && m_workspace.takeInputs(settings.inputs))
        m_workspace.setCurrentInput(settings.currentInput);
}

void MainWindow::restoreResults()
{
    if (m_options.settingsPath.isEmpty())
        return;
    const LoadedResults loaded = loadResults(m_options.settingsPath);
    if (!loaded.problem.isEmpty())
        page()->showMessage(MessageBar::Kind::Warning, loaded.problem);
    for (const Entry& entry : m_entries)
        if (const auto found = loaded.screens.find(fromQt(entry.screen.name)); found != loaded.screens.end()) {
            try {
                entry.session->restoreResults(found->second);
            } catch (const Error& error) {
                page()->showMessage(
                    MessageBar::Kind::Warning,
                    tr("The results of %1 were not restored: %2")
                        .arg(QString(entry.screen.title).remove(QLatin1Char('&')), toQt(error.what())));
            }
        }
}

/// Results are written next to the window's thread, and by it at the end: the newest stay.
struct MainWindow::ResultsFile {
    std::mutex writing;
    quint64 begun = 0, newest = 0;
};

void MainWindow::beginKeeping()
{
    m_resultsFile = std::make_shared<ResultsFile>();
    if (m_options.settingsPath.isEmpty())
        return;
    const auto changed = [this] { m_resultsChanged = true; };
    for (const Entry& entry : m_entries)
        connect(entry.session, &Session::activityChanged, this, changed);
    connect(&m_workspace, &Workspace::inputsReplaced, this, changed);
    connect(&m_workspace.backends(), &BackendList::selectionChanged, this, changed);
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, &MainWindow::keepSession);
    timer->start(keepingTime);
}

/// A program that is killed loses what happened since the last time. Results take their time, so that writing them does not disturb
/// what is measured: no more than a fiftieth of it.
void MainWindow::keepSession()
{
    if (const Settings now = settingsNow(); now != m_remembered)
        remember(now);
    if (!m_resultsChanged || m_writingResults || !m_resultsPause.hasExpired())
        return;
    QElapsedTimer clock;
    clock.start();
    m_writingResults = true;
    m_engine.postFiles({}, [write = resultsWriter(), clock, self = QPointer<MainWindow>(this)] {
        QMetaObject::invokeMethod(qApp, [self, problem = write(), took = clock.elapsed()] {
            if (!self)
                return;
            self->m_writingResults = false;
            self->m_resultsPause.setRemainingTime(50 * took);
            self->showWriting(problem);
        });
    });
}

Settings MainWindow::settingsNow() const
{
    Settings settings = m_workspace.settings();
    settings.specs = m_workspace.backends().allSpecs();
    settings.furtherCheckpoints = m_workspace.furtherCheckpoints();
    settings.demoBar = m_options.loaded.settings.demoBar;
    settings.screen = screen();
    settings.inputs.clear();
    for (const InputEntry& input : m_workspace.inputs())
        if (input.bytes.isEmpty())
            settings.inputs << input.path;
    settings.currentInput = std::clamp(m_workspace.currentInput(), 0, int(settings.inputs.size()));
    for (const Entry& entry : m_entries)
        if (entry.page != nullptr)
            settings.forms[entry.screen.name] = entry.page->savedForm();
    settings.geometry = saveGeometry();
    settings.state = saveState();
    return settings;
}

void MainWindow::remember(const Settings& settings)
{
    if (m_options.settingsPath.isEmpty())
        return;
    m_remembered = settings;
    showWriting(saveSettings(m_options.settingsPath, settings));
}

/// Writes the results as they are now; on any thread.
std::function<QString()> MainWindow::resultsWriter()
{
    m_resultsChanged = false;
    std::map<std::string, std::string> results;
    for (const Entry& entry : m_entries)
        if (std::string saved = entry.session->savedResults(); !saved.empty())
            results.emplace(fromQt(entry.screen.name), std::move(saved));
    return [path = m_options.settingsPath, results = std::move(results), file = m_resultsFile,
            number = ++m_resultsFile->begun] {
        const std::scoped_lock lock(file->writing);
        if (path.isEmpty() || number < file->newest)
            return QString();
        file->newest = number;
        return saveResults(path, results);
    };
}

/// Once.
void MainWindow::showWriting(const QString& problem)
{
    if (!problem.isEmpty() && !std::exchange(m_writingFailed, true))
        page()->showMessage(MessageBar::Kind::Error, problem);
}

/// Asks before a training or an evaluation is stopped for closing; true: close.
bool MainWindow::mayClose()
{
    for (const Entry& entry : m_entries)
        if (const auto question = entry.session->closingQuestion();
            question
            && !confirmed(this, {u"closing"_s, question->title, question->text, question->details, question->stop,
                                 tr("Stay")}))
            return false;
    return true;
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayClose()) {
        event->ignore();
        return;
    }
    end();
    event->accept();
}

void MainWindow::end()
{
    for (const Entry& entry : m_entries)
        entry.session->stop();
    remember(settingsNow());
    showWriting(resultsWriter()());
}

}
