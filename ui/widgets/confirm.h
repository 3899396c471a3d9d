#pragma once

#include <QString>

class QWidget;

namespace attnscope::ui {

/// A question before something is lost.
struct Confirmation {
    QString name;  ///< of the box as an object
    QString title, text;
    QString details;  ///< can be copied; empty: none
    QString proceed, stay;
};

/// Asks; Enter and Escape stay.
bool confirmed(QWidget* parent, const Confirmation& question);

}
