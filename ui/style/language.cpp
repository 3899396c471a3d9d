#include "ui/style/language.h"

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
    QList<Language> all{{QStringLiteral("en"), QStringLiteral("English")}};
    for (QString file :
         QDir(translationsFolder).entryList({QStringLiteral("attnscope_*.qm")}, QDir::Files, QDir::Name)) {
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
    if (setting != QLatin1String("system"))
        return found(setting) ? setting : QStringLiteral("en");
    for (const QString& wish : QLocale::system().uiLanguages()) {
        const QLocale locale(wish);
        QString language = locale.name().section(QLatin1Char('_'), 0, 0);
        if (locale.language() == QLocale::C || language == QLatin1String("en"))
            return QStringLiteral("en");
        if (found(locale.name()) && locale.script() != QLocale::TraditionalHanScript)
            return locale.name();
        if (found(language))
            return language;
    }
    return QStringLiteral("en");
}

QString withoutMnemonic(QString text)
{
    static const QRegularExpression letter(QStringLiteral("\\s*\\(&[^)]\\)|&(?=[^&])"));
    return text.remove(letter);
}

void useLanguage(QCoreApplication& app, const QString& setting)
{
    const QString language = languageFor(setting);
    if (language == QLatin1String("en"))
        return;
    install(app, QStringLiteral("qtbase_") + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(app, QStringLiteral("attnscope_") + language, translationsFolder);
}

}
