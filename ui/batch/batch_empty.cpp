#include "ui/batch/batch_empty.h"

#include "ui/charts/sketch.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int across = 5, down = 4, shownTiles = 3;
constexpr double tileGap = 5, rowsWide = 290, betweenTiles = 52;

/// Crops of one photograph, as many images look from afar.
void drawTiles(QPainter& painter, const QRectF& area, const QPixmap& photo)
{
    const double wide = (area.width() - tileGap * (across - 1)) / across,
                 high = (area.height() - tileGap * (down - 1)) / down;
    for (int i = 0; i < across * down; ++i) {
        const int row = i / across, column = i % across;
        const QRectF cell(area.left() + column * (wide + tileGap), area.top() + row * (high + tileGap), wide,
                          high);
        const double part = 0.22 + 0.07 * ((i * 7) % 5),
                     top = (photo.height() - photo.height() * part) * (((i * 5) % 7) / 6.0);
        const double sourceHigh = photo.height() * part,
                     sourceWide = std::min<double>(photo.width(), sourceHigh * wide / high);
        const double left = (photo.width() - sourceWide) * (((i * 3) % 11) / 10.0);
        drawSketchPhoto(painter, cell, 3, photo, QRectF(left, top, sourceWide, sourceHigh));
    }
}

/// How often each is right, with the interval that the number of images leaves.
void drawIntervals(QPainter& painter, const QRectF& area, const Theme& theme, const QStringList& backends)
{
    const double rows = std::max<double>(1, double(backends.size())), each = std::min(56.0, area.height() / rows);
    const double first = area.center().y() - each * rows / 2;
    const double places[shownTiles] = {0.84, 0.5, 0.74};
    for (int i = 0; i < backends.size(); ++i) {
        const QString& name = backends[i];
        const QRectF row(area.left(), first + i * each, area.width(), each);
        drawMark(painter, name, {row.left() + 8, row.center().y()}, 12, theme);
        drawLine(painter, QRectF(row.left() + 24, row.top(), 92, row.height()), name, fontFor(Type::Value),
                 theme.text);
        const QRectF track(row.left() + 118, row.top(), row.width() - 118, row.height());
        drawInterval(painter, track, {places[i] - 0.05, places[i], places[i] + 0.05, 0, 1, places[0], i > 0}, name,
                     theme);
    }
}

}

EmptyScreen::Description batchEmpty()
{
    return {{EmptyScreen::tr("Drop a folder of images or videos"),
             EmptyScreen::tr("See how accurate each backend is, which classes it loses on, and whether the "
                             "difference is significant."),
             EmptyScreen::tr("ImageNet and Kinetics folders, any folder with one subfolder per class, or lists in "
                             "CSV, TSV or text")},
            {u"run"_s,
             EmptyScreen::tr("Try the demo"),
             {},
             EmptyScreen::tr("Writes the demo scenes to a cache folder and evaluates them")},
            {u"folder"_s, EmptyScreen::tr("Open…"), u"Ctrl+O"_s},
            {.minHeight = 120,
             .maxHeight = 200,
             .width = betweenTiles + rowsWide,
             .widthPerHeight = 1.2,
             .backends = shownTiles,
             .paint = [photo = demoPhoto()](QPainter& painter, const QRectF& area, const Theme& theme,
                                            const QStringList& backends) {
                 drawTiles(painter, area.adjusted(0, 0, -rowsWide - betweenTiles, 0), photo);
                 drawIntervals(painter, area.adjusted(area.width() - rowsWide, 0, 0, 0), theme, backends);
             }}};
}

}
