#include "ui/charts/mark_check_box.h"

#include "ui/style/painting.h"

#include <QStyleOptionButton>

#include <algorithm>

namespace attnscope::ui {

MarkCheckBox::MarkCheckBox(const QString& name, const QString& look, QWidget* parent)
    : QCheckBox(parent)
    , m_look(look)
{
    setMinimumHeight(28);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setName(name);
}

void MarkCheckBox::setLook(const QString& look)
{
    m_look = look;
    update();
}

void MarkCheckBox::setName(const QString& name)
{
    m_name = name;
    setAccessibleName(name);
    updateGeometry();
    update();
}

QSize MarkCheckBox::sizeHint() const
{
    return {indent + QFontMetrics(fontFor(Type::BodyMedium)).horizontalAdvance(m_name) + 6,
            std::max(28, QFontMetrics(font()).height() + 10)};
}

void MarkCheckBox::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    QStyleOptionButton option;
    initStyleOption(&option);
    option.rect = QRect(0, (height() - 16) / 2, 16, 16);
    style()->drawPrimitive(QStyle::PE_IndicatorCheckBox, &option, &painter, this);
    drawMark(painter, m_look, {30, height() / 2.0}, 10, theme, isChecked() ? MarkFill::Solid : MarkFill::Hollow);
    drawLine(painter, QRectF(indent, 0, width() - indent, height()), m_name,
             fontFor(isChecked() ? Type::BodyMedium : Type::Body), isChecked() ? theme.text : theme.text2);
}

}
