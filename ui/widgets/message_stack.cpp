#include "ui/widgets/message_stack.h"

#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <ranges>
#include <utility>

namespace attnscope::ui {

namespace {

constexpr int maxMessages = 8;
constexpr const char* lastsUntilNextFile = "lastsUntilNextFile";

}

MessageStack::MessageStack(QWidget* parent)
    : QWidget(parent)
    , m_bars(new QVBoxLayout(this))
{
    m_bars->setSpacing(8);
    fit();
}

QList<MessageBar*> MessageStack::bars() const
{
    QList<MessageBar*> all;
    for (int i = 0; i < m_bars->count(); ++i)
        if (auto* bar = qobject_cast<MessageBar*>(m_bars->itemAt(i)->widget()); bar != nullptr)
            all << bar;
    return all;
}

/// One bar at a time: more would push down what the screen is about.
void MessageStack::fit()
{
    const QList<MessageBar*> all = bars();
    m_unfolded = m_unfolded && all.size() > 1;
    for (MessageBar* bar : all) {
        const bool front = bar == all.front();
        bar->setVisible(front || m_unfolded);
        bar->setFold(!front || all.size() < 2 ? QString()
                     : m_unfolded             ? tr("fold")
                                              : tr("and %1 more").arg(all.size() - 1));
    }
    m_bars->setContentsMargins(0, all.isEmpty() ? 0 : 12, 0, 0);
    setVisible(!all.isEmpty());
    emit rearranged();
}

void MessageStack::remove(MessageBar* bar)
{
    m_bars->removeWidget(bar);
    bar->hide();
    emit bar->closed();
    bar->deleteLater();
}

void MessageStack::makeRoom()
{
    const QList<MessageBar*> all = bars();
    if (all.size() < maxMessages)
        return;
    for (auto bar : std::views::reverse(all))
        if (bar->kind() != MessageBar::Kind::Warning)
            return remove(bar);
}

MessageBar* MessageStack::add(MessageBar::Kind kind, const QString& sentence, Lasts lasts)
{
    const QList<MessageBar*> all = bars();
    const auto known = std::ranges::find_if(all,
                                            [&](const MessageBar* bar) { return bar->sentence() == sentence; });
    MessageBar* bar = known == all.end() ? nullptr : *known;
    if (bar != nullptr) {
        m_bars->removeWidget(bar);
    } else {
        makeRoom();
        bar = new MessageBar(kind, sentence, this);
        bar->setProperty(lastsUntilNextFile, lasts == Lasts::UntilNextFile);
        connect(bar, &MessageBar::foldRequested, this, [this] {
            m_unfolded = !m_unfolded;
            fit();
        });
        // A stack that is destroyed takes its bars with it, after its own members: nothing of them is touched here.
        connect(bar, &QObject::destroyed, this, [this] { QTimer::singleShot(0, this, &MessageStack::fit); });
    }
    m_bars->insertWidget(0, bar);
    fit();
    return bar;
}

void MessageStack::openNextFile()
{
    for (MessageBar* bar : bars())
        if (bar->property(lastsUntilNextFile).toBool())
            remove(bar);
    fit();
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
    m_untrained = add(MessageBar::Kind::Warning,
                      tr("These weights are random (untrained); costs are meaningful, predictions are not."));
    m_untrained->addAction(tr("Open a checkpoint"), [this] { emit checkpointRequested(); });
    connect(m_untrained, &MessageBar::closed, this, [this] {
        m_untrainedClosed = true;
        m_untrained = nullptr;
    });
}

}
