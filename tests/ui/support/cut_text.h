// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/controls.h"

#include <QAbstractButton>
#include <QLabel>
#include <QString>
#include <QWidget>

namespace attnscope::ui::test {

/// The first visible label or button of a page whose text is not whole, or a button that screen readers cannot name; empty: there is none.
inline QString cutText(const QWidget& page)
{
    for (const QLabel* label : page.findChildren<QLabel*>()) {
        if (!label->isVisible() || label->wordWrap() || qobject_cast<const ElidedLabel*>(label) != nullptr)
            continue;
        if (label->width() + 1 < label->fontMetrics().horizontalAdvance(label->text()))
            return QStringLiteral("label: ") + label->text();
    }
    for (const QAbstractButton* button : page.findChildren<QAbstractButton*>()) {
        if (!button->isVisible())
            continue;
        if (button->width() < button->minimumSizeHint().width())
            return QStringLiteral("button: ") + button->text();
        if (button->accessibleName().isEmpty() && button->isEnabled())  // the corner of a table is none to anybody
            return QStringLiteral("button without a name: ") + button->text();
    }
    return {};
}

}  // namespace attnscope::ui::test
