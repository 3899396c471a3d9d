// SPDX-License-Identifier: GPL-3.0-or-later
// What comes along to try the program on: what its models know, a training on its scenes, and the training form of the last session.
#include "ui/style/qt_text.h"
#include "ui/train/train_form.h"
#include "ui/train/train_page.h"
#include "ui/widgets/message_stack.h"
#include "ui/window/main_window.h"

#include "core/base/error.h"
#include "core/base/json.h"
#include "models/training/train_request_json.h"

#include <QBoxLayout>
#include <QDir>
#include <QFileInfo>
#include <QStackedWidget>
#include <QStandardPaths>

namespace attnscope::ui {

namespace {

constexpr const char* demoPrefix = "demo_";  // of the names of the models that come along

QString whatItKnows(const ModelSummary& model)
{
    return model.input.size() == 4
               ? MainWindow::tr("A small demo model that knows only eight camera moves over the demo photographs.")
               : MainWindow::tr("A small demo model that knows only twelve scenes of the demo photographs.");
}

}  // namespace

void MainWindow::refreshDemoBar()
{
    const auto model = m_session.model();
    const bool demo = model && model->summary.name.starts_with(demoPrefix) && m_options.loaded.settings.demoBar;
    if (!demo) {
        delete m_demoBar;
        return;
    }
    const QString words = whatItKnows(model->summary);
    if (m_demoBar) {
        m_demoBar->setSentence(words);
        return;
    }
    m_demoBar = new MessageBar(MessageBar::Kind::Info, words, centralWidget());
    m_demoBar->addAction(tr("Open a checkpoint…"), [this] { askCheckpoint(); });
    connect(m_demoBar, &MessageBar::closed, this, [this] { m_options.loaded.settings.demoBar = false; });
    connect(m_demoBar, &QObject::destroyed, m_notices, [notices = m_notices] { notices->setContentsMargins(16, 0, 16, 0); });
    m_notices->addWidget(m_demoBar);
    arrangeNotices();
}

void MainWindow::followNotices()
{
    if (const auto* messages = m_screens->currentWidget()->findChild<MessageStack*>(); messages != nullptr)
        connect(messages, &MessageStack::rearranged, this, &MainWindow::arrangeNotices, Qt::UniqueConnection);
    arrangeNotices();
}

void MainWindow::arrangeNotices()
{
    if (!m_demoBar)
        return;
    const auto* messages = m_screens->currentWidget()->findChild<MessageStack*>();
    // A training starts from the weights that its form names.
    const bool shown = m_screen != Screen::Train && (messages == nullptr || messages->isEmpty());
    m_demoBar->setVisible(shown);
    m_notices->setContentsMargins(16, shown ? 10 : 0, 16, 0);
}

void MainWindow::restoreTraining()
{
    const QString text = m_options.loaded.settings.training;
    if (text.isEmpty())
        return;
    try {
        const Json json = Json::parse(fromQt(text), nullptr, false);
        m_trainPage->showRequest(trainRequestFromJson(json, fromQt(tr("the settings"))));
    } catch (const Error& error) {
        m_trainPage->showMessage(MessageBar::Kind::Warning, toQt(error.what()));
    }
}

void MainWindow::writeTrainingDemo()
{
    m_train.demo().start(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)
                         + QStringLiteral("/attnscope/demo-training"));
}

/// The demo DeiT's softmax weights, distilled into Performer as the shipped ones were, for two epochs.
void MainWindow::fillTrainingDemo(const QString& folder)
{
    TrainRequest request;
    const QString weights =
        QDir::cleanPath(QFileInfo(m_options.demoImage).path() + QStringLiteral("/../models/deit.safetensors"));
    if (QFileInfo::exists(weights))
        request.model.weights = request.teacher = fromQt(weights);
    else
        request.model.weights = "untrained";
    request.folder = fromQt(folder);
    request.attention = "performer:samples=128";
    request.output = fromQt(QFileInfo(folder).path() + QStringLiteral("/demo-performer.safetensors"));
    for (int i = 2; QFileInfo::exists(toQt(request.output)); ++i)
        request.output = fromQt(QStringLiteral("%1/demo-performer-%2.safetensors").arg(QFileInfo(folder).path()).arg(i));
    request.plan.epochs = 2, request.plan.batch = 32, request.plan.dropPath = 0;
    request.plan.optimizer.learningRate = 1e-3, request.plan.optimizer.warmupEpochs = 0.5;
    request.plan.augment = lightAugmentation();
    request.plan.augment.cropScaleMin = 0.5;
    if (m_train.isRunning())
        return;
    trainPage()->showRequest(request);
    trainPage()->showMessage(MessageBar::Kind::Info,
                             tr("Softmax weights lose most of their accuracy with Performer; two epochs of distillation, a minute or "
                                "two, recover most of it. Press F5 to start."));
}

}  // namespace attnscope::ui
