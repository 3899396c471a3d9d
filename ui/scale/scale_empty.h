// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// What a tab of Scale answers, said with a picture, and what the next run would measure and how long that takes.
class ScaleEmpty : public EmptyScreen {
    Q_OBJECT
public:
    enum class Picture { Growth, Errors, Front };
    ScaleEmpty(Picture picture, QWidget* parent = nullptr);

    void setRunnable(bool runnable);
    const Words& words() const { return m_said; }
    void say(const Words& words);
    ActionButton* runButton() const { return m_run; }

signals:
    void runAsked();
    void otherAsked();

protected:
    double pictureHeight(double room) const override;
    double pictureWidth(double height) const override;
    void paintPicture(QPainter& painter, const QRectF& area) const override;

private:
    ScaleEmpty(Picture picture, ActionButton* run, ActionButton* other, QWidget* parent);
    void paintCurves(QPainter& painter, const QRectF& area) const;
    void paintFront(QPainter& painter, const QRectF& area) const;

    Picture m_picture;
    ActionButton* m_run;
    ActionButton* m_other;
    Words m_said;
};

}  // namespace attnscope::ui
