// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/sketch.h"

#include "ui/style/painting.h"

#include <QPainter>

#include <algorithm>

namespace attnscope::ui {

void drawSketchGrid(QPainter& painter, const QRectF& area, const Theme& theme)
{
    painter.setPen(QPen(theme.line, 1));
    for (int i = 1; i <= 4; ++i) {
        const double y = area.bottom() - area.height() * i / 4;
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    painter.setPen(QPen(theme.ctl, 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
}

void drawSketchFront(QPainter& painter, const QRectF& area, const QList<SketchPoint>& points, const Theme& theme)
{
    const auto place = [&](const SketchPoint& point) {
        return QPointF(area.left() + point.x * area.width(), area.bottom() - point.y * area.height());
    };
    QPolygonF front;
    for (const SketchPoint& point : points)
        if (point.front)
            front << place(point);
    QPen dashes(theme.text3, 1.2);
    dashes.setDashPattern({4, 3});
    painter.setPen(dashes);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(front);
    // Out of the way of the line that goes on to the next mark of the front.
    const auto aside = [&](const QPointF& at) {
        const auto next = std::ranges::find_if(front, [&](const QPointF& other) { return other.x() > at.x(); });
        return next == front.end() || !front.contains(at) ? 0.0 : next->y() < at.y() ? 10.0 : -10.0;
    };
    for (const SketchPoint& point : points) {
        const QPointF at = place(point);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.surface);
        painter.drawEllipse(at, 8, 8);
        const QString backend = QString::fromLatin1(point.backend);
        drawMark(painter, backend, at, 12, theme);
        drawLine(painter, QRectF(at.x() + 12, at.y() - 12 + aside(at), 90, 24), point.name.isEmpty() ? backend : point.name,
                 fontFor(Type::BodyStrong), theme.text);
    }
}

QPixmap demoPhoto()
{
    return QPixmap(QStringLiteral(":/demo/cat.jpg"));
}

void drawSketchPhoto(QPainter& painter, const QRectF& place, double radius, const QPixmap& photo, const QRectF& source)
{
    QPainterPath rounded;
    rounded.addRoundedRect(place, radius, radius);
    painter.save();
    painter.setClipPath(rounded);
    painter.drawPixmap(place, photo, source);
    painter.restore();
}

}  // namespace attnscope::ui
