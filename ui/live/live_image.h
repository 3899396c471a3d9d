#pragma once

#include "core/live/frame.h"

#include <QWidget>

#include <type_traits>

namespace attnscope::ui {

/// The frame of the moment, letterboxed. Painted from the decoder's own buffer: no copy, no scaled image.
class LiveImage : public QWidget {
    Q_OBJECT
public:
    explicit LiveImage(QWidget* parent = nullptr);

    void setFrame(FrameRef frame, int rotation);
    void clear() { set(m_frame, {}); }
    bool isEmpty() const { return !m_frame; }
    /// What the models see of the upright image, in fractions of its sides; empty: no frame is drawn.
    void setCrop(const QRectF& crop) { set(m_crop, crop); }
    /// How many frames a clip has, which the bracket shows; below 2: none.
    void setClip(int frames, const QString& words);
    void setCamera(bool on) { set(m_camera, on); }
    /// Centred words where there is no frame yet.
    void setNote(const QString& note) { set(m_note, note); }

    QRectF imageRect() const;
    QSize sizeHint() const override { return {520, 292}; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    template <typename Value>
    void set(Value& held, const std::type_identity_t<Value>& value)
    {
        held = value;
        update();
    }
    void paintFrame(QPainter& painter, const QRectF& target) const;
    void paintCrop(QPainter& painter, const QRectF& target) const;
    void paintClip(QPainter& painter, const QRectF& target) const;
    void paintCamera(QPainter& painter, const QRectF& target) const;

    FrameRef m_frame;
    int m_rotation = 0;
    QRectF m_crop;
    int m_clipFrames = 0;
    QString m_clipWords, m_note;
    bool m_camera = false;
};

}
