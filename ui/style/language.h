#pragma once

#include <QList>
#include <QString>

class QCoreApplication;

namespace attnscope::ui {

struct Language {
    QString code;  ///< "en", "de", "zh_CN"
    QString name;  ///< in the language itself
};

/// The languages that this build has, English first.
QList<Language> languages();

/// The code of the language that is shown for a setting: a code, or "system" for the first of the desktop's languages that there is.
QString languageFor(const QString& setting);

/// A menu's text as a title: "Com&pare" → "Compare", "比较(&C)" → "比较".
QString withoutMnemonic(QString text);

/// Translates the window, and Qt's own dialogs where Qt's translations are installed. Before any widget is made. Sentences of the engine
/// (options' help, errors in files) stay English, as on the command line.
void useLanguage(QCoreApplication& app, const QString& setting);

}
