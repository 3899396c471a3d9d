#include "ui/widgets/drop_hint.h"

#include "ui/style/painting.h"

namespace attnscope::ui {

DropHint::DropHint(QWidget* parent)
    : QWidget(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropHint::announce(const QString& text)
{
    m_text = text;
    setGeometry(parentWidget()->rect());
    raise();
    show();
}

void DropHint::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(palette());
    QColor veil = theme.surface;
    veil.setAlphaF(0.93f);
    painter.fillRect(rect(), veil);
    painter.setPen(QPen(theme.focus, 2, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(10, 10, -10, -10), 8, 8);
    drawLine(painter, rect(), m_text, fontFor(Type::Display), theme.text, Qt::AlignHCenter);
}

}
