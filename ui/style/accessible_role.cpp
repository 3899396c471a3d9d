#include "ui/style/accessible_role.h"

#include <QAccessibleWidget>
#include <QVariant>

namespace attnscope::ui {

namespace {

constexpr const char* roleProperty = "accessibleRole";

QAccessibleInterface* withRole(const QString&, QObject* object)
{
    auto* widget = qobject_cast<QWidget*>(object);
    const QVariant role = widget == nullptr ? QVariant() : widget->property(roleProperty);
    return role.isValid() ? new QAccessibleWidget(widget, static_cast<QAccessible::Role>(role.toInt())) : nullptr;
}

}

void setAccessibleRole(QWidget& widget, QAccessible::Role role)
{
    widget.setProperty(roleProperty, int(role));
}

void serveScreenReaders()
{
    QAccessible::installFactory(withRole);
}

}
