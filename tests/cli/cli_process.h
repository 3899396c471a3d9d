#pragma once

#include "tests/support/sanitizer.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QStringList>
#include <QTest>

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace attnscope::test {

using namespace Qt::StringLiterals;

struct Outcome {
    int exitCode = -1;
    bool crashed = true;
    QByteArray data, messages;  ///< standard output and standard error

    QJsonObject json() const { return QJsonDocument::fromJson(data).object(); }
    /// Lines on standard error that are about `file`, without those on the device.
    int linesAbout(const QByteArray& file) const
    {
        int count = 0;
        for (const QByteArray& line : messages.split('\n'))
            count += line.contains(file) ? 1 : 0;
        return count;
    }
};

/// What a process that was started came to, at its end.
inline Outcome outcomeOf(QProcess& process)
{
    Outcome outcome;
    if (!process.waitForFinished(240000 * slowdown))
        return outcome;
    outcome.crashed = process.exitStatus() != QProcess::NormalExit;
    outcome.exitCode = process.exitCode();
    outcome.data = process.readAllStandardOutput();
    outcome.messages = process.readAllStandardError();
    return outcome;
}

inline Outcome runCli(const QStringList& arguments, const QString& folder = {})
{
    QProcess process;
    if (!folder.isEmpty())
        process.setWorkingDirectory(folder);
    process.start(QStringLiteral(ATTNSCOPE_CLI), arguments);
    return outcomeOf(process);
}

/// A line for the shell, in which `$CLI` is the program.
inline Outcome runShell(const QString& line)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"CLI"_s, QStringLiteral(ATTNSCOPE_CLI));
    process.setProcessEnvironment(environment);
    process.start(u"/bin/bash"_s, {u"-c"_s, line});
    return outcomeOf(process);
}

/// On a terminal of that width, which has both streams: `data` holds all that was drawn.
inline Outcome runOnTerminal(const QStringList& arguments, int columns)
{
    winsize size{};
    size.ws_row = 50;
    size.ws_col = static_cast<unsigned short>(columns);
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
        std::vector<QByteArray> words{QByteArray(ATTNSCOPE_CLI)};
        for (const QString& argument : arguments)
            words.push_back(argument.toUtf8());
        std::vector<char*> pointers;
        for (QByteArray& word : words)
            pointers.push_back(word.data());
        pointers.push_back(nullptr);
        ::setenv("TERM", "xterm", 1);
        ::execv(pointers.front(), pointers.data());
        ::_exit(127);
    }
    Outcome outcome;
    char bytes[4096];
    for (ssize_t count = 0; (count = ::read(terminal, bytes, sizeof bytes)) > 0;)
        outcome.data.append(bytes, int(count));
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(terminal);
    outcome.crashed = !WIFEXITED(status);
    outcome.exitCode = WEXITSTATUS(status);
    return outcome;
}

/// What `--help` lists.
inline QStringList listedCommands()
{
    static const QRegularExpression line("^  ([a-z-]+) +[A-Z]", QRegularExpression::MultilineOption);
    QStringList names;
    const QString help = QString::fromUtf8(runCli({"--help"}).data).section("Subcommands:", 1);
    for (auto match = line.globalMatch(help); match.hasNext();)
        names << match.next().captured(1);
    return names;
}

inline QString testData(const QString& path)
{
    return QStringLiteral(TEST_DATA_DIR "/") + path;
}

/// A safetensors file with one header and zeros (or what `values` holds) behind it.
inline QByteArray safetensors(const QByteArray& header, const QByteArray& values)
{
    const auto length = quint64(header.size());
    QByteArray file(8, '\0');
    std::memcpy(file.data(), &length, 8);  // little-endian machines only, as everywhere here
    return file + header + values;
}

/// A copy of a safetensors file of float32 in which the first value of a tensor is NaN.
inline QByteArray withNanIn(const QByteArray& file, const QString& tensor)
{
    quint64 length = 0;
    std::memcpy(&length, file.constData(), 8);
    const QJsonObject header = QJsonDocument::fromJson(file.mid(8, int(length))).object();
    const QJsonArray place = header[tensor].toObject()["data_offsets"].toArray();
    if (place.isEmpty())
        qFatal("there is no tensor %s", qPrintable(tensor));
    QByteArray changed = file;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(changed.data() + 8 + length + quint64(place[0].toDouble()), &nan, sizeof nan);
    return changed;
}

}
