#include "ui/style/language.h"

#include "ui/style/qt_text.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QTranslator>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr QLatin1String translationsFolder(":/translations");

void install(QCoreApplication& app, const QString& file, const QString& directory)
{
    auto* translator = new QTranslator(&app);
    if (translator->load(file, directory))
        QCoreApplication::installTranslator(translator);
}

}

QList<Language> languages()
{
    QList<Language> all{{u"en"_s, u"English"_s}};
    for (QString file : QDir(translationsFolder).entryList({u"attnscope_*.qm"_s}, QDir::Files, QDir::Name)) {
        file.chop(3);
        const QString code = file.mid(file.indexOf(QLatin1Char('_')) + 1);
        QString name = QLocale(code).nativeLanguageName();
        all << Language{code, name.replace(0, 1, name.left(1).toUpper())};
    }
    return all;
}

QString languageFor(const QString& setting)
{
    const QList<Language> all = languages();
    const auto found = [&all](const QString& code) {
        return std::ranges::any_of(all, [&](const Language& one) { return one.code == code; });
    };
    if (setting != "system"_L1)
        return found(setting) ? setting : u"en"_s;
    for (const QString& wish : QLocale::system().uiLanguages()) {
        const QLocale locale(wish);
        QString language = locale.name().section(QLatin1Char('_'), 0, 0);
        if (locale.language() == QLocale::C || language == "en"_L1)
            return u"en"_s;
        if (found(locale.name()) && locale.script() != QLocale::TraditionalHanScript)
            return locale.name();
        if (found(language))
            return language;
    }
    return u"en"_s;
}

QString withoutMnemonic(QString text)
{
    static const QRegularExpression letter(u"\\s*\\(&[^)]\\)|&(?=[^&])"_s);
    return text.remove(letter);
}

void useLanguage(QCoreApplication& app, const QString& setting)
{
    const QString language = languageFor(setting);
    if (language == "en"_L1)
        return;
    install(app, u"qtbase_"_s + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(app, u"attnscope_"_s + language, translationsFolder);
}

}
