// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/empty_state.h"

#include "ui/style/painting.h"
#include "ui/widgets/controls.h"

#include <algorithm>

namespace attnscope::ui {

EmptyState::EmptyState(QWidget* parent)
    : EmptyState(new ActionButton(QStringLiteral("run"), tr("Try the demo"), ActionButton::Look::Primary),
                 new ActionButton(QStringLiteral("open"), tr("Open…"), ActionButton::Look::Plain), parent)
{}

EmptyState::EmptyState(ActionButton* demo, ActionButton* open, QWidget* parent)
    : EmptyScreen({tr("Drop an image"), tr("See what each attention backend predicts, what it costs and where it goes wrong."),
                   tr("JPEG, PNG, WebP, BMP, PNM, TIFF, or paste from the clipboard")},
                  demo, open, parent)
{
    const QPixmap whole(QStringLiteral(":/demo/cat.jpg"));
    const int side = std::min(whole.width(), whole.height());
    m_photo = whole.copy((whole.width() - side) / 2, (whole.height() - side) / 2, side, side);
    open->setHint(QStringLiteral("Ctrl+O"));
    connect(demo, &QPushButton::clicked, this, &EmptyState::demoRequested);
    connect(open, &QPushButton::clicked, this, &EmptyState::openRequested);
}

void EmptyState::setBackends(const QStringList& backends)
{
    m_backends = backends.mid(0, 5);
    update();
}

double EmptyState::imageHeight(double room) const { return std::clamp(room, 96.0, 210.0); }

double EmptyState::imageWidth(double height) const { return 314 + 96 + height; }

void EmptyState::paintImage(QPainter& painter, const QRectF& area) const
{
    const Theme& theme = Theme::of(palette());
    const double side = area.height();
    QPainterPath clip;
    clip.addRoundedRect(QRectF(area.left(), area.top(), side, side), 6, 6);
    painter.save();
    painter.setClipPath(clip);
    painter.drawPixmap(QRectF(area.left(), area.top(), side, side), m_photo, m_photo.rect());
    painter.restore();
    const int count = std::max(1, static_cast<int>(m_backends.size()));
    const double gap = 9, high = (side - gap * (count - 1)) / count, left = area.right() - 314;
    const double fractions[5][3] = {{1, 0.39, 0.13}, {0.64, 0.31, 0.18}, {0.95, 0.42, 0.16}, {0.8, 0.5, 0.2}, {0.7, 0.36, 0.15}};
    for (int i = 0; i < m_backends.size(); ++i) {
        const QString& name = m_backends[i];
        const QRectF card(left, area.top() + i * (high + gap), 314, high);
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
            painter.drawRoundedRect(QRectF(card.left() + 130, middle + (bar - (bars - 1) / 2.0) * 14 - 4, 131 * fractions[i][bar], 8), 2, 2);
        }
    }
}

}  // namespace attnscope::ui
