// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself, as a process.
#include "tests/support/test_class.h"

#include "core/base/version.h"

#include <QProcess>

namespace {

struct ProgramRun {
    int exitCode = -1;
    QString out, err;
};

/// Runs the window's program where there is no display.
ProgramRun runWithoutDisplay(const QStringList& arguments)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
        environment.remove(QString::fromLatin1(name));
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(ATTNSCOPE_WINDOW_PROGRAM), arguments);
    if (!process.waitForFinished(30'000) || process.exitStatus() != QProcess::NormalExit)
        return {-1, {}, process.errorString()};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()), QString::fromUtf8(process.readAllStandardError())};
}

}  // namespace

class TestProgram : public QObject {
    Q_OBJECT

private slots:
    void helpNeedsNoDisplay_data()
    {
        QTest::addColumn<QString>("option");
        for (const char* option : {"--help", "-h"})
            QTest::newRow(option) << QString::fromLatin1(option);
    }
    void helpNeedsNoDisplay()
    {
        QFETCH(QString, option);
        const ProgramRun run = runWithoutDisplay({option});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        QVERIFY2(run.out.contains(QStringLiteral("--attention <SPEC>")), qPrintable(run.out));
    }

    void versionNeedsNoDisplay()
    {
        const ProgramRun run = runWithoutDisplay({QStringLiteral("--version")});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        QCOMPARE(run.out, QStringLiteral("attnscope %1\n").arg(QString::fromLatin1(attnscope::version)));
    }
};

ATTNSCOPE_EVENT_TEST(TestProgram)
#include "tst_program.moc"
