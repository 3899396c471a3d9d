// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace attnscope::ui {

class ActionButton;

/// What Train answers, said with a picture, before there is anything to train on: how accuracy comes back to a softmax model whose
/// attention was exchanged.
class TrainEmpty : public QWidget {
    Q_OBJECT
public:
    explicit TrainEmpty(QWidget* parent = nullptr);
    ActionButton* openButton() const { return m_open; }
    ActionButton* formButton() const { return m_form; }

signals:
    void openAsked();
    void formAsked();

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    void paintCurves(QPainter& painter, const QRectF& area) const;
    double drawingHeight() const;
    double top() const;
    double wordsTop() const { return top() + drawingHeight() + 36; }

    ActionButton* m_open;
    ActionButton* m_form;
};

}  // namespace attnscope::ui
