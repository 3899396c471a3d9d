#pragma once

#include <QAccessible>

class QWidget;

namespace attnscope::ui {

/// What a widget of our own is for a screen reader. To be called first in its constructor, before Qt asks for it with a name; buttons, fields and tables of Qt know it themselves.
void setAccessibleRole(QWidget& widget, QAccessible::Role role);

/// Once in a program: screen readers are told the roles that were set.
void serveScreenReaders();

}
