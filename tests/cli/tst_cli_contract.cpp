// What scripts rely on: exit codes, JSON keys, which stream carries what.
#include "core/checkpoint/state_dict.h"
#include "tests/cli/cli_process.h"
#include "tests/support/signal_process.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QMap>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QThread>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <string>

using namespace attnscope::test;

namespace {

QStringList tinyModel()
{
    return {"--weights", testData("models/deit_tiny_cfg.weights.official.safetensors"), "--model",
            testData("models/deit_tiny_cfg.json")};
}

QStringList quick()
{
    return {"--seconds", "0", "--repetitions", "3", "--seeds", "2", "--json", "-"};
}

/// The words of the first example in a command's help.
QStringList firstExample(const QString& command)
{
    const QString help = QString::fromUtf8(runCli({command, "--help"}).data);
    return help.section("Examples:", 1)
        .section('\n', 1, 1)
        .trimmed()
        .section(' ', 1)
        .section(" >", 0, 0)
        .split(' ');
}

/// What Ctrl-C leaves of a command's work.
enum class Interrupted {
    Keeps,   // what was finished: printed, in the JSON, or stored
    Loses,   // everything that was measured
    NoWork,  // it ends within seconds, or writes its result as a whole
};

const QMap<QString, Interrupted> interruptions{
    {"models", Interrupted::NoWork},   {"backends", Interrupted::NoWork}, {"devices", Interrupted::NoWork},
    {"inspect", Interrupted::NoWork},  {"convert", Interrupted::NoWork},  {"export", Interrupted::NoWork},
    {"gate", Interrupted::NoWork},     {"report", Interrupted::NoWork},   {"predictions", Interrupted::NoWork},
    {"merge", Interrupted::NoWork},    {"demo", Interrupted::NoWork},     {"plugin-check", Interrupted::NoWork},
    {"doctor", Interrupted::NoWork},   {"gpu", Interrupted::NoWork},      {"completion", Interrupted::NoWork},
    {"attend", Interrupted::NoWork},   {"classify", Interrupted::Keeps},  {"compare", Interrupted::Keeps},
    {"scale", Interrupted::Keeps},     {"train", Interrupted::Keeps},     {"evaluate", Interrupted::Keeps},
    {"repeat", Interrupted::Loses},    {"decode", Interrupted::Keeps},    {"approximate", Interrupted::Keeps},
    {"plan", Interrupted::Keeps},      {"layers", Interrupted::Keeps},    {"exits", Interrupted::Keeps},
    {"neighbours", Interrupted::Keeps}};

QString goldenInput()
{
    return testData("models/deit_tiny_cfg.io.safetensors");
}

}

class CliContract : public QObject {
    Q_OBJECT

private slots:
    void helpAndVersionSucceedEverywhere()
    {
        QVERIFY(runCli({"--version"}).data.startsWith("attnscope-cli "));
        QCOMPARE(runCli({"--help"}).exitCode, 0);
        for (const QString& command : listedCommands()) {
            const Outcome help = runCli({command, "--help"});
            QCOMPARE(help.exitCode, 0);
            QVERIFY2(help.data.contains("Examples:"), qPrintable(command));
            QVERIFY(help.messages.isEmpty());
            const Outcome version = runCli({command, "--version"});
            QCOMPARE(version.exitCode, 0);
            QVERIFY(version.data.startsWith("attnscope-cli "));
        }
    }

