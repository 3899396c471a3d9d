// `attnscope-cli train` as users run it: learns, is killed and goes on to the same weights, says what is wrong.
#include "cli_process.h"
#include "tests/support/signal_process.h"
#include "tests/support/test_class.h"

#include <QCryptographicHash>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace attnscope::test;

namespace {

/// A DeiT of 36 tokens and a third of a million parameters.
const QByteArray smallDeit =
    R"({"family":"deit","img_size":48,"patch_size":8,"embed_dim":96,"depth":3,"num_heads":3,"num_classes":12,
"mlp_ratio":4,"qkv_bias":true,"ln_eps":1e-6,"act":"gelu_erf","attention":"softmax"})";
/// One that is quick and learns nothing.
const QByteArray tinyDeit =
    R"({"family":"deit","img_size":16,"patch_size":8,"embed_dim":12,"depth":2,"num_heads":3,"num_classes":12,
"mlp_ratio":2,"qkv_bias":true,"ln_eps":1e-6,"act":"gelu_erf","attention":"softmax"})";

QByteArray hashOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return "not there: " + path.toUtf8();
    return QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

QJsonObject readJson(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

}

class CliTrain : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void aKilledTrainingGoesOnToTheSameWeights();
    void jsonAndHistoryHaveTheKeysOfTheManual();
    void aResumeWithAnotherPlanIsRefused();
    void anExistingOutputIsNeverOverwrittenUnasked();
    void aResumeOfAFinishedTrainingIsRefused();
    void unreadablePicturesAreNamedAndTheRestIsTrainedOn();
    void aLossThatIsNoNumberKeepsTheLastGoodEpoch();
    void anInterruptEndsWithASentence();
    void listsAndLimitsChooseSamples();
    void aNetworkOfPicturesLearnsFromSingleFramesOfVideos();
    void distillationSaysWhatItCameTo();
    void aTeacherThatDoesNotFitIsRefusedBeforeTheWork();
    void trainingGoesOnAtAnotherImageSize();
    void aReaderThatLeavesDoesNotEndATraining();
    void weightsThatAreNotFiniteAreSaid();
    void wrongRequestsAreRefused_data();
    void wrongRequestsAreRefused();

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString images() const { return path("demo/scenes/train"); }
    QStringList command(const QString& model, const QString& output, int epochs) const
    {
        return {"train",
                images(),
                "--model",
                path(model),
                "--augment",
                "none",
                "--epochs",
                QString::number(epochs),
                "--batch-size",
                "16",
                "--lr",
                "2e-3",
                "--warmup",
                "2",
                "--label-smoothing",
                "0",
                "--drop-path",
                "0",
                "--threads",
                "2",
                "--device",
                "cpu",
                "--out",
                path(output)};
    }

    QTemporaryDir m_folder;
};

void CliTrain::initTestCase()
{
    write(path("small.json"), smallDeit);
    write(path("tiny.json"), tinyDeit);
    const Outcome made = runCli(
        {"demo", path("demo"), "--only", "scenes", "--train", "8", "--val", "1", "--quiet"});
    QVERIFY2(made.exitCode == 0, made.messages.constData());
}

