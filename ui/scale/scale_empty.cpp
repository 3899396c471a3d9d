// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/scale_empty.h"

#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/style/sketch.h"
#include "ui/widgets/controls.h"

#include "core/attention/backend_info.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

struct SketchLine {
    const char* backend;
    double first, last;  ///< shares of the height
    double bend = 0;
};

QString otherText(ScaleEmpty::Image image)
{
    return image == ScaleEmpty::Image::Complexity   ? ScaleEmpty::tr("LARA paper, table 6")
           : image == ScaleEmpty::Image::Errors ? ScaleEmpty::tr("Open q, k, v…")
                                                    : ScaleEmpty::tr("Selected backends only");
}

}  // namespace

ScaleEmpty::ScaleEmpty(Image image, QWidget* parent)
    : ScaleEmpty(image, new ActionButton(QStringLiteral("run"), tr("Run"), ActionButton::Look::Primary),
                 new ActionButton(image == Image::Errors ? QStringLiteral("open") : QStringLiteral("scale"),
                                  otherText(image), ActionButton::Look::Plain),
                 parent)
{}

ScaleEmpty::ScaleEmpty(Image image, ActionButton* run, ActionButton* other, QWidget* parent)
    : EmptyScreen({}, run, other, parent)
    , m_image(image)
    , m_run(run)
    , m_other(other)
{
    run->setHint(QStringLiteral("F5"));
    connect(run, &QPushButton::clicked, this, &ScaleEmpty::runRequested);
    connect(other, &QPushButton::clicked, this, &ScaleEmpty::otherRequested);
}

void ScaleEmpty::setRunnable(bool runnable)
{
    m_run->setEnabled(runnable);
}

void ScaleEmpty::say(const Words& words)
{
    m_said = words;
    setWords(words);
    setAccessibleName(words.title);
    setAccessibleDescription(words.line);
}

double ScaleEmpty::imageHeight(double room) const
{
    return std::clamp(room, 90.0, 190.0);
}

double ScaleEmpty::imageWidth(double height) const
{
    return height * 2.3;
}

void ScaleEmpty::paintImage(QPainter& painter, const QRectF& area) const
{
    const Theme& theme = Theme::of(palette());
    drawSketchGrid(painter, area, theme);
    if (m_image == Image::Front)
        paintFront(painter, area);
    else
        paintCurves(painter, area);
}

/// A drawing, without figures.
void ScaleEmpty::paintCurves(QPainter& painter, const QRectF& area) const
{
    const Theme& theme = Theme::of(palette());
    static const std::vector<SketchLine> tokenComplexity{{"softmax-explicit", 0.16, 0.98, 0.12},
                                          {"softmax", 0.1, 0.7, 0.1},
                                          {"lara", 0.3, 0.52, 0},
                                          {"performer", 0.2, 0.28, 0}};
    static const std::vector<SketchLine> errors{
        {"performer", 0.96, 0.64, 0}, {"lara", 0.78, 0.42, 0.03}, {"ra", 0.88, 0.1, 0}};
    for (const SketchLine& line : m_image == Image::Complexity ? tokenComplexity : errors) {
        const QString backend = QString::fromLatin1(line.backend);
        QPolygonF way;
        for (int i = 0; i <= 5; ++i) {
            const double x = i / 5.0, sag = line.bend * 4 * x * (1 - x);
            way << QPointF(area.left() + (0.03 + 0.8 * x) * area.width(),
                           area.bottom() - (line.first + (line.last - line.first) * x - sag) * area.height());
        }
        QPen pen(theme.backend(backend), 1.75);
        const auto& dash = seriesStyle(fromQt(backend)).dash;
        if (!dash.empty())
            pen.setDashPattern(QVector<qreal>(dash.begin(), dash.end()));
        pen.setCapStyle(Qt::FlatCap);
        painter.setPen(pen);
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

void ScaleEmpty::paintFront(QPainter& painter, const QRectF& area) const
{
    const auto point = [](const char* backend, double x, double y, bool front) {
        const QString name = QString::fromLatin1(backend);
        return SketchPoint{name, name == QLatin1String("mixed") ? tr("a plan") : name, x, y, front};
    };
    drawSketchFront(painter, area,
                    {point("performer", 0.1, 0.9, true), point("mixed", 0.24, 0.52, true),
                     point("lara", 0.36, 0.62, false), point("mixed", 0.42, 0.28, true),
                     point("nystrom", 0.6, 0.4, false), point("softmax", 0.78, 0.05, true)},
                    Theme::of(palette()));
}

}  // namespace attnscope::ui
