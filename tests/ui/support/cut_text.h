#pragma once

#include "ui/widgets/controls.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QString>
#include <QStyle>
#include <QStyleOption>
#include <QWidget>

namespace attnscope::ui::test {

using namespace Qt::StringLiterals;

/// The first visible label, button or box of choices of a page whose text is not whole, or a button that screen readers cannot name; empty: there is none.
inline QString cutText(const QWidget& page)
{
    for (const QLabel* label : page.findChildren<QLabel*>()) {
        if (!label->isVisible() || label->wordWrap() || qobject_cast<const ElidedLabel*>(label) != nullptr)
            continue;
        if (label->width() + 1 < label->fontMetrics().horizontalAdvance(label->text()))
            return u"label: "_s + label->text();
    }
    for (const QAbstractButton* button : page.findChildren<QAbstractButton*>()) {
        if (!button->isVisible())
            continue;
        if (button->width() < button->minimumSizeHint().width())
            return u"button: "_s + button->text();
        if (button->accessibleName().isEmpty() && button->isEnabled())  // the corner of a table is none to anybody
            return u"button without a name: "_s + button->text();
    }
    for (const QComboBox* box : page.findChildren<QComboBox*>()) {
        if (!box->isVisible() || box->isEditable() || qobject_cast<const CaptionCombo*>(box) != nullptr)
            continue;
        QStyleOptionComboBox option;
        option.initFrom(box);
        const QRect room = box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField,
                                                        box);
        const bool fits = room.width() - 2 >= box->fontMetrics().horizontalAdvance(box->currentText());
        if (!fits && !box->toolTip().startsWith(box->currentText()))  // elided, it says all of it elsewhere
            return u"box: "_s + box->currentText();
    }
    return {};
}

}
