#include "ui/widgets/controls.h"

#include "ui/style/accessible_role.h"
#include "ui/style/icons.h"
#include "ui/style/painting.h"
#include "ui/style/theme.h"

#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QStylePainter>
#include <QVBoxLayout>

#include <algorithm>

namespace attnscope::ui {

namespace {

int textWidth(Type type, const QString& text)
{
    return QFontMetrics(fontFor(type)).horizontalAdvance(text);
}

int fieldHeight(Type type, int least)
{
    return std::max(least, QFontMetrics(fontFor(type)).height() + 10);
}

}

ActionButton::ActionButton(const QString& iconName, const QString& text, Look look, QWidget* parent)
    : QPushButton(text, parent)
    , m_iconName(iconName)
    , m_look(look)
{
    setFont(fontFor(look == Look::Flat ? Type::Body : Type::BodyStrong));
    setAccessibleName(text);
    setAttribute(Qt::WA_Hover);
}

void ActionButton::setHint(const QString& hint)
{
    m_hint = hint;
    updateGeometry();
    update();
}

void ActionButton::setIconName(const QString& name)
{
    m_iconName = name;
    update();
}

void ActionButton::setLook(Look look)
{
    m_look = look;
    update();
}

QSize ActionButton::sizeHint() const
{
    const int padding = m_look == Look::Flat ? 8 : 13;
    return {2 * padding + contentWidth(),
            std::max(m_height, QFontMetrics(font()).height() + (m_height < 28 ? 6 : 10))};
}

int ActionButton::contentWidth() const
{
    const int hint = m_hint.isEmpty() ? 0 : 8 + textWidth(Type::Body, m_hint);
    return (m_iconName.isEmpty() ? 0 : 21) + QFontMetrics(font()).horizontalAdvance(text()) + hint;
}

void ActionButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(palette());
    const bool primary = m_look == Look::Primary;
    QColor fill = primary ? theme.accent : theme.surface, ink = primary ? theme.onAccent : theme.text;
    if (primary && isDown())
        fill = theme.accent.darker(112);
    else if (primary && underMouse())
        fill = theme.dark ? theme.accent.lighter(106) : theme.accent.darker(106);
    else if (isDown() || (underMouse() && isEnabled()))
        fill = theme.hover;
    if (m_look == Look::Flat) {
        ink = theme.text2;
        if (!underMouse() && !isDown())
            fill = Qt::transparent;
    }
    if (!isEnabled()) {
        ink = theme.dis;
        fill = m_look == Look::Flat ? QColor(Qt::transparent) : theme.sunken;
    }
    drawRounded(painter, QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, fill,
                m_look == Look::Plain && isEnabled() ? QPen(theme.edge, 1) : QPen(Qt::NoPen));
    const QFontMetrics metrics(font());
    double x = (width() - contentWidth()) / 2.0;
    if (!m_iconName.isEmpty()) {
        drawIcon(painter, m_iconName, QRectF(x, height() / 2.0 - 8, 16, 16), ink);
        x += 21;
    }
    painter.setFont(font());
    painter.setPen(ink);
    painter.drawText(QRectF(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter, text());
    if (!m_hint.isEmpty()) {
        QColor light = ink;
        light.setAlphaF(primary || !isEnabled() ? 0.9f : 1.0f);
        painter.setFont(fontFor(Type::Body));
        painter.setPen(primary || !isEnabled() ? light : theme.text3);
        painter.drawText(QRectF(x + metrics.horizontalAdvance(text()) + 8, 0, width(), height()),
                         Qt::AlignLeft | Qt::AlignVCenter, m_hint);
    }
}

LinkButton::LinkButton(const QString& text, QWidget* parent)
    : QPushButton(text, parent)
{
    setFont(fontFor(Type::BodyMedium));
    setAccessibleName(text);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
}

QSize LinkButton::sizeHint() const
{
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(text()) + 8, std::max(24, metrics.height() + 4)};
}

void LinkButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    QFont shown = font();
    shown.setUnderline(underMouse() && isEnabled());
    painter.setFont(shown);
    painter.setPen(isEnabled() ? theme.accText : theme.dis);
    painter.drawText(rect().adjusted(4, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft, text());
}

IconButton::IconButton(const QString& iconName, const QString& name, QWidget* parent)
    : QAbstractButton(parent)
    , m_iconName(iconName)
{
    setAccessibleName(name);
    setToolTip(name);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setFixedSize(24, 24);
}

void IconButton::setIconName(const QString& name)
{
    m_iconName = name;
    update();
}

void IconButton::setAccented(bool accented)
{
    m_accented = accented;
    update();
}

void IconButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(palette());
    if (isEnabled() && (underMouse() || isDown()))
        drawRounded(painter, rect(), 6, theme.hover);
    const QColor ink = !isEnabled()   ? theme.dis
                       : m_accented   ? theme.accText
                       : underMouse() ? theme.text
                                      : theme.text2;
    drawIcon(painter, m_iconName, QRectF(width() / 2.0 - 8, height() / 2.0 - 8, 16, 16), ink);
}

CaptionCombo::CaptionCombo(const QString& caption, QWidget* parent)
    : QComboBox(parent)
    , m_caption(caption)
{
    setAccessibleName(caption);
    setFont(fontFor(Type::BodyMedium));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(this, &QComboBox::currentTextChanged, this, [this](const QString& text) {
        setToolTip(text);
        updateGeometry();
    });
}

void CaptionCombo::setCaptions(Captions captions)
{
    m_shown = captions == Captions::Shown;
    updateGeometry();
    update();
}

