// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/results_empty.h"

#include "ui/widgets/controls.h"
#include "ui/widgets/painting.h"

#include <algorithm>

namespace attnscope::ui {

ResultsEmpty::ResultsEmpty(QWidget* parent)
    : ResultsEmpty(
        new ActionButton(QStringLiteral("folder"), tr("Evaluate a folder"), ActionButton::Look::Primary),
        new ActionButton(QStringLiteral("open"), tr("Open store…"), ActionButton::Look::Plain), parent)
{}

ResultsEmpty::ResultsEmpty(ActionButton* batch, ActionButton* open, QWidget* parent)
    : EmptyScreen({tr("Nothing was evaluated yet"),
                   tr("Every run is kept here: accuracy, latency, memory and error next to each other, to filter "
                      "and to export."),
                   tr("Stores that attnscope-cli evaluate wrote (.sqlite) can be dropped anywhere")},
                  batch, open, parent)
    , m_batch(batch)
    , m_open(open)
{
    open->setHint(QStringLiteral("Ctrl+O"));
    connect(batch, &QPushButton::clicked, this, &ResultsEmpty::batchAsked);
    connect(open, &QPushButton::clicked, this, &ResultsEmpty::openAsked);
}

void ResultsEmpty::setMissing(const QString& sentence)
{
    m_batch->setEnabled(false);
    m_open->setEnabled(false);
    setWords({tr("This build keeps no results"), tr("Every run would be kept here, to filter and to export."),
              sentence});
}

double ResultsEmpty::pictureHeight(double room) const
{
    return std::clamp(room, 120.0, 210.0);
}

double ResultsEmpty::pictureWidth(double height) const
{
    return height * 2.3;
}

/// Accuracy over time, with the front of those that nothing beats in both. A drawing, without figures.
void ResultsEmpty::paintPicture(QPainter& painter, const QRectF& area) const
{
    const Theme& theme = Theme::of(palette());
    painter.setPen(QPen(theme.line, 1));
    for (int i = 1; i <= 4; ++i) {
        const double y = area.bottom() - area.height() * i / 4;
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    painter.setPen(QPen(theme.ctl, 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    const struct {
        QString backend;
        double x, y;
        bool front;
    } points[]{{QStringLiteral("performer"), 0.2, 0.36, true}, {QStringLiteral("lara"), 0.34, 0.72, true},
               {QStringLiteral("nystrom"), 0.5, 0.58, false},  {QStringLiteral("rfa"), 0.4, 0.22, false},
               {QStringLiteral("softmax"), 0.74, 0.9, true},   {QStringLiteral("ra"), 0.8, 0.78, false}};
    const auto place = [&](double x, double y) {
        return QPointF(area.left() + x * area.width(), area.bottom() - y * area.height());
    };
    QPolygonF front;
    for (const auto& point : points)
        if (point.front)
            front << place(point.x, point.y);
    QPen dashes(theme.text3, 1.2);
    dashes.setDashPattern({4, 4});
    painter.setPen(dashes);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(front);
    for (const auto& point : points) {
        const QPointF at = place(point.x, point.y);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.surface);
        painter.drawEllipse(at, 8, 8);
        drawMark(painter, point.backend, at, 12, theme);
        drawLine(painter, QRectF(at.x() + 12, at.y() - 12, 90, 24), point.backend, fontFor(Type::BodyStrong),
                 theme.text);
    }
}

}  // namespace attnscope::ui
