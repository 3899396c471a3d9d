#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QTimer>

namespace attnscope::ui::test {

/// Presses the button of that text in the next message box, and remembers what it said.
inline void pressInMessageBox(const QString& button, QString* said)
{
    QTimer::singleShot(100, qApp, [button, said] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box == nullptr)
            return;
        *said = box->text() + QLatin1Char('\n') + box->informativeText();
        for (QAbstractButton* each : box->buttons())
            if (each->text() == button)
                each->click();
    });
}

}
