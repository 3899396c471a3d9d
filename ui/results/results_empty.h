// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/empty_screen.h"

namespace attnscope::ui {

/// What Results answers, said with a picture, before a store has a run: who is right how often for how much time.
class ResultsEmpty : public EmptyScreen {
    Q_OBJECT
public:
    explicit ResultsEmpty(QWidget* parent = nullptr);
    /// This build has no results store.
    void setMissing(const QString& sentence);
    ActionButton* batchButton() const { return m_batch; }
    ActionButton* openButton() const { return m_open; }

signals:
    void batchRequested();
    void openRequested();

protected:
    double imageHeight(double room) const override;
    double imageWidth(double height) const override;
    void paintImage(QPainter& painter, const QRectF& area) const override;

private:
    ResultsEmpty(ActionButton* batch, ActionButton* open, QWidget* parent);

    ActionButton* m_batch;
    ActionButton* m_open;
};

}  // namespace attnscope::ui