    /// Before anything is read or computed: of the examples' files none is there.
    void jsonThatCannotBeWrittenIsRefusedFirst()
    {
        QTemporaryDir folder;
        for (const QString& command : listedCommands()) {
            const QStringList example = firstExample(command);
            QCOMPARE(example.first(), command);
            const bool hasJson = runCli({command, "--help"}).data.contains("--json FILE|-");
            QCOMPARE(hasJson, command != "completion");
            if (!hasJson)
                continue;
            const Outcome outcome = runCli(example + QStringList{"--json", "/nowhere/result.json"}, folder.path());
            QVERIFY2(outcome.exitCode == 1 && outcome.data.isEmpty()
                         && outcome.messages.contains("/nowhere/result.json: it cannot be created"),
                     (command.toUtf8() + ": " + outcome.messages).constData());
            QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 0);
        }
    }

    /// Every command that is added says what it promises; those that lose everything are to keep what was finished.
    void whatCtrlCLeavesIsKnownOfEveryCommand()
    {
        QStringList listed = listedCommands(), known = interruptions.keys();
        listed.sort(), known.sort();
        QCOMPARE(known, listed);
    }

    void wrongUsageExitsWith2AndNamesTheAlternatives_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("named");
        const QStringList model = tinyModel();
        QTest::newRow("no command") << QStringList{} << QByteArray("compare");
        QTest::newRow("unknown command") << QStringList{"compre"} << QByteArray("compare");
        QTest::newRow("unknown option") << QStringList{"models", "--jsn", "-"} << QByteArray("--json");
        QTest::newRow("misspelt required option")
            << QStringList{"classify", "x", "--weigths", "w"} << QByteArray("--weights");
        QTest::newRow("missing required option") << QStringList{"classify", "x"} << QByteArray("--weights");
        QTest::newRow("unknown attention")
            << QStringList{"classify", "x", "--attention", "perfomer"} + model << QByteArray("performer");
        QTest::newRow("unknown attention option")
            << QStringList{"classify", "x", "--attention", "performer:sample=3"} + model << QByteArray("samples");
        QTest::newRow("value out of range")
            << QStringList{"classify", "x", "--attention", "performer:samples=0"} + model
            << QByteArray("1 to 16384");
        QTest::newRow("no square") << QStringList{"classify", "x", "--attention", "lara:samples=50"} + model
                                   << QByteArray("49 and 64");
        QTest::newRow("unknown choice")
            << QStringList{"classify", "x", "--dtype", "float8"} + model << QByteArray("bfloat16");
        QTest::newRow("no device") << QStringList{"classify", "x", "--device", "tpu"} + model
                                   << QByteArray("cuda");
        QTest::newRow("no attention to compare") << QStringList{"compare", "x"} + model << QByteArray("lara");
        QTest::newRow("attention twice")
            << QStringList{"compare", "x", "--attention", "lara", "--attention", "lara:samples=49"} + model
            << QByteArray("twice");
        QTest::newRow("unknown model") << QStringList{"classify",  "x",       "--weights",
                                                      "untrained", "--model", "deit_tiny_patch16_225"}
                                       << QByteArray("deit_tiny_patch16_224");
        for (const char* size : {"28x", "x28", "28x28x28", "-28", "28.5", "16385", "28x0", "wide"})
            QTest::addRow("image size %s", size)
                << QStringList{"classify", "x", "--image-size", size} + model << QByteArray("WIDTHxHEIGHT");
        QTest::newRow("unknown backend") << QStringList{"backends", "laar"} << QByteArray("lara");
    }

    void wrongUsageExitsWith2AndNamesTheAlternatives()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, named);
        const Outcome outcome = runCli(arguments);
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY(outcome.data.isEmpty());
        QVERIFY2(outcome.messages.contains(named), outcome.messages.constData());
    }

    void backendsPublishEveryOptionWithTypeRangeDefaultAndHelp()
    {
        const QJsonArray list = runCli({"backends", "--json", "-"}).json()["backends"].toArray();
        QStringList names;
        for (const auto& entry : list) {
            const QJsonObject backend = entry.toObject();
            names << backend["name"].toString();
            for (const char* key : {"title", "help", "citation", "complexity"})
                QVERIFY2(!backend[key].toString().isEmpty(), key);
            for (const auto& one : backend["options"].toArray()) {
                const QJsonObject option = one.toObject();
                for (const char* key : {"name", "type", "default", "minimum", "maximum", "choices", "help"})
                    QVERIFY2(option.contains(key), key);
                const QString type = option["type"].toString();
                QVERIFY((type == "choice") == !option["choices"].toArray().isEmpty());
                QVERIFY((type == "integer" || type == "real") == option["minimum"].isDouble());
                QVERIFY(!option["default"].isNull() || option["name"].toString() == "seed");
            }
        }
        QCOMPARE(names, QStringList({"softmax",      "performer", "rfa",       "ra",         "lara",     "nystrom",
                                     "orthoformer",  "linformer", "elu",       "pooled-sra", "local",    "eva",
                                     "topk",         "strided",   "blockwise", "longformer", "etc",      "bigbird",
                                     "lsh",          "clustered", "span",      "alibi",      "distance", "tangent",
                                     "wildcat",      "monarch",   "blocks",    "merge",      "thin",     "hyper",
                                     "scatterbrain", "sample",    "sra"}));
    }

    void modelsHaveParametersAndMultiplyAdds()
    {
        bool found = false;
        for (const auto& entry : runCli({"models", "--json", "-"}).json()["models"].toArray()) {
            const QJsonObject model = entry.toObject();
            QVERIFY(model["parameters"].toDouble() > 0 && model["macs"].toDouble() > 0);
            QVERIFY(!model["attention"].toString().isEmpty() && model["input"].toArray().size() >= 3);
            if (model["name"].toString() == "deit_tiny_patch16_224") {
                found = true;
                QCOMPARE(model["parameters"].toInt(), 5717416);
            }
        }
        QVERIFY(found);
    }

    void doctorSaysWhatIsThereAndWhatIsMissing()
    {
        const QJsonObject info = runCli({"doctor", "--json", "-"}).json();
        for (const char* key :
             {"versions", "cpu", "memory_bytes", "devices", "image_formats", "limits", "paths", "missing"})
            QVERIFY2(info.contains(key), key);
        QVERIFY(info["memory_bytes"].toObject()["total"].toDouble() > 1e8);
        QVERIFY(info["paths"].toObject()["config"].toObject()["path"].toString().endsWith("/attnscope"));
    }

    void classifyReproducesTheReferenceLogits()
    {
        const Outcome outcome = runCli(
            QStringList{"classify", goldenInput(), "--attention", "native", "--logits", "--json", "-"}
            + tinyModel());
        QCOMPARE(outcome.exitCode, 0);
        const QJsonArray inputs = outcome.json()["inputs"].toArray();
        QCOMPARE(inputs.size(), 2);  // the batch elements of the file
        QVERIFY(inputs[0].toObject()["path"].toString().endsWith("deit_tiny_cfg.io.safetensors[0]"));
        const auto expected =
            attnscope::readCheckpoint(goldenInput().toStdString()).tensors.at("logits").readFloat();
        QCOMPARE(expected.size(), size_t{20});
        for (int i = 0; i < 2; ++i) {
            const QJsonObject run = inputs[i].toObject()["runs"].toArray()[0].toObject();
            const QJsonArray logits = run["logits"].toArray();
            QCOMPARE(logits.size(), 10);
            for (int c = 0; c < 10; ++c)  // 3e-5: the reference's own suggestion, above float32 rounding (1.5e-6)
                QVERIFY(std::abs(logits[c].toDouble() - expected[size_t(i * 10 + c)]) < 3e-5);
            QCOMPARE(run["top"].toArray().size(), 5);
            QVERIFY(!run.contains("latency_ms") && !run.contains("error"));
        }
    }

    void imagesMayBeWiderThanHigh()
    {
        QTemporaryDir folder;
        const QString photo = folder.filePath("wide.ppm");
        QFile file(photo);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("P6 300 100 255\n" + QByteArray(300 * 100 * 3, '\x40'));
        file.close();
        for (const char* model : {"deit_tiny_patch16_224", "vit_small_patch14_dinov2", "pvt_v2_b0"}) {
            const Outcome outcome = runCli({"classify", photo, "--weights", "untrained", "--model", model,
                                            "--image-size", "224x112", "--json", "-"});
            QCOMPARE(outcome.exitCode, 0);
            QCOMPARE(outcome.json()["model"].toObject()["input"].toArray(), (QJsonArray{3, 112, 224}));
            const QString transform = outcome.json()["transform"].toString();
            QVERIFY2(transform.contains(QString::fromUtf8("crop 224×112")), qPrintable(transform));
        }
        const Outcome patches = runCli({"classify", photo, "--weights", "untrained", "--model",
                                        "deit_tiny_patch16_224", "--image-size", "224x100"});
        QCOMPARE(patches.exitCode, 2);
        QVERIFY(patches.messages.contains("multiple of the patch size, 16"));
        const Outcome clip = runCli({"classify", photo, "--weights", "untrained", "--model",
                                     "motionformer_224_16x4", "--image-size", "224x112"});
        QCOMPARE(clip.exitCode, 2);
        QVERIFY(clip.messages.contains("squares"));
    }

    void compareHasTheKeysOfTheContract()
    {
        const QStringList arguments = QStringList{"compare", goldenInput(), "--attention",
                                                  "softmax", "--attention", "lara:samples=4"}
                                      + tinyModel() + quick();
        const Outcome outcome = runCli(arguments);
        QCOMPARE(outcome.exitCode, 0);
        const QJsonObject report = outcome.json();
        for (const char* key : {"name", "parameters", "macs", "input"})
            QVERIFY2(report["model"].toObject().contains(key), key);
        QCOMPARE(report["dtype"].toString(), QString("float32"));
        QVERIFY(report["unreadable"].toArray().isEmpty());
        const QJsonArray runs = report["inputs"].toArray()[0].toObject()["runs"].toArray();
        QCOMPARE(runs.size(), 2);
        for (const auto& entry : runs) {
            const QJsonObject run = entry.toObject();
            QVERIFY(run["latency_ms"].toObject()["median"].toDouble() > 0);
            QVERIFY(run["latency_ms"].toObject()["repetitions"].toInt() >= 3);
            QVERIFY(run["memory_bytes"].toObject()["peak"].toDouble() > 0);
            QCOMPARE(run["error"].toObject()["layers"].toArray().size(), 2);
            QCOMPARE(run["error"].toObject()["layers"].toArray()[1].toObject()["heads"].toArray().size(), 3);
            QCOMPARE(run["end_to_end"].toObject()["drift"].toArray().size(), 2);
        }
        QCOMPARE(runs[0].toObject()["error"].toObject()["mse"].toDouble(), 0.0);
        QCOMPARE(runs[0].toObject()["end_to_end"].toObject()["kl"].toDouble(), 0.0);
        QVERIFY(runs[1].toObject()["error"].toObject()["mse"].toDouble() > 0);
        QCOMPARE(runs[1].toObject()["attention"].toString(), QString("lara:samples=4"));
        QCOMPARE(runs[1].toObject()["weights"].toString(), QString("swapped"));
    }

    void jsonGoesToAFileBesideTheTables()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath("result.json");
        const Outcome outcome = runCli(QStringList{"classify", goldenInput(), "--json", file} + tinyModel());
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY(outcome.data.contains("class 2"));
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(QJsonDocument::fromJson(written.readAll()).object().contains("inputs"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);  // nothing half-written is left
    }

    void someUnreadableInputsExitWith3AndAreListed()
    {
        const Outcome outcome = runCli(QStringList{"classify", goldenInput(), "nowhere.jpg", "--json", "-"}
                                       + tinyModel());
        QCOMPARE(outcome.exitCode, 3);
        QCOMPARE(outcome.json()["inputs"].toArray().size(), 2);
        const QJsonObject entry = outcome.json()["unreadable"].toArray()[0].toObject();
        QCOMPARE(entry["path"].toString(), QString("nowhere.jpg"));
        QVERIFY(!entry["reason"].toString().isEmpty());
        QCOMPARE(outcome.linesAbout("nowhere.jpg"), 1);
    }

    void onlyUnreadableInputsExitWith1()
    {
        const Outcome outcome = runCli(QStringList{"classify", "nowhere.jpg", "/", "--json", "-"} + tinyModel());
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(outcome.json()["unreadable"].toArray().size(), 2);
    }

    void aFolderStandsForItsPicturesSorted()
    {
        QTemporaryDir folder;
        for (const char* name : {"b.ppm", "a.ppm", "c.ppm"}) {
            QFile image(folder.filePath(name));
            QVERIFY(image.open(QIODevice::WriteOnly));
            image.write("P6\n60 50\n255\n" + QByteArray(60 * 50 * 3, '\x7f'));
        }
        QFile text(folder.filePath("readme.txt"));
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write("no picture") > 0);
        const QJsonObject report =
            runCli(QStringList{"classify", folder.path(), "--json", "-"} + tinyModel()).json();
        const QJsonArray inputs = report["inputs"].toArray();
        const QJsonArray unreadable = report["unreadable"].toArray();
        QCOMPARE(inputs.size() + unreadable.size(), 3);
        if (inputs.isEmpty()) {
            QVERIFY(unreadable[0].toObject()["reason"].toString().contains("no image decoder"));
            QSKIP("this build has no image decoder");
        }
        for (int i = 0; i < 3; ++i)
            QVERIFY(inputs[i].toObject()["path"].toString().endsWith(QString("%1.ppm").arg(QChar('a' + i))));
    }

    void labelsAreReadFromLinesListsAndObjectsAndHiddenWhenUntrained()
    {
        QTemporaryDir folder;
        const auto write = [&](const QString& name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        QVERIFY(write("lines.txt", "n0\nn1\nn2\nn3\nn4\nn5\nn6\nn7\nn8\nn9\n"));
        QVERIFY(write("list.json", R"(["n0","n1","n2","n3","n4","n5","n6","n7","n8","n9"])"));
        QVERIFY(write(
            "index.json",
            R"({"0":["w","n0"],"1":["w","n1"],"2":["w","n2"],"3":["w","n3"],"4":["w","n4"],"5":["w","n5"],"6":["w","n6"],"7":["w","n7"],"8":["w","n8"],"9":["w","n9"]})"));
        QVERIFY(write("class.json", R"({"n0":0,"n1":1,"n2":2,"n3":3,"n4":4,"n5":5,"n6":6,"n7":7,"n8":8,"n9":9})"));
        QVERIFY(write("short.txt", "n0\nn1\n"));
        const auto top = [&](const QStringList& arguments) {
            return runCli(QStringList{"classify", goldenInput(), "--json", "-"} + arguments)
                .json()["inputs"]
                .toArray()[0]
                .toObject()["runs"]
                .toArray()[0]
                .toObject()["top"]
                .toArray()[0]
                .toObject();
        };
        for (const char* name : {"lines.txt", "list.json", "index.json", "class.json"}) {
            const QJsonObject first = top(QStringList{"--labels", folder.filePath(name)} + tinyModel());
            QCOMPARE(first["label"].toString(), "n" + QString::number(first["index"].toInt()));
        }
        const QStringList untrained{"--weights", "untrained:3", "--model", testData("models/deit_tiny_cfg.json")};
        QVERIFY(top(QStringList{"--labels", folder.filePath("lines.txt")} + untrained)["label"].isNull());
        const Outcome wrong = runCli(
            QStringList{"classify", goldenInput(), "--labels", folder.filePath("short.txt")} + tinyModel());
        QCOMPARE(wrong.exitCode, 1);
        QVERIFY(wrong.messages.contains("10 classes"));
        QVERIFY(write("twice.json", R"({"n0":0,"n1":1,"n2":2,"n3":3,"n4":4,"n5":5,"n6":6,"n7":7,"n8":8,"n9":8})"));
        const Outcome twice = runCli(
            QStringList{"classify", goldenInput(), "--labels", folder.filePath("twice.json")} + tinyModel());
        QVERIFY2(twice.messages.contains("it names class 8 twice"), twice.messages.constData());
    }

    void deviceThatIsNotThereIsAnErrorAndNoSilentFallback()
    {
        const auto list = runCli({"devices", "--json", "-"}).json()["devices"].toArray();
        QCOMPARE(list[0].toObject()["name"].toString(), QString("cpu"));
        for (const auto& device : list)
            if (device.toObject()["name"].toString().startsWith("cuda") && device.toObject()["available"].toBool())
                QSKIP("this machine has a GPU");
        const Outcome outcome = runCli(QStringList{"classify", goldenInput(), "--device", "cuda"} + tinyModel());
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY(outcome.messages.contains("--device cpu"));
    }

    void inspectListsTensorsAndMetadata()
    {
        const QJsonObject file =
            runCli({"inspect", testData("attention/a_performer.safetensors"), "--json", "-"}).json();
        QCOMPARE(file["container"].toString(), QString("safetensors"));
        QCOMPARE(file["tensors"].toArray().size(), 5);
        QCOMPARE(file["tensors"].toArray()[0].toObject()["shape"].toArray().size(), 4);
        QCOMPARE(file["metadata"].toObject()["backend"].toString(), QString("performer"));
        const Outcome none = runCli({"inspect", testData("models/deit_tiny_cfg.json")});
        QCOMPARE(none.exitCode, 1);
        QVERIFY(none.linesAbout("deit_tiny_cfg.json") == 1);
    }

    /// Something is finished within seconds, and everything takes minutes.
    void interruptedRunExitsWith130AndKeepsWhatWasFinished_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("finished");  // a list in the JSON, or a value
        const QString photo = QStringLiteral(DEMO_MODELS "/../photos/cat.jpg");
        const QStringList demo{"--weights", QStringLiteral(DEMO_MODELS "/deit.safetensors")};
        const QStringList random{"approximate", "--random", "4096", "--seeds", "1000"};
        QTest::newRow("compare") << QStringList{"compare",     goldenInput(), "--attention", "softmax",
                                                "--attention", "performer",   "--seconds",   "600"}
                                        + tinyModel()
                                 << "inputs/0/runs/1/top";
        QTest::newRow("scale") << QStringList{"scale", "--lengths",     "64,512,2048", "--layers",  "1",  "--dim",
                                              "24",    "--repetitions", "200",         "--seconds", "0.5"}
                               << "rows/0/points";
        QTest::newRow("decode") << QStringList{"decode",    "--mechanism", "performer", "--positions",
                                               "16,524288", "--heads",     "2"}
                                << "rows/1/points";
        QTest::newRow("approximate") << random + QStringList{"--attention", "local", "--attention", "performer"}
                                     << "curves/0/points";
        QTest::newRow("approximate --all")
            << QStringList{"approximate", "--all", "--random", "256", "--seconds", "6000", "--seeds", "2"}
            << "rows";
        QTest::newRow("layers") << QStringList{"layers",      photo,       "--attention", "local",
                                               "--attention", "performer", "--seeds",     "10000"}
                                       + demo
                                << "attention/0/teacher_forced";
        QTest::newRow("plan") << QStringList{"plan",        labelledPhotos("many", 5000),
                                             "--labelled",  "10000",
                                             "--budget",    "drop=0.1",
                                             "--attention", "local",
                                             "--rounds",    "1",
                                             "--seeds",     "1"}
                                     + demo
                              << "front";
        QTest::newRow("exits")
            << QStringList{"exits", labelledPhotos("many", 5000), "--batch-size", "1", "--workers", "1"} + demo
            << "runs/0/depth";
        QTest::newRow("neighbours") << QStringList{"neighbours",
                                                   "--build",
                                                   labelledPhotos("few", 4),
                                                   "--evaluate",
                                                   labelledPhotos("many", 5000),
                                                   "--datastore",
                                                   m_folder.filePath("features.safetensors"),
                                                   "--k",
                                                   "1",
                                                   "--batch-size",
                                                   "1",
                                                   "--workers",
                                                   "1"}
                                           + demo
                                    << "accuracy/points";
    }

    void interruptedRunExitsWith130AndKeepsWhatWasFinished()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, finished);
        QCOMPARE(interruptions[arguments.first()], Interrupted::Keeps);
        QJsonValue part;
        for (const int seconds : {2, 8, 32}) {  // a busy machine has finished nothing yet
            QTemporaryDir folder;
            const QString file = folder.filePath("part.json");
            QProcess process;
            process.start(ATTNSCOPE_CLI, arguments + QStringList{"--json", file});
            QVERIFY(process.waitForStarted());
            QThread::sleep(seconds);
            QElapsedTimer timer;
            timer.start();
            QVERIFY(signalProcess(process.processId(), SIGINT));
            QVERIFY(process.waitForFinished(30000));
            QVERIFY(timer.elapsed() < 10000);
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            const QByteArray messages = process.readAllStandardError();
            QVERIFY2(process.exitCode() == 130, messages.constData());
            QFile written(file);
            if (!written.open(QIODevice::ReadOnly))
                continue;
            part = QJsonDocument::fromJson(written.readAll()).object();
            QVERIFY(part.toObject()["interrupted"].toBool());
            for (const QString& key : finished.split('/'))
                part = part.isArray() ? part.toArray()[key.toInt()] : part.toObject()[key];
            if (part.toArray().isEmpty())
                continue;
            QVERIFY(!process.readAllStandardOutput().isEmpty());
            return;
        }
        QFAIL("nothing was kept");
    }

    void aClosedPipeEndsQuietly()
    {
        QProcess process;
        process.start("/bin/bash",
                      {"-o", "pipefail", "-c", QStringLiteral(ATTNSCOPE_CLI) + " backends --json - | head -c 1"});
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 0);
        QVERIFY2(process.readAllStandardError().isEmpty(), "nothing is said about a closed pipe");
    }

    void aFullDiskIsAnError()
    {
        QProcess process;
        process.start("/bin/bash", {"-c", QStringLiteral(ATTNSCOPE_CLI) + " models > /dev/full"});
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("standard output"));
    }

    /// What scripts do with a downloaded checkpoint: look at it, convert it, use the result without naming the model.
    void convertedCheckpointRunsWithoutAModelAndGivesEqualLogits()
    {
        QTemporaryDir folder;
        const QString out = folder.filePath("tiny.safetensors");
        const QStringList model = tinyModel();
        const Outcome converted = runCli({"convert", model[1], out, "--model", model[3], "--json", "-"});
        QCOMPARE(converted.exitCode, 0);
        QVERIFY(converted.json()["load"].toObject()["fits"].toBool());
        QCOMPARE(runCli({"convert", model[1], out, "--model", model[3]}).exitCode, 1);  // it exists
        const QJsonObject seen = runCli({"inspect", out, "--json", "-"}).json();
        QCOMPARE(seen["family"].toString(), QString("deit"));
        QVERIFY(!seen["reason"].toString().isEmpty() && seen["load"].toObject()["fits"].toBool());
        const auto logits = [&](const QStringList& weights) {
            const QJsonObject json =
                runCli(QStringList{"classify", goldenInput(), "--logits", "--json", "-"} + weights).json();
            return json["inputs"].toArray()[1].toObject()["runs"].toArray()[0].toObject()["logits"].toArray();
        };
        QCOMPARE(logits({"--weights", out}).size(), 10);
        QCOMPARE(logits({"--weights", out}), logits(model));
    }

    /// The refusal is in the JSON as well, with every name.
    void checkpointThatDoesNotFitIsToldInFull()
    {
        const Outcome outcome = runCli({"classify", goldenInput(), "--weights",
                                        testData("checkpoints/missing_key.pth"), "--model",
                                        testData("checkpoints/expected.json"), "--json", "-"});
        QCOMPARE(outcome.exitCode, 1);
        const QJsonObject load = outcome.json()["load"].toObject();
        QCOMPARE(load["missing"].toArray(), QJsonArray{"blocks.0.attn.proj.bias"});
        QCOMPARE(load["unexpected"].toArray(), QJsonArray{"extra.weight"});
        QVERIFY(outcome.messages.contains("blocks.0.attn.proj.bias") && outcome.messages.contains("extra.weight"));
    }

    // libgomp says what it read of the environment while it was loaded.
    void threadsWaitBrieflyUnlessTheUserDecided()
    {
        const auto spinCount = [](const char* variable, const char* value) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.remove("OMP_WAIT_POLICY");
            environment.remove("GOMP_SPINCOUNT");
            environment.insert("OMP_DISPLAY_ENV", "VERBOSE");
            if (variable != nullptr)
                environment.insert(variable, value);
            QProcess process;
            process.setProcessEnvironment(environment);
            process.start(QStringLiteral(ATTNSCOPE_CLI),
                          {"devices"});  // the launcher prints --version without libgomp
            process.waitForFinished(60'000);
            static const QRegularExpression line("GOMP_SPINCOUNT = '(\\d+)'");
            QStringList counts;
            for (auto match = line.globalMatch(QString::fromUtf8(process.readAllStandardError()));
                 match.hasNext();)
                counts << match.next().captured(1);
            return counts;
        };
        QCOMPARE(spinCount(nullptr, nullptr), QStringList{"1000"});  // once: it was not started again
        QCOMPARE(spinCount("GOMP_SPINCOUNT", "77"), QStringList{"77"});
        QVERIFY(spinCount("OMP_WAIT_POLICY", "ACTIVE") != QStringList{"1000"});
    }

    void noControlSequencesWhereThereIsNoTerminal()
    {
        const Outcome outcome = runCli(QStringList{"classify", goldenInput()} + tinyModel());
        QVERIFY(!outcome.data.contains('\x1b') && !outcome.messages.contains('\x1b')
                && !outcome.messages.contains('\r'));
    }

private:
    /// A folder of two of the demo model's classes, with so many links to a photo of each.
    QString labelledPhotos(const QString& name, int count)
    {
        namespace fs = std::filesystem;
        const fs::path folder = m_folder.filePath(name).toStdString();
        for (const std::string label : {"cat", "coins"}) {
            if (!fs::create_directories(folder / label))
                continue;
            fs::copy_file(DEMO_MODELS "/../photos/" + label + ".jpg", folder / label / "0.jpg");
            for (int i = 1; i < count; ++i)
                fs::create_hard_link(folder / label / "0.jpg", folder / label / (std::to_string(i) + ".jpg"));
        }
        return m_folder.filePath(name);
    }

    QTemporaryDir m_folder;
};

ATTNSCOPE_EVENT_TEST(CliContract)
#include "tst_cli_contract.moc"
