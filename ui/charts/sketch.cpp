#include "ui/charts/sketch.h"

#include "ui/charts/figure_file.h"
#include "ui/style/qt_text.h"

#include "core/attention/backend_info.h"

#include <QPainter>
#include <QPainterPath>

#include <utility>

namespace attnscope::ui {

namespace {

SketchPainter sketchOf(Chart chart, SeriesNames names)
{
    chart.x.low = -0.03, chart.x.high = chart.y.high = 1;
    chart.y.low = 0;
    return [chart = std::move(chart), names](QPainter& painter, const QRectF& area, const Theme& theme,
                                             const QStringList&) {
        constexpr double left = 46, below = 24;  // where numbers would stand
        Drawing drawing = draw(chart, {.width = area.width() + left,
                                       .height = area.height() + below,
                                       .styles = seriesStyle,
                                       .measure = paintedSize,
                                       .names = names,
                                       .headed = false});
        std::erase_if(drawing.shapes,
                      [](const Shape& shape) { return shape.style == TextStyle::Label && !shape.text.empty(); });
        painter.save();
        painter.translate(area.left() - left, area.top());
        paint(painter, drawing, theme.dark);
        painter.restore();
    };
}

std::string nameOf(const auto& item)
{
    return item.name.isEmpty() ? item.backend : fromQt(item.name);
}

}

SketchPainter sketchFront(const QList<SketchPoint>& points)
{
    Chart chart;
    for (const SketchPoint& point : points) {
        const ChartPoint at{.x = point.x, .y = point.y};
        chart.series.push_back({nameOf(point), point.backend, false, false, {at}});
        if (point.front)
            chart.front.push_back(at);
    }
    return sketchOf(std::move(chart), SeriesNames::AtMarks);
}

SketchPainter sketchCurves(const QList<SketchLine>& lines)
{
    Chart chart;
    for (const SketchLine& line : lines) {
        ChartSeries series{.name = nameOf(line), .backend = line.backend, .line = line.line};
        for (int i = 0; i <= 8; ++i) {
            const double x = i / 8.0;
            series.points.push_back(
                {.x = x, .y = line.first + (line.last - line.first) * x - line.bend * 4 * x * (1 - x)});
        }
        chart.series.push_back(std::move(series));
    }
    return sketchOf(std::move(chart), SeriesNames::AtEnds);
}

QPixmap demoPhoto()
{
    return QPixmap(u":/demo/cat.jpg"_s);
}

void drawSketchPhoto(QPainter& painter, const QRectF& place, double radius, const QPixmap& photo,
                     const QRectF& source)
{
    QPainterPath rounded;
    rounded.addRoundedRect(place, radius, radius);
    painter.save();
    painter.setClipPath(rounded);
    painter.drawPixmap(place, photo, source);
    painter.restore();
}

}
