#pragma once

#include <QTableView>

namespace attnscope::ui {

class LiveRowsModel;
class TimelineHeader;

/// The time axis of all rows: from `begin` to `end`, and where playback is.
struct TimeAxis {
    double begin = 0, end = 1;  ///< seconds
    double playhead = 0;
    double clipBegin = 0, clipEnd = 0;  ///< the frames that the newest prediction is about; equal: none

    double secondsAt(double x, double left, double width) const
    {
        return begin + (end - begin) * (x - left) / width;
    }
    double xOf(double seconds, double left, double width) const
    {
        return left + width * (seconds - begin) / (end - begin);
    }
};

/// A row per backend: its predictions over time, where they differ from the reference's (◆), and its figures. A click or drag on the
/// timelines asks for that moment.
class TimelineView : public QTableView {
    Q_OBJECT
public:
    explicit TimelineView(LiveRowsModel& rows, QWidget* parent = nullptr);
    void setAxis(const TimeAxis& axis);
    const TimeAxis& axis() const { return m_axis; }
    /// Height of all rows and the header.
    int wholeHeight() const;
    enum class Figures { All, Few };
    void setFigures(Figures figures);
    double xOf(double seconds) const;

signals:
    /// `dragging`: the pointer is still down, more will follow.
    void seekRequested(double seconds, bool dragging);
    void detailsRequested(const QString& sentence);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void arrange();
    bool ask(const QPointF& position, bool dragging);
    QRectF trackRect() const;

    LiveRowsModel& m_rows;
    TimelineHeader* m_header;
    TimeAxis m_axis;
    bool m_dragging = false;
    Figures m_figures = Figures::All;
};

}
