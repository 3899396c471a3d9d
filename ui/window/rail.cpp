#include "ui/window/rail.h"

#include "ui/style/icons.h"
#include "ui/style/painting.h"

#include <QVBoxLayout>

#include <algorithm>

namespace attnscope::ui {

namespace {

/// Icon above its label.
class RailButton : public QAbstractButton {
public:
    RailButton(const QString& iconName, const QString& label, QWidget* parent)
        : QAbstractButton(parent)
        , m_icon(iconName)
    {
        setText(label);
        setAccessibleName(label);
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
    }
    QSize sizeHint() const override
    {
        const QFontMetrics metrics(fontFor(Type::SmallMedium));
        return {std::max(59, metrics.horizontalAdvance(text()) + 8), std::max(52, metrics.height() + 34)};
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Theme& theme = Theme::of(palette());
        if (isChecked() || underMouse()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(isChecked() ? theme.sel : theme.hover);
            painter.drawRoundedRect(rect(), 8, 8);
        }
        const QColor ink = isChecked() ? theme.accText : theme.text2;
        drawIcon(painter, m_icon, QRectF(width() / 2.0 - 10, 8, 20, 20), ink);
        QFont font = fontFor(isChecked() ? Type::SmallMedium : Type::Small);
        if (isChecked())
            font.setWeight(QFont::DemiBold);
        painter.setFont(font);
        painter.setPen(ink);
        painter.drawText(QRectF(0, 29, width(), height() - 31), Qt::AlignCenter, text());
    }

private:
    QString m_icon;
};

}

Rail::Rail(const QList<Entry>& entries, QWidget* parent)
    : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 8, 6, 8);
    column->setSpacing(4);
    int widest = 59;
    for (const Entry& entry : entries) {
        auto* button = new RailButton(entry.icon, entry.label, this);
        button->setToolTip(tr("%1 (Ctrl+%2)").arg(entry.label).arg(entry.key));
        column->addWidget(button);
        m_buttons << button;
        widest = std::max(widest, button->sizeHint().width());
        connect(button, &QAbstractButton::clicked, this, [this, index = int(m_buttons.size()) - 1] {
            setCurrent(index);
            emit chosen(index);
        });
    }
    column->addStretch(1);
    setFixedWidth(std::max(72, widest + 13));
    setCurrent(0);
}

void Rail::setCurrent(int entry)
{
    for (int i = 0; i < m_buttons.size(); ++i)
        m_buttons[i]->setChecked(i == entry);
}

void Rail::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), Theme::of(palette()).line);
}

}
