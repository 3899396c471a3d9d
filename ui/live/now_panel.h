#pragma once

#include <QWidget>

namespace attnscope::ui {

class LiveRowsModel;

/// What each backend says now: its first classes on one common scale, as Compare shows them.
class NowPanel : public QWidget {
    Q_OBJECT
public:
    explicit NowPanel(const LiveRowsModel& rows, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {320, 292}; }
    /// How many classes a backend shows at this height.
    int linesShown() const;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    void paintBackend(QPainter& painter, const QRectF& area, int row, int lines) const;
    void refresh();

    const LiveRowsModel& m_rows;
};

}
