// What `attnscope-cli` says about itself: the launcher's texts, which are there at once, and the manual pages.
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>

using namespace attnscope::test;

namespace {

/// The program behind the launcher.
Outcome runCommands(const QStringList& arguments)
{
    QProcess process;
    process.start(QStringLiteral(ATTNSCOPE_COMMANDS), arguments);
    return outcomeOf(process);
}

QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}

class CliHelp : public QObject {
    Q_OBJECT

private slots:
    void theLauncherPrintsWhatTheProgramDoes()
    {
        const QStringList commands = listedCommands();
        QVERIFY(commands.contains("compare") && commands.contains("completion"));
        std::vector<QStringList> lines{{"--help"},
                                       {"--version"},
                                       {"-h"},
                                       {"completion", "bash"},
                                       {"completion", "zsh"},
                                       {"completion", "fish"},
                                       {"compare", "-h"},
                                       {"compare", "--version"}};
        for (const QString& command : commands)
            lines.push_back({command, "--help"});
        for (const QStringList& line : lines) {
            const Outcome fast = runCli(line), full = runCommands(line);
            QVERIFY2(!fast.data.isEmpty() && fast.data == full.data, qPrintable(line.join(' ')));
            QCOMPARE(fast.exitCode, 0);
            QCOMPARE(full.exitCode, 0);
        }
    }

    void helpIsThereAtOnce()
    {
        for (const QStringList& line : {QStringList{"--version"}, {"--help"}, {"compare", "--help"}}) {
            qint64 best = 1000;
            for (int i = 0; i < 5; ++i) {
                QElapsedTimer clock;
                clock.start();
                runCli(line);
                best = std::min(best, clock.elapsed());
            }
            QVERIFY2(best <= 100, qPrintable(QString("%1: %2 ms").arg(line.join(' ')).arg(best)));
        }
    }

    void aReaderThatHasGoneIsNoErrorAndAFullDiskIsOne()
    {
        QCOMPARE(runShell("set -o pipefail; \"$CLI\" completion zsh | head -1 >/dev/null").exitCode, 0);
        const Outcome full = runShell("\"$CLI\" --help > /dev/full");
        QCOMPARE(full.exitCode, 1);
        QVERIFY2(full.messages.contains("standard output"), full.messages.constData());
    }

    void aLauncherWithoutItsProgramSaysSo()
    {
        const QTemporaryDir folder;
        const QString copy = folder.filePath("attnscope-cli");
        QVERIFY(QFile::copy(QStringLiteral(ATTNSCOPE_CLI), copy));
        QProcess process;
        process.start(copy, {"models"});
        const Outcome outcome = outcomeOf(process);
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.messages.contains("libexec/attnscope/attnscope-commands cannot be started")
                     && outcome.messages.count('\n') == 1,
                 outcome.messages.constData());
    }

    void everyCommandHasAManualPageWithItsOptions()
    {
        const QTemporaryDir folder;
        const Outcome written = runCommands({"--write-help", folder.path()});
        QVERIFY2(written.exitCode == 0, written.messages.constData());
        const QDir pages(folder.filePath("man"));
        const QStringList commands = listedCommands();
        QCOMPARE(pages.entryList(QDir::Files).size(), commands.size() + 1);
        const bool checked = !QStandardPaths::findExecutable("groff").isEmpty();
        for (const QString& command : commands) {
            const QString path = pages.filePath("attnscope-cli-" + command + ".1");
            const QByteArray page = contentsOf(path);
            static const QRegularExpression option("^  (?:-h,)?(--[a-z][a-z0-9-]*)",
                                                   QRegularExpression::MultilineOption);
            const QString help = QString::fromUtf8(runCli({command, "--help"}).data).section("Examples:", 0, 0);
            for (auto match = option.globalMatch(help); match.hasNext();) {
                const QByteArray name = match.next().captured(1).toUtf8().replace("-", "\\-");
                QVERIFY2(page.contains("\\fB" + name + "\\fR"), qPrintable(path + ": " + name));
            }
            QVERIFY2(page.contains(".SH EXAMPLES") && page.contains(".SH EXIT STATUS"), qPrintable(path));
            if (!checked)
                continue;
            QProcess groff;
            groff.start("groff", {"-ww", "-z", "-man", "-Kutf8", "-Tutf8", path});
            const Outcome outcome = outcomeOf(groff);
            QVERIFY2(outcome.exitCode == 0 && outcome.messages.isEmpty(), outcome.messages.constData());
        }
        if (!checked)
            qInfo("groff is not installed, so the pages' typesetting was not checked");
    }
};

ATTNSCOPE_EVENT_TEST(CliHelp)
#include "tst_cli_help.moc"
