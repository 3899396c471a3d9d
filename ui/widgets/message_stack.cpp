// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_stack.h"

#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace attnscope::ui {

namespace {

constexpr int mostMessages = 3;

}  // namespace

MessageStack::MessageStack(QWidget* parent) : QWidget(parent), m_bars(new QVBoxLayout(this))
{
    m_bars->setSpacing(8);
    fit();
}

void MessageStack::fit()
{
    m_bars->setContentsMargins(0, m_bars->isEmpty() ? 0 : 12, 0, 0);
    setVisible(!m_bars->isEmpty());
    emit rearranged();
}

void MessageStack::makeRoom()
{
    for (int i = 0; m_bars->count() >= mostMessages && i < m_bars->count(); ++i) {
        auto* bar = qobject_cast<MessageBar*>(m_bars->itemAt(i)->widget());
        if (bar == nullptr || bar->kind() == MessageBar::Kind::Warning)
            continue;
        m_bars->removeWidget(bar);
        bar->hide();
        emit bar->closed();
        bar->deleteLater();
        return;
    }
}

MessageBar* MessageStack::add(MessageBar::Kind kind, const QString& sentence)
{
    for (int i = 0; i < m_bars->count(); ++i)
        if (auto* bar = qobject_cast<MessageBar*>(m_bars->itemAt(i)->widget()); bar != nullptr && bar->sentence() == sentence)
            return bar;
    makeRoom();
    auto* bar = new MessageBar(kind, sentence, this);
    m_bars->addWidget(bar);
    connect(bar, &QObject::destroyed, this, [this] { QTimer::singleShot(0, this, &MessageStack::fit); });
    setVisible(true);
    QTimer::singleShot(0, this, &MessageStack::fit);
    return bar;
}

void MessageStack::setUntrained(bool untrained)
{
    const bool wanted = untrained && !m_untrainedClosed;
    if (wanted == (m_untrained != nullptr))
        return;
    if (!wanted) {
        std::exchange(m_untrained, nullptr)->deleteLater();
        return;
    }
    m_untrained = add(MessageBar::Kind::Warning, tr("These weights are random (untrained): costs are meaningful, predictions are not."));
    m_untrained->addAction(tr("Open a checkpoint"), [this] { emit checkpointAsked(); });
    connect(m_untrained, &MessageBar::closed, this, [this] {
        m_untrainedClosed = true;
        m_untrained = nullptr;
    });
}

}  // namespace attnscope::ui
