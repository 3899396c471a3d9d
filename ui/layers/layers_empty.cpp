#include "ui/layers/layers_empty.h"

#include "ui/charts/sketch.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr int rows = 6, sketchColumns = 6, patches = 14;
constexpr double betweenCells = 40;

/// Cells that grow worse with depth, one of them chosen.
void drawCells(QPainter& painter, const QRectF& area, const Theme& theme)
{
    const double cell = area.height() / rows;
    painter.setPen(Qt::NoPen);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < sketchColumns; ++column) {
            const double ripple = 0.16 * std::sin(2.3 * row + 1.7 * column);
            painter.setBrush(magnitude(std::clamp(0.12 + 0.14 * row + ripple, 0.0, 1.0)));
            painter.drawRoundedRect(
                QRectF(area.left() + column * cell + 1, area.top() + row * cell + 1, cell - 2, cell - 2), 3, 3);
        }
    const QRectF chosen(area.left() + 3 * cell + 1, area.top() + 4 * cell + 1, cell - 2, cell - 2);
    drawFocusRing(painter, chosen.adjusted(-2, -2, 2, 2), 4, theme);
}

/// A map over the middle of the photograph.
void drawMapSketch(QPainter& painter, const QRectF& area, const QPixmap& photo)
{
    QPainterPath rounded;
    rounded.addRoundedRect(area, 4, 4);
    painter.setClipPath(rounded);
    const double crop = std::min(photo.width(), photo.height());
    painter.drawPixmap(area, photo, QRectF((photo.width() - crop) / 2, (photo.height() - crop) / 2, crop, crop));
    QImage map(patches, patches, QImage::Format_ARGB32);
    for (int y = 0; y < patches; ++y)
        for (int x = 0; x < patches; ++x) {
            const double away = std::hypot(x - 8.5, y - 5.0) / 4;
            map.setPixelColor(x, y, magnitude(std::exp(-away * away)));
        }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setOpacity(0.6);
    painter.drawImage(area, map);
}

}

EmptyScreen::Description layersEmpty()
{
    return {{EmptyScreen::tr("See where an approximation goes wrong"),
             EmptyScreen::tr("The error of every layer and head, and what each attends to instead."),
             {}},
            {u"run"_s, EmptyScreen::tr("Try the demo")},
            {u"open"_s, EmptyScreen::tr("Open…"), u"Ctrl+O"_s},
            {.minHeight = 110,
             .maxHeight = 220,
             .width = betweenCells,
             .widthPerHeight = 2,
             .paint = [photo = demoPhoto()](QPainter& painter, const QRectF& area, const Theme& theme,
                                            const QStringList&) {
                 drawCells(painter, area, theme);
                 const double side = area.height();
                 drawMapSketch(painter, QRectF(area.left() + side + betweenCells, area.top(), side, side), photo);
             }}};
}

}
