#include "tests/cli/cli_process.h"
#include "tests/support/sanitizer.h"
#include "tests/support/signal_process.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QThread>

#include <csignal>

using namespace attnscope::test;

namespace {

QStringList small(const QString& folder)
{
    return {"demo", folder, "--train", "1", "--val", "1", "--json", "-"};
}

}

class CliDemo : public QObject {
    Q_OBJECT

private slots:
    void whatIsInstalledIsListed()
    {
        const QJsonObject json = runCli({"demo", "--json", "-"}).json();
        QCOMPARE(json["photographs"].toArray().size(), 12);
        for (const auto& path : json["photographs"].toArray())
            QVERIFY(QFile::exists(path.toString()));
        QVERIFY(json["checkpoints"].isArray());
        const Outcome text = runCli({"demo"});
        QCOMPARE(text.exitCode, 0);
        QVERIFY(text.data.contains("cat.jpg") && text.data.contains("Checkpoints"));
        QVERIFY(text.messages.isEmpty());
    }

    void checkpointsOfScenesKnowTheCat()
    {
        QStringList names;
        for (const QJsonValue path : runCli({"demo", "--json", "-"}).json()["checkpoints"].toArray()) {
            const QString name = path.toString().section('/', -1).section('.', 0, 0);
            names << name;
            if (name.startsWith("motionformer"))
                continue;
            const Outcome outcome = runCli(
                {"classify", RESOURCE_DIR "/demo/photos/cat.jpg", "--weights", path.toString(), "--json", "-"});
            QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
            const QJsonObject run =
                outcome.json()["inputs"].toArray()[0].toObject()["runs"].toArray()[0].toObject();
            QCOMPARE(run["top"].toArray()[0].toObject()["label"].toString(), QString("cat"));
            QCOMPARE(run["weights"].toString(), QString("trained"));
        }
        QCOMPARE(names,
                 (QStringList{"deit", "deit_lara", "deit_performer", "motionformer", "motionformer_lara",
                              "motionformer_performer", "pvt_v2", "pvt_v2_lara", "pvt_v2_performer", "vit"}));
    }

    void theLongDemoIsRecognisedWithItsRegisters()
    {
        const QString path = DEMO_MODELS "/vit.safetensors";
        const Outcome outcome = runCli({"inspect", path, "--json", "-"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject json = outcome.json();
        QCOMPARE(json["family"].toString(), QString("vit"));
        QCOMPARE(json["identity"].toObject()["config"].toObject()["reg_tokens"].toInt(), 4);
        QVERIFY(json["load"].toObject()["fits"].toBool());
        QCOMPARE(json["tokens"].toInt(), 1024 + 4);
        QVERIFY(QFileInfo(path).size() < 2'000'000);
    }

    void bothSetsAreWrittenAndSaid()
    {
        QTemporaryDir folder;
        const Outcome outcome = runCli(small(folder.filePath("new")));
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonArray sets = outcome.json()["sets"].toArray();
        QCOMPARE(sets.size(), 2);
        QCOMPARE(sets[0].toObject()["layout"].toString(), QString("imagenet"));
        QCOMPARE(sets[0].toObject()["classes"].toArray().size(), 12);
        QCOMPARE(sets[0].toObject()["training"].toInt(), 12);
        QCOMPARE(sets[1].toObject()["layout"].toString(), QString("kinetics"));
        QCOMPARE(sets[1].toObject()["validation"].toInt(), 8);
        QVERIFY(QFile::exists(folder.filePath("new/scenes/val/cat/0000.jpg")));
        QVERIFY(QFile::exists(folder.filePath("new/moves/train/zoom-in/0000.mp4")));
        QVERIFY(QFile::exists(folder.filePath("new/README.md")));
    }

    void onlyOneSetCanBeAskedFor()
    {
        QTemporaryDir folder;
        const Outcome outcome = runCli(
            {"demo", folder.filePath("new"), "--only", "scenes", "--train", "2", "--val", "0", "--quiet"});
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY(outcome.messages.isEmpty());
        QVERIFY(outcome.data.contains("scenes") && !outcome.data.contains("moves"));
        QVERIFY(!QFile::exists(folder.filePath("new/moves")));
        QVERIFY(QDir(folder.filePath("new/scenes/val/cat")).isEmpty());
    }

    void whatHoldsSomethingIsNotTouchedUnasked()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath("mine.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const Outcome refused = runCli(small(folder.path()));
        QCOMPARE(refused.exitCode, 1);  // as wherever something exists already
        QVERIFY(refused.messages.contains("--overwrite"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), QStringList{"mine.txt"});
        QCOMPARE(runCli(small(folder.path()) + QStringList{"--overwrite", "--only", "scenes"}).exitCode, 0);
        QVERIFY(QFile::exists(folder.filePath("mine.txt")));
    }

    void wrongNumbersAreWrongUsage()
    {
        QTemporaryDir folder;
        for (const QStringList& wrong :
             {QStringList{"--train", "0"}, {"--val", "-1"}, {"--only", "cats"}, {"--seed", "x"}})
            QCOMPARE(runCli(QStringList{"demo", folder.filePath("new")} + wrong).exitCode, 2);
        QVERIFY(!QFile::exists(folder.filePath("new")));
    }

    void ctrlCStopsItSoon()
    {
        QTemporaryDir folder;
        QProcess process;
        process.start(ATTNSCOPE_CLI, {"demo", folder.filePath("new"), "--train", "2000", "--only", "scenes"});
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder.filePath("new/scenes/train/astronaut/0003.jpg")), 20'000);
        QVERIFY(signalProcess(process.processId(), SIGINT));
        QElapsedTimer timer;
        timer.start();
        QVERIFY(process.waitForFinished(10'000));
        QVERIFY2(timer.elapsed() < 2000 * attnscope::slowdown, qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(process.exitCode(), 130);
    }
};

ATTNSCOPE_EVENT_TEST(CliDemo)
#include "tst_cli_demo.moc"
