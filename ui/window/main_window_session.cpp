// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/style/qt_text.h"
#include "ui/widgets/confirm.h"

#include "core/base/error.h"

#include <QCloseEvent>

#include <algorithm>

namespace attnscope::ui {

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
                page()->showMessage(MessageBar::Kind::Warning, tr("The results of %1 were not restored: %2").arg(QString(entry.screen.title).remove(QLatin1Char('&')), toQt(error.what())));
            }
        }
}

void MainWindow::remember()
{
    if (m_options.settingsPath.isEmpty())
        return;
    Settings settings = m_workspace.settings();
    settings.specs = m_workspace.backends().checkedSpecs();
    settings.demoBar = m_options.loaded.settings.demoBar;
    settings.screen = screen();
    settings.inputs.clear();
    for (const InputEntry& input : m_workspace.inputs())
        if (input.bytes.isEmpty())
            settings.inputs << input.path;
    settings.currentInput = std::clamp(m_workspace.currentInput(), 0, static_cast<int>(settings.inputs.size()));
    for (const Entry& entry : m_entries)
        if (entry.page != nullptr)
            settings.forms[entry.screen.name] = entry.page->savedForm();
    settings.geometry = saveGeometry();
    settings.state = saveState();
    const QString problem = saveSettings(m_options.settingsPath, settings);
    if (!problem.isEmpty())
        page()->showMessage(MessageBar::Kind::Error, problem);
}

void MainWindow::rememberResults()
{
    if (m_options.settingsPath.isEmpty())
        return;
    std::map<std::string, std::string> results;
    for (const Entry& entry : m_entries)
        if (std::string saved = entry.session->savedResults(); !saved.empty())
            results.emplace(fromQt(entry.screen.name), std::move(saved));
    if (const QString problem = saveResults(m_options.settingsPath, results); !problem.isEmpty())
        page()->showMessage(MessageBar::Kind::Error, problem);
}

/// Asks before a training or an evaluation is stopped for closing; true: close.
bool MainWindow::mayClose()
{
    for (const Entry& entry : m_entries)
        if (const auto question = entry.session->closingQuestion();
            question && !confirmed(this, {QStringLiteral("closing"), question->title, question->text, question->details, question->stop, tr("Stay")}))
            return false;
    return true;
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayClose()) {
        event->ignore();
        return;
    }
    for (const Entry& entry : m_entries)
        entry.session->stop();
    remember();
    rememberResults();
    event->accept();
}

}  // namespace attnscope::ui
