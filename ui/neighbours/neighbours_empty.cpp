#include "ui/neighbours/neighbours_empty.h"

#include "ui/charts/sketch.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

namespace attnscope::ui {

namespace {

constexpr int neighboursAcross = 4;
constexpr double neighbourGap = 8, queryGap = 28;

/// Parts of the photograph, as the image and those that look like it.
void drawNeighbourSketch(QPainter& painter, const QRectF& area, const Theme& theme, const QPixmap& photo)
{
    const double high = area.height(), side = (high - neighbourGap) / 2;
    const double crop = photo.height() * 0.8;
    const auto part = [&](double x, double y, double fraction) {
        return QRectF((photo.width() - crop * fraction) * x, (photo.height() - crop * fraction) * y,
                      crop * fraction, crop * fraction);
    };
    drawSketchPhoto(painter, QRectF(area.left(), area.top(), high, high), 4, photo, part(0.5, 0.3, 1));
    const double left = area.left() + high + queryGap;
    for (int i = 0; i < 2 * neighboursAcross; ++i) {
        const int row = i / neighboursAcross, column = i % neighboursAcross;
        const QRectF cell(left + column * (side + neighbourGap), area.top() + row * (side + neighbourGap), side,
                          side);
        drawSketchPhoto(painter, cell, 4, photo, part(0.3 + 0.05 * i, 0.1 + 0.08 * (i % 5), 0.9 - 0.07 * i));
        if (i == 2 * neighboursAcross - 1) {
            drawRounded(painter, QRectF(cell.right() - 26, cell.top() + 6, 20, 20), 10, theme.surface);
            drawLine(painter, QRectF(cell.right() - 26, cell.top() + 6, 20, 20), u"≠"_s, fontFor(Type::BodyStrong),
                     theme.warn, Qt::AlignHCenter);
        }
    }
}

}

EmptyScreen::Description neighboursEmpty()
{
    return {{EmptyScreen::tr("Which images look alike to the network?"),
             EmptyScreen::tr(
                 "Classify by nearest features: accuracy against λ and k, and the neighbours of an image."),
             EmptyScreen::tr("Drop a labelled folder to compute the features of its images, or open a datastore")},
            {u"run"_s,
             EmptyScreen::tr("Try the demo"),
             {},
             EmptyScreen::tr("Writes demo scenes to a cache folder, computes their features and evaluates them")},
            {u"folder"_s, EmptyScreen::tr("Open…"), u"Ctrl+O"_s},
            {.minHeight = 110,
             .maxHeight = 190,
             .width = queryGap + 3 * neighbourGap,
             .widthPerHeight = 3,
             .paint = [photo = demoPhoto()](QPainter& painter, const QRectF& area, const Theme& theme,
                                            const QStringList&) {
                 drawNeighbourSketch(painter, area, theme, photo);
             }}};
}

}
