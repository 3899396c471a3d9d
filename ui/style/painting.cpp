#include "ui/style/painting.h"

#include "ui/style/icons.h"
#include "ui/style/qt_text.h"

#include "core/attention/backend_info.h"

#include <QFontMetricsF>
#include <QHash>
#include <QLineF>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

double zeroAdvance(const QFont& font)
{
    static QHash<QString, double> cache;
    const QString key = font.key();
    const auto found = cache.constFind(key);
    if (found != cache.constEnd())
        return *found;
    return *cache.insert(key, QFontMetricsF(font).horizontalAdvance(QLatin1Char('0')));
}

double characterAdvance(const QFont& font, const QFontMetricsF& metrics, QChar c)
{
    return c.isDigit() ? zeroAdvance(font) : metrics.horizontalAdvance(c);
}

}

QPainterPath markPath(const QString& backend, double radius)
{
    const SeriesStyle style = seriesStyle(fromQt(backend));
    const auto outline = [radius](const std::vector<MarkPoint>& points) {
        QPainterPath path;
        QPolygonF polygon;
        for (const MarkPoint& point : points)
            polygon << QPointF(point.x * radius, point.y * radius);
        path.addPolygon(polygon);
        path.closeSubpath();
        return path;
    };
    const QPainterPath path = outline(markPolygon(style.mark));
    return style.variant > 0 ? path.subtracted(outline(markHole(style.variant))) : path;
}

void drawMark(QPainter& painter, const QString& backend, QPointF centre, double size, const Theme& theme,
              MarkFill fill)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(centre);
    const QColor colour = theme.backend(backend);
    const bool solid = fill == MarkFill::Solid;
    painter.setPen(solid ? QPen(Qt::NoPen) : QPen(colour, 1.6));
    painter.setBrush(solid ? QBrush(colour) : QBrush());
    painter.drawPath(markPath(backend, size / 2));
    painter.restore();
}

void drawRounded(QPainter& painter, const QRectF& rect, double radius, const QBrush& fill, const QPen& border)
{
    painter.setPen(border);
    painter.setBrush(fill);
    painter.drawRoundedRect(rect, radius, radius);
}

double numberWidth(const QFont& font, const QString& text)
{
    const QFontMetricsF metrics(font);
    double width = 0;
    for (const QChar c : text)
        width += characterAdvance(font, metrics, c);
    return width;
}

double drawNumber(QPainter& painter, QPointF at, const QString& text)
{
    const QFont font = painter.font();
    const QFontMetricsF metrics(font);
    double x = at.x();
    for (const QChar c : text) {
        const double advance = characterAdvance(font, metrics, c);
        painter.drawText(QPointF(x + (advance - metrics.horizontalAdvance(c)) / 2, at.y()), QString(c));
        x += advance;
    }
    return x - at.x();
}

double baselineAt(const QFont& font, double middle)
{
    const QFontMetricsF metrics(font);
    return middle + (metrics.ascent() - metrics.descent()) / 2;
}

void drawNumberTo(QPainter& painter, double right, double middle, const QString& text, const QFont& font,
                  const QColor& colour)
{
    painter.setFont(font);
    painter.setPen(colour);
    drawNumber(painter, {right - numberWidth(font, text), baselineAt(font, middle)}, text);
}

void drawQuantityTo(QPainter& painter, double right, double middle, const QString& text, const QFont& font,
                    const Theme& theme)
{
    const qsizetype blank = text.indexOf(QLatin1Char(' '));
    const QString unit = blank < 0 ? QString() : text.mid(blank);
    const QFont light = fontFor(Type::Small);
    const double end = right - numberWidth(light, unit);
    painter.setFont(light);
    painter.setPen(theme.text3);
    drawNumber(painter, {end, baselineAt(font, middle)}, unit);
    drawNumberTo(painter, end, middle, text.left(blank), font, theme.text);
}

double chipWidth(const Delta& delta)
{
    return delta.kind == Delta::None ? 0
                                     : std::max(22.0, numberWidth(fontFor(Type::SmallMedium), delta.text) + 14);
}

void drawChip(QPainter& painter, double right, double middle, const Delta& delta, const Theme& theme, bool filled)
{
    if (delta.kind == Delta::None)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QFont font = fontFor(Type::SmallMedium);
    font.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(font);
    const double height = std::max(18.0, metrics.height() + 2), width = chipWidth(delta);
    const QRectF rect(right - width, middle - height / 2, width, height);
    const bool overlap = delta.kind == Delta::Overlap;
    const QColor colour = overlap ? theme.text2 : delta.kind == Delta::Better ? theme.ok : theme.warn;
    const QBrush fill = overlap || !filled ? QBrush()
                                           : QBrush(delta.kind == Delta::Better ? theme.okbg : theme.warnbg);
    drawRounded(painter, rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, fill,
                overlap ? QPen(theme.line, 1) : QPen(Qt::NoPen));
    drawNumberTo(painter, rect.center().x() + numberWidth(font, delta.text) / 2, middle, delta.text, font, colour);
    painter.restore();
}

