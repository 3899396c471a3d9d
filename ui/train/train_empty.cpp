// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/train_empty.h"

#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/style/sketch.h"

#include <cmath>

namespace attnscope::ui {

namespace {

/// The teacher's level, and two attentions that come up to it over the epochs.
void drawTrainEmpty(QPainter& painter, const QRectF& area, const Theme& theme)
{
    const double nameRoom = 96;
    const QRectF plot(area.left(), area.top() + 6, area.width() - nameRoom, area.height() - 12);
    drawSketchGrid(painter, plot, theme);
    const auto place = [&](double along, double height) {
        return QPointF(plot.left() + along * plot.width(), plot.bottom() - height * plot.height());
    };
    const auto name = [&](const QString& backend, const QString& text, double height) {
        drawMark(painter, backend, {plot.right() + 16, place(1, height).y()}, 11, theme);
        drawLine(painter, QRectF(plot.right() + 28, place(1, height).y() - 12, nameRoom - 28, 24), text,
                 fontFor(Type::BodyStrong), theme.text);
    };
    QPen level(theme.backend(QStringLiteral("softmax")), 1.75);
    level.setDashPattern({8, 4});
    painter.setPen(level);
    painter.drawLine(place(0, 0.9), place(1, 0.9));
    name(QStringLiteral("softmax"), EmptyScreen::tr("Teacher"), 0.9);
    const struct {
        QString backend;
        double begin, end, rate;
    } students[]{{QStringLiteral("lara"), 0.42, 0.73, 4.6}, {QStringLiteral("performer"), 0.12, 0.54, 3.4}};
    for (const auto& student : students) {
        painter.setPen(QPen(theme.backend(student.backend), 1.75));
        QPolygonF line;
        const auto height = [&](double along) {
            return student.begin + (student.end - student.begin) * (1 - std::exp(-student.rate * along));
        };
        for (int i = 0; i <= 60; ++i)
            line << place(i / 60.0, height(i / 60.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(line);
        for (int i = 0; i <= 8; ++i)
            drawMark(painter, student.backend, place(i / 8.0, height(i / 8.0)), 9, theme);
        name(student.backend, student.backend, height(1));
    }
}

}  // namespace

EmptyScreen::Description trainEmpty()
{
    return {{EmptyScreen::tr("Drop a folder of images or videos"),
             EmptyScreen::tr("Softmax weights lose accuracy with another attention: see how much training recovers."),
             EmptyScreen::tr("A folder with train and val, each with one subfolder per class; or class folders only; or lists of files")},
            {QStringLiteral("run"), EmptyScreen::tr("Try the demo"), {},
             EmptyScreen::tr("Writes the demo scenes to a cache folder and fills in the form for a training run of a minute or two")},
            {QStringLiteral("folder"), EmptyScreen::tr("Open…"), QStringLiteral("Ctrl+O")},
            {.minHeight = 110,
             .maxHeight = 210,
             .width = 520,
             .paint = [](QPainter& painter, const QRectF& area, const Theme& theme, const QStringList&) {
                 drawTrainEmpty(painter, area, theme);
             }},
            EmptyScreen::tr("Show settings"),
            EmptyScreen::tr("Model, attention, teacher and schedule; the folder can be chosen there, too")};
}

}  // namespace attnscope::ui
