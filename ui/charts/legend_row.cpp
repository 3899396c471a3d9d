#include "ui/charts/legend_row.h"

#include "ui/charts/figure_file.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include "core/attention/backend_info.h"

#include <QAbstractButton>
#include <QEvent>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int sample = int(sampleWidth), legendPadding = 6, legendGap = 4;

/// A segment of the series' line with its mark, then its name; pale and struck out while it is left out.
class LegendButton : public QAbstractButton {
public:
    LegendButton(const LegendRow::Entry& entry, QWidget* parent)
        : QAbstractButton(parent)
        , m_entry(entry)
    {
        setText(entry.name);
        setAccessibleName(LegendRow::tr("Show %1").arg(entry.name));
        setToolTip(entry.help);
        setCheckable(true);
        setChecked(true);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
    }

    QSize sizeHint() const override
    {
        const QFontMetrics metrics(fontFor(Type::SmallMedium));
        return {legendPadding + sample + 6 + metrics.horizontalAdvance(text()) + legendPadding,
                std::max(24, metrics.height() + 8)};
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Theme& theme = Theme::of(palette());
        if (underMouse())
            drawRounded(painter, rect(), 4, theme.hover);
        painter.setOpacity(isChecked() ? 1 : 0.45);
        Drawing drawing;
        const ChartSeries series{{}, fromQt(m_entry.backend), m_entry.joined, m_entry.published, {}};
        drawing.sample({legendPadding + (isJoined(series) ? 0.0 : sampleWidth / 2 - 6), height() / 2.0}, series,
                       seriesStyle);
        paint(painter, drawing, theme.dark);
        painter.setOpacity(1);
        QFont font = fontFor(Type::SmallMedium);
        font.setStrikeOut(!isChecked());
        drawLine(painter, QRectF(legendPadding + sample + 6, 0, width() - sample - 6 - legendPadding, height()),
                 text(), font, isChecked() ? theme.text : theme.text3);
    }

private:
    LegendRow::Entry m_entry;
};

}

LegendRow::LegendRow(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Legend"));
}

void LegendRow::setEntries(const QList<Entry>& entries)
{
    if (entries == m_entries)
        return;
    const QStringList before = hidden();
    qDeleteAll(m_buttons);
    m_buttons.clear();
    m_entries = entries;
    for (const Entry& entry : entries) {
        auto* button = new LegendButton(entry, this);
        button->setChecked(!before.contains(entry.key));
        button->show();
        connect(button, &QAbstractButton::toggled, this, &LegendRow::hiddenChanged);
        m_buttons << button;
    }
    arrange();
}

QStringList LegendRow::hidden() const
{
    QStringList keys;
    for (qsizetype i = 0; i < m_buttons.size(); ++i)
        if (!m_buttons[i]->isChecked())
            keys << m_entries[i].key;
    return keys;
}

void LegendRow::setShown(const QString& key, bool shown)
{
    for (qsizetype i = 0; i < m_buttons.size(); ++i)
        if (m_entries[i].key == key)
            m_buttons[i]->setChecked(shown);
}

void LegendRow::arrange()
{
    int x = 0, y = 0, high = 0;
    for (QAbstractButton* button : m_buttons) {
        const QSize size = button->sizeHint();
        if (x > 0 && x + size.width() > width())
            x = 0, y += size.height();
        button->setGeometry(x, y, std::min(size.width(), width()), size.height());
        x += size.width() + legendGap;
        high = y + size.height();
    }
    setFixedHeight(high);
}

bool LegendRow::event(QEvent* event)
{
    const bool isTaken = QWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange)
        arrange();
    return isTaken;
}

}
