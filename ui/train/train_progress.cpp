#include "ui/train/train_progress.h"

#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/train/train_session.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace attnscope::ui {

class TrainProgress::Bar : public QWidget {
public:
    using QWidget::QWidget;
    void show(double part)
    {
        m_part = part;
        setAccessibleDescription(tr("%1 percent of all steps").arg(100 * part, 0, 'f', 0));
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        drawProgress(painter, QRectF(rect()), m_part, Theme::of(palette()));
    }

private:
    double m_part = 0;
};

TrainProgress::TrainProgress(TrainSession& session, QWidget* parent)
    : QFrame(parent)
    , m_session(session)
{
    setProperty("card", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(13, 11, 13, 11);
    column->setSpacing(10);
    m_text = new ElidedLabel(this);
    m_text->setElideMode(Qt::ElideRight);
    m_text->setMinimumHeight(18);
    m_bar = new Bar(this);
    m_bar->setFixedHeight(4);
    m_bar->setAccessibleName(tr("Progress of the training"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    const auto button = [&](const char* icon, const QString& text) {
        auto* made = new ActionButton(QString::fromLatin1(icon), text, ActionButton::Look::Plain, this);
        row->addWidget(made);
        return made;
    };
    m_pause = button("pause", tr("Pause"));
    m_finish = button("finish", tr("Finish this epoch and stop"));
    row->addStretch(1);
    m_compare = button("compare", tr("Compare the checkpoint now"));
    column->addWidget(m_text);
    column->addWidget(m_bar);
    column->addLayout(row);
    connect(m_pause, &QPushButton::clicked, this,
            [this] { m_session.canResume() ? m_session.resume() : m_session.hold(); });
    connect(m_finish, &QPushButton::clicked, this, [this] {
        m_session.isHeld() ? m_session.pause() : m_session.setFinishesEpoch(!m_session.finishesEpoch());
    });
    connect(m_compare, &QPushButton::clicked, this, &TrainProgress::compareRequested);
    connect(&session, &TrainSession::stateChanged, this, &TrainProgress::refresh);
    connect(&session, &TrainSession::resultsChanged, this, &TrainProgress::refresh);
    connect(&session, &TrainSession::progressed, this, &TrainProgress::refreshText);
    refresh();
}

void TrainProgress::setCompact(bool compact)
{
    m_compact = compact;
    refresh();
}

void TrainProgress::refresh()
{
    const bool resumable = m_session.canResume(), running = m_session.isRunning();
    const bool held = m_session.isHeld(), pausing = m_session.state() == TrainSession::State::Pausing;
    m_pause->setText(resumable ? tr("Continue") : tr("Pause"));
    m_pause->setAccessibleName(m_pause->text());
    m_pause->setIconName(resumable ? u"run"_s : u"pause"_s);
    m_pause->setLook(resumable ? ActionButton::Look::Primary : ActionButton::Look::Plain);
    m_pause->setToolTip(
        held ? tr("Continues with the next step; nothing was lost.")
        : resumable
            ? tr("Continues after the last finished epoch, exactly as if training had never stopped.")
            : tr("Waits after this step and keeps it in memory. Closing the window loses the current epoch."));
    m_pause->setHint(resumable ? u"F5"_s : QString());
    m_pause->setEnabled((running && !pausing) || resumable);
    m_finish->setAccessibleName(held                        ? tr("Stop and lose this epoch")
                                : m_session.finishesEpoch() ? tr("Continue after this epoch")
                                                            : tr("Finish this epoch and stop"));
    m_finish->setText(!m_compact                  ? m_finish->accessibleName()
                      : held                      ? tr("Stop")
                      : m_session.finishesEpoch() ? tr("Continue")
                                                  : tr("Finish epoch"));
    m_finish->setToolTip(held ? tr("Ends this training; Continue then resumes after the last finished epoch.")
                         : m_session.finishesEpoch()
                             ? tr("Training stops once this epoch is saved; click to undo.")
                             : tr("Stops once this epoch is finished, validated and saved; nothing is lost."));
    m_finish->setEnabled(running && !pausing);
    const QString file = m_session.checkpoint();
    m_compare->setText(m_compact ? tr("Compare now") : m_compare->accessibleName());
    m_compare->setEnabled(!file.isEmpty());
    m_compare->setToolTip(
        file.isEmpty() ? tr("There is no checkpoint until the first epoch is finished.")
                       : tr("Opens %1 as of its last epoch in Compare. Training pauses while it is measured.")
                             .arg(QFileInfo(file).fileName()));
    for (ActionButton* button : {m_pause, m_finish, m_compare})
        button->updateGeometry();
    refreshText();
}

void TrainProgress::refreshText()
{
    using State = TrainSession::State;
    static constexpr std::pair<State, const char*> fixed[]{
        {State::Idle, QT_TR_NOOP("Not started")},
        {State::Loading, QT_TR_NOOP("Loading data and weights")},
        {State::Paused, QT_TR_NOOP("Paused")},
        {State::Pausing, QT_TR_NOOP("Stopping after this step")},
        {State::Failed, QT_TR_NOOP("Stopped by an error")},
        {State::Finished, QT_TR_NOOP("All epochs finished")}};
    QString words = m_session.progressText();
    if (m_session.isHeld())
        words = words.isEmpty() ? tr("Paused") : tr("%1 · paused").arg(words);
    if (m_session.state() == State::Resting)
        words = words.isEmpty() ? tr("Waiting for measurement") : tr("%1 · waiting for measurement").arg(words);
    for (const auto& [state, text] : fixed)
        if (m_session.state() == state)
            words = tr(text);
    if (m_session.isRunning() && m_session.finishesEpoch())
        words += tr(" · stopping after this epoch");
    m_text->setText(words);
    m_text->setAccessibleName(words);
    m_bar->show(m_session.part());
}

}
