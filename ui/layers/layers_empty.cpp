// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/layers/layers_empty.h"

#include "ui/style/painting.h"
#include "ui/widgets/controls.h"

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr int rows = 6, sketchColumns = 6, patches = 14;
constexpr double betweenCells = 40;

EmptyScreen::Words emptyWords()
{
    return {LayersEmpty::tr("See where an approximation goes wrong"),
            LayersEmpty::tr("The error of every layer and head, and what each attends to instead."),
            LayersEmpty::tr("Drop an image or a video")};
}

}  // namespace

LayersEmpty::LayersEmpty(QWidget* parent)
    : LayersEmpty(new ActionButton(QStringLiteral("run"), tr("Try the demo"), ActionButton::Look::Primary),
                  new ActionButton(QStringLiteral("open"), tr("Open…"), ActionButton::Look::Plain), parent)
{}

LayersEmpty::LayersEmpty(ActionButton* first, ActionButton* second, QWidget* parent)
    : EmptyScreen(emptyWords(), first, second, parent)
    , m_first(first)
    , m_photo(QStringLiteral(":/demo/cat.jpg"))
{
    second->setHint(QStringLiteral("Ctrl+O"));
    connect(first, &QPushButton::clicked, this, [this] { m_input ? emit runRequested() : emit demoRequested(); });
    connect(second, &QPushButton::clicked, this, &LayersEmpty::openRequested);
}

void LayersEmpty::setInput(const QString& name, const QString& missing)
{
    m_input = !name.isEmpty();
    Words words = emptyWords();
    if (m_input)
        words.small = missing.isEmpty() ? tr("Inspects %1 with the selected backends").arg(name) : missing;
    setWords(words);
    m_first->setText(m_input ? tr("Inspect the layers") : tr("Try the demo"));
    m_first->setHint(m_input ? QStringLiteral("F5") : QString());
    m_first->setEnabled(!m_input || missing.isEmpty());
    resizeEvent(nullptr);
}

double LayersEmpty::imageHeight(double room) const { return std::clamp(room, 110.0, 220.0); }

double LayersEmpty::imageWidth(double height) const { return 2 * height + betweenCells; }

/// Cells that grow worse with depth, and a map over the photograph. A drawing, without figures.
void LayersEmpty::paintImage(QPainter& painter, const QRectF& area) const
{
    const Theme& theme = Theme::of(palette());
    const double side = area.height(), cell = side / rows;
    painter.setPen(Qt::NoPen);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < sketchColumns; ++column) {
            const double ripple = 0.16 * std::sin(2.3 * row + 1.7 * column);
            painter.setBrush(magnitude(std::clamp(0.12 + 0.14 * row + ripple, 0.0, 1.0)));
            painter.drawRoundedRect(QRectF(area.left() + column * cell + 1, area.top() + row * cell + 1, cell - 2, cell - 2), 3, 3);
        }
    const QRectF chosen(area.left() + 3 * cell + 1, area.top() + 4 * cell + 1, cell - 2, cell - 2);
    drawFocusRing(painter, chosen.adjusted(-2, -2, 2, 2), 4, theme);
    const QRectF photo(area.left() + side + betweenCells, area.top(), side, side);
    QPainterPath rounded;
    rounded.addRoundedRect(photo, 4, 4);
    painter.setClipPath(rounded);
    const double crop = std::min(m_photo.width(), m_photo.height());
    painter.drawPixmap(photo, m_photo, QRectF((m_photo.width() - crop) / 2, (m_photo.height() - crop) / 2, crop, crop));
    QImage map(patches, patches, QImage::Format_ARGB32);
    for (int y = 0; y < patches; ++y)
        for (int x = 0; x < patches; ++x) {
            const double away = std::hypot(x - 8.5, y - 5.0) / 4;
            map.setPixelColor(x, y, magnitude(std::exp(-away * away)));
        }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setOpacity(0.6);
    painter.drawImage(photo, map);
}

}  // namespace attnscope::ui
