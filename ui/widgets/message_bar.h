// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include <functional>

class QHBoxLayout;
class QLabel;

namespace attnscope::ui {

/// One sentence above the place it concerns, with at most two text actions. Wraps; is never elided.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Info, Warning, Error };
    MessageBar(Kind kind, const QString& sentence, QWidget* parent = nullptr);

    void addAction(const QString& text, std::function<void()> act);
    void setSentence(const QString& sentence);
    QString sentence() const;
    Kind kind() const { return m_kind; }

signals:
    void closed();

protected:
    void paintEvent(QPaintEvent*) override;

private:
    Kind m_kind;
    QLabel* m_label;
    QHBoxLayout* m_row;
};

}  // namespace attnscope::ui