double tagWidth(const QString& text)
{
    return QFontMetricsF(fontFor(Type::SmallMedium)).horizontalAdvance(text) + 14;
}

double drawTag(QPainter& painter, double right, double middle, const QString& text, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(fontFor(Type::SmallMedium));
    const double height = std::max(18.0, metrics.height() + 2);
    const QRectF rect(right - tagWidth(text), middle - height / 2, tagWidth(text), height);
    drawRounded(painter, rect, 4, theme.sunken);
    painter.setFont(fontFor(Type::SmallMedium));
    painter.setPen(theme.text2);
    painter.drawText(rect, Qt::AlignCenter, text);
    painter.restore();
    return rect.left();
}

void drawHatch(QPainter& painter, const QRectF& rect, const Theme& theme)
{
    painter.save();
    painter.setClipRect(rect);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor stroke = theme.ctl;
    stroke.setAlphaF(0.28f);
    painter.setPen(QPen(stroke, 1));
    constexpr double step = 7;
    const int lines = int(std::ceil((rect.width() + rect.height()) / step));
    for (int i = 0; i < lines; ++i) {
        const double x = rect.left() - rect.height() + i * step;
        painter.drawLine(QLineF(x, rect.bottom(), x + rect.height(), rect.top()));
    }
    painter.restore();
}

void drawInterval(QPainter& painter, const QRectF& track, const Interval& interval, const QString& backend,
                  const Theme& theme)
{
    const double span = interval.scaleHigh - interval.scaleLow;
    const auto position = [&](double value) {
        const double part = span > 0 ? (value - interval.scaleLow) / span : 0.5;
        return track.left() + 3 + std::clamp(part, 0.0, 1.0) * (track.width() - 6);
    };
    const double middle = std::round(track.center().y());
    painter.save();
    painter.fillRect(QRectF(track.left(), middle, track.width(), 1), theme.line);
    if (interval.hasReference)
        painter.fillRect(QRectF(std::round(position(interval.reference)), middle - 8, 1, 16), theme.text3);
    painter.setRenderHint(QPainter::Antialiasing);
    const double low = position(interval.low), high = position(interval.high);
    if (high - low > 0.5)
        drawRounded(painter, QRectF(low, middle - 2, std::max(2.0, high - low), 5), 2.5, theme.band(backend));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(std::round(position(interval.mid)) - 1, middle - 5, 2, 11), theme.backend(backend));
    painter.restore();
}

void drawProgress(QPainter& painter, const QRectF& track, double part, const Theme& theme, const QColor& colour)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    drawRounded(painter, track, 2, theme.line);
    const QRectF done(track.topLeft(), QSizeF(std::max(4.0, track.width() * std::min(1.0, part)), track.height()));
    if (part > 0)
        drawRounded(painter, done, 2, colour.isValid() ? colour : theme.progress);
    painter.restore();
}

void drawFocusRing(QPainter& painter, const QRectF& rect, double radius, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    drawRounded(painter, rect.adjusted(1, 1, -1, -1), radius, Qt::NoBrush, QPen(theme.focus, 2));
    painter.restore();
}

void drawLine(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font, const QColor& colour,
              Qt::Alignment alignment)
{
    painter.save();
    painter.setFont(font);
    painter.setPen(colour);
    const QString shown = QFontMetricsF(font).elidedText(text, Qt::ElideRight, rect.width() + 0.5);
    painter.drawText(rect, int(alignment | Qt::AlignVCenter) | Qt::TextSingleLine, shown);
    painter.restore();
}

void drawAttentionName(QPainter& painter, const QRectF& line, const QString& name, const QString& samples,
                       bool reference, const Theme& theme)
{
    constexpr double starRoom = 22;
    const double end = line.right() - (reference ? starRoom : 0);
    double x = line.left();
    const auto word = [&](const QString& text, Type type, const QColor& colour) {
        const double wide = std::min(QFontMetricsF(fontFor(type)).horizontalAdvance(text), end - x);
        if (text.isEmpty() || wide <= 0)
            return;
        drawLine(painter, QRectF(x, line.top(), wide + 1, line.height()), text, fontFor(type), colour);
        x += wide + 6;
    };
    word(name, Type::Value, theme.text);
    word(samples, Type::ValueLight, theme.text2);
    if (reference && x + 16 <= line.right() + 4)
        drawIcon(painter, u"star"_s, QRectF(x, line.center().y() - 8, 16, 16), theme.accText);
}

}
