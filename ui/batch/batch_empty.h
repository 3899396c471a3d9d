// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/empty_screen.h"

#include <QPixmap>

namespace attnscope::ui {

/// What Batch answers, said with a picture, before there is a folder: many pictures, and how often each attention is right.
class BatchEmpty : public EmptyScreen {
    Q_OBJECT
public:
    explicit BatchEmpty(QWidget* parent = nullptr);
    /// The backends that are ticked, for the picture.
    void setBackends(const QStringList& backends);
    /// While the demo data are written: how far; else empty.
    void setBusy(const QString& progress);
    /// This build cannot evaluate: says why, buttons are off.
    void setMissing(const QString& sentence);
    ActionButton* demoButton() const { return m_demo; }
    ActionButton* openButton() const { return m_open; }

signals:
    void openRequested();
    void demoRequested();

protected:
    double imageHeight(double room) const override;
    double imageWidth(double height) const override;
    void paintImage(QPainter& painter, const QRectF& area) const override;

private:
    BatchEmpty(ActionButton* demo, ActionButton* open, QWidget* parent);

    QStringList m_backends;
    QPixmap m_photo;
    ActionButton* m_demo;
    ActionButton* m_open;
};

}  // namespace attnscope::ui
