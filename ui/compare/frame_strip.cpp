#include "ui/compare/frame_strip.h"

#include "ui/style/painting.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int frameGap = 3;

}

FrameStrip::FrameStrip(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Frames seen by the model"));
}

QSize FrameStrip::sizeHint() const
{
    return {320, 58};
}

void FrameStrip::show(const QVector<QImage>& frames, const QString& title, const QString& empty)
{
    m_frames = frames;
    m_empty = empty;
    setAccessibleDescription(frames.isEmpty() ? empty : title);
    update();
}

int FrameStrip::shownFrames() const
{
    if (m_frames.isEmpty())
        return 0;
    const double frameWidth = height() * double(m_frames.front().width()) / m_frames.front().height();
    const int room = std::max(1, int((width() + frameGap) / (frameWidth + frameGap)));
    return std::min<int>(room, int(m_frames.size()));
}

void FrameStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    if (m_frames.isEmpty()) {
        drawLine(painter, rect(), m_empty, fontFor(Type::Small), theme.text3);
        return;
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const int shown = shownFrames();
    const double frameWidth = height() * double(m_frames.front().width()) / m_frames.front().height();
    for (int i = 0; i < shown; ++i) {
        const qsizetype frame = shown == 1 ? m_frames.size() / 2 : i * (m_frames.size() - 1) / (shown - 1);
        painter.drawImage(QRectF(i * (frameWidth + frameGap), 0, frameWidth, height()), m_frames[frame]);
    }
}

}
