#include "ui/charts/figure_file.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"

#include "core/attention/backend_info.h"
#include "core/figure/svg.h"

#include <QBuffer>
#include <QDate>
#include <QFileInfo>
#include <QFontInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSaveFile>

namespace attnscope::ui {

namespace {

/// In pixels, so that it grows with the painter's scale.
QFont fontOf(TextStyle style)
{
    static constexpr Type types[] = {Type::Value, Type::BodyStrong, Type::SmallMedium,
                                     Type::Small, Type::Small,      Type::Body};
    QFont font = fontFor(types[size_t(style)]);
    font.setPixelSize(QFontInfo(font).pixelSize());
    return font;
}

void paintText(QPainter& painter, const Shape& shape, const QColor& colour)
{
    const QString text = toQt(shape.text);
    const QFont font = fontOf(shape.style);
    const double width = shape.anchor == Anchor::Start ? 0 : QFontMetricsF(font).horizontalAdvance(text);
    const QTransform before = painter.transform();
    painter.setFont(font);
    painter.setPen(colour);
    painter.translate(shape.points.front().x, shape.points.front().y);
    painter.rotate(shape.upwards ? -90 : 0);
    painter.drawText(QPointF(shape.anchor == Anchor::Middle ? -width / 2 : -width, 0), text);
    painter.setTransform(before);
}

template <typename Figure>
QString write(const QString& path, const Figure& figure, FigureOptions options)
{
    const QStringList formats{u"svg"_s, u"png"_s, u"pdf"_s, u"csv"_s};
    if (const QString refused = refusedFormat(path, formats); !refused.isEmpty())
        return refused;
    const QString suffix = QFileInfo(path).suffix().toLower();
    options.styles = seriesStyle;
    options.measure = suffix == "svg"_L1 ? estimatedSize : paintedSize;
    if (suffix == "csv"_L1 || suffix == "svg"_L1)
        return writeBytes(path,
                          QByteArray::fromStdString(suffix == "csv"_L1 ? csv(figure) : svg(figure, options)));
    const Drawing drawing = draw(figure, options);
    const QSizeF size(drawing.width, drawing.height);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (suffix == "png"_L1) {
        QImage image((2 * size).toSize(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.scale(2, 2);
        paint(painter, drawing, false);
        image.save(&buffer, "PNG");
    } else {
        QPdfWriter pages(&buffer);
        pages.setResolution(96);
        pages.setPageSize(QPageSize(size * 72 / 96, QPageSize::Point, {}, QPageSize::ExactMatch));
        pages.setPageMargins({});
        QPainter painter(&pages);
        paint(painter, drawing, false);
    }
    return writeBytes(path, bytes);
}

}

TextSize paintedSize(std::string_view text, TextStyle style)
{
    const QFont font = fontOf(style);
    return {QFontMetricsF(font).horizontalAdvance(toQt(text)), double(font.pixelSize())};
}

void paint(QPainter& painter, const Drawing& drawing, bool dark)
{
    const auto colourOf = [dark](ColourPair pair, double opacity) {
        QColor colour = QColor::fromRgb(static_cast<QRgb>(dark ? pair.dark : pair.light));
        colour.setAlphaF(float(opacity));
        return colour;
    };
    for (const Shape& shape : drawing.shapes) {
        const bool line = shape.kind == Shape::Kind::Line;
        QPen pen(Qt::NoPen);
        if (shape.stroke.light >= 0)
            pen = QPen(colourOf(shape.stroke, line ? shape.opacity : 1), shape.width, Qt::SolidLine, Qt::FlatCap,
                       Qt::RoundJoin);
        if (!shape.dash.empty())
            pen.setDashPattern({shape.dash.begin(), shape.dash.end()});
        const QBrush brush = shape.fill.light < 0 ? QBrush(Qt::NoBrush)
                                                  : QBrush(colourOf(shape.fill, shape.opacity));
        QPolygonF points;
        for (const MarkPoint& point : shape.points)
            points << QPointF(point.x, point.y);
        painter.setRenderHint(QPainter::Antialiasing, !shape.crisp);
        painter.setPen(pen);
        painter.setBrush(shape.halo ? QBrush(Qt::NoBrush) : brush);
        if (shape.kind == Shape::Kind::Text) {
            paintText(painter, shape, brush.color());
        } else if (line) {
            painter.drawPolyline(points);
        } else if (shape.kind == Shape::Kind::Box) {
            painter.drawRoundedRect(QRectF(points.front(), points.back()).normalized(), shape.round, shape.round);
        } else {
            painter.drawPolygon(points);
            if (!shape.halo)
                continue;
            painter.setPen(Qt::NoPen);
            painter.setBrush(brush);
            painter.drawPolygon(points);
        }
    }
}

QString refusedFormat(const QString& path, const QStringList& formats)
{
    if (formats.contains(QFileInfo(path).suffix().toLower()))
        return {};
    const QString named =
        formats.size() == 1 ? formats.front()
                            : tr("%1 or %2").arg(formats.mid(0, formats.size() - 1).join(u", "_s), formats.back());
    return tr("%1: unknown file format; use the extension %2.").arg(path, named);
}

QString exportName(QStringList parts, const QString& suffix)
{
    static const QRegularExpression others(u"[^\\w.]+"_s, QRegularExpression::UseUnicodePropertiesOption);
    parts.prepend(u"attnscope"_s);
    parts.append(QDate::currentDate().toString(Qt::ISODate));
    parts.removeAll(QString());
    for (QString& part : parts)
        part.replace(others, u"-"_s);
    return parts.join(QLatin1Char('-')) + QLatin1Char('.') + suffix;
}

QString writeBytes(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit()
               ? QString()
               : tr("%1: cannot be written; choose a writable folder.").arg(path);
}

QString writeFigure(const QString& path, const Chart& chart, FigureOptions options)
{
    return write(path, chart, std::move(options));
}

QString writeFigure(const QString& path, const HeatMap& map)
{
    return write(path, map, {});
}

}
