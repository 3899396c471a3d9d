#include "ui/style/attn_style.h"

#include "ui/style/icons.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QFocusEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyleOption>

namespace attnscope::ui {

namespace {

constexpr double radius = 6;

void panel(QPainter& painter, const QRect& rect, const QColor& fill, const QColor& border, double corner = radius)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    drawRounded(painter, QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), corner,
                fill.isValid() ? QBrush(fill) : QBrush(), border.isValid() ? QPen(border, 1) : QPen(Qt::NoPen));
    painter.restore();
}

void button(QPainter& painter, const QStyleOption& option, const Theme& theme)
{
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool down = option.state & (QStyle::State_Sunken | QStyle::State_On);
    const bool hovered = option.state & QStyle::State_MouseOver;
    panel(painter, option.rect,
          !enabled  ? theme.sunken
          : down    ? theme.sunken
          : hovered ? theme.hover
                    : theme.raised,
          theme.edge);
}

void checkBox(QPainter& painter, const QStyleOption& option, const Theme& theme)
{
    const bool on = option.state & QStyle::State_On, enabled = option.state & QStyle::State_Enabled;
    const QColor fill = on ? (enabled ? theme.accent : theme.dis) : theme.surface;
    panel(painter, option.rect, fill, on ? fill : enabled ? theme.ctl : theme.dis, 4);
    if (on)
        drawIcon(painter, u"check"_s, QRectF(option.rect).adjusted(1.5, 1.5, -1.5, -1.5), theme.onAccent);
}

void chevron(QPainter& painter, QPointF centre, double size, bool up, const QColor& colour)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const double half = size / 2, rise = up ? -size / 4 : size / 4;
    painter.drawPolyline(QPolygonF{QPointF(centre.x() - half, centre.y() - rise),
                                   QPointF(centre.x(), centre.y() + rise),
                                   QPointF(centre.x() + half, centre.y() - rise)});
    painter.restore();
}

/// A line, filled up to the handle.
void slider(QPainter& painter, const QStyleOptionSlider& option, const Theme& theme, const QRect& handle)
{
    constexpr double lineHeight = 4, size = 14;
    const QPointF middle = QRectF(handle).center();
    const QRectF line(option.rect.left() + 2, middle.y() - lineHeight / 2, option.rect.width() - 4, lineHeight);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    drawRounded(painter, line, 2, theme.line);
    drawRounded(painter, QRectF(line.topLeft(), QPointF(middle.x(), line.bottom())), 2, theme.progress);
    painter.setBrush(theme.surface);
    painter.setPen(QPen(option.state & QStyle::State_MouseOver ? theme.accText : theme.progress, 2));
    painter.drawEllipse(middle, size / 2 - 1, size / 2 - 1);
    painter.restore();
}

void scrollBar(QPainter& painter, const QStyleOptionSlider& option, const Theme& theme, const QRect& handle)
{
    if (option.minimum == option.maximum)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    drawRounded(painter, QRectF(handle).adjusted(2, 2, -2, -2), 3,
                option.state & QStyle::State_MouseOver ? theme.ctl : theme.edge);
    painter.restore();
}

}

AttnStyle::AttnStyle()
    : QProxyStyle(u"Fusion"_s)
{}

void AttnStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const
{
    const Theme& theme = Theme::of(option->palette);
    switch (element) {
    case PE_PanelLineEdit: {
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame != nullptr && frame->lineWidth == 0)
            return;
        const bool enabled = option->state & State_Enabled;
        const bool sunken = widget != nullptr && widget->property("sunken").toBool();
        panel(*painter, option->rect, sunken ? theme.sunken : theme.surface,
              sunken    ? theme.sunken
              : enabled ? theme.ctl
                        : theme.edge,
              sunken ? 4 : radius);
        return;
    }
    case PE_FrameLineEdit:
    case PE_FrameFocusRect:
        return;
    case PE_PanelButtonCommand:
        button(*painter, *option, theme);
        return;
    case PE_PanelButtonTool:
        if (option->state & (State_MouseOver | State_Sunken) && option->state & State_Enabled)
            panel(*painter, option->rect, theme.hover, {});
        return;
    case PE_IndicatorCheckBox:
        checkBox(*painter, *option, theme);
        return;
    case PE_FrameDockWidget:
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void AttnStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                            const QWidget* widget) const
{
    const Theme& theme = Theme::of(option->palette);
    switch (element) {
    case CE_FocusFrame:
        drawFocusRing(*painter, option->rect, radius + 2, theme);
        return;
    case CE_ShapedFrame:
        if (widget == nullptr || !widget->property("card").toBool())
            break;
        panel(*painter, option->rect, theme.surface, theme.line, 8);
        return;
    case CE_Splitter:
        painter->fillRect(option->rect, theme.line);
        return;
    case CE_HeaderSection:
        painter->fillRect(option->rect, theme.surface);
        // Not the corner between two, but where rows have names of their own.
        if (qobject_cast<const QHeaderView*>(widget) != nullptr
            || (widget != nullptr && widget->parentWidget() != nullptr
                && widget->parentWidget()->property("transposed").toBool()))
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                              theme.line);
        return;
    case CE_ComboBoxLabel: {
        const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        if (box == nullptr || box->editable)
            break;
        QStyleOptionComboBox fitting(*box);  // a letter cut in two looks like a mistake
        fitting.currentText = box->fontMetrics.elidedText(
            box->currentText, Qt::ElideMiddle,
            proxy()->subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget).width() - 2);
        QProxyStyle::drawControl(element, &fitting, painter, widget);
        return;
    }
    case CE_HeaderEmptyArea:
        painter->fillRect(option->rect, theme.surface);
        return;
    case CE_HeaderLabel: {
        // Headings that ask for it stand over the texts of their cells.
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        const int padding = widget == nullptr ? 0 : widget->property("labelPadding").toInt();
        if (header == nullptr || padding == 0)
            break;
        QStyleOptionHeader padded(*header);
        padded.rect.adjust(padding - 2, 0, 2 - padding, 0);
        QProxyStyle::drawControl(element, &padded, painter, widget);
        return;
    }
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void AttnStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                   const QWidget* widget) const
{
    const Theme& theme = Theme::of(option->palette);
    const bool enabled = option->state & State_Enabled;
    if (control == CC_ComboBox) {
        const bool hovered = option->state & State_MouseOver && enabled;
        panel(*painter, option->rect, hovered ? theme.hover : theme.surface, theme.edge);
        chevron(*painter, QPointF(option->rect.right() - 13, option->rect.center().y() + 1), 8, false,
                enabled ? theme.text2 : theme.dis);
        return;
    }
    if (control == CC_SpinBox) {
        panel(*painter, option->rect, theme.surface, enabled ? theme.ctl : theme.edge);
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        if (spin == nullptr || spin->buttonSymbols == QAbstractSpinBox::NoButtons)
            return;
        for (const SubControl part : {SC_SpinBoxUp, SC_SpinBoxDown}) {
            const QRectF rect = proxy()->subControlRect(CC_SpinBox, option, part, widget);
            const bool over = option->activeSubControls & part && option->state & State_MouseOver;
            chevron(*painter, rect.center(), 6, part == SC_SpinBoxUp,
                    !enabled ? theme.dis
                    : over   ? theme.text
                             : theme.text3);
        }
        return;
    }
    if (const auto* dragged = control == CC_Slider ? qstyleoption_cast<const QStyleOptionSlider*>(option)
                                                   : nullptr;
        dragged != nullptr && dragged->orientation == Qt::Horizontal) {
        slider(*painter, *dragged, theme, proxy()->subControlRect(CC_Slider, option, SC_SliderHandle, widget));
        return;
    }
    if (control == CC_ScrollBar) {
        const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (slider != nullptr)
            scrollBar(*painter, *slider, theme,
                      proxy()->subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget));
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect AttnStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                const QWidget* widget) const
{
    const QRect rect = option->rect;
    if (control == CC_ComboBox && part == SC_ComboBoxEditField)
        return rect.adjusted(8, 2, -24, -2);
    if (control == CC_ComboBox && part == SC_ComboBoxArrow)
        return {rect.right() - 23, rect.top(), 24, rect.height()};
    if (control == CC_SpinBox) {
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        const int side = spin != nullptr && spin->buttonSymbols == QAbstractSpinBox::NoButtons ? 4 : 20;
        if (part == SC_SpinBoxEditField)
            return rect.adjusted(4, 1, -side, -1);
        if (part == SC_SpinBoxUp)
            return {rect.right() - side + 2, rect.top() + 2, side - 2, (rect.height() - 4) / 2};
        if (part == SC_SpinBoxDown)
            return {rect.right() - side + 2, rect.center().y() + 1, side - 2, (rect.height() - 4) / 2};
        return rect;
    }
    if (control == CC_ScrollBar) {
        if (part == SC_ScrollBarAddLine || part == SC_ScrollBarSubLine)
            return {};
        const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (slider != nullptr && (part == SC_ScrollBarSlider || part == SC_ScrollBarGroove)) {
            if (part == SC_ScrollBarGroove)
                return rect;
            const bool across = slider->orientation == Qt::Horizontal;
            const int length = across ? rect.width() : rect.height();
            const int range = slider->maximum - slider->minimum;
            const int size = range <= 0
                                 ? length
                                 : std::max(28,
                                            int(qint64(length) * slider->pageStep / (range + slider->pageStep)));
            const int at = sliderPositionFromValue(slider->minimum, slider->maximum, slider->sliderPosition,
                                                   length - size, slider->upsideDown);
            return across ? QRect(rect.left() + at, rect.top(), size, rect.height())
                          : QRect(rect.left(), rect.top() + at, rect.width(), size);
        }
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

int AttnStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
        return 16;
    case PM_CheckBoxLabelSpacing:
        return 8;
    case PM_DockWidgetSeparatorExtent:
    case PM_SplitterWidth:
        return 1;
    case PM_DockWidgetFrameWidth:
        return 0;
    case PM_ScrollBarExtent:
        return 10;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_FocusFrameHMargin:
    case PM_FocusFrameVMargin:
        return 3;
    case PM_SmallIconSize:
        return 16;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int AttnStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                         QStyleHintReturn* data) const
{
    switch (hint) {
    case SH_FocusFrame_AboveWidget:
        return 1;
    case SH_ComboBox_Popup:
    case SH_Widget_Animate:
    case SH_EtchDisabledText:
    case SH_UnderlineShortcut:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QSize AttnStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                  const QWidget* widget) const
{
    QSize out = QProxyStyle::sizeFromContents(type, option, size, widget);
    const int text = option->fontMetrics.height();
    const bool docked = widget != nullptr && widget->property("docked").toBool();
    const int field = std::max(docked ? 24 : 28, text + (docked ? 6 : 10));
    if (type == CT_ComboBox)
        out = {
            size.width() + 8 + 28,
            field};  // two pixels to spare: Qt rounds the width of a text, and cuts it where a fraction is missing
    else if (type == CT_SpinBox || type == CT_LineEdit)
        out.setHeight(field);
    else if (type == CT_PushButton)
        out.setHeight(std::max(28, text + 10));
    return out;
}

FocusRing::FocusRing(QObject* parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event)
{
    auto* widget = qobject_cast<QWidget*>(watched);
    if (widget == nullptr || (event->type() != QEvent::FocusIn && event->type() != QEvent::FocusOut))
        return false;
    const auto reason = static_cast<QFocusEvent*>(event)->reason();
    const bool keyboard = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason
                          || reason == Qt::ShortcutFocusReason;
    delete m_frame;
    if (event->type() == QEvent::FocusIn && keyboard && widget->isVisible() && !widget->isWindow()
        && qobject_cast<QAbstractItemView*>(widget) == nullptr) {
        m_frame = new QFocusFrame(widget->parentWidget());
        m_frame->setWidget(widget);
    }
    return false;
}

}
