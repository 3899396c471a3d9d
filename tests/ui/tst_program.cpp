// The program itself, as a process.
#include "tests/support/test_class.h"
#include "ui/workspace/settings.h"

#include "core/base/version.h"

#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>

using namespace attnscope::ui;

namespace {

struct ProgramRun {
    int exitCode = -1;
    QString out, err;
};

ProgramRun runProgram(const QStringList& arguments, const QProcessEnvironment& environment)
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(ATTNSCOPE_WINDOW_PROGRAM), arguments);
    if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit)
        return {-1, {}, process.errorString()};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

/// Runs the window's program where there is no display.
ProgramRun runWithoutDisplay(const QStringList& arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
        environment.remove(QString::fromLatin1(name));
    return runProgram(arguments, environment);
}

/// And where the display of this name does not answer.
ProgramRun runWithDisplay(const char* variable, const char* name, const QStringList& arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* other : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
        environment.remove(QString::fromLatin1(other));
    environment.insert(QString::fromLatin1(variable), QString::fromLatin1(name));
    return runProgram(arguments, environment);
}

/// Runs it with a window that nobody sees, and a cache folder of its own.
ProgramRun runOffscreen(const QStringList& arguments, const QString& cache = {})
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    if (!cache.isEmpty())
        environment.insert(QStringLiteral("XDG_CACHE_HOME"), cache);
    return runProgram(arguments, environment);
}

}

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

    /// Qt would abort.
    void withoutADisplayOneSentenceNamesTheCommandLine()
    {
        const ProgramRun none = runWithoutDisplay({});
        QCOMPARE(none.exitCode, 1);
        QCOMPARE(none.err, QStringLiteral("attnscope: no window can be opened: neither DISPLAY nor "
                                          "WAYLAND_DISPLAY is set; start it in a desktop session, or "
                                          "use attnscope-cli, which needs none.\n"));
        const ProgramRun gone = runWithDisplay("DISPLAY", "nowhere.invalid:77", {QStringLiteral("cat.png")});
        QCOMPARE(gone.exitCode, 1);
        QVERIFY2(gone.err.contains(QStringLiteral("nowhere.invalid:77")) && gone.err.count(QLatin1Char('\n')) == 1,
                 qPrintable(gone.err));
        const ProgramRun misnamed = runWithDisplay("QT_QPA_PLATFORM", "paper", {});
        QCOMPARE(misnamed.exitCode, 1);
        QVERIFY2(misnamed.err.contains(QStringLiteral("paper")) && misnamed.err.count(QLatin1Char('\n')) == 1,
                 qPrintable(misnamed.err));
        const ProgramRun offscreen = runWithoutDisplay({QStringLiteral("-platform"), QStringLiteral("offscreen"),
                                                        QStringLiteral("--after"), QStringLiteral("soon")});
        QCOMPARE(offscreen.exitCode, 2);
    }

    /// The second start gives its file to the window that is there, and ends.
    void aSecondStartHandsItsFilesOver()
    {
        QTemporaryDir folder;
        const QString settings = folder.filePath(QStringLiteral("a.ini")),
                      image = folder.filePath(QStringLiteral("cat.png"));
        QImage picture(64, 48, QImage::Format_RGB32);
        picture.fill(Qt::gray);
        QVERIFY(picture.save(image));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CACHE_HOME"), folder.path());
        environment.insert(QStringLiteral("TMPDIR"), folder.path());
        QProcess first;
        first.setProcessEnvironment(environment);
        first.start(QStringLiteral(ATTNSCOPE_WINDOW_PROGRAM), {QStringLiteral("--settings"), settings});
        QVERIFY(first.waitForStarted());
        const auto listed = [&] {
            return QSettings(settings, QSettings::IniFormat).value(QStringLiteral("recent/files")).toStringList();
        };
        // Until it listens, a second start would open a window of its own.
        QVERIFY(QTest::qWaitFor(
            [&] {
                return !QDir(folder.path()).entryList({QStringLiteral("attnscope-*")}, QDir::System).isEmpty();
            },
            60'000));
        const ProgramRun second = runProgram({QStringLiteral("--settings"), settings, image}, environment);
        QVERIFY2(second.exitCode == 0, qPrintable(second.err));
        QVERIFY(QTest::qWaitFor([&] { return listed() == QStringList{image}; }, 20'000));
        QCOMPARE(first.state(), QProcess::Running);
        first.kill();
        QVERIFY(first.waitForFinished());
        // A socket that was left behind is in nobody's way.
        first.start(QStringLiteral(ATTNSCOPE_WINDOW_PROGRAM), {QStringLiteral("--settings"), settings});
        QVERIFY(first.waitForStarted());
        QTest::qWait(1500);
        QCOMPARE(first.state(), QProcess::Running);
        first.kill();
        QVERIFY(first.waitForFinished());
    }

    /// What was open and measured is in the files soon after it was, not first when the window closes.
    void killedItHasLostNothing_data()
    {
        QTest::addColumn<bool>("killed");
        QTest::newRow("kill -9") << true;
        QTest::newRow("SIGTERM") << false;
    }
    void killedItHasLostNothing()
    {
        QFETCH(bool, killed);
        QTemporaryDir folder;
        const QString settings = folder.filePath(QStringLiteral("a.ini")),
                      results = folder.filePath(QStringLiteral("a.results"));
        const QString image = QStringLiteral(RESOURCE_DIR "/demo/photos/cat.jpg");
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "TMPDIR"})
            environment.insert(QString::fromLatin1(name), folder.path());
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(ATTNSCOPE_WINDOW_PROGRAM),
                      {QStringLiteral("--settings"), settings, QStringLiteral("--attention"),
                       QStringLiteral("softmax"), QStringLiteral("--attention"), QStringLiteral("lara:samples=16"),
                       image});
        QVERIFY(program.waitForStarted());
        QVERIFY(QTest::qWaitFor([&] { return !killed || QFileInfo(results).size() > 0; }, 120'000));
        if (!killed)
            QVERIFY(QTest::qWaitFor(
                [&] {
                    return QDir(folder.path()).entryList({QStringLiteral("attnscope-*")}, QDir::System).size() > 0;
                },
                60'000));
        killed ? program.kill() : program.terminate();
        QVERIFY(program.waitForFinished(60'000));
        QCOMPARE(program.exitStatus(), killed ? QProcess::CrashExit : QProcess::NormalExit);
        const LoadedSettings loaded = loadSettings(settings);
        QVERIFY2(loaded.problem.isEmpty(), qPrintable(loaded.problem));
        QCOMPARE(loaded.settings.inputs, QStringList{image});
        QCOMPARE(loaded.settings.specs,
                 QStringList({QStringLiteral("softmax"), QStringLiteral("lara:samples=16")}));
        QVERIFY2(loaded.settings.context.weights.endsWith(QStringLiteral("deit.safetensors")),
                 qPrintable(loaded.settings.context.weights));
        if (killed)
            QVERIFY(loadResults(settings).screens.contains("compare"));
    }

    /// Measured once, saved in every theme and size.
    void screenshotsOfThemesAndSizes()
    {
        QTemporaryDir folder;
        const ProgramRun run = runOffscreen(
            {QStringLiteral("--screen"), QStringLiteral("scale"), QStringLiteral("--weights"),
             QStringLiteral("untrained"), QStringLiteral("--model"), QStringLiteral("deit_tiny_patch16_224"),
             QStringLiteral("--screenshot"), folder.filePath(QStringLiteral("scale.png")),
             QStringLiteral("--theme"), QStringLiteral("light"), QStringLiteral("--theme"), QStringLiteral("dark"),
             QStringLiteral("--size"), QStringLiteral("1280x800"), QStringLiteral("--size"),
             QStringLiteral("1024x640")},
            folder.path());
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        const QImage light(folder.filePath(QStringLiteral("scale-light-1280x800.png"))),
            dark(folder.filePath(QStringLiteral("scale-dark-1024x640.png")));
        QCOMPARE(light.size(), QSize(1280, 800));
        QCOMPARE(dark.size(), QSize(1024, 640));
        QVERIFY(light.pixelColor(5, 400).lightness() > 150 && dark.pixelColor(5, 400).lightness() < 100);
        QCOMPARE(QDir(folder.path()).entryList({QStringLiteral("*.png")}).size(), 4);
    }

    void waitingTimeIsChecked()
    {
        const ProgramRun run = runOffscreen({QStringLiteral("--after"), QStringLiteral("soon")});
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains(QStringLiteral("--after soon")), qPrintable(run.err));
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
