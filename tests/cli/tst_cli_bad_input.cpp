// Files from strangers: one sentence that names the file, an exit code, and no crash.
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <fstream>
#include <limits>

using namespace attnscope::test;
using namespace Qt::StringLiterals;

namespace {

QByteArray tensor(const char* name, const QByteArray& type, const QByteArray& shape, qint64 begin, qint64 end)
{
    return QByteArray("\"") + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[" + shape + "],\"data_offsets\":["
           + QByteArray::number(begin) + "," + QByteArray::number(end) + "]}";
}

/// q, k, v of the given shapes, filled with zeros.
QByteArray queries(const QByteArray& q, qint64 qBytes, const QByteArray& k, qint64 kBytes, const QByteArray& v,
                   qint64 vBytes, const QByteArray& type = "F32")
{
    const QByteArray header = "{" + tensor("q", type, q, 0, qBytes) + ","
                              + tensor("k", type, k, qBytes, qBytes + kBytes) + ","
                              + tensor("v", type, v, qBytes + kBytes, qBytes + kBytes + vBytes) + "}";
    return safetensors(header, QByteArray(int(qBytes + kBytes + vBytes), '\0'));
}

QByteArray withHeader(const QByteArray& metadata)
{
    const QByteArray shape = "1,1,4,2";
    return safetensors("{\"__metadata__\":{" + metadata + "}," + tensor("q", "F32", shape, 0, 32) + ","
                           + tensor("k", "F32", shape, 32, 64) + "," + tensor("v", "F32", shape, 64, 96) + "}",
                       QByteArray(96, '\0'));
}

QByteArray withNan()
{
    QByteArray file = queries("1,1,4,2", 32, "1,1,4,2", 32, "1,1,4,2", 32);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(file.data() + file.size() - 4, &nan, 4);
    return file;
}

/// From JSON to the bytes of the name, as docs/cli.md has it: U+0000 and two digits are a byte that is no UTF-8.
QByteArray bytesOf(const QString& path)
{
    const QByteArray text = path.toUtf8();
    QByteArray bytes;
    for (qsizetype i = 0; i < text.size(); ++i) {
        bytes += text[i] == '\0' ? QByteArray::fromHex(text.mid(i + 1, 2)) : text.mid(i, 1);
        i += text[i] == '\0' ? 2 : 0;
    }
    return bytes;
}

}

class CliBadInput : public QObject {
    Q_OBJECT

private slots:
    void pictureForAVideoNetworkIsRefusedInASentence()
    {
        const Outcome outcome = runCli(
            {"classify", testData("preprocess/images/exact_256x256.png"), "--weights",
             testData("models/motionformer_joint_tiny_cfg.weights.official.safetensors"), "--model",
             testData("models/motionformer_joint_tiny_cfg.json"), "--json", "-"});
        QCOMPARE(outcome.exitCode, 1);
        const QString reason = outcome.json()["unreadable"].toArray()[0].toObject()["reason"].toString();
        QVERIFY2(reason.contains("it is an image"), qPrintable(reason));
    }

private:
    QTemporaryDir m_folder;

    QString write(const QString& name, const QByteArray& bytes)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("the test file could not be written");
        return file.fileName();
    }

    void refusesInOneSentence(const Outcome& outcome, const QByteArray& file, const QByteArray& word)
    {
        QVERIFY(!outcome.crashed);
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(outcome.linesAbout(file), 1);
        QVERIFY2(outcome.messages.contains(word), outcome.messages.constData());
        QCOMPARE(outcome.messages.trimmed().count('\n'), 0);
        QVERIFY(outcome.messages.size() < 600);
    }

