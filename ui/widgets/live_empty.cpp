// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/live_empty.h"

#include "ui/widgets/controls.h"
#include "ui/widgets/painting.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr double wide = 560, rowHigh = 34;
constexpr int shownRows = 3;

int lineHeight(Type type) { return QFontMetrics(fontFor(type)).height(); }

}  // namespace

LiveEmpty::LiveEmpty(QWidget* parent)
    : QWidget(parent), m_photo(QStringLiteral(":/demo/cat.jpg")),
      m_open(new ActionButton(QStringLiteral("open"), tr("Open…"), ActionButton::Look::Primary, this)),
      m_camera(new ActionButton(QStringLiteral("camera"), tr("Use the camera"), ActionButton::Look::Plain, this))
{
    m_open->setHint(QStringLiteral("Ctrl+O"));
    m_open->setHeight(36);
    m_camera->setHeight(36);
    setMinimumHeight(300);
    connect(m_open, &QPushButton::clicked, this, &LiveEmpty::openAsked);
    connect(m_camera, &QPushButton::clicked, this, &LiveEmpty::cameraAsked);
}

void LiveEmpty::setBackends(const QStringList& backends)
{
    m_backends = backends.mid(0, shownRows);
    update();
}

double LiveEmpty::drawingHeight() const { return std::clamp(height() - 350.0, 60.0, 96.0) + 14 + rowHigh * shownRows; }

double LiveEmpty::top() const
{
    const double words = 40 + lineHeight(Type::Display) + 10 + lineHeight(Type::ValueLight) + 22 + 36 + 18 + lineHeight(Type::Small);
    return std::max(14.0, (height() - drawingHeight() - words) * 0.44);
}

void LiveEmpty::resizeEvent(QResizeEvent*)
{
    const double y = wordsTop() + lineHeight(Type::Display) + 10 + lineHeight(Type::ValueLight) + 22;
    const int button = std::max({160, m_open->sizeHint().width(), m_camera->sizeHint().width()});
    m_open->setGeometry(width() / 2 - button - 6, static_cast<int>(y), button, m_open->sizeHint().height());
    m_camera->setGeometry(width() / 2 + 6, static_cast<int>(y), button, m_camera->sizeHint().height());
}

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
    const double changes[shownRows][3] = {{0.56, 1, 1}, {0.38, 0.47, 0.63}, {0.6, 1, 1}};
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

void LiveEmpty::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const Theme& theme = Theme::of(palette());
    QPen dashes(theme.edge, 1.5);
    dashes.setDashPattern({5, 4});
    painter.setPen(dashes);
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
    const double across = std::min(wide, width() - 48.0), left = (width() - across) / 2;
    const double strip = drawingHeight() - 14 - rowHigh * shownRows;
    paintStrip(painter, QRectF(left + 128, top(), across - 128, strip));
    paintRows(painter, QRectF(left, top() + strip + 14, across, rowHigh * shownRows));
    double y = wordsTop();
    const auto line = [&](const QString& text, Type type, const QColor& colour) {
        drawLine(painter, QRectF(16, y, width() - 32, lineHeight(type)), text, fontFor(type), colour, Qt::AlignHCenter);
        y += lineHeight(type);
    };
    line(tr("Drop a video, or use a camera"), Type::Display, theme.text);
    y += 10;
    line(tr("Each attention answers while it plays: see when they agree, and what they take."), Type::ValueLight, theme.text2);
    y += 22 + m_open->sizeHint().height() + 18;
    line(tr("MP4, MOV, MKV, WebM, AVI, GIF, or a folder of frames"), Type::Small, theme.text3);
}

}  // namespace attnscope::ui
