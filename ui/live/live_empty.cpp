#include "ui/live/live_empty.h"

#include "ui/charts/sketch.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

namespace attnscope::ui {

namespace {

constexpr double liveWide = 560, rowHigh = 34, stripGap = 14;
constexpr int shownClips = 3;

/// Crops of one photograph as the frames of a film: the view moves across it.
void drawStrip(QPainter& painter, const QRectF& strip, const QPixmap& photo)
{
    constexpr int frames = 6;
    const double gap = 6, each = (strip.width() - gap * (frames - 1)) / frames;
    const double sourceHigh = photo.height(), sourceWide = sourceHigh * each / strip.height();
    for (int i = 0; i < frames; ++i) {
        const double left = (photo.width() - sourceWide) * (0.25 + 0.5 * i / (frames - 1));
        drawSketchPhoto(painter, QRectF(strip.left() + i * (each + gap), strip.top(), each, strip.height()), 4,
                        photo, QRectF(left, 0, sourceWide, sourceHigh));
    }
}

void drawMoments(QPainter& painter, const QRectF& area, const Theme& theme, const QStringList& backends)
{
    // Where each row changes its prediction; the reference once, the others a little earlier, later or in between.
    const double changes[shownClips][3] = {{0.56, 1, 1}, {0.38, 0.47, 0.63}, {0.6, 1, 1}};
    for (int i = 0; i < backends.size(); ++i) {
        const QString& name = backends[i];
        const QRectF row(area.left(), area.top() + i * rowHigh, area.width(), rowHigh);
        drawMark(painter, name, {row.left() + 8, row.center().y()}, 12, theme);
        drawLine(painter, QRectF(row.left() + 24, row.top(), 100, row.height()), name, fontFor(Type::Value),
                 theme.text);
        const QRectF track(row.left() + 128, row.top() + 6, row.width() - 128, row.height() - 12);
        double from = 0;
        for (int part = 0; part < 4 && from < 1; ++part) {
            const double to = part < 3 ? changes[i][part] : 1.0;
            QColor colour = theme.backend(name);
            colour.setAlphaF(part % 2 == 0 ? 0.5f : 0.22f);
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            const QRectF bar(track.left() + from * track.width(), track.top(), (to - from) * track.width() - 2,
                             track.height());
            painter.drawRoundedRect(bar, 3, 3);
            from = to;
        }
    }
}

}

EmptyScreen::Description liveEmpty()
{
    const double rowsHigh = rowHigh * shownClips;
    return {{EmptyScreen::tr("Drop a video, or use a camera"),
             EmptyScreen::tr("Each backend predicts during playback: see when they agree and how long they take."),
             EmptyScreen::tr("MP4, MOV, MKV, WebM, AVI, GIF, or a folder of frames")},
            {u"open"_s, EmptyScreen::tr("Open…"), u"Ctrl+O"_s},
            {u"camera"_s, EmptyScreen::tr("Use the camera")},
            {.extraHeight = stripGap + rowsHigh - 20,
             .minHeight = 60 + stripGap + rowsHigh,
             .maxHeight = 96 + stripGap + rowsHigh,
             .width = liveWide,
             .backends = shownClips,
             .paint = [=, photo = demoPhoto()](QPainter& painter, const QRectF& area, const Theme& theme,
                                               const QStringList& backends) {
                 drawStrip(painter, area.adjusted(128, 0, 0, -stripGap - rowsHigh), photo);
                 drawMoments(painter, area.adjusted(0, area.height() - rowsHigh, 0, 0), theme, backends);
             }}};
}

}
