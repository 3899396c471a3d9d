#pragma once

#include <QByteArray>
#include <QProcess>
#include <QTemporaryDir>

#include <clocale>
#include <string>

namespace attnscope::test {

using namespace Qt::StringLiterals;

/// While it lives, numbers of the C library have a decimal comma, as Qt programs find them under a German or French desktop.
class CommaLocale {
public:
    CommaLocale()
        : m_before(std::setlocale(LC_NUMERIC, nullptr))
        , m_pathBefore(qgetenv("LOCPATH"))
    {
        for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "de_DE"})
            if (isComma(name))
                return;
        const QString made = m_folder.filePath(u"de_DE.UTF-8"_s);
        QProcess::execute(u"localedef"_s, {u"--no-archive"_s, u"-i"_s, u"de_DE"_s, u"-f"_s, u"UTF-8"_s, made});
        qputenv("LOCPATH", m_folder.path().toLocal8Bit());
        isComma("de_DE.UTF-8");
    }
    ~CommaLocale()
    {
        std::setlocale(LC_NUMERIC, m_before.c_str());
        m_pathBefore.isNull() ? qunsetenv("LOCPATH") : qputenv("LOCPATH", m_pathBefore);
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;

    bool isSet() const { return std::string(std::localeconv()->decimal_point) == ","; }

private:
    bool isComma(const char* name) const { return std::setlocale(LC_NUMERIC, name) != nullptr && isSet(); }

    QTemporaryDir m_folder;
    std::string m_before;
    QByteArray m_pathBefore;
};

}
