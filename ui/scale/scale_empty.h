// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// What a tab of Scale answers, said with a picture, and what the next run would measure and how long that takes.
class ScaleEmpty : public EmptyScreen {
    Q_OBJECT
public:
    enum class Image { Complexity, Errors, Front };
    ScaleEmpty(Image image, QWidget* parent = nullptr);

    void setRunnable(bool runnable);
    const Words& words() const { return m_said; }
    void say(const Words& words);
    ActionButton* runButton() const { return m_run; }

signals:
    void runRequested();
    void otherRequested();

protected:
    double imageHeight(double room) const override;
    double imageWidth(double height) const override;
    void paintImage(QPainter& painter, const QRectF& area) const override;

private:
    ScaleEmpty(Image image, ActionButton* run, ActionButton* other, QWidget* parent);
    void paintCurves(QPainter& painter, const QRectF& area) const;
    void paintFront(QPainter& painter, const QRectF& area) const;

    Image m_image;
    ActionButton* m_run;
    ActionButton* m_other;
    Words m_said;
};

}  // namespace attnscope::ui
