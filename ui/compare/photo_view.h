#pragma once

#include <QImage>
#include <QWidget>

namespace attnscope::ui {

/// The input as one looks at it, with the crop that the model sees drawn on it.
class PhotoView : public QWidget {
    Q_OBJECT
public:
    explicit PhotoView(QWidget* parent = nullptr);
    void setImage(const QImage& image, const QString& spoken);
    /// In fractions of the image's sides; empty: no frame.
    void setCrop(const QRectF& crop) { set(m_crop, crop); }
    void setNote(const QString& note) { set(m_note, note); }
    QRectF imageRect() const;
    const QImage& image() const { return m_image; }
    QSize sizeHint() const override { return {182, 106}; }

signals:
    void stepRequested(int step);

protected:
    void paintEvent(QPaintEvent*) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    template <typename Value>
    void set(Value& held, const Value& value)
    {
        held = value;
        update();
    }
    QImage m_image;
    QRectF m_crop;
    QString m_note;
};

}
