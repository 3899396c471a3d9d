// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>
#include <QTest>

#include <cstring>

namespace attnscope::test {

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

inline Outcome runCli(const QStringList& arguments, const QString& folder = {})
{
    QProcess process;
    if (!folder.isEmpty())
        process.setWorkingDirectory(folder);
    process.start(QStringLiteral(ATTNSCOPE_CLI), arguments);
    Outcome outcome;
    if (!process.waitForFinished(240000))
        return outcome;
    outcome.crashed = process.exitStatus() != QProcess::NormalExit;
    outcome.exitCode = process.exitCode();
    outcome.data = process.readAllStandardOutput();
    outcome.messages = process.readAllStandardError();
    return outcome;
}

inline QString testData(const QString& path)
{
    return QStringLiteral(TEST_DATA_DIR "/") + path;
}

/// A safetensors file with one header and zeros (or what `values` holds) behind it.
inline QByteArray safetensors(const QByteArray& header, const QByteArray& values)
{
    const auto length = static_cast<quint64>(header.size());
    QByteArray file(8, '\0');
    std::memcpy(file.data(), &length, 8);  // little-endian machines only, as everywhere here
    return file + header + values;
}

}  // namespace attnscope::test
