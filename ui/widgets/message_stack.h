#pragma once

#include "ui/widgets/message_bar.h"

#include <QList>
#include <QWidget>

class QVBoxLayout;

namespace attnscope::ui {

/// The messages above a screen: the newest, with the others folded behind it; nothing without any. Of many the oldest go, warnings
/// stay.
class MessageStack : public QWidget {
    Q_OBJECT
public:
    explicit MessageStack(QWidget* parent = nullptr);

    enum class Lasts { UntilClosed, UntilNextFile };
    /// The bar with that sentence, in front: the one that stands there already, or a new one.
    MessageBar* add(MessageBar::Kind kind, const QString& sentence, Lasts lasts = Lasts::UntilClosed);
    /// Another file is opened: what was said about the one before goes.
    void openNextFile();
    bool isEmpty() const { return bars().isEmpty(); }
    /// The warning that stands above every screen while weights are random. Closed, it stays away until `offerUntrained`.
    void setUntrained(bool untrained);
    /// Other weights: a closed warning may come back.
    void offerUntrained() { m_untrainedClosed = false; }

signals:
    /// Its height changed.
    void rearranged();
    void checkpointRequested();

private:
    /// The newest first.
    QList<MessageBar*> bars() const;
    void remove(MessageBar* bar);
    void makeRoom();
    void fit();

    QVBoxLayout* m_bars;
    MessageBar* m_untrained = nullptr;
    bool m_untrainedClosed = false, m_unfolded = false;
};

}
