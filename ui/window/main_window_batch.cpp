// SPDX-License-Identifier: GPL-3.0-or-later
// The Batch and Results screens in their window: folders and stores that are dropped, the job under way, what becomes of it when the
// window is closed.
#include "ui/batch/batch_page.h"
#include "ui/compare/compare_page.h"
#include "ui/results/results_page.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/drop_hint.h"
#include "ui/window/jobs_bar.h"
#include "ui/window/main_window.h"

#include "core/base/format.h"

#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>

#include <algorithm>

namespace attnscope::ui {

void MainWindow::connectBatch()
{
    connect(&m_batch, &BatchSession::queueChanged, this, [this] {
        refreshActions();
        refreshStatus();
        refreshJobs();
    });
    connect(&m_batch, &BatchSession::progressed, this, [this] {
        refreshStatus();
        refreshJobs();
    });
    connect(&m_batch, &BatchSession::problem, this, [this](const QString& sentence) {
        if (m_screen != Screen::Batch)
            showMessage(MessageBar::Kind::Error, sentence)->addAction(tr("Show"), [this] {
                showScreen(Screen::Batch);
            });
    });
    connect(m_jobs, &JobsBar::pauseRequested, this, [this] {
        if (m_batch.running() != nullptr)
            m_batch.pause(m_batch.running()->id);
    });
    connect(&m_batch, &BatchSession::unfinishedFound, this, &MainWindow::offerUnfinished);
    QTimer::singleShot(0, &m_batch, &BatchSession::lookForUnfinished);
}

/// On Batch, which is made for it; and where one looks now, if it was not paused but cut off.
void MainWindow::offerUnfinished(const std::vector<StoredEvaluation>& evaluations)
{
    batchPage()->offerUnfinished(evaluations);
    const auto cut = std::find_if(evaluations.begin(), evaluations.end(), [](const StoredEvaluation& each) {
        return each.state != EvaluationState::Paused;
    });
    if (m_screen == Screen::Batch || cut == evaluations.end())
        return;
    MessageBar* bar = showMessage(
        MessageBar::Kind::Info,
        tr("The evaluation of %1 was stopped after %2 of %3.")
            .arg(dataTitle(toQt(cut->dataRoot)), toQt(formatCount(cut->done)), toQt(formatCount(cut->samples))));
    bar->addAction(tr("Show"), [this, bar] {
        showScreen(Screen::Batch);
        bar->hide();
        bar->deleteLater();
    });
}

BatchPage* MainWindow::batchPage()
{
    if (m_batchPage != nullptr)
        return m_batchPage;
    m_batchPage = new BatchPage(m_batch, m_screens);
    m_screens->addWidget(m_batchPage);
    connect(m_batchPage, &BatchPage::compareRequested, this, &MainWindow::compareSample);
    connect(m_batchPage, &BatchPage::resultsRequested, this, [this] { openStore(m_batchStore.file()); });
    const auto backends = [this] {
        QStringList names;
        for (const ColumnSpec& column : m_backends.columns())
            names << column.backend;
        m_batchPage->setBackends(names);
    };
    connect(&m_backends, &BackendList::selectionChanged, m_batchPage, backends);
    backends();
    applyDensity();
    return m_batchPage;
}

ResultsPage* MainWindow::resultsPage()
{
    if (m_resultsPage != nullptr)
        return m_resultsPage;
    m_resultsPage = new ResultsPage(m_store, m_screens);
    m_screens->addWidget(m_resultsPage);
    connect(m_resultsPage, &ResultsPage::batchRequested, this, [this] { showScreen(Screen::Batch); });
    connect(m_resultsPage, &ResultsPage::openRequested, this, &MainWindow::askStore);
    connect(&m_batch, &BatchSession::resultsGrew, m_resultsPage, [this] { m_resultsPage->reloadSoon(); });
    applyDensity();
    return m_resultsPage;
}

/// A sample of an evaluation, under its attentions, as somebody looks into it.
void MainWindow::compareSample(const QString& path, const QStringList& attention)
{
    for (const QString& text : attention)
        m_backends.tick(AttentionSpec::parse(fromQt(text)));
    openPaths({path});
}

void MainWindow::refreshJobs()
{
    const bool evaluating = m_batch.isRunning() || m_batch.isWritingDemo();
    const bool stoppable = m_session.isBusy() || m_layers.isBusy();
    m_jobs->setVisible(stoppable || evaluating || m_scale.isRunning());
    if (!stoppable && m_scale.isRunning())
        return m_jobs->showStoppable(m_scale.title(), m_scale.part(), m_scale.progressText());
    if (!stoppable && evaluating)
        m_jobs->showPausable(m_batch.running() != nullptr ? tr("evaluate · %1").arg(m_batch.running()->title())
                                                          : tr("write demo images"),
                             m_batch.part(), m_batch.progressText());
}

void MainWindow::openStore(const QString& file)
{
    m_store.setFile(file);
    showScreen(Screen::Results);
}

void MainWindow::askStore()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("Open a results store"),
                                                      QFileInfo(m_store.file()).path(),
                                                      tr("Results stores (*.sqlite *.db);;All files (*)"));
    if (!file.isEmpty())
        openStore(file);
}

