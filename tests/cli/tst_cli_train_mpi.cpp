// Processes that train together: the same losses as one process with the whole batch.
#include "cli_process.h"
#include "tests/support/signal_process.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <csignal>

using namespace attnscope::test;

namespace {

const QByteArray tinyDeit =
    R"({"family":"deit","img_size":16,"patch_size":8,"embed_dim":12,"depth":2,"num_heads":3,"num_classes":12,
"mlp_ratio":2,"qkv_bias":true,"ln_eps":1e-6,"act":"gelu_erf","attention":"softmax"})";

/// `mpirun -n COUNT attnscope-cli …` on this machine, on however few cores, without a remote shell.
QStringList together(int count, const QStringList& arguments)
{
    return QStringList{
               "-n",       QString::number(count),       "--allow-run-as-root", "--oversubscribe", "--mca", "plm",
               "isolated", QStringLiteral(ATTNSCOPE_CLI)}
           + arguments;
}

Outcome runTogether(int count, const QStringList& arguments, const QString& plugin = {})
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    if (!plugin.isEmpty())
        environment.insert("ATTNSCOPE_MPI", plugin);
    process.setProcessEnvironment(environment);
    process.start("mpirun", together(count, arguments));
    Outcome outcome;
    if (!process.waitForFinished(120'000))
        return outcome;
    outcome.crashed = process.exitStatus() != QProcess::NormalExit;
    outcome.exitCode = process.exitCode();
    outcome.data = process.readAllStandardOutput();
    outcome.messages = process.readAllStandardError();
    return outcome;
}

QJsonObject readJson(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

/// The largest relative difference of losses, of training and both validations, over all epochs.
double difference(const QJsonObject& a, const QJsonObject& b)
{
    const QJsonArray first = a["epochs"].toArray(), second = b["epochs"].toArray();
    if (first.isEmpty() || first.size() != second.size())
        return 1e9;
    const auto relative = [](double x, double y) {
        return std::isfinite(x) && std::isfinite(y) ? std::abs(x - y) / x : 1e9;
    };
    double largest = 0;
    for (qsizetype i = 0; i < first.size(); ++i) {
        const QJsonObject x = first[i].toObject(), y = second[i].toObject();
        largest = std::max(largest, relative(x["training_loss"].toDouble(), y["training_loss"].toDouble()));
        for (const char* key : {"validation", "average_validation"})
            largest = std::max(
                largest, relative(x[key].toObject()["loss"].toDouble(), y[key].toObject()["loss"].toDouble()));
        if (x["samples"] != y["samples"])
            return 1e9;
    }
    return largest;
}

}

class CliTrainMpi : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void severalProcessesHaveTheLossesOfOne_data();
    void severalProcessesHaveTheLossesOfOne();
    void anInterruptStopsAllAndAllGoOn();
    void aMissingLibraryIsSaidOnce();
    void aProblemEndsAllWithOneSentence();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QStringList command(const QString& output, int epochs) const
    {
        return {"train",        path("demo/scenes"),
                "--model",      path("tiny.json"),
                "--epochs",     QString::number(epochs),
                "--batch-size", "18",
                "--lr",         "1e-3",
                "--warmup",     "1",
                "--ema",        "0.9",
                "--threads",    "1",
                "--workers",    "1",
                "--device",     "cpu",
                "--quiet",      "--out",
                path(output)};
    }

    QTemporaryDir m_folder;
};