void CliTrain::aKilledTrainingGoesOnToTheSameWeights()
{
    constexpr int epochs = 24;
    const QStringList whole = command("small.json", "whole.safetensors", epochs) << "--val" << images() << "--json"
                                                                                 << "-";
    QElapsedTimer timer;
    timer.start();
    const Outcome uninterrupted = runCli(whole);
    QVERIFY2(uninterrupted.exitCode == 0, uninterrupted.messages.constData());
    const double seconds = double(timer.elapsed()) / 1000;
    const QJsonArray rows = uninterrupted.json()["epochs"].toArray();
    QCOMPARE(rows.size(), epochs);
    const double accuracy = rows.last().toObject()["validation"].toObject()["top1"].toDouble();
    qInfo("%.1f %% of 96 pictures after %d epochs, %.1f s", 100 * accuracy, epochs, seconds);
    QVERIFY2(accuracy >= 0.95, qPrintable(QString::number(accuracy)));

    QStringList killed = command("small.json", "killed.safetensors", epochs) << "--val" << images();
    QProcess process;
    process.start(QStringLiteral(ATTNSCOPE_CLI), killed);
    QVERIFY(process.waitForStarted());
    const auto epochsWritten = [&] { return readJson(path("killed.history.json"))["epochs"].toArray().size(); };
    QTRY_VERIFY_WITH_TIMEOUT(epochsWritten() >= 4, 120'000);
    const auto pause = QRandomGenerator::global()->bounded(int(1000 * seconds / epochs));
    QTest::qWait(pause);
    QVERIFY(process.state() == QProcess::Running);
    process.kill();  // SIGKILL
    QVERIFY(process.waitForFinished());
    const auto before = epochsWritten();
    qInfo("killed %d ms after an epoch ended, with %d of %d epochs written", pause, static_cast<int>(before),
          epochs);
    QVERIFY(before < epochs && QFile::exists(path("killed.resume.safetensors")));

    const Outcome resumed = runCli(killed << "--resume"
                                          << "--json"
                                          << "-");
    QVERIFY2(resumed.exitCode == 0, resumed.messages.constData());
    QCOMPARE(resumed.json()["epochs"].toArray().size(), epochs);
    QCOMPARE(hashOf(path("killed.safetensors")), hashOf(path("whole.safetensors")));
    QCOMPARE(hashOf(path("killed.best.safetensors")), hashOf(path("whole.best.safetensors")));
    QVERIFY(!QFile::exists(path("killed.resume.safetensors")));
    QVERIFY(QDir(m_folder.path()).entryList({"*.tmp*", ".*"}, QDir::Files | QDir::Hidden).size()
            <= 1);  // of the killed one at most
}

void CliTrain::jsonAndHistoryHaveTheKeysOfTheManual()
{
    const Outcome outcome = runCli(command("tiny.json", "json.safetensors", 2) << "--val" << images() << "--ema"
                                                                               << "0.9"
                                                                               << "--json"
                                                                               << "-");
    QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
    const QJsonObject json = outcome.json();
    QCOMPARE(json["finished"].toBool(), true);
    QCOMPARE(json["output"].toString(), path("json.safetensors"));
    QCOMPARE(json["best"].toString(), path("json.best.safetensors"));
    const QJsonObject start = json["start"].toObject();
    QCOMPARE(start["attention"].toString(), QString("softmax"));
    QCOMPARE(start["init"].toString(), QString("untrained, seed 0"));
    QCOMPARE(start["classes"].toInt(), 12);
    QCOMPARE(start["training_samples"].toInt(), 96);
    QCOMPARE(start["steps_per_epoch"].toInt(), 6);
    QCOMPARE(start["processes"].toInt(), 1);
    const QJsonArray epochs = json["epochs"].toArray();
    QCOMPARE(epochs.size(), 2);
    for (const char* key : {"epoch", "training_loss", "lr", "seconds", "samples", "validation",
                            "average_validation", "result", "best"})
        QVERIFY2(epochs[1].toObject().contains(key), key);
    QCOMPARE(epochs[1].toObject()["result"].toString(), QString("average"));
    QCOMPARE(epochs[1].toObject()["samples"].toInt(), 96);
    QCOMPARE(epochs[1].toObject()["validation"].toObject()["samples"].toInt(), 96);
    QVERIFY(epochs[1].toObject()["average_validation"].toObject()["loss"].toDouble() > 0);
    const QJsonObject history = readJson(path("json.history.json"));
    QCOMPARE(history["epochs"].toArray(), epochs);
    QCOMPARE(history["plan"].toObject()["epochs"].toInt(), 2);
    QCOMPARE(history["plan"].toObject()["ema"].toDouble(), 0.9);
    QCOMPARE(history["plan"].toObject()["optimizer"].toObject()["lr"].toDouble(), 2e-3);
    // What was written says itself what it is.
    const Outcome inspected = runCli({"inspect", path("json.safetensors")});
    QVERIFY2(inspected.exitCode == 0, inspected.messages.constData());
    QVERIFY2(inspected.data.contains("deit"), inspected.data.constData());
}

void CliTrain::aResumeWithAnotherPlanIsRefused()
{
    const QStringList two = command("tiny.json", "plan.safetensors", 200);
    QProcess process;
    process.start(QStringLiteral(ATTNSCOPE_CLI), two);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("plan.resume.safetensors")), 60'000);
    process.kill();
    QVERIFY(process.waitForFinished());
    QStringList other = two;
    other[other.indexOf("2e-3")] = "1e-3";
    const Outcome plan = runCli(other << "--resume");
    QCOMPARE(plan.exitCode, 2);
    QVERIFY2(plan.messages.contains("it was started with another plan; repeat the command that started it"),
             plan.messages.constData());
    const Outcome attention = runCli(QStringList(two) << "--resume"
                                                      << "--attention"
                                                      << "performer:samples=8");
    QCOMPARE(attention.exitCode, 2);
    QVERIFY2(attention.messages.contains("another attention"), attention.messages.constData());
    const Outcome files = runCli(QStringList(two).replaceInStrings("scenes/train", "scenes/val") << "--resume");
    QCOMPARE(files.exitCode, 2);
    QVERIFY2(files.messages.contains("another set of training files"), files.messages.constData());
    // Without --resume a training that was begun is not thrown away.
    const Outcome again = runCli(two);
    QCOMPARE(again.exitCode, 1);
    QVERIFY2(again.messages.contains("it already exists; add --resume to continue, --overwrite to start over"),
             again.messages.constData());
}

