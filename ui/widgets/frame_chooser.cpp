#include "ui/widgets/frame_chooser.h"

#include "ui/style/accessible_role.h"
#include "ui/style/painting.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr double chooserGap = 4, barRoom = 8;

}

FrameChooser::FrameChooser(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleRole(*this, QAccessible::List);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Frame whose patches are shown"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FrameChooser::setFrames(const QVector<QImage>& frames, const QVector<double>& fractions)
{
    m_frames = frames, m_parts = fractions;
    m_current = std::clamp(m_current, 0, std::max(0, count() - 1));
    describe();
    update();
}

void FrameChooser::setCurrent(int frame)
{
    m_current = frame;
    describe();
    update();
}

void FrameChooser::describe()
{
    QString text = tr("frame %1 of %2").arg(m_current + 1).arg(count());
    if (m_current < m_parts.size())
        text += tr(", %1 % of the attention weight").arg(std::lround(100 * m_parts[m_current]));
    setAccessibleDescription(text);
}

QRectF FrameChooser::frameRect(int frame) const
{
    const double each = std::min((width() - 4 - chooserGap * (count() - 1)) / std::max(1, count()),
                                 height() - barRoom - 4);
    return {2 + frame * (each + chooserGap), 2, each, each};
}

void FrameChooser::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const Theme& theme = Theme::of(palette());
    const double largest = m_parts.isEmpty() ? 0 : *std::ranges::max_element(m_parts);
    for (int i = 0; i < count(); ++i) {
        const QRectF frame = frameRect(i);
        painter.setOpacity(i == m_current ? 1 : 0.75);
        painter.drawImage(frame, m_frames[i]);
        painter.setOpacity(1);
        if (i == m_current)
            drawFocusRing(painter, frame.adjusted(-2, -2, 2, 2), 3, theme);
        if (i < m_parts.size() && largest > 0) {
            const double width = std::max(1.0, frame.width() * m_parts[i] / largest);
            drawRounded(painter, QRectF(frame.left(), frame.bottom() + 4, width, 3), 1.5, theme.text3);
        }
    }
}

void FrameChooser::mousePressEvent(QMouseEvent* event)
{
    for (int i = 0; i < count(); ++i)
        if (frameRect(i).adjusted(-chooserGap / 2, -2, chooserGap / 2, barRoom).contains(event->position())
            && i != m_current) {
            setCurrent(i);
            emit chosen(i);
            return;
        }
}

void FrameChooser::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    const int next = std::clamp(m_current + step, 0, std::max(0, count() - 1));
    if (step == 0) {
        QWidget::keyPressEvent(event);
    } else if (next != m_current) {
        setCurrent(next);
        emit chosen(next);
    }
}

}
