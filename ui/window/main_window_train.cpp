// SPDX-License-Identifier: GPL-3.0-or-later
// The Train screen in its window: what it gives to the other screens, and what becomes of it when the window is closed.
#include "ui/batch/batch_page.h"
#include "ui/compare/compare_page.h"
#include "ui/layers/layers_page.h"
#include "ui/live/live_page.h"
#include "ui/results/results_page.h"
#include "ui/scale/scale_page.h"
#include "ui/style/qt_text.h"
#include "ui/train/train_page.h"
#include "ui/window/main_window.h"

#include "core/base/error.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>

namespace attnscope::ui {

void MainWindow::connectTraining()
{
    connect(&m_train, &TrainSession::stateChanged, this, [this] {
        refreshActions();
        refreshStatus();
    });
    connect(&m_train, &TrainSession::progressed, this, &MainWindow::refreshStatus);
    // Where another screen is looked at, it hears of the end.
    connect(&m_train, &TrainSession::problem, this, [this](const QString& sentence) {
        if (m_screen != Screen::Train)
            showMessage(MessageBar::Kind::Error, sentence)->addAction(tr("Show"), [this] {
                showScreen(Screen::Train);
            });
    });
}

TrainPage* MainWindow::trainPage()
{
    if (m_trainPage != nullptr)
        return m_trainPage;
    m_trainPage = new TrainPage(m_train, m_session, m_screens);
    m_screens->addWidget(m_trainPage);
    connect(m_trainPage, &TrainPage::compareRequested, this, &MainWindow::compareTrained);
    connect(m_trainPage, &TrainPage::demoRequested, this, &MainWindow::writeTrainingDemo);
    connect(&m_train.demo(), &DemoWriter::ready, this, &MainWindow::fillTrainingDemo);
    restoreTraining();
    applyDensity();
    return m_trainPage;
}

MessageBar* MainWindow::showMessage(MessageBar::Kind kind, const QString& sentence)
{
    switch (m_screen) {
    case Screen::Live:
        return livePage()->showMessage(kind, sentence);
    case Screen::Layers:
        return layersPage()->showMessage(kind, sentence);
    case Screen::Batch:
        return batchPage()->showMessage(kind, sentence);
    case Screen::Scale:
        return scalePage()->showMessage(kind, sentence);
    case Screen::Train:
        return trainPage()->showMessage(kind, sentence);
    case Screen::Results:
        return resultsPage()->showMessage(kind, sentence);
    case Screen::Compare:
        break;
    }
    return m_page->showMessage(kind, sentence);
}

void MainWindow::runScreen()
{
    if (m_screen == Screen::Train)
        trainPage()->run();
    else if (m_screen == Screen::Layers)
        m_layers.run();
    else if (m_screen == Screen::Batch)
        m_batch.run();
    else if (m_screen == Screen::Scale)
        scalePage()->run();
    else
        m_session.run();
}

/// Compare and Layers work on one worker, one after the other; Scale on its own.
void MainWindow::stopScreen()
{
    if (m_scale.isRunning() && (m_screen == Screen::Scale || (!m_session.isBusy() && !m_layers.isBusy())))
        return m_scale.stop();
    m_session.stop();
    if (m_layers.isBusy())
        m_layers.stop();
}

/// The checkpoint as weights of all screens, with its attention among those that are compared.
void MainWindow::compareTrained(const QString& checkpoint, const QString& attention)
{
    showScreen(Screen::Compare);
    m_backends.tick(AttentionSpec::parse(fromQt(attention)));
    m_session.openCheckpoint(checkpoint);
}

/// A folder belongs to Train where it is dropped on it.
bool MainWindow::isTrainingData(const QStringList& paths) const
{
    return m_screen == Screen::Train && paths.size() == 1 && QFileInfo(paths.front()).isDir();
}

/// What a training that was cut off has left, dropped on Train: the output that it belongs to; else empty.
QString MainWindow::interruptedOutput(const QStringList& paths) const
{
    const QString ending = QStringLiteral(".resume.safetensors");
    return m_screen == Screen::Train && paths.size() == 1 && paths.front().endsWith(ending)
               ? paths.front().chopped(ending.size()) + QStringLiteral(".safetensors")
               : QString();
}

bool MainWindow::mayClose()
{
    if (!m_train.isRunning())
        return mayPauseEvaluation();
    const auto done = m_train.epochs().history().size();
    QMessageBox box(QMessageBox::NoIcon, tr("Training in progress"),
                    done == 0 ? tr("Stopping now loses all training progress because the first epoch is not finished.")
                              : tr("Stopping now loses progress in the current epoch; earlier epochs are kept in %1.")
                                    .arg(QFileInfo(m_train.checkpoint()).fileName()),
                    QMessageBox::NoButton, this);
    box.setObjectName(QStringLiteral("closing"));
    box.setInformativeText(tr("Continue on the Train screen with the same file under “Save to”, or with this command in a "
                              "terminal:\n\n%1")
                               .arg(trainPage()->commandToGoOn()));
    box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    QPushButton* stay = box.addButton(tr("Stay"), QMessageBox::RejectRole);
    QPushButton* stop = box.addButton(tr("Stop and close"), QMessageBox::AcceptRole);
    box.setDefaultButton(stay);
    box.setEscapeButton(stay);
    box.exec();
    if (box.clickedButton() != stop)
        return false;
    if (!mayPauseEvaluation())
        return false;
    m_train.pause();
    return true;
}

}  // namespace attnscope::ui
