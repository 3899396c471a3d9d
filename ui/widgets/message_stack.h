// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/message_bar.h"

#include <QWidget>

class QVBoxLayout;

namespace attnscope::ui {

/// The messages above a screen, newest last; as high as they need, nothing without any. At most three: the oldest goes first,
/// warnings stay.
class MessageStack : public QWidget {
    Q_OBJECT
public:
    explicit MessageStack(QWidget* parent = nullptr);

    /// The bar with that sentence: the one that stands there already, or a new one.
    MessageBar* add(MessageBar::Kind kind, const QString& sentence);
    /// The warning that stands above every screen while weights are random. Closed, it stays away until `offerUntrained`.
    void setUntrained(bool untrained);
    /// Other weights: a closed warning may come back.
    void offerUntrained() { m_untrainedClosed = false; }

signals:
    /// Its height changed.
    void rearranged();
    void checkpointAsked();

private:
    void makeRoom();
    void fit();

    QVBoxLayout* m_bars;
    MessageBar* m_untrained = nullptr;
    bool m_untrainedClosed = false;
};

}  // namespace attnscope::ui
