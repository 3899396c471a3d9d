// Processes that evaluate together, and parts that are merged: the same bytes as one process.
#include "evaluation_runs.h"
#include "tests/support/signal_process.h"
#include "tests/support/test_class.h"

#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace attnscope::test;

class TestCliEvaluateMpi : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (QStandardPaths::findExecutable("mpirun").isEmpty())
            QSKIP("mpirun is not installed (openmpi-bin)");
        if (QStringLiteral(ATTNSCOPE_MPI_PLUGIN).isEmpty())
            QSKIP("this build is without MPI (libopenmpi-dev)");
        put(path("tiny.json"), tinyNetwork);
        const QStringList paths = putImages(path("val"), 100);  // 13 batches, the last of 4
        put(paths[30], "no picture");
        put(paths[99], "nor this");
        const Outcome one = runCli(command("one.sqlite") + QStringList{"--json", path("one.json")});
        QVERIFY2(one.exitCode == 3, one.messages.constData());
        QVERIFY(!comparable(path("one.json")).isEmpty());
    }

    void threeProcessesGiveTheBytesOfOne()
    {
        QProcess process;
        process.start("mpirun", together(command("three.sqlite") + QStringList{"--json", path("three.json")}));
        QVERIFY(process.waitForFinished(120'000));
        const QByteArray messages = process.readAllStandardError();
        QCOMPARE(comparable(path("three.json")), comparable(path("one.json")));
        QCOMPARE(process.readAllStandardOutput().count("McNemar"), 1);  // one speaks
        QVERIFY2(messages.count("000030.ppm") == 1, messages.constData());
    }

    void theyKeepTheLogitsOfOne()
    {
        const auto arrays = [&](const char* store) {
            const Outcome written = runCli({"predictions", path(store), "--out", path("logits.npz")});
            QFile file(path("logits.npz"));
            return written.exitCode == 0 && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const Outcome one = runCli(command("kept.sqlite") + QStringList{"--keep", "logits"});
        QVERIFY2(one.exitCode == 3, one.messages.constData());
        QProcess process;
        process.start("mpirun", together(command("kept3.sqlite") + QStringList{"--keep", "logits"}));
        QVERIFY(process.waitForFinished(120'000));
        const QByteArray expected = arrays("kept.sqlite");
        QVERIFY(expected.contains("logits.npy"));
        QVERIFY(arrays("kept3.sqlite") == expected);
    }

    void killedTheyGoOnAsOne()
    {
        bool killed = false;
        for (int attempt = 0; attempt < 5 && !killed; ++attempt)  // a fast machine may have ended first
            killed = killedInTheMiddle("killed.sqlite");
        QVERIFY(killed);
        const auto goesOn = [&] {
            return runCli(command("killed.sqlite") + QStringList{"--resume", "--json", path("killed.json")});
        };
        Outcome last = goesOn();
        for (int i = 0; i < 50 && last.exitCode == 1 && last.messages.contains("process"); ++i) {
            QTest::qWait(200);  // the killed launcher's processes take a moment to end
            last = goesOn();
        }
        QVERIFY2(last.exitCode == 3, last.messages.constData());
        QCOMPARE(comparable(path("killed.json")), comparable(path("one.json")));
    }

private:
    bool killedInTheMiddle(const QString& store);
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QStringList command(const QString& store) const
    {
        return QStringList{"evaluate",       path("val"),    "--model",  path("tiny.json"), "--weights",
                           "untrained:1",    "--batch-size", "8",        "--device",        "cpu",
                           "--quiet",        "--threads",    "1",        "--workers",       "1",
                           "--no-measuring", "--store",      path(store)}
               + someAttentions();
    }
    /// `mpirun -n 3` on this machine, on however few cores, without a remote shell.
    static QStringList together(const QStringList& arguments)
    {
        return QStringList{"-n",  "3",        "--allow-run-as-root",        "--oversubscribe", "--mca",
                           "plm", "isolated", QStringLiteral(ATTNSCOPE_CLI)}
               + arguments;
    }

    QTemporaryDir m_folder;
};

/// True where the launcher got its SIGKILL between the first batches that were stored and the end.
bool TestCliEvaluateMpi::killedInTheMiddle(const QString& store)
{
    for (const char* left : {"", "-wal", "-shm"})
        QFile::remove(path(store) + left);
    QProcess process;
    process.start("mpirun", together(command(store)));
    QElapsedTimer timer;
    timer.start();
    while (QFileInfo(path(store + "-wal")).size() <= 30'000)
        if (process.waitForFinished(2) || timer.elapsed() > 60'000)
            return false;
    const bool sent = signalProcess(process.processId(), SIGKILL);
    process.waitForFinished(30'000);
    return sent && process.exitStatus() == QProcess::CrashExit;
}

ATTNSCOPE_EVENT_TEST(TestCliEvaluateMpi)
#include "tst_cli_evaluate_mpi.moc"