void CliTrain::anExistingOutputIsNeverOverwrittenUnasked()
{
    QVERIFY(runCli(command("tiny.json", "kept.safetensors", 1)).exitCode == 0);
    const QByteArray before = hashOf(path("kept.safetensors"));
    const Outcome refused = runCli(command("tiny.json", "kept.safetensors", 2));
    QCOMPARE(refused.exitCode, 1);
    QVERIFY2(refused.messages.contains("it already exists"), refused.messages.constData());
    QCOMPARE(hashOf(path("kept.safetensors")), before);
    QCOMPARE(runCli(command("tiny.json", "kept.safetensors", 2) << "--overwrite").exitCode, 0);
    QVERIFY(hashOf(path("kept.safetensors")) != before);
}

void CliTrain::aResumeOfAFinishedTrainingIsRefused()
{
    QVERIFY(runCli(command("tiny.json", "done.safetensors", 1)).exitCode == 0);
    const Outcome done = runCli(command("tiny.json", "done.safetensors", 1) << "--resume");
    QCOMPARE(done.exitCode, 1);
    QVERIFY2(done.messages.contains("this training run is finished"), done.messages.constData());
    const Outcome never = runCli(command("tiny.json", "never.safetensors", 1) << "--resume");
    QCOMPARE(never.exitCode, 1);
    QVERIFY2(never.messages.contains("never.resume.safetensors: it does not exist"), never.messages.constData());
}

void CliTrain::unreadablePicturesAreNamedAndTheRestIsTrainedOn()
{
    for (const char* name : {"cat", "clock"}) {
        QVERIFY(QDir().mkpath(path(QString("damaged/%1").arg(name))));
        for (int i = 0; i < 4; ++i)
            QVERIFY(QFile::copy(QString("%1/%2/000%3.jpg").arg(images(), name).arg(i),
                                path(QString("damaged/%1/%2.jpg").arg(name).arg(i))));
    }
    write(path("damaged/cat/broken.jpg"), "this is no picture");
    QStringList arguments = command("tiny.json", "damaged.safetensors", 1) << "--json"
                                                                           << "-";
    arguments[1] = path("damaged");
    const Outcome outcome = runCli(arguments);
    QCOMPARE(outcome.exitCode, 3);
    QCOMPARE(outcome.linesAbout("broken.jpg"), 1);
    QCOMPARE(outcome.json()["epochs"].toArray()[0].toObject()["samples"].toInt(), 8);
    QVERIFY(QFile::exists(path("damaged.safetensors")));
}