QSize CaptionCombo::sizeHint() const
{
    const int caption = m_shown && !m_caption.isEmpty() ? textWidth(Type::Body, m_caption) + 6 : 0;
    return {10 + caption + QFontMetrics(font()).horizontalAdvance(currentText()) + 36,
            fieldHeight(Type::BodyMedium, 28)};
}

QSize CaptionCombo::minimumSizeHint() const
{
    return {std::min(sizeHint().width(), 96), sizeHint().height()};
}

void CaptionCombo::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    const Theme& theme = Theme::of(palette());
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    int x = 10;
    if (m_shown && !m_caption.isEmpty()) {
        painter.setFont(fontFor(Type::Body));
        painter.setPen(isEnabled() ? theme.text2 : theme.dis);
        painter.drawText(QRect(x, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, m_caption);
        x += textWidth(Type::Body, m_caption) + 6;
    }
    painter.setFont(font());
    painter.setPen(isEnabled() ? theme.text : theme.dis);
    const QRect room(x, 0, width() - x - 26, height());
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetrics(font()).elidedText(currentText(), Qt::ElideMiddle, room.width()));
}

CaptionSpin::CaptionSpin(const QString& caption, QWidget* parent)
    : QSpinBox(parent)
    , m_label(new QLabel(caption, this))
{
    setAccessibleName(caption);
    setButtonSymbols(QAbstractSpinBox::NoButtons);
    setFont(fontFor(Type::BodyMedium));
    setAlignment(Qt::AlignRight);
    m_label->setFont(fontFor(Type::Body));
    m_label->setForegroundRole(QPalette::PlaceholderText);
    m_label->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_label->adjustSize();
    const int high = fieldHeight(Type::BodyMedium, 28);
    setFixedHeight(high);
    m_label->move(10, (high - m_label->height()) / 2);
    lineEdit()->setTextMargins(m_label->width() + 8, 0, 2, 0);
    setMinimumWidth(m_label->width() + 50);
}

CaptionSpin::CaptionSpin(const QString& caption, int low, int high, int value, QWidget* parent)
    : CaptionSpin(caption, parent)
{
    setRange(low, high);
    setValue(value);
}

Segments::Segments(const QString& name, const QStringList& choices, QWidget* parent)
    : QWidget(parent)
    , m_choices(choices)
{
    setAccessibleRole(*this, QAccessible::PageTabList);
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    announce();
}

void Segments::announce()
{
    setAccessibleDescription(
        tr("%1 of %2: %3").arg(m_current + 1).arg(m_choices.size()).arg(m_choices[m_current]));
}

void Segments::setChoices(const QStringList& choices)
{
    if (choices == m_choices)
        return;
    m_choices = choices;
    updateGeometry();
    if (m_current >= m_choices.size()) {
        m_current = 0;
        emit chosen(0);
    }
    announce();
    update();
}

void Segments::setCurrent(int choice)
{
    if (choice == m_current || choice < 0 || choice >= m_choices.size())
        return;
    m_current = choice;
    announce();
    update();
    emit chosen(choice);
}

QRect Segments::segment(int choice) const
{
    int x = 3;
    for (int i = 0; i < choice; ++i)
        x += textWidth(Type::BodyStrong, m_choices[i]) + 22;
    return {x, 3, textWidth(Type::BodyStrong, m_choices[choice]) + 22, height() - 6};
}

QSize Segments::sizeHint() const
{
    int width = 6;
    for (const QString& choice : m_choices)
        width += textWidth(Type::BodyStrong, choice) + 22;
    return {width, fieldHeight(Type::BodyStrong, 28)};
}

void Segments::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(palette());
    drawRounded(painter, rect(), 6, theme.sunken);
    for (int i = 0; i < m_choices.size(); ++i) {
        const bool on = i == m_current;
        if (on)
            drawRounded(painter, QRectF(segment(i)).adjusted(0.5, 0.5, -0.5, -0.5), 5, theme.raised,
                        QPen(theme.edge, 1));
        painter.setPen(on ? theme.text : theme.text2);
        painter.setFont(fontFor(on ? Type::BodyStrong : Type::Body));
        painter.drawText(segment(i), Qt::AlignCenter, m_choices[i]);
    }
}

void Segments::mousePressEvent(QMouseEvent* event)
{
    for (int i = 0; i < m_choices.size(); ++i)
        if (segment(i).contains(event->pos()))
            setCurrent(i);
}

void Segments::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Down)
        setCurrent(m_current + 1);
    else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Up)
        setCurrent(m_current - 1);
    else
        QWidget::keyPressEvent(event);
}

bool ElidedLabel::isElided() const
{
    return QFontMetrics(font()).horizontalAdvance(text()) > width();
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.setFont(font());
    painter.drawText(rect(), int(alignment()) | Qt::TextSingleLine,
                     QFontMetrics(font()).elidedText(text(), m_mode, width()));
    if (toolTip() != text() && isElided())
        setToolTip(text());
}

QVBoxLayout* addCard(QBoxLayout& into, QWidget* parent, int stretch)
{
    auto* frame = new QFrame(parent);
    frame->setProperty("card", true);
    into.addWidget(frame, stretch);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(11, 8, 11, 6);
    column->setSpacing(4);
    return column;
}

QLabel* newHeading(const QString& text, QWidget* parent)
{
    auto* made = new QLabel(text, parent);
    made->setFont(fontFor(Type::BodyStrong));
    return made;
}

QLabel* newHint(const QString& text, QWidget* parent)
{
    auto* made = new QLabel(text, parent);
    made->setFont(fontFor(Type::Small));
    made->setForegroundRole(QPalette::PlaceholderText);
    return made;
}

}
