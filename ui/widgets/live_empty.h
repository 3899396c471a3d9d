// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>

namespace attnscope::ui {

class ActionButton;

/// What Live answers, said with a picture, before anything plays: a film strip, and below it who says what when.
class LiveEmpty : public QWidget {
    Q_OBJECT
public:
    explicit LiveEmpty(QWidget* parent = nullptr);
    /// The backends that are ticked, for the picture.
    void setBackends(const QStringList& backends);

signals:
    void openAsked();
    void cameraAsked();

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    void paintStrip(QPainter& painter, const QRectF& strip) const;
    void paintRows(QPainter& painter, const QRectF& area) const;
    double drawingHeight() const;
    double top() const;
    double wordsTop() const { return top() + drawingHeight() + 40; }

    QStringList m_backends;
    QPixmap m_photo;
    ActionButton* m_open;
    ActionButton* m_camera;
};

}  // namespace attnscope::ui