void CliTrain::aLossThatIsNoNumberKeepsTheLastGoodEpoch()
{
    // Decay of 10 at a rate of 10 multiplies weights by −99 a step; the warm-up leaves the first epoch alone.
    QStringList arguments = command("tiny.json", "nan.safetensors", 40) << "--weight-decay"
                                                                        << "10"
                                                                        << "--clip"
                                                                        << "0"
                                                                        << "--final-lr"
                                                                        << "10";
    arguments[arguments.indexOf("2e-3")] = "10";
    arguments[arguments.indexOf("2", arguments.indexOf("--warmup"))] = "40";
    const Outcome outcome = runCli(arguments << "--val" << images());
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.messages.contains("is not a finite number; start again with a smaller --lr"),
             outcome.messages.constData());
    const QJsonArray rows = readJson(path("nan.history.json"))["epochs"].toArray();
    QVERIFY(!rows.isEmpty());
    for (const QJsonValue& row : rows)
        QVERIFY(row.toObject()["training_loss"].isDouble()
                && row.toObject()["validation"].toObject()["loss"].isDouble());  // NaN would be null
    const Outcome used = runCli(
        {"classify", images() + "/cat/0000.jpg", "--weights", path("nan.safetensors"), "--json", "-"});
    QVERIFY2(used.exitCode == 0, used.messages.constData());
    QVERIFY(used.json()["model"].toObject()["load"].toObject()["not_finite"].toArray().isEmpty());
    // With one step an epoch it is the weights that are seen, not the next loss.
    arguments[arguments.indexOf("16")] = "96";
    const Outcome single = runCli(arguments << "--overwrite");
    QCOMPARE(single.exitCode, 1);
    QVERIFY2(single.messages.contains("not a finite number"), single.messages.constData());
    for (const QJsonValue& row : readJson(path("nan.history.json"))["epochs"].toArray())
        QVERIFY(row.toObject()["validation"].toObject()["loss"].isDouble());
    const Outcome again = runCli(
        {"classify", images() + "/cat/0000.jpg", "--weights", path("nan.safetensors"), "--json", "-"});
    QVERIFY2(again.exitCode == 0, again.messages.constData());
    QVERIFY(again.json()["model"].toObject()["load"].toObject()["not_finite"].toArray().isEmpty());
}

