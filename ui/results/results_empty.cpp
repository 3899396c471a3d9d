// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/results_empty.h"

#include "ui/style/sketch.h"
#include "ui/widgets/controls.h"

#include <algorithm>

namespace attnscope::ui {

ResultsEmpty::ResultsEmpty(QWidget* parent)
    : ResultsEmpty(
        new ActionButton(QStringLiteral("folder"), tr("Evaluate a folder"), ActionButton::Look::Primary),
        new ActionButton(QStringLiteral("open"), tr("Open store…"), ActionButton::Look::Plain), parent)
{}

ResultsEmpty::ResultsEmpty(ActionButton* batch, ActionButton* open, QWidget* parent)
    : EmptyScreen({tr("No evaluations yet"),
                   tr("All runs are kept here: accuracy, latency, memory and error side by side, ready to filter and export."),
                   tr("Stores written by attnscope-cli evaluate (.sqlite) can be dropped anywhere")},
                  batch, open, parent)
    , m_batch(batch)
    , m_open(open)
{
    open->setHint(QStringLiteral("Ctrl+O"));
    connect(batch, &QPushButton::clicked, this, &ResultsEmpty::batchRequested);
    connect(open, &QPushButton::clicked, this, &ResultsEmpty::openRequested);
}

void ResultsEmpty::setMissing(const QString& sentence)
{
    m_batch->setEnabled(false);
    m_open->setEnabled(false);
    setWords({tr("This build does not store results"), tr("All runs would be kept here, ready to filter and export."),
              sentence});
}

double ResultsEmpty::imageHeight(double room) const
{
    return std::clamp(room, 120.0, 210.0);
}

double ResultsEmpty::imageWidth(double height) const
{
    return height * 2.3;
}

/// Accuracy over time, with the front of those that nothing beats in both. A drawing, without figures.
void ResultsEmpty::paintImage(QPainter& painter, const QRectF& area) const
{
    const Theme& theme = Theme::of(palette());
    drawSketchGrid(painter, area, theme);
    const auto point = [](const char* backend, double x, double y, bool front) {
        return SketchPoint{QString::fromLatin1(backend), QString::fromLatin1(backend), x, y, front};
    };
    drawSketchFront(painter, area,
                    {point("performer", 0.2, 0.36, true), point("lara", 0.34, 0.72, true),
                     point("nystrom", 0.56, 0.5, false), point("rfa", 0.58, 0.16, false),
                     point("softmax", 0.74, 0.9, true), point("ra", 0.86, 0.7, false)},
                    theme);
}

}  // namespace attnscope::ui
