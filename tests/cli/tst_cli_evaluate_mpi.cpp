// Processes that evaluate together, and parts that are merged: the same bytes as one process.
#include "evaluation_runs.h"
#include "tests/support/packed_files.h"
#include "tests/support/signal_process.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace attnscope;
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
        MemberFiles members;
        for (const QString& file : paths)
            members.push_back(
                {QDir(path("val")).relativeFilePath(file).toStdString(), contentOf(file).toStdString()});
        put(path("val.tar"), QByteArray::fromStdString(tarOf(members)));
        put(path("val.tar.gz"), QByteArray::fromStdString(gzipOf(tarOf(members))));
        put(path("val.parquet"), tableOfImages());
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

    void archivesGiveTheBytesOfOneProcess_data()
    {
        QTest::addColumn<QString>("archive");
        for (const char* archive : {"val.tar", "val.tar.gz", "val.parquet"})
            QTest::newRow(archive) << archive;
    }

    void archivesGiveTheBytesOfOneProcess()
    {
        QFETCH(QString, archive);
        const auto evaluated = [&](int processes) {
            const QString name = QString("%1.%2").arg(archive).arg(processes);
            const QStringList arguments = command(name + ".sqlite", archive)
                                          + QStringList{"--json", path(name + ".json")};
            QProcess process;
            if (processes == 1)
                process.start(QStringLiteral(ATTNSCOPE_CLI), arguments);
            else
                process.start("mpirun", together(arguments, processes));
            process.waitForFinished(120'000);
            return comparable(path(name + ".json")).replace(path(archive).toUtf8(), path("val").toUtf8());
        };
        const QByteArray alone = evaluated(1);
        QVERIFY(alone.contains(archive.endsWith("parquet") ? "\"samples\": 7," : "\"samples\": 98,"));
        QCOMPARE(evaluated(2), alone);
        if (!archive.endsWith("parquet"))
            QCOMPARE(alone, comparable(path("one.json")));
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

    /// One of three is lost, and mpirun lets the others go on: nothing is missing, and nothing twice.
    void lostProcessesBatchesAreDoneByOthers()
    {
        bool killed = false;
        for (int attempt = 0; attempt < 5 && !killed; ++attempt)
            killed = oneKilledInTheMiddle("lost.sqlite");
        QVERIFY(killed);
        QCOMPARE(comparable(path("lost.json")), comparable(path("one.json")));
    }

private:
    bool killedInTheMiddle(const QString& store);
    bool oneKilledInTheMiddle(const QString& store);
    bool waitForStore(QProcess& process, const QString& store, qint64 bytes) const;
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QStringList command(const QString& store, const QString& data = "val") const
    {
        return QStringList{"evaluate",       path(data),     "--model",  path("tiny.json"), "--weights",
                           "untrained:1",    "--batch-size", "8",        "--device",        "cpu",
                           "--quiet",        "--threads",    "1",        "--workers",       "1",
                           "--no-measuring", "--store",      path(store)}
               + someAttentions();
    }
    static QByteArray contentOf(const QString& name)
    {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// A table whose seven rows of bytes become images of two by two pixels, with comments that make them as long.
    static QByteArray tableOfImages()
    {
        QByteArray table = contentOf(testData("parquet/named.parquet"));
        for (int row = 0; row < 7; ++row) {
            QByteArray bytes("\xff\xd8\xff");
            for (int at = 0; at < 20 + 13 * row; ++at)
                bytes += char((31 * row + 7 * at) % 256);
            const QByteArray comment = row == 0 ? QByteArray() : '#' + QByteArray(13 * row - 2, ' ') + '\n';
            table.replace(bytes, "P6\n" + comment + "2 2\n255\n" + tinyImage(unsigned(row)).right(12));
        }
        return table;
    }
    /// `mpirun` on this machine, on however few cores, without a remote shell.
    static QStringList together(const QStringList& arguments, int processes = 3)
    {
        return QStringList{"-n",
                           QString::number(processes),
                           "--allow-run-as-root",
                           "--oversubscribe",
                           "--mca",
                           "plm",
                           "isolated",
                           QStringLiteral(ATTNSCOPE_CLI)}
               + arguments;
    }

    QTemporaryDir m_folder;
};

/// Until the store's log has grown to so much. False where the processes ended before.
bool TestCliEvaluateMpi::waitForStore(QProcess& process, const QString& store, qint64 bytes) const
{
    QElapsedTimer timer;
    timer.start();
    while (QFileInfo(path(store + "-wal")).size() <= bytes)
        if (process.waitForFinished(2) || timer.elapsed() > 60'000)
            return false;
    return true;
}

/// True where the launcher got its SIGKILL between the first batches that were stored and the end.
bool TestCliEvaluateMpi::killedInTheMiddle(const QString& store)
{
    for (const char* left : {"", "-wal", "-shm"})
        QFile::remove(path(store) + left);
    QProcess process;
    process.start("mpirun", together(command(store)));
    if (!waitForStore(process, store, 30'000))
        return false;
    const bool sent = signalProcess(process.processId(), SIGKILL);
    process.waitForFinished(30'000);
    return sent && process.exitStatus() == QProcess::CrashExit;
}

/// True where a process other than the first got its SIGKILL between the first batches that were stored and the end.
bool TestCliEvaluateMpi::oneKilledInTheMiddle(const QString& store)
{
    for (const char* left : {"", "-wal", "-shm"})
        QFile::remove(path(store) + left);
    QProcess process;
    process.start("mpirun", QStringList{"--enable-recovery"}
                                + together(command(store) + QStringList{"--json", path("lost.json")}));
    // Until 300,000 it prepares; all 13 batches make a million.
    if (!waitForStore(process, store, 400'000))
        return false;
    bool sent = false;
    for (const QString& number : QDir("/proc").entryList(QDir::Dirs)) {
        QFile environment("/proc/" + number + "/environ"), line("/proc/" + number + "/cmdline");
        if (environment.open(QIODevice::ReadOnly) && line.open(QIODevice::ReadOnly)
            && environment.readAll().contains("OMPI_COMM_WORLD_RANK=1")
            && line.readAll().contains(path(store).toUtf8()))
            sent |= signalProcess(number.toLongLong(), SIGKILL);
    }
    return process.waitForFinished(40'000) && sent && process.exitStatus() == QProcess::NormalExit
           && QFileInfo::exists(path("lost.json"));
}

ATTNSCOPE_EVENT_TEST(TestCliEvaluateMpi)
#include "tst_cli_evaluate_mpi.moc"
