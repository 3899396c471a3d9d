// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/empty_screen.h"

#include <QPixmap>

namespace attnscope::ui {

/// What Live answers, said with a picture, before anything plays: a film strip, and below it who says what when.
class LiveEmpty : public EmptyScreen {
    Q_OBJECT
public:
    explicit LiveEmpty(QWidget* parent = nullptr);
    /// The backends that are ticked, for the picture.
    void setBackends(const QStringList& backends);

signals:
    void openRequested();
    void cameraRequested();

protected:
    double imageHeight(double room) const override;
    double imageWidth(double height) const override;
    void paintImage(QPainter& painter, const QRectF& area) const override;

private:
    LiveEmpty(ActionButton* open, ActionButton* camera, QWidget* parent);
    void paintStrip(QPainter& painter, const QRectF& strip) const;
    void paintRows(QPainter& painter, const QRectF& area) const;

    QStringList m_backends;
    QPixmap m_photo;
};

}  // namespace attnscope::ui
