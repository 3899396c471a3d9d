#pragma once

#include <QImage>
#include <QVector>
#include <QWidget>

namespace attnscope::ui {

/// Small images in a row, as many as there is room for, evenly chosen; the first and the last are always there.
class FrameStrip : public QWidget {
    Q_OBJECT
public:
    explicit FrameStrip(QWidget* parent = nullptr);

    /// `title`: what they are, for the screen reader. Without frames `empty` is written in their place.
    void show(const QVector<QImage>& frames, const QString& title, const QString& empty);
    int shownFrames() const;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVector<QImage> m_frames;
    QString m_empty;
};

}
