// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/live_empty.h"

#include "ui/style/painting.h"
#include "ui/widgets/controls.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr double liveWide = 560, rowHigh = 34, stripGap = 14;
constexpr int shownClips = 3;

}  // namespace

LiveEmpty::LiveEmpty(QWidget* parent)
    : LiveEmpty(new ActionButton(QStringLiteral("open"), tr("Open…"), ActionButton::Look::Primary),
                new ActionButton(QStringLiteral("camera"), tr("Use the camera"), ActionButton::Look::Plain), parent)
{}

LiveEmpty::LiveEmpty(ActionButton* open, ActionButton* camera, QWidget* parent)
    : EmptyScreen({tr("Drop a video, or use a camera"),
                   tr("Each backend predicts during playback: see when they agree and how long they take."),
                   tr("MP4, MOV, MKV, WebM, AVI, GIF, or a folder of frames")},
                  open, camera, parent),
      m_photo(QStringLiteral(":/demo/cat.jpg"))
{
    open->setHint(QStringLiteral("Ctrl+O"));
    connect(open, &QPushButton::clicked, this, &LiveEmpty::openRequested);
    connect(camera, &QPushButton::clicked, this, &LiveEmpty::cameraRequested);
}

void LiveEmpty::setBackends(const QStringList& backends)
{
    m_backends = backends.mid(0, shownClips);
    update();
}

double LiveEmpty::imageHeight(double room) const
{
    return std::clamp(room - 20, 60.0, 96.0) + stripGap + rowHigh * shownClips;
}

double LiveEmpty::imageWidth(double) const { return liveWide; }

/// Pieces of one photograph as the frames of a film: the view moves across it.
void LiveEmpty::paintStrip(QPainter& painter, const QRectF& strip) const
{
    constexpr int frames = 6;
    const double gap = 6, each = (strip.width() - gap * (frames - 1)) / frames;
    const double sourceHigh = m_photo.height(), sourceWide = sourceHigh * each / strip.height();
    for (int i = 0; i < frames; ++i) {
        const QRectF frame(strip.left() + i * (each + gap), strip.top(), each, strip.height());
        const double left = (m_photo.width() - sourceWide) * (0.25 + 0.5 * i / (frames - 1));
        QPainterPath path;
        path.addRoundedRect(frame, 4, 4);
        painter.save();
        painter.setClipPath(path);
        painter.drawPixmap(frame, m_photo, QRectF(left, 0, sourceWide, sourceHigh));
        painter.restore();
    }
}

void LiveEmpty::paintRows(QPainter& painter, const QRectF& area) const
{
    const Theme& theme = Theme::of(palette());
    // Where each row changes its answer; the reference once, the others a little earlier, later or in between.
    const double changes[shownClips][3] = {{0.56, 1, 1}, {0.38, 0.47, 0.63}, {0.6, 1, 1}};
    for (int i = 0; i < m_backends.size(); ++i) {
        const QString& name = m_backends[i];
        const QRectF row(area.left(), area.top() + i * rowHigh, area.width(), rowHigh);
        drawMark(painter, name, {row.left() + 8, row.center().y()}, 12, theme);
        drawLine(painter, QRectF(row.left() + 24, row.top(), 100, row.height()), name, fontFor(Type::Value), theme.text);
        const QRectF track(row.left() + 128, row.top() + 6, row.width() - 128, row.height() - 12);
        double from = 0;
        for (int part = 0; part < 4 && from < 1; ++part) {
            const double to = part < 3 ? changes[i][part] : 1.0;
            QColor colour = theme.backend(name);
            colour.setAlphaF(part % 2 == 0 ? 0.5f : 0.22f);
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawRoundedRect(QRectF(track.left() + from * track.width(), track.top(), (to - from) * track.width() - 2, track.height()), 3, 3);
            from = to;
        }
    }
}

void LiveEmpty::paintImage(QPainter& painter, const QRectF& area) const
{
    const double strip = area.height() - stripGap - rowHigh * shownClips;
    paintStrip(painter, QRectF(area.left() + 128, area.top(), area.width() - 128, strip));
    paintRows(painter, QRectF(area.left(), area.top() + strip + stripGap, area.width(), rowHigh * shownClips));
}

}  // namespace attnscope::ui
