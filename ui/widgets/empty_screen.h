// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPainter;

namespace attnscope::ui {

class ActionButton;

/// What a screen answers, before there is anything in it: a picture built from real parts, one line of what to do, one of what comes of
/// it, two buttons, and what is taken. Each screen derives its own and paints the picture.
class EmptyScreen : public QWidget {
    Q_OBJECT
public:
    struct Words {
        QString title, line, small;
    };

protected:
    /// The buttons are children of this widget then; the first one is the primary one.
    EmptyScreen(const Words& words, ActionButton* first, ActionButton* second, QWidget* parent);
    void setWords(const Words& words);

    /// Sizes that the picture may have; `room` is the height of the widget without the words.
    virtual double imageHeight(double room) const = 0;
    virtual double imageWidth(double height) const = 0;
    virtual void paintImage(QPainter& painter, const QRectF& area) const = 0;

    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    double drawn() const;
    double top() const;
    double wordsTop() const;

    Words m_words;
    ActionButton* m_first;
    ActionButton* m_second;
};

}  // namespace attnscope::ui