/// A folder belongs to Batch unless it is dropped on Train, or is one of frames dropped on Live.
bool MainWindow::isEvaluationData(const QStringList& paths) const
{
    return m_screen != Screen::Train && paths.size() == 1 && QFileInfo(paths.front()).isDir();
}

bool MainWindow::isStore(const QStringList& paths) const
{
    static const QStringList suffixes{QStringLiteral("sqlite"), QStringLiteral("sqlite3"), QStringLiteral("db")};
    return paths.size() == 1 && suffixes.contains(QFileInfo(paths.front()).suffix().toLower());
}

/// What the folder holds is said over the window as soon as it is known: looking takes a moment, and not in this thread.
void MainWindow::announceFolder(const QString& folder)
{
    const QString name = QFileInfo(folder).fileName();
    m_dropHint->announce(tr("Evaluate on %1").arg(name));
    if (!m_options.evaluation.look)
        return;
    m_engine.postFiles("drop-look",
                  [look = m_options.evaluation.look, folder, name, self = QPointer<MainWindow>(this)] {
                      QString words;
                      try {
                          const LabelledSet data = look(fromQt(folder));
                          words = tr("Evaluate on %1: %2, %3 %4")
                                      .arg(name,
                                           counted(static_cast<std::int64_t>(data.classes.size()), tr("1 class"),
                                                   tr("%1 classes")),
                                           toQt(formatCount(static_cast<std::int64_t>(data.files.size()))),
                                           data.video ? tr("videos") : tr("images"));
                      } catch (const std::exception& error) {
                          words = toQt(error.what());
                      }
                      QMetaObject::invokeMethod(qApp, [self, words] {
                          if (self && self->m_dropHint->isVisible())
                              self->m_dropHint->announce(words);
                      });
                  });
}

bool MainWindow::mayPauseEvaluation()
{
    const QueuedEvaluation* now = m_batch.running();
    if (now == nullptr)
        return true;
    QMessageBox box(QMessageBox::NoIcon, tr("Evaluation in progress"),
                    tr("%1 is at %2 of %3. Pausing loses nothing: all predictions so far are in the store.")
                        .arg(now->title(), toQt(formatCount(now->done())), toQt(formatCount(now->total()))),
                    QMessageBox::NoButton, this);
    box.setObjectName(QStringLiteral("closing"));
    box.setInformativeText(tr("Continue on the Batch screen, or with this command in a terminal:\n\n%1")
                               .arg(m_batch.commandToGoOn()));
    box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    QPushButton* stay = box.addButton(tr("Stay"), QMessageBox::RejectRole);
    QPushButton* pause = box.addButton(tr("Pause and close"), QMessageBox::AcceptRole);
    box.setDefaultButton(stay);
    box.setEscapeButton(stay);
    box.exec();
    if (box.clickedButton() != pause)
        return false;
    m_batch.pauseAll();
    return true;
}

}  // namespace attnscope::ui
