#pragma once

#include <QColor>
#include <QIcon>
#include <QPainter>

namespace attnscope::ui {

/// A symbol of our set (resources/icons), drawn from SVG at the device's ratio and tinted by the palette of the moment.
QIcon icon(const QString& name);

/// The same in one colour, for painted things.
void drawIcon(QPainter& painter, const QString& name, const QRectF& rect, const QColor& colour);

}
