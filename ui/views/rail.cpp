// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/rail.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/painting.h"

#include <QVBoxLayout>

#include <algorithm>

namespace attnscope::ui {

namespace {

/// Icon above its label.
class RailButton : public QAbstractButton {
public:
    RailButton(const QString& iconName, const QString& label, QWidget* parent) : QAbstractButton(parent), m_icon(iconName)
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

}  // namespace

Rail::Rail(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 8, 6, 8);
    column->setSpacing(4);
    auto* compare = new RailButton(QStringLiteral("compare"), tr("Compare"), this);
    compare->setChecked(true);
    compare->setToolTip(tr("Compare (Ctrl+1)"));
    column->addWidget(compare);
    column->addStretch(1);
    setFixedWidth(std::max(72, compare->sizeHint().width() + 13));
    connect(compare, &QAbstractButton::clicked, this, [this, compare] {
        compare->setChecked(true);
        emit chosen(0);
    });
}

void Rail::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), Theme::of(palette()).line);
}

}  // namespace attnscope::ui
