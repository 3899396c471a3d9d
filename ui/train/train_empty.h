// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

class LinkButton;

/// What Train answers, said with a picture, before there is anything to train on: how accuracy comes back to a softmax model whose
/// attention was exchanged.
class TrainEmpty : public EmptyScreen {
    Q_OBJECT
public:
    explicit TrainEmpty(QWidget* parent = nullptr);
    ActionButton* openButton() const { return m_open; }
    ActionButton* demoButton() const { return m_demo; }
    LinkButton* formButton() const { return m_form; }
    /// While the demo data are written: how far; else empty.
    void setBusy(const QString& progress);

signals:
    void openRequested();
    void demoRequested();
    void formRequested();

protected:
    double imageHeight(double room) const override;
    double imageWidth(double height) const override;
    void paintImage(QPainter& painter, const QRectF& area) const override;
    void resizeEvent(QResizeEvent* event) override;

private:
    TrainEmpty(ActionButton* demo, ActionButton* open, QWidget* parent);

    ActionButton* m_demo;
    ActionButton* m_open;
    LinkButton* m_form;
};

}  // namespace attnscope::ui
