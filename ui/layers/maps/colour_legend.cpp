#include "ui/layers/maps/colour_legend.h"

#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr int barHeight = 8, stops = 48;

/// Above the bar where there are words.
int titleHeight(const QString& title)
{
    return title.isEmpty() ? 0 : QFontMetrics(fontFor(Type::Small)).height() + 3;
}

}

ColourLegend::ColourLegend(HeatColours colours, AxisScale scale, QWidget* parent)
    : QWidget(parent)
    , m_colours(colours)
    , m_scale(scale)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ColourLegend::setRange(const QString& title, double low, double high)
{
    m_title = title;
    m_low = m_colours == HeatColours::Difference ? -high : low;
    m_high = high;
    setAccessibleName(tr("Colour scale of %1: %2 to %3").arg(title, errorText(m_low), errorText(m_high)));
    updateGeometry();
    update();
}

QSize ColourLegend::sizeHint() const
{
    return {220, titleHeight(m_title) + barHeight + 4 + QFontMetrics(fontFor(Type::Small)).height()};
}

QSize ColourLegend::minimumSizeHint() const
{
    return {100, sizeHint().height()};
}

double ColourLegend::place(double value) const
{
    if (m_high <= m_low)
        return 0;
    return m_scale == AxisScale::Log ? std::log(value / m_low) / std::log(m_high / m_low)
                                     : (value - m_low) / (m_high - m_low);
}

/// The ends, and round numbers between them as far as they do not touch.
std::vector<double> ColourLegend::numbers() const
{
    if (m_colours == HeatColours::Difference)
        return {m_low, 0, m_high};
    std::vector<double> chosen{m_low};
    const auto touches = [&](double value) {
        return std::ranges::any_of(chosen, [&](double other) {
            return std::abs(place(other) - place(value)) * width() < 46
                   || formatError(other) == formatError(value);
        });
    };
    if (m_high > m_low)
        chosen.push_back(m_high);
    for (const double tick : axisTicks(m_low, m_high, m_scale))
        if (tick > m_low && tick < m_high && !touches(tick))
            chosen.push_back(tick);
    return chosen;
}

void ColourLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(palette());
    const QFont font = fontFor(Type::Small);
    const double top = titleHeight(m_title);
    if (!m_title.isEmpty())
        drawLine(painter, QRectF(0, 0, width(), top - 2), m_title, font, theme.text2);
    if (!(m_high > 0))
        return;
    const QRectF bar(0, top, width(), barHeight);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= stops; ++i) {
        const double fraction = double(i) / stops;
        gradient.setColorAt(fraction, m_colours == HeatColours::Difference ? theme.difference(2 * fraction - 1)
                                                                           : magnitude(fraction));
    }
    painter.setPen(m_colours == HeatColours::Difference ? QPen(theme.line, 1) : QPen(Qt::NoPen));
    painter.setBrush(gradient);
    painter.drawRoundedRect(bar, 3, 3);
    painter.setFont(font);
    painter.setPen(theme.text2);
    const double base = bar.bottom() + 3 + QFontMetricsF(font).ascent();
    for (const double value : numbers()) {
        const QString text = errorText(value);
        const double wide = numberWidth(font, text);
        drawNumber(painter, {std::clamp(place(value) * width() - wide / 2, 0.0, width() - wide), base}, text);
    }
}

}