void CliTrain::anInterruptEndsWithASentence()
{
    QProcess process;
    const QStringList arguments = command("tiny.json", "stopped.safetensors", 2000);
    process.start(QStringLiteral(ATTNSCOPE_CLI), arguments);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("stopped.resume.safetensors")), 60'000);
    QVERIFY(signalProcess(process.processId(), SIGINT));
    QElapsedTimer timer;
    timer.start();
    QVERIFY(process.waitForFinished(20'000));
    QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    const QByteArray messages = process.readAllStandardError();
    QVERIFY2(messages.contains("the same command with --resume continues after the last finished epoch"),
             messages.constData());
    QVERIFY(QFile::exists(path("stopped.safetensors")) && QFile::exists(path("stopped.resume.safetensors")));
}

void CliTrain::listsAndLimitsChooseSamples()
{
    QByteArray list;
    for (int i = 0; i < 6; ++i)
        list += QString("%1/%2/000%3.jpg %2\n").arg(images(), i % 2 == 0 ? "cat" : "clock").arg(i).toUtf8();
    write(path("list.txt"), list);
    QStringList arguments = command("tiny.json", "list.safetensors", 1) << "--layout"
                                                                        << "list"
                                                                        << "--json"
                                                                        << "-";
    arguments[1] = path("list.txt");
    const Outcome listed = runCli(arguments);
    QVERIFY2(listed.exitCode == 0, listed.messages.constData());
    QCOMPARE(listed.json()["start"].toObject()["training_samples"].toInt(), 6);
    QCOMPARE(listed.json()["start"].toObject()["classes"].toInt(), 2);
    const Outcome limited = runCli(command("tiny.json", "limit.safetensors", 1) << "--layout"
                                                                                << "imagenet"
                                                                                << "--limit"
                                                                                << "24"
                                                                                << "--json"
                                                                                << "-");
    QVERIFY2(limited.exitCode == 0, limited.messages.constData());
    QCOMPARE(limited.json()["start"].toObject()["training_samples"].toInt(), 24);
    QCOMPARE(limited.json()["start"].toObject()["classes"].toInt(), 12);
    // The folder with train and val inside, as it was made.
    arguments = command("tiny.json", "splits.safetensors", 1) << "--json"
                                                              << "-";
    arguments[1] = path("demo/scenes");
    const Outcome splits = runCli(arguments);
    QCOMPARE(splits.json()["start"].toObject()["training_samples"].toInt(), 96);
    QCOMPARE(splits.json()["start"].toObject()["validation_samples"].toInt(), 12);
}

void CliTrain::distillationSaysWhatItCameTo()
{
    QVERIFY(runCli(command("tiny.json", "teacher.safetensors", 1)).exitCode == 0);
    QStringList arguments = command("tiny.json", "student.safetensors", 3)
                            << "--val" << images() << "--init" << path("teacher.safetensors") << "--distil-from"
                            << path("teacher.safetensors") << "--attention"
                            << "lara:samples=4,proposal=mixed"
                            << "--landmark-map"
                            << "light"
                            << "--parameter-epochs"
                            << "1"
                            << "--json"
                            << "-";
    arguments.removeAt(arguments.indexOf("--model") + 1);
    arguments.removeAt(arguments.indexOf("--model"));
    const Outcome outcome = runCli(arguments);
    QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
    const QJsonObject json = outcome.json();
    QCOMPARE(json["teacher"].toObject()["samples"].toInt(), 96);
    QCOMPARE(json["before"].toObject()["layer_errors"].toArray().size(), 2);
    const double before = json["before"].toObject()["relative_error"].toDouble(),
                 after = json["after"].toObject()["relative_error"].toDouble();
    QVERIFY2(before > 0 && after > 0 && after != before, qPrintable(QString("%1 %2").arg(before).arg(after)));
    for (const char* key : {"kl", "agreement", "student"})
        QVERIFY2(json["after"].toObject().contains(key), key);
}

void CliTrain::aTeacherThatDoesNotFitIsRefusedBeforeTheWork()
{
    QVERIFY(runCli(command("small.json", "deep.safetensors", 1)).exitCode == 0);
    const auto refused = [&](const QStringList& more) {
        // The epochs of this training would take longer than the test may.
        const Outcome outcome = runCli(command("tiny.json", "misfit.safetensors", 100'000)
                                       + QStringList{"--val", images(), "--distil-from", path("deep.safetensors")}
                                       + more);
        QVERIFY2(outcome.exitCode == 2, outcome.messages.constData());
        QVERIFY2(!outcome.data.contains("epochs of"), outcome.data.constData());  // which it says when it begins
        QVERIFY(!QFile::exists(path("misfit.history.json")));
    };
    refused({});
    refused({"--attention", "lara:samples=4", "--landmark-map", "light", "--parameter-epochs", "1",
             "--attention-weight", "0"});
    QVERIFY(runCli(command("tiny.json", "alike.safetensors", 1)).exitCode == 0);
    QStringList alike = command("tiny.json", "misfit.safetensors", 100'000)
                        << "--distil-from" << path("alike.safetensors") << "--layer-weights"
                        << "1,2,3";
    const Outcome weights = runCli(alike);
    QVERIFY2(weights.exitCode == 2 && weights.messages.contains("3 weights for 2 layers"),
             weights.messages.constData());
    const Outcome nowhere = runCli(QStringList(command("tiny.json", "x.safetensors", 100'000))
                                       .replaceInStrings(path("x.safetensors"), "/nowhere/x.safetensors"));
    QVERIFY2(nowhere.exitCode == 1 && nowhere.messages.contains("/nowhere/x.safetensors: it cannot be created"),
             nowhere.messages.constData());
}

void CliTrain::trainingGoesOnAtAnotherImageSize()
{
    QVERIFY(runCli(command("tiny.json", "at16.safetensors", 1)).exitCode == 0);
    const Outcome larger = runCli(command("tiny.json", "at32.safetensors", 1)
                                  << "--init" << path("at16.safetensors") << "--image-size"
                                  << "32");
    QVERIFY2(larger.exitCode == 0 && larger.data.contains("resized: pos_embed"),
             (larger.data + larger.messages).constData());
    const QJsonObject classified = runCli({"classify", images() + "/cat/0000.jpg", "--weights",
                                           path("at32.safetensors"), "--json", "-"})
                                       .json();
    QCOMPARE(classified["model"].toObject()["input"].toArray(), (QJsonArray{3, 32, 32}));
}

void CliTrain::aReaderThatLeavesDoesNotEndATraining()
{
    const QStringList words = command("tiny.json", "piped.safetensors", 3);
    const Outcome outcome = runShell("set -o pipefail; \"$CLI\" '" + words.join("' '") + "' --quiet | head -1");
    QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
    QCOMPARE(outcome.data.count('\n'), 1);
    // 0 says that it is done, and it is.
    QCOMPARE(readJson(path("piped.history.json"))["epochs"].toArray().size(), 3);
    QVERIFY(!QFile::exists(path("piped.resume.safetensors")));
}

void CliTrain::weightsThatAreNotFiniteAreSaid()
{
    QVERIFY(runCli(command("tiny.json", "sound.safetensors", 1)).exitCode == 0);
    QFile sound(path("sound.safetensors"));
    QVERIFY(sound.open(QIODevice::ReadOnly));
    write(path("nan.safetensors"), withNanIn(sound.readAll(), "head.bias"));
    const auto distil = [&](const QString& init, const QString& teacher) {
        QStringList arguments = command("tiny.json", "taught.safetensors", 1)
                                << "--val" << images() << "--init" << path(init) << "--distil-from"
                                << path(teacher);
        arguments.removeAt(arguments.indexOf("--model") + 1);
        arguments.removeAt(arguments.indexOf("--model"));
        return runCli(arguments);
    };
    const Outcome taught = distil("sound.safetensors", "nan.safetensors");
    QCOMPARE(taught.exitCode, 1);
    QVERIFY2(taught.messages.contains("nan.safetensors: the teacher contains non-finite values"),
             taught.messages.constData());
    const Outcome begun = distil("nan.safetensors", "sound.safetensors");
    QCOMPARE(begun.exitCode, 1);
    QVERIFY2(begun.data.contains("before: top-1 0.00 % (96 of 96 samples have non-finite logits"),
             begun.data.constData());
    QVERIFY2(begun.data.contains("not finite: head.bias"), begun.data.constData());
    QVERIFY2(begun.messages.contains("`head.bias` holds values that are not finite at the start of training"),
             begun.messages.constData());
    QVERIFY(!QFile::exists(path("taught.safetensors")));
}

void CliTrain::aNetworkOfPicturesLearnsFromSingleFramesOfVideos()
{
    const Outcome made = runCli(
        {"demo", path("clips"), "--only", "moves", "--train", "2", "--val", "1", "--quiet"});
    QVERIFY2(made.exitCode == 0, made.messages.constData());
    QStringList arguments = command("tiny.json", "frames.safetensors", 1)
                            + QStringList{"--json", path("frames.json")};
    arguments[1] = path("clips/moves");
    const Outcome outcome = runCli(arguments);
    QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
    QVERIFY2((outcome.data + outcome.messages).contains("single frames"), outcome.messages.constData());
    const QJsonObject start = readJson(path("frames.json"))["start"].toObject();
    QCOMPARE(start["training_samples"].toInt(), 16);
    QCOMPARE(start["classes"].toInt(), 8);
}

void CliTrain::wrongRequestsAreRefused_data()
{
    QTest::addColumn<QStringList>("more");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("says");
    QTest::newRow("epochs") << QStringList{"--epochs", "0"} << 2 << "epochs";
    QTest::newRow("layout") << QStringList{"--layout", "coco"} << 2 << "layout";
    QTest::newRow("attention") << QStringList{"--attention", "nosuchformer"} << 2 << "nosuchformer";
    QTest::newRow("parameters that are none")
        << QStringList{"--distil-from", "nowhere.safetensors"} << 1 << "nowhere.safetensors";
    QTest::newRow("validation elsewhere") << QStringList{"--val", "nowhere"} << 1 << "nowhere";
    QTest::newRow("videos") << QStringList{"--layout", "kinetics"} << 1 << "video";
}

void CliTrain::wrongRequestsAreRefused()
{
    QFETCH(QStringList, more);
    QFETCH(int, exitCode);
    QFETCH(QString, says);
    QStringList arguments = command("tiny.json", "wrong.safetensors", 1);
    if (const auto at = arguments.indexOf(more.first()); at >= 0) {
        arguments.removeAt(at + 1);
        arguments.removeAt(at);
    }
    const Outcome outcome = runCli(arguments + more);
    QCOMPARE(outcome.exitCode, exitCode);
    QVERIFY2(outcome.messages.contains(says.toUtf8()) && outcome.messages.trimmed().count('\n') == 0,
             outcome.messages.constData());
    QVERIFY(!QFile::exists(path("wrong.safetensors")));
}

ATTNSCOPE_EVENT_TEST(CliTrain)
#include "tst_cli_train.moc"