private slots:
    void networkThatIsNotFiniteSaysSo()
    {
        QFile sound(testData("models/deit_tiny_cfg.weights.official.safetensors"));
        QVERIFY(sound.open(QIODevice::ReadOnly));
        const QString weights = write("nan.safetensors", withNanIn(sound.readAll(), "head.bias"));
        const QStringList requested{
            testData("models/deit_tiny_cfg.io.safetensors"), "--weights",   weights,         "--model",
            testData("models/deit_tiny_cfg.json"),           "--attention", "lara:samples=4"};
        const QStringList quick{"--no-latency", "--no-memory", "--attention", "softmax"};
        const Outcome compared = runCli(QStringList{"compare", "--json", "-"} + requested + quick);
        QVERIFY2(compared.exitCode == 0, compared.messages.constData());
        const QJsonArray runs = compared.json()["inputs"].toArray()[0].toObject()["runs"].toArray();
        QCOMPARE(runs.size(), 2);
        for (const auto& run : runs) {
            const QJsonObject effect = run.toObject()["end_to_end"].toObject();
            QVERIFY(effect.contains("kl") && effect["kl"].isNull());
            QCOMPARE(effect["top1_agrees"], QJsonValue(false));
            QVERIFY(run.toObject()["top"].toArray().isEmpty());
            QVERIFY(QJsonDocument(run.toObject()["notes"].toArray()).toJson().contains("not finite"));
        }
        const Outcome table = runCli(QStringList{"compare"} + requested + quick);
        QVERIFY2(table.data.contains("not finite"), table.data.constData());
        QStringList one{"layers", "--json", "-"};  // of a single picture: the file has two
        one << testData("preprocess/images/exact_256x256.png") << requested.mid(1);
        const Outcome layers = runCli(one);
        QVERIFY2(layers.exitCode == 0, layers.messages.constData());
        const QJsonObject effect = layers.json()["attention"].toArray()[0].toObject()["end_to_end"].toObject();
        QVERIFY(effect.contains("kl") && effect["kl"].isNull());
        QCOMPARE(effect["top1_agrees"], QJsonValue(false));
        const Outcome plan = runCli(QStringList{"plan", "--budget", "kl=1000"} + requested);
        QCOMPARE(plan.exitCode, 1);
        QVERIFY2(plan.messages.contains("not finite"), plan.messages.constData());
        const Outcome classified = runCli(QStringList{"classify"} + requested);
        QCOMPARE(classified.exitCode, 0);
        QVERIFY2(classified.data.contains("no class is predicted"), classified.data.constData());
    }

    void hostileDumpIsRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("empty") << QByteArray() << QByteArray("");
        QTest::newRow("text") << QByteArray("this is no tensor file at all") << QByteArray("");
        QTest::newRow("header beyond the file")
            << QByteArray("\xff\xff\xff\xff\x00\x00\x00\x00{}", 10) << QByteArray("");
        QTest::newRow("NaN") << withNan() << QByteArray("not finite");
        QTest::newRow("no tokens") << queries("1,1,0,2", 0, "1,1,0,2", 0, "1,1,0,2", 0) << QByteArray("nothing");
        QTest::newRow("three dimensions")
            << queries("1,4,2", 32, "1,1,4,2", 32, "1,1,4,2", 32) << QByteArray("four dimensions");
        QTest::newRow("other width") << queries("1,1,4,2", 32, "1,1,2,4", 32, "1,1,2,4", 32)
                                     << QByteArray("do not match");
        QTest::newRow("other batch") << queries("1,1,4,2", 32, "2,1,4,2", 64, "2,1,4,2", 64)
                                     << QByteArray("do not match");
        QTest::newRow("fewer values") << queries("1,1,4,2", 32, "1,1,4,2", 32, "1,1,3,2", 24)
                                      << QByteArray("do not match");
        QTest::newRow("integers") << queries("1,1,4,2", 32, "1,1,4,2", 32, "1,1,4,2", 32, "I32")
                                  << QByteArray("int32");
        QTest::newRow("more than the file holds")
            << queries("1,1,4000000,4000000", 32, "1,1,4,2", 32, "1,1,4,2", 32) << QByteArray("");
        QTest::newRow("overflow") << queries("4611686018427387904,4611686018427387904,4,4", 32, "1,1,4,2", 32,
                                             "1,1,4,2", 32)
                                  << QByteArray("");
        QTest::newRow("no v") << safetensors("{" + tensor("q", "F32", "1,1,4,2", 0, 32) + ","
                                                 + tensor("k", "F32", "1,1,4,2", 32, 64) + "}",
                                             QByteArray(64, '\0'))
                              << QByteArray("`v`");
        QTest::newRow("x without weights")
            << safetensors("{" + tensor("x", "F32", "1,4,2", 0, 32) + "}", QByteArray(32, '\0'))
            << QByteArray("qkv.weight");
    }

    void hostileDumpIsRefused()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, word);
        const QString file = write("hostile.safetensors", bytes);
        refusesInOneSentence(runCli({"attend", file, "--attention", "softmax", "--no-latency"}),
                             "hostile.safetensors", word);
    }

    void headerThatContradictsItselfIsRefused_data()
    {
        QTest::addColumn<QByteArray>("metadata");
        QTest::addColumn<QByteArray>("word");
        const auto header = [](const QByteArray& backend, const QByteArray& options) {
            QByteArray escaped = options;
            return "\"backend\":\"" + backend + "\",\"options\":\"" + escaped.replace('"', "\\\"") + "\"";
        };
        QTest::newRow("no JSON") << header("lara", "{side: 3") << QByteArray("JSON");
        QTest::newRow("a list") << header("lara", "[1]") << QByteArray("object");
        QTest::newRow("negative side") << header("lara", R"({"side":-3})") << QByteArray("side");
        QTest::newRow("huge side") << header("lara", R"({"side":4000000000})") << QByteArray("side");
        QTest::newRow("odd noise") << header("ra", R"({"noise_std":0.3})") << QByteArray("noise_std");
        QTest::newRow("unknown proposal")
            << header("lara", R"({"proposal":"best","count":2})") << QByteArray("mixed");
        QTest::newRow("grid that does not fit")
            << header("lara", R"({"side":2,"grid":[7,7]})") << QByteArray("7×7");
        QTest::newRow("frames that do not divide") << header("softmax", R"({"frames":3})") << QByteArray("frames");
        QTest::newRow("landmarks that are not there")
            << header("lara", R"({"landmarks":"first C tokens","count":2})") << QByteArray("q_land");
        QTest::newRow("unknown backend") << header("magic", "{}") << QByteArray("performer");
    }

    void headerThatContradictsItselfIsRefused()
    {
        QFETCH(QByteArray, metadata);
        QFETCH(QByteArray, word);
        const QString file = write("header.safetensors", withHeader(metadata));
        refusesInOneSentence(runCli({"attend", file, "--no-latency", "--json", m_folder.filePath("unused.json")}),
                             "header.safetensors", word);
    }

    void brokenInputsOfClassifyAreListedWhileTheRestGoesOn()
    {
        const QStringList model{"--weights", testData("models/deit_tiny_cfg.weights.official.safetensors"),
                                "--model",   testData("models/deit_tiny_cfg.json"),
                                "--json",    "-"};
        const QStringList bad{
            write("empty.jpg", {}),
            write("html.JPEG", "<html>404</html>"),
            write("cut.safetensors", QByteArray("\x10\0\0\0\0\0\0\0{", 9)),
            write("noinput.safetensors", queries("1,1,4,2", 32, "1,1,4,2", 32, "1,1,4,2", 32)),
            write("rank.safetensors",
                  safetensors("{" + tensor("input", "F32", "4,2", 0, 32) + "}", QByteArray(32, '\0'))),
            write("size.safetensors",
                  safetensors("{" + tensor("input", "F32", "3,4,2", 0, 96) + "}", QByteArray(96, '\0'))),
            write("integers.safetensors",
                  safetensors("{" + tensor("input", "I64", "3,32,32", 0, 24576) + "}", QByteArray(24576, '\0'))),
            write("none.safetensors",
                  safetensors("{" + tensor("input", "F32", "1000000000000,3,32,0", 0, 0) + "}", {}))};
        const Outcome outcome = runCli(QStringList{"classify"} + bad
                                       + QStringList{testData("models/deit_tiny_cfg.io.safetensors")} + model);
        QVERIFY(!outcome.crashed);
        QCOMPARE(outcome.exitCode, 3);
        QCOMPARE(outcome.json()["inputs"].toArray().size(), 2);
        QCOMPARE(outcome.json()["unreadable"].toArray().size(), bad.size());
        for (const QString& file : bad)
            QCOMPARE(outcome.linesAbout(file.section('/', -1).toUtf8()), 1);
    }

    void aNameWithControlCharactersCannotForgeOutput()
    {
        const QString name = u"evil\x1b[31m\n.jpg"_s;
        write(name, "no picture");
        const Outcome outcome = runCli({"classify", m_folder.filePath(name), "--weights", "untrained", "--model",
                                        testData("models/deit_tiny_cfg.json"), "--quiet"});
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY(!outcome.messages.contains('\x1b') && !outcome.data.contains('\x1b'));
        QCOMPARE(outcome.messages.trimmed().count('\n'), 0);
    }

    void namesOfFilesComeBackFromJson()
    {
        const QByteArray folder = m_folder.filePath("names").toUtf8();
        QDir().mkpath(folder);
        QList<QByteArray> names{"a\nb.jpg",         "a\\nb.jpg",        "caf\xe9.jpg",
                                "caf\\u0000e9.jpg", "\xe7\x8c\xab.jpg", "\xe2\x80\xae.jpg"};
        for (QByteArray& name : names) {
            name = folder + "/" + name;
            std::ofstream(name.toStdString()) << "no picture";
        }
        const Outcome outcome = runCli({"classify", folder, "--weights", "untrained", "--model",
                                        testData("models/deit_tiny_cfg.json"), "--quiet", "--json", "-"});
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(!outcome.data.contains("\xe2\x80\xae"), "a name that turns the text around is escaped");
        QList<QByteArray> found;
        for (const QJsonValue value : outcome.json()["unreadable"].toArray())
            found << bytesOf(value.toObject()["path"].toString());
        std::sort(names.begin(), names.end());
        std::sort(found.begin(), found.end());
        QCOMPARE(found, names);
    }

    void stillsInTheBoxesOfVideosAreCalledPictures()
    {
        const QString file = write("still.avif", QByteArray("\0\0\0\x1c"
                                                            "ftypavif\0\0\0\0mif1miaf\0\0\0\x08mdat",
                                                            32));
        const QStringList rest{"--weights", "untrained", "--model", testData("models/deit_tiny_cfg.json"),
                               "--quiet",   "--json",    "-"};
        for (const QString& input : {file, m_folder.filePath("stills")}) {
            if (input != file) {
                QDir().mkpath(input);
                QVERIFY(QFile::copy(file, input + "/still.heic"));
            }
            const Outcome outcome = runCli(QStringList{"classify", input} + rest);
            const QJsonObject refused = outcome.json()["unreadable"].toArray()[0].toObject();
            QVERIFY2(refused["reason"].toString().startsWith(
                         "it is an image in the format AVIF, which is not supported"),
                     outcome.data.constData());
        }
    }

    void classNamesAreTakenFromTextAlone()
    {
        const QString file = write("cat.jpg", QByteArray("\xff\xd8\xff\xe0\0\x10JFIF\n\n\n", 13));
        const Outcome outcome = runCli({"classify", testData("models/deit_tiny_cfg.io.safetensors"), "--weights",
                                        "untrained", "--model", testData("models/deit_tiny_cfg.json"), "--quiet",
                                        "--labels", file});
        refusesInOneSentence(outcome, "cat.jpg", "it contains binary data instead of a list of class names");
    }

    void jsonThatCannotBeWrittenIsRefusedBeforeTheWork()
    {
        const Outcome outcome = runCli({"classify", "x.jpg", "--weights", "untrained", "--model",
                                        testData("models/deit_tiny_cfg.json"), "--json", "/nowhere/at/all.json"});
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(outcome.linesAbout("/nowhere/at/all.json"), 1);
        QCOMPARE(outcome.linesAbout("x.jpg"), 0);
    }

    /// NaN is below and above nothing, so that it passed as a value inside every range, and `--seconds nan` never ended.
    void nanIsNoValueOfAnOption_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const QStringList model{"--weights", "untrained", "--model", testData("models/deit_tiny_cfg.json")};
        const QString input = testData("models/deit_tiny_cfg.io.safetensors");
        QTest::newRow("time of a comparison")
            << QStringList{"compare", input, "--attention", "softmax", "--seconds", "nan"} + model;
        QTest::newRow("time of one attention") << QStringList{"attend", input, "--seconds", "NaN"};
        QTest::newRow("temperature") << QStringList{"attend", input, "--tau", "nan"};
        QTest::newRow("budget of a scale") << QStringList{"scale", "--pass-budget", "nan"};
        QTest::newRow("memory of a scale") << QStringList{"scale", "--memory-budget", "NAN"};
        QTest::newRow("learning rate") << QStringList{"train", ".", "--out", "x.safetensors", "--lr", "nan"};
        QTest::newRow("crop") << QStringList{"train", ".", "--out", "x.safetensors", "--crop-scale", "nan,1"};
        QTest::newRow("weights of layers")
            << QStringList{"train", ".", "--out", "x.safetensors", "--layer-weights", "1,nan"};
        QTest::newRow("start of a video") << QStringList{"classify", input, "--start", "nan"} + model;
    }

    void nanIsNoValueOfAnOption()
    {
        QFETCH(QStringList, arguments);
        const Outcome outcome = runCli(arguments);
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.messages.toLower().contains("nan` is not a number from"), outcome.messages.constData());
    }

    void outputsThatCannotBeWrittenAreRefusedBeforeTheWork_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const QStringList model{"--weights", "untrained", "--model", testData("models/deit_tiny_cfg.json")};
        const QString input = testData("models/deit_tiny_cfg.io.safetensors"),
                      dump = testData("attention/a_performer.safetensors");
        QTest::newRow("attend") << QStringList{"attend", dump,    "--seconds",
                                               "60",     "--out", "/nowhere/at.safetensors"};
        QTest::newRow("layers") << QStringList{"layers", "no.jpg",   "--attention",
                                               "lara",   "--figure", "/nowhere/at.svg"}
                                       + model;
        QTest::newRow("maps") << QStringList{"layers",  "no.jpg", "--attention", "lara",
                                             "--query", "class",  "--out",       "/nowhere/at.safetensors"}
                                     + model;
        QTest::newRow("approximate") << QStringList{"approximate", "no.jpg", "--attention",
                                                    "lara",        "--out",  "/nowhere/at.csv"}
                                            + model;
        QTest::newRow("plan") << QStringList{"plan", "no.jpg", "--budget", "speed=2", "--out", "/nowhere/at.svg"}
                                     + model;
        QTest::newRow("scale") << QStringList{"scale", "--lengths", "8192,16384", "--out", "/nowhere/at.svg"};
        QTest::newRow("convert") << QStringList{"convert", "no.safetensors", "/nowhere/at.safetensors"};
        QTest::newRow("report") << QStringList{"report", "no.sqlite", "--out", "/nowhere/at.html"};
        QTest::newRow("evaluate") << QStringList{"evaluate", "no", "--store", "/nowhere/at.sqlite"} + model;
        QTest::newRow("a folder") << QStringList{"convert", "no.safetensors", "/tmp"};
    }

    void outputsThatCannotBeWrittenAreRefusedBeforeTheWork()
    {
        QFETCH(QStringList, arguments);
        QElapsedTimer timer;
        timer.start();
        const Outcome outcome = runCli(arguments);
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.messages.contains("/nowhere/at.") || outcome.messages.contains("/tmp: this is a folder"),
                 outcome.messages.constData());
        QVERIFY2(!outcome.messages.contains("no.") && outcome.data.isEmpty(), outcome.messages.constData());
        QVERIFY(timer.elapsed() < 20'000);
    }

    void aLimitOfFileSizesIsAFullDisk()
    {
        const QString model = testData("models/deit_tiny_cfg.weights.official.safetensors"),
                      description = testData("models/deit_tiny_cfg.json");
        const Outcome converted = runShell(
            QString("ulimit -f 1; \"$CLI\" convert %1 %2/limited.safetensors --model %3")
                .arg(model, m_folder.path(), description));
        QVERIFY2(converted.exitCode == 1 && converted.messages.contains("limited.safetensors"),
                 converted.messages.constData());
        QCOMPARE(converted.messages.trimmed().count('\n'), 0);
        QVERIFY(!QFile::exists(m_folder.filePath("limited.safetensors")));
        const Outcome json = runShell(
            QString("ulimit -f 1; \"$CLI\" backends --json %1/limited.json").arg(m_folder.path()));
        QVERIFY2(json.exitCode == 1 && json.messages.contains("limited.json"), json.messages.constData());
        const Outcome data = runShell(
            QString("ulimit -f 1; \"$CLI\" backends --json - > %1/limited.txt").arg(m_folder.path()));
        QVERIFY2(data.exitCode == 1 && data.messages.contains("standard output"), data.messages.constData());
    }

    /// From where the program cannot be loaded at all (127, said by the loader) to where it runs: never an abort.
    void tooLittleMemoryIsSaid()
    {
#ifdef __SANITIZE_ADDRESS__
        QSKIP("the sanitizer reserves terabytes of address space");
#endif
        for (int mebibytes = 200; mebibytes <= 1400; mebibytes += 50) {
            const Outcome outcome = runShell(QString("ulimit -v %1; \"$CLI\" models").arg(1024 * mebibytes));
            QVERIFY2(outcome.exitCode == 0 || outcome.exitCode == 1 || outcome.exitCode == 127,
                     qPrintable(QString("%1 MiB: exit code %2, %3")
                                    .arg(mebibytes)
                                    .arg(outcome.exitCode)
                                    .arg(QString::fromUtf8(outcome.messages))));
            QVERIFY(outcome.exitCode == 0 || !outcome.messages.isEmpty());
        }
    }

    void foldersOfClassesPointToEvaluateAndOtherKindsAreCounted()
    {
        const QStringList model{"--weights", "untrained", "--model", testData("models/deit_tiny_cfg.json")};
        const QByteArray image = "P6\n60 50\n255\n" + QByteArray(60 * 50 * 3, '\x7f');
        for (const char* name : {"cat", "dog"}) {
            QVERIFY(QDir().mkpath(m_folder.filePath(QString("classes/%1").arg(name))));
            write(QString("classes/%1/a.ppm").arg(name), image);
        }
        const Outcome classes = runCli(QStringList{"classify", m_folder.filePath("classes")} + model);
        QCOMPARE(classes.exitCode, 1);
        QVERIFY2(classes.messages.contains("attnscope-cli evaluate"), classes.messages.constData());
        QVERIFY(QDir().mkpath(m_folder.filePath("mixed/inner")));
        write("mixed/a.ppm", image);
        for (const char* name : {"mixed/b.txt", "mixed/c.txt", "mixed/d.avif", "mixed/.hidden"})
            write(name, "no picture");
        const Outcome mixed = runCli(QStringList{"classify", m_folder.filePath("mixed"), "--json", "-"} + model);
        QVERIFY2(mixed.exitCode == 0, mixed.messages.constData());
        QCOMPARE(mixed.json()["inputs"].toArray().size(), 1);
        QVERIFY2(
            mixed.messages.contains("1 file; skipped: 3 files of other kinds (1 .avif and 2 .txt) and 1 folder."),
            mixed.messages.constData());
    }
};

ATTNSCOPE_EVENT_TEST(CliBadInput)
#include "tst_cli_bad_input.moc"
