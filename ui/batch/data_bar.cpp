#include "ui/batch/data_bar.h"

#include "ui/style/icons.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include <algorithm>

namespace attnscope::ui {

DataBar::DataBar(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void DataBar::show(const QString& title, const QStringList& settings, Outcome outcome, const QString& words)
{
    m_title = title;
    m_settings = settings;
    m_outcome = outcome;
    m_words = words;
    setAccessibleName((QStringList{title} + settings + QStringList{words}).join(u", "_s));
    setToolTip(accessibleName());
    update();
}

QSize DataBar::sizeHint() const
{
    return {400, std::max(28, QFontMetrics(fontFor(Type::Body)).height() + 10)};
}

void DataBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(palette());
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    drawIcon(painter, u"folder"_s, QRectF(10, height() / 2.0 - 8, 16, 16), theme.text2);
    double x = 34, right = width() - 12;
    const auto widthOf = [](Type type, const QString& text) {
        return QFontMetricsF(fontFor(type)).horizontalAdvance(text);
    };
    // The outcome keeps its place; metadata that find none are in the tooltip.
    if (m_outcome != Outcome::None) {
        const double wide = std::min(widthOf(Type::BodyMedium, m_words) + 2, right - x - 120);
        const QColor ink = m_outcome == Outcome::Good ? theme.ok : theme.warn;
        drawLine(painter, QRectF(right - wide, 0, wide, height()), m_words, fontFor(Type::BodyMedium), ink);
        drawIcon(painter, m_outcome == Outcome::Good ? u"check"_s : u"warn"_s,
                 QRectF(right - wide - 20, height() / 2.0 - 7, 14, 14), ink);
        right -= wide + 32;
    }
    const double title = std::min(widthOf(Type::BodyStrong, m_title) + 2, right - x);
    drawLine(painter, QRectF(x, 0, title, height()), m_title, fontFor(Type::BodyStrong), theme.text);
    x += title + 14;
    for (const QString& entry : m_settings) {
        const double wide = widthOf(Type::Body, entry) + 2;
        if (x + wide > right)
            break;
        drawLine(painter, QRectF(x, 0, wide, height()), entry, fontFor(Type::Body), theme.text2);
        x += wide + 14;
    }
}

}
