#include "ui/widgets/tab_strip.h"

#include "ui/style/painting.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int side = 14, countGap = 6;

int widthOf(Type type, const QString& text)
{
    return QFontMetrics(fontFor(type)).horizontalAdvance(text);
}

}

TabStrip::TabStrip(const QString& name, const QStringList& titles, QWidget* parent)
    : QTabBar(parent)
{
    setAccessibleName(name);
    setExpanding(false);
    setDrawBase(false);
    setUsesScrollButtons(false);
    setElideMode(Qt::ElideNone);
    for (const QString& title : titles) {
        addTab(title);
        m_counts << QString();
    }
}

void TabStrip::setCount(int tab, const QString& count)
{
    if (m_counts[tab] == count)
        return;
    m_counts[tab] = count;
    setTabToolTip(tab, count.isEmpty() ? QString() : tr("%1: %2").arg(tabText(tab), count));
    setTabText(tab, tabText(tab));  // sizes anew
    update();
}

QSize TabStrip::tabSizeHint(int tab) const
{
    const QString count = m_counts.value(tab);
    return {2 * side + widthOf(Type::BodyStrong, tabText(tab))
                + (count.isEmpty() ? 0 : countGap + widthOf(Type::Small, count)),
            std::max(40, QFontMetrics(fontFor(Type::BodyStrong)).height() + 20)};
}

void TabStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(palette());
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.line);
    for (int tab = 0; tab < count(); ++tab) {
        const QRectF area = tabRect(tab);
        const bool chosen = tab == currentIndex();
        const QColor ink = !isTabEnabled(tab) ? theme.dis : chosen ? theme.text : theme.text2;
        const double text = widthOf(Type::BodyStrong, tabText(tab));
        drawLine(painter, QRectF(area.left() + side, area.top(), text + 2, area.height()), tabText(tab),
                 fontFor(chosen ? Type::BodyStrong : Type::Body), ink);
        drawLine(painter, QRectF(area.left() + side + text + countGap, area.top(), area.width(), area.height()),
                 m_counts[tab], fontFor(Type::Small), theme.text3);
        if (chosen)
            drawRounded(painter, QRectF(area.left() + side - 4, height() - 3, area.width() - 2 * side + 8, 3), 1.5,
                        theme.accent);
        if (chosen && hasFocus())
            drawFocusRing(painter, area.adjusted(4, 5, -4, -6), 6, theme);
    }
}

}
