// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/empty_screen.h"

#include <QPixmap>

namespace attnscope::ui {

/// What Compare answers, said with a picture, before there is an input.
class EmptyState : public EmptyScreen {
    Q_OBJECT
public:
    explicit EmptyState(QWidget* parent = nullptr);
    /// The backends that are ticked, for the picture.
    void setBackends(const QStringList& backends);

signals:
    void openRequested();
    void demoRequested();

protected:
    double imageHeight(double room) const override;
    double imageWidth(double height) const override;
    void paintImage(QPainter& painter, const QRectF& area) const override;

private:
    EmptyState(ActionButton* demo, ActionButton* open, QWidget* parent);

    QStringList m_backends;
    QPixmap m_photo;
};

}  // namespace attnscope::ui
