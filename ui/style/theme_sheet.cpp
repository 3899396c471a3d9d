#include "ui/style/theme_sheet.h"

#include "ui/style/theme.h"

#include <QApplication>
#include <QEvent>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>

namespace attnscope::ui {

namespace {

bool wearsSheet(const QWidget* widget)
{
    return qobject_cast<const QMenu*>(widget) != nullptr || qobject_cast<const QMenuBar*>(widget) != nullptr
           || qobject_cast<const QStatusBar*>(widget) != nullptr || widget->inherits("QTipLabel");
}

}

ThemeSheet::ThemeSheet(QObject* parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
}

void ThemeSheet::apply(const Theme& theme)
{
    auto* sheet = qApp->findChild<ThemeSheet*>(QString(), Qt::FindDirectChildrenOnly);
    if (sheet == nullptr)
        sheet = new ThemeSheet(qApp);
    sheet->m_text = theme.styleSheet();
    for (QWidget* widget : QApplication::allWidgets())
        if (wearsSheet(widget))
            widget->setStyleSheet(sheet->m_text);
}

bool ThemeSheet::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::Polish)
        return false;
    if (auto* widget = qobject_cast<QWidget*>(watched);
        widget != nullptr && wearsSheet(widget) && widget->styleSheet() != m_text)
        widget->setStyleSheet(m_text);
    return false;
}

}
