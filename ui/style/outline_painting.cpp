#include "ui/style/outline_painting.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <utility>

namespace attnscope::ui {

void drawOutlines(QPainter& painter, const std::vector<GroupOutline>& groups, const QRectF& area, QSize cells)
{
    constexpr double halo = 3.0, line = 1.6, roomyCell = 9;
    const double wide = area.width() / std::max(1, cells.width()),
                 high = area.height() / std::max(1, cells.height());
    const double scale = std::clamp(std::min(wide, high) / roomyCell, 0.5, 1.0);
    const auto corner = [&](int32_t x, int32_t y) { return area.topLeft() + QPointF(x * wide, y * high); };
    painter.setBrush(Qt::NoBrush);
    for (const auto& [width, dark] : {std::pair(halo, true), std::pair(line, false)})
        for (const GroupOutline& group : groups) {
            QPainterPath path;
            for (const OutlineEdge& edge : group.edges) {
                path.moveTo(corner(edge.x0, edge.y0));
                path.lineTo(corner(edge.x1, edge.y1));
            }
            const QColor colour = dark ? QColor(0, 0, 0, 130) : QColor::fromHsvF(float(group.hue), 0.75F, 1.0F);
            painter.setPen(QPen(colour, width * scale, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter.drawPath(path);
        }
}

}
