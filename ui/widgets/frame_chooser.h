#pragma once

#include <QImage>
#include <QVector>
#include <QWidget>

namespace attnscope::ui {

/// The frames of a clip in a row, the chosen one framed, below each how much of the attention it has. Arrow keys and clicks choose.
class FrameChooser : public QWidget {
    Q_OBJECT
public:
    explicit FrameChooser(QWidget* parent = nullptr);

    /// `fractions`: of each frame; empty: none are drawn.
    void setFrames(const QVector<QImage>& frames, const QVector<double>& fractions);
    void setCurrent(int frame);
    int current() const { return m_current; }
    int count() const { return int(m_frames.size()); }
    QSize sizeHint() const override { return {300, 54}; }
    QSize minimumSizeHint() const override { return {120, 40}; }
    QRectF frameRect(int frame) const;

signals:
    void chosen(int frame);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void describe();
    QVector<QImage> m_frames;
    QVector<double> m_parts;
    int m_current = 0;
};

}
