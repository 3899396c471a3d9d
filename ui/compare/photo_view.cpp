#include "ui/compare/photo_view.h"

#include "ui/style/accessible_role.h"
#include "ui/style/painting.h"

#include <QKeyEvent>

namespace attnscope::ui {

PhotoView::PhotoView(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleRole(*this, QAccessible::Graphic);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Input image"));
}

void PhotoView::setImage(const QImage& image, const QString& spoken)
{
    m_image = image;
    m_note.clear();
    setAccessibleDescription(spoken);
    update();
}

QRectF PhotoView::imageRect() const
{
    if (m_image.isNull())
        return {};
    QSizeF size = QSizeF(m_image.size()).scaled(QSizeF(width(), height()), Qt::KeepAspectRatio);
    return {(width() - size.width()) / 2, (height() - size.height()) / 2, size.width(), size.height()};
}

void PhotoView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const Theme& theme = Theme::of(palette());
    QPainterPath rounded;
    rounded.addRoundedRect(QRectF(rect()), 4, 4);
    painter.fillPath(rounded, theme.sunken);
    if (m_image.isNull()) {
        painter.setFont(fontFor(Type::Small));
        painter.setPen(theme.text3);
        const QRect area = rect().adjusted(8, 4, -8, -4);
        const int flags = Qt::AlignCenter | Qt::TextWordWrap;
        const bool fits = painter.boundingRect(area, flags, m_note).height() <= area.height();
        painter.drawText(area, flags, fits ? m_note : tr("unreadable"));  // why is above the table
        return;
    }
    painter.setClipPath(rounded);
    const QRectF target = imageRect();
    const QSize device = (target.size() * devicePixelRatioF()).toSize();
    painter.drawImage(target, m_image.scaled(device, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    if (m_crop.isEmpty())
        return;
    const QRectF crop(target.left() + m_crop.left() * target.width(),
                      target.top() + m_crop.top() * target.height(), m_crop.width() * target.width(),
                      m_crop.height() * target.height());
    QPainterPath outside;
    outside.addRect(target);
    outside.addRect(crop);
    painter.fillPath(outside, QColor(0, 0, 0, 110));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(Qt::black), 3));
    painter.setOpacity(0.35);
    painter.drawRect(crop.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setOpacity(1);
    painter.setPen(QPen(QColor(Qt::white), 1.4));
    painter.drawRect(crop.adjusted(0.5, 0.5, -0.5, -0.5));
}

void PhotoView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
        emit stepRequested(event->key() == Qt::Key_Left ? -1 : 1);
    else
        QWidget::keyPressEvent(event);
}

}
