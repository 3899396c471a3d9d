// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/scale_empty.h"

#include "ui/charts/chart_view.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/style/sketch.h"

namespace attnscope::ui {

namespace {

struct SketchLine {
    const char* backend;
    double first, last;  ///< fractions of the height
    double bend = 0;
};

void drawSketchCurves(QPainter& painter, const QRectF& area, const Theme& theme, std::initializer_list<SketchLine> lines)
{
    for (const SketchLine& line : lines) {
        const QString backend = QString::fromLatin1(line.backend);
        QPolygonF way;
        for (int i = 0; i <= 5; ++i) {
            const double x = i / 5.0, sag = line.bend * 4 * x * (1 - x);
            way << QPointF(area.left() + (0.03 + 0.8 * x) * area.width(),
                           area.bottom() - (line.first + (line.last - line.first) * x - sag) * area.height());
        }
        painter.setPen(seriesPen(backend, theme));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(way);
        for (const QPointF& at : way) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.surface);
            painter.drawEllipse(at, 6.5, 6.5);
            drawMark(painter, backend, at, 10, theme);
        }
        const QString name = backend == QLatin1String("softmax-explicit") ? tr("softmax, explicit") : backend;
        drawLine(painter, QRectF(way.back().x() + 12, way.back().y() - 12, 140, 24), name,
                 fontFor(Type::BodyStrong), theme.text);
    }
}

/// Cost against length, error against samples, or the front of plans.
void drawScaleEmpty(QPainter& painter, const QRectF& area, const Theme& theme, ScaleSession::Kind kind)
{
    drawSketchGrid(painter, area, theme);
    if (kind == ScaleSession::Length)
        drawSketchCurves(painter, area, theme,
                         {{"softmax-explicit", 0.16, 0.98, 0.12}, {"softmax", 0.1, 0.7, 0.1}, {"lara", 0.3, 0.52},
                          {"performer", 0.2, 0.28}});
    else if (kind == ScaleSession::Samples)
        drawSketchCurves(painter, area, theme, {{"performer", 0.96, 0.64}, {"lara", 0.78, 0.42, 0.03}, {"ra", 0.88, 0.1}});
    else
        drawSketchFront(painter, area,
                        {{"performer", 0.1, 0.9, true}, {"mixed", 0.24, 0.52, true, tr("a plan")}, {"lara", 0.36, 0.62},
                         {"mixed", 0.42, 0.28, true, tr("a plan")}, {"nystrom", 0.6, 0.4}, {"softmax", 0.78, 0.05, true}},
                        theme);
}

}  // namespace

EmptyScreen::Description scaleEmpty(ScaleSession::Kind kind)
{
    const bool samples = kind == ScaleSession::Samples;
    return {{},
            {QStringLiteral("run"), tr("Run"), QStringLiteral("F5")},
            {samples ? QStringLiteral("open") : QStringLiteral("scale"),
             samples                         ? tr("Open q, k, v…")
             : kind == ScaleSession::Length ? tr("LARA paper, table 6")
                                            : tr("Selected backends only")},
            {.minHeight = 90,
             .maxHeight = 190,
             .widthPerHeight = 2.3,
             .paint = [kind](QPainter& painter, const QRectF& area, const Theme& theme, const QStringList&) {
                 drawScaleEmpty(painter, area, theme, kind);
             }}};
}

}  // namespace attnscope::ui
