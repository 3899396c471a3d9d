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
using namespace Qt::StringLiterals;

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
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    if (!cache.isEmpty())
        environment.insert(u"XDG_CACHE_HOME"_s, cache);
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
        QVERIFY2(run.out.contains(u"--attention <SPEC>"_s), qPrintable(run.out));
    }

    /// Qt would abort.
    void withoutADisplayOneSentenceNamesTheCommandLine()
    {
        const ProgramRun none = runWithoutDisplay({});
        QCOMPARE(none.exitCode, 1);
        QCOMPARE(none.err, u"attnscope: no window can be opened: neither DISPLAY nor "
                           "WAYLAND_DISPLAY is set; start it in a desktop session, or "
                           "use attnscope-cli, which needs none.\n"_s);
        const ProgramRun gone = runWithDisplay("DISPLAY", "nowhere.invalid:77", {u"cat.png"_s});
        QCOMPARE(gone.exitCode, 1);
        QVERIFY2(gone.err.contains(u"nowhere.invalid:77"_s) && gone.err.count(QLatin1Char('\n')) == 1,
                 qPrintable(gone.err));
        const ProgramRun misnamed = runWithDisplay("QT_QPA_PLATFORM", "paper", {});
        QCOMPARE(misnamed.exitCode, 1);
        QVERIFY2(misnamed.err.contains(u"paper"_s) && misnamed.err.count(QLatin1Char('\n')) == 1,
                 qPrintable(misnamed.err));
        const ProgramRun offscreen = runWithoutDisplay({u"-platform"_s, u"offscreen"_s, u"--after"_s, u"soon"_s});
        QCOMPARE(offscreen.exitCode, 2);
    }

    /// The second start gives its file to the window that is there, and ends.
    void aSecondStartHandsItsFilesOver()
    {
        QTemporaryDir folder;
        const QString settings = folder.filePath(u"a.ini"_s), image = folder.filePath(u"cat.png"_s);
        QImage picture(64, 48, QImage::Format_RGB32);
        picture.fill(Qt::gray);
        QVERIFY(picture.save(image));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"XDG_CACHE_HOME"_s, folder.path());
        environment.insert(u"TMPDIR"_s, folder.path());
        QProcess first;
        first.setProcessEnvironment(environment);
        first.start(QStringLiteral(ATTNSCOPE_WINDOW_PROGRAM), {u"--settings"_s, settings});
        QVERIFY(first.waitForStarted());
        const auto listed = [&] {
            return QSettings(settings, QSettings::IniFormat).value(u"recent/files"_s).toStringList();
        };
        // Until it listens, a second start would open a window of its own.
        QVERIFY(QTest::qWaitFor(
            [&] { return !QDir(folder.path()).entryList({u"attnscope-*"_s}, QDir::System).isEmpty(); }, 60'000));
        const ProgramRun second = runProgram({u"--settings"_s, settings, image}, environment);
        QVERIFY2(second.exitCode == 0, qPrintable(second.err));
        QVERIFY(QTest::qWaitFor([&] { return listed() == QStringList{image}; }, 20'000));
        QCOMPARE(first.state(), QProcess::Running);
        first.kill();
        QVERIFY(first.waitForFinished());
        // A socket that was left behind is in nobody's way.
        first.start(QStringLiteral(ATTNSCOPE_WINDOW_PROGRAM), {u"--settings"_s, settings});
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
        const QString settings = folder.filePath(u"a.ini"_s), results = folder.filePath(u"a.results"_s);
        const QString image = QStringLiteral(RESOURCE_DIR "/demo/photos/cat.jpg");
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "TMPDIR"})
            environment.insert(QString::fromLatin1(name), folder.path());
        environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(ATTNSCOPE_WINDOW_PROGRAM),
                      {u"--settings"_s, settings, u"--attention"_s, u"softmax"_s, u"--attention"_s,
                       u"lara:samples=16"_s, image});
        QVERIFY(program.waitForStarted());
        QVERIFY(QTest::qWaitFor([&] { return !killed || QFileInfo(results).size() > 0; }, 120'000));
        if (!killed)
            QVERIFY(QTest::qWaitFor(
                [&] { return QDir(folder.path()).entryList({u"attnscope-*"_s}, QDir::System).size() > 0; },
                60'000));
        killed ? program.kill() : program.terminate();
        QVERIFY(program.waitForFinished(60'000));
        QCOMPARE(program.exitStatus(), killed ? QProcess::CrashExit : QProcess::NormalExit);
        const LoadedSettings loaded = loadSettings(settings);
        QVERIFY2(loaded.problem.isEmpty(), qPrintable(loaded.problem));
        QCOMPARE(loaded.settings.inputs, QStringList{image});
        QCOMPARE(loaded.settings.specs, QStringList({u"softmax"_s, u"lara:samples=16"_s}));
        QVERIFY2(loaded.settings.context.weights.endsWith(u"deit.safetensors"_s),
                 qPrintable(loaded.settings.context.weights));
        if (killed)
            QVERIFY(loadResults(settings).screens.contains("compare"));
    }

    /// Measured once, saved in every theme and size.
    void screenshotsOfThemesAndSizes()
    {
        QTemporaryDir folder;
        const ProgramRun run = runOffscreen(
            {u"--screen"_s, u"scale"_s, u"--weights"_s, u"untrained"_s, u"--model"_s, u"deit_tiny_patch16_224"_s,
             u"--screenshot"_s, folder.filePath(u"scale.png"_s), u"--theme"_s, u"light"_s, u"--theme"_s, u"dark"_s,
             u"--size"_s, u"1280x800"_s, u"--size"_s, u"1024x640"_s},
            folder.path());
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        const QImage light(folder.filePath(u"scale-light-1280x800.png"_s)),
            dark(folder.filePath(u"scale-dark-1024x640.png"_s));
        QCOMPARE(light.size(), QSize(1280, 800));
        QCOMPARE(dark.size(), QSize(1024, 640));
        QVERIFY(light.pixelColor(5, 400).lightness() > 150 && dark.pixelColor(5, 400).lightness() < 100);
        QCOMPARE(QDir(folder.path()).entryList({u"*.png"_s}).size(), 4);
    }

    void waitingTimeIsChecked()
    {
        const ProgramRun run = runOffscreen({u"--after"_s, u"soon"_s});
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains(u"--after soon"_s), qPrintable(run.err));
    }

    void versionNeedsNoDisplay()
    {
        const ProgramRun run = runWithoutDisplay({u"--version"_s});
        QVERIFY2(run.exitCode == 0, qPrintable(run.err));
        QCOMPARE(run.out, u"attnscope %1\n"_s.arg(QString::fromLatin1(attnscope::version)));
    }
};

ATTNSCOPE_EVENT_TEST(TestProgram)
#include "tst_program.moc"
