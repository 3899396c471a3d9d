// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/empty_screen.h"

#include <QPixmap>

namespace attnscope::ui {

/// What Layers answers, before anything was inspected; with an input at hand the first button inspects it.
class LayersEmpty : public EmptyScreen {
    Q_OBJECT
public:
    explicit LayersEmpty(QWidget* parent = nullptr);

    /// Without a name there is no input. `missing`: why it cannot be inspected yet.
    void setInput(const QString& name, const QString& missing);
    ActionButton* first() const { return m_first; }

signals:
    void openRequested();
    void demoRequested();
    void runRequested();

protected:
    double imageHeight(double room) const override;
    double imageWidth(double height) const override;
    void paintImage(QPainter& painter, const QRectF& area) const override;

private:
    LayersEmpty(ActionButton* first, ActionButton* second, QWidget* parent);

    ActionButton* m_first;
    QPixmap m_photo;
    bool m_input = false;
};

}  // namespace attnscope::ui