void CliTrainMpi::initTestCase()
{
    if (QStandardPaths::findExecutable("mpirun").isEmpty())
        QSKIP("mpirun is not installed (openmpi-bin)");
    if (QStringLiteral(ATTNSCOPE_MPI_PLUGIN).isEmpty())
        QSKIP("this build is without MPI (libopenmpi-dev)");
    QFile file(path("tiny.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(tinyDeit) == tinyDeit.size());
    const Outcome made = runCli(
        {"demo", path("demo"), "--only", "scenes", "--train", "8", "--val", "2", "--quiet"});
    QVERIFY2(made.exitCode == 0, made.messages.constData());
}

void CliTrainMpi::severalProcessesHaveTheLossesOfOne_data()
{
    QTest::addColumn<int>("processes");
    QTest::addColumn<QStringList>("more");
    QTest::newRow("2, no mixing") << 2 << QStringList{"--augment", "none"};
    QTest::newRow("2, whole recipe") << 2 << QStringList{"--augment", "deit"};
    QTest::newRow("3, lara, uneven shares")
        << 3 << QStringList{"--attention", "lara:samples=4,proposal=mixed", "--accumulate", "2"};
}

void CliTrainMpi::severalProcessesHaveTheLossesOfOne()
{
    QFETCH(int, processes);
    QFETCH(QStringList, more);
    const Outcome alone = runCli(command("one.safetensors", 3) + more
                                 + QStringList{"--overwrite", "--json", path("one.json")});
    QVERIFY2(alone.exitCode == 0, alone.messages.constData());
    const Outcome all = runTogether(processes, command("all.safetensors", 3) + more
                                                   + QStringList{"--overwrite", "--json", path("all.json")});
    QVERIFY2(all.exitCode == 0, all.messages.constData());
    QCOMPARE(readJson(path("all.json"))["start"].toObject()["processes"].toInt(), processes);
    QCOMPARE(all.data.count("written:"), 1);  // one speaks
    // Sums of gradients in another order: 3e-8 … 3e-7 were measured.
    const double largest = difference(readJson(path("one.json")), readJson(path("all.json")));
    qInfo("largest relative difference of losses: %.2g", largest);
    QVERIFY2(largest < 1e-5, qPrintable(QString::number(largest)));
    if (processes == 3)
        return;
    // And the same processes give the same bits again.
    const QByteArray before = [&] {
        QFile file(path("all.safetensors"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }();
    QVERIFY(runTogether(processes, command("all.safetensors", 3) + more + QStringList{"--overwrite"}).exitCode
            == 0);
    QFile again(path("all.safetensors"));
    QVERIFY(again.open(QIODevice::ReadOnly) && !before.isEmpty() && again.readAll() == before);
}

void CliTrainMpi::anInterruptStopsAllAndAllGoOn()
{
    const QStringList arguments = command("stopped.safetensors", 25) << "--augment"
                                                                     << "none";
    QProcess process;
    process.start("mpirun", together(2, arguments));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("stopped.resume.safetensors")), 60'000);
    QVERIFY(signalProcess(process.processId(), SIGINT));
    QVERIFY(process.waitForFinished(30'000));
    QVERIFY(process.exitCode() != 0);
    const auto epochs = readJson(path("stopped.history.json"))["epochs"].toArray().size();
    QVERIFY(epochs >= 1 && epochs < 25);
    const Outcome resumed = runTogether(2, arguments + QStringList{"--resume"});
    QVERIFY2(resumed.exitCode == 0, resumed.messages.constData());
    QCOMPARE(readJson(path("stopped.history.json"))["epochs"].toArray().size(), 25);
}

void CliTrainMpi::aMissingLibraryIsSaidOnce()
{
    const Outcome outcome = runTogether(2, command("missing.safetensors", 1), path("nowhere.so"));
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.messages.count("it started 2 processes, and libattnscope_mpi.so") == 1,
             outcome.messages.constData());
    QVERIFY(!QFile::exists(path("missing.safetensors")));
}

void CliTrainMpi::aProblemEndsAllWithOneSentence()
{
    QStringList arguments = command("none.safetensors", 1);
    arguments[1] = path("nowhere");
    const Outcome outcome = runTogether(2, arguments);
    QCOMPARE(outcome.exitCode, 1);
    QCOMPARE(outcome.linesAbout("attnscope-cli:"), 1);
    QVERIFY2(outcome.linesAbout("nowhere") == 1, outcome.messages.constData());
}

ATTNSCOPE_EVENT_TEST(CliTrainMpi)
#include "tst_cli_train_mpi.moc"
