#include "ui/live/live_image.h"

#include "ui/style/accessible_role.h"
#include "ui/style/painting.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace attnscope::ui {

namespace {

/// Words over an image are white on a dark ground in both themes: what lies below may have any colour.
const QColor pill(0, 0, 0, 165);

QRectF drawPill(QPainter& painter, QPointF topLeft, double width)
{
    const double height = std::max(24.0, QFontMetricsF(fontFor(Type::SmallMedium)).height() + 8);
    const QRectF rect(topLeft, QSizeF(width, height));
    painter.setPen(Qt::NoPen);
    painter.setBrush(pill);
    painter.drawRoundedRect(rect, 6, 6);
    return rect;
}

}

LiveImage::LiveImage(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleRole(*this, QAccessible::Graphic);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Image"));
    setMinimumSize(200, 112);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void LiveImage::setFrame(FrameRef frame, int rotation)
{
    m_frame = std::move(frame);
    m_rotation = rotation;
    update();
}

void LiveImage::setClip(int frames, const QString& words)
{
    m_clipFrames = frames;
    m_clipWords = words;
    setAccessibleDescription(words);
    update();
}

QRectF LiveImage::imageRect() const
{
    if (!m_frame)
        return {};
    QSizeF size(double(m_frame->width), double(m_frame->height));
    if (m_rotation % 180 != 0)
        size.transpose();
    size.scale(QSizeF(width(), height()), Qt::KeepAspectRatio);
    return {std::round((width() - size.width()) / 2), std::round((height() - size.height()) / 2),
            std::round(size.width()), std::round(size.height())};
}

void LiveImage::paintFrame(QPainter& painter, const QRectF& target) const
{
    const QImage image(m_frame->rgb.data(), int(m_frame->width), int(m_frame->height),
                       static_cast<qsizetype>(m_frame->stride),
                       QImage::Format_RGB888);  // a view of the frame, which is held meanwhile
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.translate(target.center());
    painter.rotate(m_rotation);
    QSizeF size = target.size();
    if (m_rotation % 180 != 0)
        size.transpose();
    painter.drawImage(QRectF(QPointF(-size.width() / 2, -size.height() / 2), size), image);
    painter.restore();
}

void LiveImage::paintCrop(QPainter& painter, const QRectF& target) const
{
    if (m_crop.isEmpty())
        return;
    const QRectF crop(target.left() + m_crop.left() * target.width(),
                      target.top() + m_crop.top() * target.height(), m_crop.width() * target.width(),
                      m_crop.height() * target.height());
    const QRectF inner = crop.adjusted(1, 1, -1, -1);
    // Corners alone: the image is what people look at.
    const double arm = std::min(18.0, inner.width() / 6);
    QPainterPath corners;
    for (const auto& [corner, right, down] :
         {std::tuple(inner.topLeft(), 1, 1), std::tuple(inner.topRight(), -1, 1),
          std::tuple(inner.bottomRight(), -1, -1), std::tuple(inner.bottomLeft(), 1, -1)}) {
        corners.moveTo(corner + QPointF(right * arm, 0));
        corners.lineTo(corner);
        corners.lineTo(corner + QPointF(0, down * arm));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 120), 3.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(corners);
    painter.setPen(QPen(Qt::white, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(corners);
}

void LiveImage::paintClip(QPainter& painter, const QRectF& target) const
{
    if (m_clipWords.isEmpty())
        return;
    const QFont font = fontFor(Type::SmallMedium);
    const double room = target.width() - 32,
                 words = std::min(QFontMetricsF(font).horizontalAdvance(m_clipWords), room);
    const double bracket = m_clipFrames > 1 && words + 76 <= room ? 66 : 0,
                 wide = words + 16 + (bracket > 0 ? bracket + 10 : 0);
    const double height = std::max(24.0, QFontMetricsF(font).height() + 8);
    const QRectF rect = drawPill(painter, {target.center().x() - wide / 2, target.bottom() - height - 10}, wide);
    double x = rect.left() + 8;
    if (bracket > 0) {
        const double base = std::round(rect.center().y()) + 3.5;
        painter.setPen(QPen(Qt::white, 1));
        painter.drawLine(QPointF(x, base), QPointF(x + bracket, base));
        for (int i = 0; i < m_clipFrames; ++i) {
            const double at = x + bracket * i / std::max(1, m_clipFrames - 1);
            painter.drawLine(QPointF(at, base), QPointF(at, base - (i == 0 || i + 1 == m_clipFrames ? 8 : 5)));
        }
        x += bracket + 10;
    }
    drawLine(painter, QRectF(x, rect.top(), words + 4, rect.height()), m_clipWords, font, Qt::white);
}

void LiveImage::paintCamera(QPainter& painter, const QRectF& target) const
{
    if (!m_camera)
        return;
    const QString words = tr("camera on");
    const QFont font = fontFor(Type::SmallMedium);
    const double wide = QFontMetricsF(font).horizontalAdvance(words) + 34;
    const QRectF rect = drawPill(painter, target.topLeft() + QPointF(8, 8), wide);
    painter.setPen(QPen(Qt::white, 1.5));
    painter.setBrush(Theme::light().err);
    painter.drawEllipse(QPointF(rect.left() + 14, rect.center().y()), 5.5, 5.5);
    drawLine(painter, rect.adjusted(26, 0, -4, 0), words, font, Qt::white);
}

void LiveImage::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    painter.fillRect(rect(), m_frame ? theme.surface : theme.sunken);
    if (!m_frame) {
        drawLine(painter, rect().adjusted(12, 0, -12, 0), m_note, fontFor(Type::Body), theme.text3,
                 Qt::AlignHCenter);
        return;
    }
    const QRectF target = imageRect();
    paintFrame(painter, target);
    painter.setRenderHint(QPainter::Antialiasing);
    paintCrop(painter, target);
    paintClip(painter, target);
    paintCamera(painter, target);
}

}
