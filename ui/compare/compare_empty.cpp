#include "ui/compare/compare_empty.h"

#include "ui/charts/sketch.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr double compareCardWide = 314;

/// The photograph, and a line from it to a card with bars for each backend.
void drawCompareEmpty(QPainter& painter, const QRectF& area, const Theme& theme, const QStringList& backends,
                      const QPixmap& photo)
{
    const double side = area.height();
    drawSketchPhoto(painter, QRectF(area.left(), area.top(), side, side), 6, photo, photo.rect());
    const int count = std::max(1, int(backends.size()));
    const double gap = 9, high = (side - gap * (count - 1)) / count, left = area.right() - compareCardWide;
    const double fractions[5][3] = {
        {1, 0.39, 0.13}, {0.64, 0.31, 0.18}, {0.95, 0.42, 0.16}, {0.8, 0.5, 0.2}, {0.7, 0.36, 0.15}};
    for (int i = 0; i < backends.size(); ++i) {
        const QString& name = backends[i];
        const QRectF card(left, area.top() + i * (high + gap), compareCardWide, high);
        const double middle = card.center().y();
        QPainterPath curve(QPointF(area.left() + side + 8, area.center().y()));
        curve.cubicTo(area.left() + side + 50, area.center().y(), left - 46, middle, left - 4, middle);
        painter.setPen(QPen(theme.backend(name), 1.6));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(curve);
        painter.setPen(QPen(theme.line, 1));
        painter.setBrush(theme.surface);
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
        drawMark(painter, name, {card.left() + 20, middle}, 12, theme);
        drawLine(painter, QRectF(card.left() + 36, card.top(), 92, high), name, fontFor(Type::Value), theme.text);
        painter.setPen(Qt::NoPen);
        const int bars = high >= 44 ? 3 : 1;
        for (int bar = 0; bar < bars; ++bar) {
            QColor colour = theme.backend(name);
            colour.setAlphaF(bar == 0 ? 0.58f : bar == 1 ? 0.36f : 0.22f);
            painter.setBrush(colour);
            painter.drawRoundedRect(
                QRectF(card.left() + 130, middle + (bar - (bars - 1) / 2.0) * 14 - 4, 131 * fractions[i][bar], 8),
                2, 2);
        }
    }
}

}

EmptyScreen::Description compareEmpty()
{
    const QPixmap whole = demoPhoto();
    const int side = std::min(whole.width(), whole.height());
    const QPixmap photo = whole.copy((whole.width() - side) / 2, (whole.height() - side) / 2, side, side);
    return {{EmptyScreen::tr("Drop an image"),
             EmptyScreen::tr("See what each attention backend predicts, what it costs and where it goes wrong."),
             EmptyScreen::tr("JPEG, PNG, WebP, BMP, PNM, TIFF, or paste from the clipboard")},
            {u"run"_s, EmptyScreen::tr("Try the demo")},
            {u"open"_s, EmptyScreen::tr("Open…"), u"Ctrl+O"_s},
            {.minHeight = 96,
             .maxHeight = 210,
             .width = compareCardWide + 96,
             .widthPerHeight = 1,
             .backends = 5,
             .paint =
                 [photo](QPainter& painter, const QRectF& area, const Theme& theme, const QStringList& backends) {
                     drawCompareEmpty(painter, area, theme, backends, photo);
                 }},
            EmptyScreen::tr("Or with 197 tokens, where there is little to gain"),
            EmptyScreen::tr("The demo photograph in a network of DeiT's shape; the demo has as many tokens as "
                            "DINOv2 for an image of 448 pixels")};
}

}
