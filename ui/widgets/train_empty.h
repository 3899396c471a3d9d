// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// What Train answers, said with a picture, before there is anything to train on: how accuracy comes back to a softmax model whose
/// attention was exchanged.
class TrainEmpty : public EmptyScreen {
    Q_OBJECT
public:
    explicit TrainEmpty(QWidget* parent = nullptr);
    ActionButton* openButton() const { return m_open; }
    ActionButton* formButton() const { return m_form; }

signals:
    void openAsked();
    void formAsked();

protected:
    double pictureHeight(double room) const override;
    double pictureWidth(double height) const override;
    void paintPicture(QPainter& painter, const QRectF& area) const override;

private:
    TrainEmpty(ActionButton* open, ActionButton* form, QWidget* parent);

    ActionButton* m_open;
    ActionButton* m_form;
};

}  // namespace attnscope::ui
