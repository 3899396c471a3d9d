// `evaluate` as users run it: its JSON, its exit codes, and being killed.
#include "evaluation_runs.h"
#include "tests/support/signal_process.h"
#include "tests/support/test_class.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QtEndian>

#include <cmath>
#include <csignal>
#include <random>

using namespace attnscope::test;

class TestCliEvaluate : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        put(path("tiny.json"), tinyNetwork);
        putImages(path("val"), 120);
    }

    void theJsonHasTheKeysOfTheContract()
    {
        const Outcome outcome = runCli(command("val", "keys.sqlite") + someAttentions()
                                       + QStringList{"--error", "--json", "-"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject json = outcome.json();
        const QJsonArray runs = json["runs"].toArray(), pairs = json["pairs"].toArray();
        QCOMPARE(runs.size(), 4);
        QCOMPARE(pairs.size(), 6);
        for (const QJsonValue& value : runs) {
            const QJsonObject run = value.toObject();
            for (const char* key : {"attention", "model", "top1", "top5", "samples", "correct1", "correct5",
                                    "unreadable", "interval95", "images_per_second", "latency_ms", "memory_bytes"})
                QVERIFY2(run.contains(key), key);
            QCOMPARE(run["samples"].toInt(), 120);
            QCOMPARE(run["top1"].toDouble(), run["correct1"].toInt() / 120.0);
            const QJsonArray interval = run["interval95"].toArray();
            QVERIFY(interval[0].toDouble() <= run["top1"].toDouble()
                    && run["top1"].toDouble() <= interval[1].toDouble());
            QVERIFY(run["correct1"].toInt() <= run["correct5"].toInt() && run["images_per_second"].toDouble() > 0);
            QVERIFY(run["latency_ms"].toObject()["median"].toDouble() > 0
                    && run["memory_bytes"].toObject()["peak"].toDouble() > 0);
            QVERIFY(run["unreadable"].toArray().isEmpty() && run["weights"].toString() == "untrained");
        }
        const QJsonObject pair = pairs.first().toObject();
        QCOMPARE(pair["a"].toString(), QString("softmax"));
        QVERIFY(pair["mcnemar_p"].toDouble() > 0 && pair["mcnemar_p"].toDouble() <= 1);
        QCOMPARE(pair["both_right"].toInt() + pair["only_a"].toInt() + pair["only_b"].toInt()
                     + pair["both_wrong"].toInt(),
                 120);
        QCOMPARE(json["evaluation"].toObject()["state"].toString(), QString("finished"));
    }

    /// McNemar's test, NLL, ECE and Brier score from the written predictions are those of the program.
    void writtenPredictionsGiveTheFiguresOfTheProgram()
    {
        const Outcome evaluated = runCli(command("val", "figures.sqlite") + someAttentions()
                                         + QStringList{"--no-measuring", "--json", "-"});
        QVERIFY2(evaluated.exitCode == 0, evaluated.messages.constData());
        const Outcome written = runCli({"predictions", path("figures.sqlite"), "--out", path("figures.csv")});
        QVERIFY2(written.exitCode == 0, written.messages.constData());
        QFile file(path("figures.csv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        // Only the name of the weights has a comma.
        const QList<QByteArray> lines = QString::fromUtf8(file.readAll())
                                            .replace(QRegularExpression("\"[^\"]*\""), "quoted")
                                            .trimmed()
                                            .toUtf8()
                                            .split('\n');
        const QList<QByteArray> header = lines.first().trimmed().split(',');
        struct Sums {
            double logs = 0, squaredErrors = 0, confidences[15] = {}, right[15] = {};
            QMap<QByteArray, bool> rightOf;
        };
        QMap<QString, Sums> runs;
        for (const QByteArray& line : lines.mid(1)) {
            const QList<QByteArray> cells = line.trimmed().split(',');
            const auto cell = [&](const char* name) { return cells[header.indexOf(name)]; };
            const auto number = [&](const char* name) { return double(cell(name).toFloat()); };
            Sums& run = runs[QString::fromUtf8(cell("attention"))];
            const bool right = cell("prediction1") == cell("label");
            QCOMPARE(right, cell("rank") == "0");
            run.rightOf[cell("path")] = right;
            run.logs -= std::log(number("label_probability"));
            run.squaredErrors += number("squared_probabilities") - 2 * number("label_probability") + 1;
            const int bin = int(std::ceil(number("probability1") * 15)) - 1;
            run.confidences[bin] += number("probability1");
            run.right[bin] += right ? 1 : 0;
        }
        QCOMPARE(runs.size(), 4);
        const QJsonObject json = evaluated.json();
        const auto same = [](const QJsonValue& value, double expected) {
            return std::abs(value.toDouble(-1) - expected) < 1e-12;
        };
        for (const QJsonValue& value : json["runs"].toArray()) {
            const QJsonObject run = value.toObject();
            const Sums& sums = runs[run["attention"].toString()];
            QVERIFY(same(run["nll"], sums.logs / 120));
            QVERIFY(same(run["brier"], sums.squaredErrors / 120));
            double gaps = 0;
            const QJsonArray bins = run["calibration"].toObject()["bins"].toArray();
            QCOMPARE(bins.size(), 15);
            for (int bin = 0; bin < 15; ++bin) {
                const QJsonObject found = bins[bin].toObject();
                gaps += std::abs(sums.right[bin] - sums.confidences[bin]);
                QVERIFY(same(found["accuracy"].toDouble() * found["samples"].toDouble(), sums.right[bin]));
            }
            QVERIFY(same(run["ece"], gaps / 120));
            QVERIFY2(same(run["macro_top1"], run["top1"].toDouble()), "20 images of each class");
        }
        double least = 1;
        for (const QJsonValue& value : json["pairs"].toArray()) {
            const QJsonObject pair = value.toObject();
            const auto &a = runs[pair["a"].toString()].rightOf, &b = runs[pair["b"].toString()].rightOf;
            int onlyA = 0, onlyB = 0;
            for (auto sample = a.begin(); sample != a.end(); ++sample) {
                onlyA += *sample && !b[sample.key()];
                onlyB += !*sample && b[sample.key()];
            }
            QVERIFY(pair["only_a"].toInt() == onlyA && pair["only_b"].toInt() == onlyB);
            QVERIFY(same(pair["difference"], (onlyB - onlyA) / 120.0));
            const QJsonArray interval = pair["interval95"].toArray();
            QVERIFY(interval[0].toDouble() <= (onlyB - onlyA) / 120.0
                    && interval[1].toDouble() >= (onlyB - onlyA) / 120.0);
            double p = 0, term = std::pow(0.5, onlyA + onlyB);
            for (int k = 0; k <= std::min(onlyA, onlyB); ++k) {
                p += 2 * term;
                term *= double(onlyA + onlyB - k) / (k + 1);
            }
            QVERIFY(same(pair["mcnemar_p"], std::min(1.0, onlyA == onlyB ? 1.0 : p)));
            QVERIFY(pair["mcnemar_p_holm"].toDouble() >= pair["mcnemar_p"].toDouble());
            least = std::min(least, pair["mcnemar_p"].toDouble());
        }
        const QJsonArray pairs = json["pairs"].toArray();
        QVERIFY(std::any_of(pairs.begin(), pairs.end(), [&](const QJsonValue& pair) {
            return same(pair.toObject()["mcnemar_p_holm"], std::min(1.0, 6 * least));
        }));
    }

    void theDemosPicturesGetThePredictionsOfClassifyInAnyOrder()
    {
        const Outcome made = runCli({"demo", path("demo"), "--only", "scenes", "--train", "1", "--val", "5"});
        QVERIFY2(made.exitCode == 0, made.messages.constData());
        QStringList network{"--weights", DEMO_MODELS "/deit.safetensors", "--device", "cpu", "--threads", "1",
                            "--quiet"};
        for (const char* spec : {"ra", "ra:mode=biased,noise=unit", "rfa", "performer", "lara:noise=unit"})
            network << "--attention" << spec;
        const QDir val(path("demo/scenes/val"));
        QStringList images;
        for (const QString& name : val.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
            for (const QFileInfo& file : QDir(val.filePath(name)).entryInfoList(QDir::Files, QDir::Name))
                images << file.filePath();
        QCOMPARE(images.size(), 60);
        const Outcome classified = runCli(QStringList{"classify"} + images + network + QStringList{"--json", "-"});
        QVERIFY2(classified.exitCode == 0, classified.messages.constData());
        QMap<QString, int> right;
        for (const QJsonValue& input : classified.json()["inputs"].toArray())
            for (const QJsonValue& run : input.toObject()["runs"].toArray())
                right[run.toObject()["attention"].toString()] +=
                    run.toObject()["top"].toArray().first().toObject()["label"].toString()
                    == QFileInfo(input.toObject()["path"].toString()).dir().dirName();
        QByteArray turned;
        for (const QString& image : images)
            turned.prepend(val.relativeFilePath(image).toUtf8() + " " + QFileInfo(image).dir().dirName().toUtf8()
                           + "\n");
        put(val.filePath("turned.txt"), turned);
        const QList<QStringList> ways{
            {val.path(), "--store", path("demo1.sqlite")},
            {val.path(), "--store", path("demo2.sqlite"), "--batch-size", "7", "--workers", "3"},
            {val.filePath("turned.txt"), "--store", path("demo3.sqlite")}};
        for (const QStringList& way : ways) {
            const Outcome evaluated = runCli(QStringList{"evaluate"} + way + network
                                             + QStringList{"--no-measuring", "--json", "-"});
            QVERIFY2(evaluated.exitCode == 0, evaluated.messages.constData());
            const QJsonArray runs = evaluated.json()["runs"].toArray();
            QCOMPARE(runs.size(), 5);
            for (const QJsonValue& value : runs) {
                const QJsonObject run = value.toObject();
                QCOMPARE(run["samples"].toInt(), 60);
                QVERIFY2(run["correct1"].toInt() == right[run["attention"].toString()],
                         qPrintable(way.join(' ') + " " + run["attention"].toString() + ": "
                                    + QString::number(run["correct1"].toInt()) + " and "
                                    + QString::number(right[run["attention"].toString()])));
            }
        }
    }

    void whatLimitsItIsSaidInTheEnd()
    {
        const QRegularExpression stages(
            "limited by (decoding|network|store); each alone: reading and decoding [\\d.]+/s, network [\\d.]+/s, "
            "store [\\d.]+/s\\.");
        QStringList words = command("val", "limits.sqlite") + QStringList{"--no-measuring"};
        words.removeAll("--quiet");
        const Outcome outcome = runCli(words);
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        QVERIFY2(stages.match(outcome.messages).hasMatch(), outcome.messages.constData());
        QVERIFY(!stages.match(runCli(words + QStringList{"--resume"}).messages).hasMatch());
    }

    void killedAtRandomItGoesOnToTheSameBytes()
    {
        const QStringList more = someAttentions() + QStringList{"--no-measuring"};
        const Outcome whole = runCli(command("val", "whole.sqlite") + more
                                     + QStringList{"--json", path("whole.json")});
        QVERIFY2(whole.exitCode == 0, whole.messages.constData());
        std::minstd_rand random(3);
        int killed = 0;
        for (int attempt = 0; attempt < 6; ++attempt) {
            QProcess process;
            process.start(QStringLiteral(ATTNSCOPE_CLI),
                          command("val", "killed.sqlite") + more
                              + QStringList{"--resume", "--workers", QString::number(1 + attempt % 3)});
            if (!process.waitForFinished(150 + int(random() % 600))) {
                signalProcess(process.processId(), SIGKILL);
                process.waitForFinished();
                ++killed;
            }
        }
        const Outcome last = runCli(command("val", "killed.sqlite") + more
                                    + QStringList{"--resume", "--json", path("killed.json")});
        QVERIFY2(last.exitCode == 0, last.messages.constData());
        QVERIFY(killed > 0);
        QVERIFY(!comparable(path("whole.json")).isEmpty());
        QCOMPARE(comparable(path("killed.json")), comparable(path("whole.json")));
    }

    void interruptedItSaysWhatGoesOn()
    {
        // One image under many numbers: long enough to be met in the middle.
        QByteArray list;
        for (int i = 0; i < 40'000; ++i)
            list += "val/c0/000000.ppm " + QByteArray::number(i % 12) + "\n";
        put(path("long.txt"), list);
        int samples = 0;
        for (int wait = 200; samples == 0 && wait < 30'000; wait *= 2) {
            QFile::remove(path("long.sqlite"));
            QProcess process;
            process.start(
                QStringLiteral(ATTNSCOPE_CLI),
                command("long.txt", "long.sqlite")
                    + QStringList{"--attention", "softmax", "--no-measuring", "--json", path("long.json")});
            // Its place in the store is made; how soon batches follow depends on the machine.
            QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(path("long.sqlite-wal")).size() > 100'000, 60'000);
            QTest::qWait(wait);
            QVERIFY(signalProcess(process.processId(), SIGINT));
            QElapsedTimer timer;
            timer.start();
            QVERIFY(process.waitForFinished(30'000));
            QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
            QCOMPARE(process.exitCode(), 130);
            const QByteArray messages = process.readAllStandardError();
            QVERIFY2(messages.contains("--store " + path("long.sqlite").toUtf8() + " --resume"),
                     messages.constData());
            QFile file(path("long.json"));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
            QVERIFY(json["interrupted"].toBool());
            samples = json["runs"].toArray().first().toObject()["samples"].toInt();
        }
        QVERIFY2(samples > 0 && samples < 40'000 && samples % 8 == 0, qPrintable(QString::number(samples)));
    }

    void aFinishedEvaluationIsPrintedAgain()
    {
        const QStringList arguments = command("val", "again.sqlite")
                                      + QStringList{"--attention", "softmax", "--json", path("again.json")};
        QCOMPARE(runCli(arguments).exitCode, 0);
        const QByteArray before = comparable(path("again.json"));
        const Outcome outcome = runCli(arguments + QStringList{"--resume"});
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY(outcome.messages.contains("all 120 samples have already been evaluated"));
        QVERIFY(outcome.data.contains("softmax"));
        QCOMPARE(comparable(path("again.json")), before);
    }

    void resumedWithAnotherOptionItSaysWhichAndStops()
    {
        const QStringList first = command("val", "options.sqlite")
                                  + QStringList{"--attention", "softmax", "--no-measuring", "--resume"};
        const Outcome begun = runCli(first);
        QVERIFY2(begun.exitCode == 0 && begun.messages.contains("nothing to resume; starting from the beginning."),
                 begun.messages.constData());
        const QList<QPair<QStringList, QByteArray>> changes{
            {{"--seed", "1"}, "evaluation 1 differs in: seed (0 and 1)"},
            {{"--limit", "60"}, "evaluation 1 differs in: limit (0 and 60)"},
            {{"--dtype", "bfloat16"}, "evaluation 1 differs in: dtype (float32 and bfloat16)"},
            {{"--attention", "ra"}, "attentions"},
            {{"--orientation", "apply"}, "reading (none and --orientation apply)"},
            {{"--shard", "1/2"}, "shard (none and 1/2)"}};
        for (const auto& [more, says] : changes) {
            const Outcome outcome = runCli(first + more);
            QVERIFY2(outcome.exitCode == 2 && outcome.messages.contains(says), outcome.messages.constData());
            QVERIFY(outcome.messages.contains("without --resume"));
        }
        // Another network, or a finished evaluation of none of these attentions, is not what was meant.
        QStringList other = first;
        other[other.indexOf("softmax")] = "ra";
        QCOMPARE(runCli(other).exitCode, 0);
        QCOMPARE(runCli(first).exitCode, 0);
    }

    void weightsThatGiveNoNumbersFail()
    {
        const QString weights = path("nan.safetensors");
        const Outcome made = runCli({"convert", testData("models/deit_tiny_cfg.weights.official.safetensors"),
                                     weights, "--model", testData("models/deit_tiny_cfg.json")});
        QVERIFY2(made.exitCode == 0, made.messages.constData());
        QFile file(weights);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray content = file.readAll();
        const qint64 header = qFromLittleEndian<qint64>(content.constData());
        const QJsonArray place = QJsonDocument::fromJson(content.mid(8, header))
                                     .object()["head.bias"]
                                     .toObject()["data_offsets"]
                                     .toArray();
        file.seek(8 + header + place[0].toInteger());
        file.write(QByteArray(4, '\xff'));  // of float32: NaN
        file.close();
        put(path("some.txt"), "val/c0/000000.ppm 0\nval/c0/000001.ppm 1\n");
        const Outcome outcome = runCli({"evaluate", path("some.txt"), "--weights", weights, "--attention",
                                        "softmax", "--no-measuring", "--device", "cpu", "--quiet", "--store",
                                        path("nan.sqlite"), "--json", path("nan.json")});
        QVERIFY2(outcome.exitCode == 1, outcome.messages.constData());
        QVERIFY2(outcome.data.contains("softmax: 2 of 2 samples without a prediction"), outcome.data.constData());
        QFile json(path("nan.json"));
        QVERIFY(json.open(QIODevice::ReadOnly));
        QCOMPARE(
            QJsonDocument::fromJson(json.readAll()).object()["runs"].toArray()[0].toObject()["not_finite"].toInt(),
            2);
    }

    void reportsTellEvaluationsApart()
    {
        QByteArray list120;
        for (int i = 0; i < 120; ++i)
            list120 += QString("val/c%1/%2.ppm %1\n").arg(i * 6 / 120).arg(i, 6, 10, QChar('0')).toUtf8();
        put(path("apart.txt"), list120 + "val/lost.ppm 1\n");
        const QStringList words = command("apart.txt", "apart.sqlite")
                                  + QStringList{"--attention", "softmax", "--no-measuring"};
        const QJsonArray notes =
            runCli(words + QStringList{"--json", "-"}).json()["evaluation"].toObject()["notes"].toArray();
        QVERIFY(!notes.isEmpty());  // a file does not exist
        QCOMPARE(runCli(words + QStringList{"--resize", "20"}).exitCode, 0);
        QCOMPARE(runCli(words + QStringList{"--shard", "1/2"}).exitCode, 0);
        const QByteArray list = runCli({"report", path("apart.sqlite")}).data;
        for (const char* part : {"evaluation 1: started 20", " · batch 8 · ",
                                 "evaluation 2: ", "finished, part 1 of 2", " · shard 1/2"})
            QVERIFY2(list.contains(part), (QByteArray(part) + "\n" + list).constData());
        QCOMPARE(list.count(notes[0].toString().toUtf8()), 3);
        QCOMPARE(runCli({"report", path("apart.sqlite"), "--out", path("apart.csv")}).exitCode, 0);
        QFile csv(path("apart.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = csv.readAll().split('\n');
        for (const char* column : {"transform", "views", "limit", "batch", "shard", "decoder", "started"})
            QVERIFY2(lines[0].contains(column), column);
        QCOMPARE(runCli({"report", path("apart.sqlite"), "--out", path("apart.md")}).exitCode, 0);
        QFile markdown(path("apart.md"));
        QVERIFY(markdown.open(QIODevice::ReadOnly));
        const QByteArray text = markdown.readAll();
        QVERIFY2(text.contains("Evaluations 1 and 2 differ in: transform"), text.constData());
        const Outcome gated = runCli(
            {"gate", path("apart.sqlite"), path("apart.sqlite"), "--evaluation", "1", "--evaluation", "2"});
        QVERIFY2(gated.data.contains("evaluations 1 and 2 differ in: transform"),
                 (gated.data + gated.messages).constData());
        QVERIFY(!runCli({"gate", path("apart.sqlite"), path("apart.sqlite"), "--evaluation", "1"})
                     .data.contains("differ in"));
        const Outcome none = runCli({"gate", path("apart.sqlite"), path("apart.sqlite"), "--evaluation", "9"});
        QVERIFY(none.exitCode == 1 && none.messages.contains("has no evaluation 9"));
    }

    void badFilesAreListedExactly()
    {
        const QStringList paths = putImages(path("bad"), 200);
        const QByteArray good = tinyImage(1);
        QByteArray dicom(132, 'x');
        dicom += 'A';
        dicom.replace(128, 4, "DICM");
        const QList<QByteArray> kinds{"",
                                      "no picture at all",
                                      good.left(40),
                                      "P6\n99999 99999\n255\n",
                                      "\x89PNG\r\n\x1a\n broken",
                                      QByteArray("\xff\xd8\xff\xe0", 4),
                                      dicom,
                                      "RIFF\x10\0\0\0WEBPVP8 ",
                                      "#EXTM3U\n/etc/passwd\n",
                                      "BM"};
        QStringList wanted;
        for (qsizetype i = 0; i < kinds.size(); ++i) {
            wanted << paths[7 + 19 * i];
            put(wanted.last(), kinds[i]);
        }
        const Outcome outcome = runCli(command("bad", "bad.sqlite")
                                       + QStringList{"--attention", "softmax", "--no-measuring", "--json", "-"});
        QVERIFY2(outcome.exitCode == 3, outcome.messages.constData());
        const QJsonObject run = outcome.json()["runs"].toArray().first().toObject();
        QStringList listed;
        for (const QJsonValue& value : run["unreadable"].toArray()) {
            listed << QDir(path("bad")).absoluteFilePath(value.toObject()["path"].toString());
            QVERIFY(value.toObject()["reason"].toString().endsWith('.'));
        }
        QCOMPARE(listed, wanted);
        QCOMPARE(run["samples"].toInt() + listed.size(), 200);
    }

    void whatIsPassedOverIsCountedAndStrictnessRefusesIt()
    {
        putImages(path("passed"), 12);
        put(path("passed/c0/notes.txt"), "no image");
        put(path("passed/@eaDir/c0/thumb.jpg"), tinyImage(1));
        const QStringList arguments = command("passed", "passed.sqlite")
                                      + QStringList{"--no-measuring", "--json", "-"};
        const Outcome loose = runCli(arguments);
        QVERIFY2(loose.exitCode == 0, loose.messages.constData());
        const QJsonArray issues = loose.json()["evaluation"].toObject()["issues"].toArray();
        QCOMPARE(issues.size(), 2);
        QCOMPARE(issues[0].toObject()["kind"].toString(), QString("unknown_kind"));
        QVERIFY(issues[0].toObject()["names"].toArray().first().toString().endsWith("c0/notes.txt"));
        QCOMPARE(issues[1].toObject()["kind"].toString(), QString("system"));
        QCOMPARE(issues[1].toObject()["names"].toArray().first().toString(), QString("@eaDir"));
        QCOMPARE(runCli(arguments + QStringList{"--resume", "--strict"}).exitCode, 3);
        QCOMPARE(runCli(arguments + QStringList{"--dry-run", "--strict"}).exitCode, 3);
        QCOMPARE(
            runCli(command("val", "strict.sqlite") + QStringList{"--limit", "8", "--no-measuring", "--strict"})
                .exitCode,
            0);
    }

    void videosUsedInPartAreListed()
    {
        for (const char* name :
             {"truncated_half.webm", "h264_ten_frames_200x150.mp4", "h264_nobframes_30fps_64f_224x224.mp4"}) {
            QDir().mkpath(path("videos/a"));
            QVERIFY(
                QFile::copy(testData(QString("preprocess/videos/") + name), path(QString("videos/a/") + name)));
        }
        const QStringList arguments{"evaluate",  path("videos"),
                                    "--model",   testData("models/motionformer_trajectory_tiny_cfg.json"),
                                    "--weights", "untrained:1",
                                    "--views",   "1x1",
                                    "--device",  "cpu",
                                    "--quiet",   "--no-measuring",
                                    "--store",   path("videos.sqlite"),
                                    "--json",    "-"};
        const Outcome outcome = runCli(arguments);
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonArray partial = outcome.json()["evaluation"].toObject()["partial"].toArray();
        QCOMPARE(partial.size(), 2);
        QVERIFY(partial[0].toObject()["path"].toString().endsWith("h264_ten_frames_200x150.mp4"));
        QVERIFY2(partial[0].toObject()["reason"].toString().contains("beyond the last frame"),
                 qPrintable(partial[0].toObject()["reason"].toString()));
        QVERIFY2(partial[1].toObject()["reason"].toString().contains("truncated"),
                 qPrintable(partial[1].toObject()["reason"].toString()));
        QCOMPARE(runCli(arguments + QStringList{"--resume", "--strict"}).exitCode, 3);
    }

    void aDryRunWritesNothing()
    {
        const Outcome outcome = runCli(command("val", "dry.sqlite") + someAttentions()
                                       + QStringList{"--dry-run", "--json", "-"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject json = outcome.json();
        QCOMPARE(json["samples"].toInt(), 120);
        QCOMPARE(json["attentions"].toArray().size(), 4);
        QVERIFY(json["seconds"].toDouble() > 0 && json["store_bytes"].toInt() > 0
                && json["free_bytes"].toDouble() > 0);
        QVERIFY(!QFile::exists(path("dry.sqlite")));
        QStringList unnamed = command("val", "x") + QStringList{"--dry-run"};
        unnamed.removeAt(unnamed.indexOf("--store") + 1);
        unnamed.removeAll("--store");
        QVERIFY(!runCli(unnamed).messages.contains("results are stored"));
        QVERIFY(!runCli(unnamed << "--shard"
                                << "4/3")
                     .messages.contains("results are stored"));
    }

    void wrongUsageIsSaid_data()
    {
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("part");
        QTest::newRow("shard") << QStringList{"--shard", "4/3"} << 2 << "--shard";
        QTest::newRow("no number") << QStringList{"--shard", "a/b"} << 2 << "--shard";
        QTest::newRow("attention") << QStringList{"--attention", "sofmax"} << 2 << "softmax";
        QTest::newRow("twice") << QStringList{"--attention", "ra", "--attention", "ra"} << 2 << "given twice";
        QTest::newRow("layout") << QStringList{"--layout", "kinetics"} << 1 << "--layout imagenet";
        QTest::newRow("views") << QStringList{"--views", "0x3"} << 2 << "views";
    }

    void wrongUsageIsSaid()
    {
        QFETCH(QStringList, more);
        QFETCH(int, exitCode);
        QFETCH(QString, part);
        const Outcome outcome = runCli(command("val", "wrong.sqlite") + more);
        QVERIFY2(outcome.exitCode == exitCode, outcome.messages.constData());
        QVERIFY2(outcome.messages.contains(part.toUtf8()), outcome.messages.constData());
        QVERIFY(!QFile::exists(path("wrong.sqlite")));
    }

    void foldersOfOtherClassesAreRefused()
    {
        const Outcome outcome = runCli(
            {"evaluate", path("val"), "--weights", QStringLiteral(RESOURCE_DIR "/demo/models/deit.safetensors"),
             "--attention", "softmax", "--store", path("other.sqlite"), "--device", "cpu", "--quiet"});
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.messages.contains("6 of its 6 classes are not among")
                     && outcome.messages.contains("--labels"),
                 outcome.messages.constData());
    }

    void withoutAStoreResultsGoWhereTheAppKeepsThem()
    {
        qputenv("XDG_DATA_HOME", path("data").toUtf8());
        QStringList arguments = command("val", "x") + QStringList{"--limit", "12", "--no-measuring"};
        arguments.removeAt(arguments.indexOf("--store") + 1);
        arguments.removeAll("--store");
        const Outcome outcome = runCli(arguments);
        qunsetenv("XDG_DATA_HOME");
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        QVERIFY(outcome.messages.contains(path("data/attnscope/results.sqlite").toUtf8()));
        QVERIFY(QFile::exists(path("data/attnscope/results.sqlite")));
    }

    void reportAndMergeSpeakJson()
    {
        for (const char* part : {"1", "2"}) {
            const Outcome made = runCli(command("val", QString("spoken%1.sqlite").arg(part))
                                        + QStringList{"--attention", "softmax", "--attention", "ra", "--shard",
                                                      QString("%1/2").arg(part)});
            QVERIFY2(made.exitCode == 0, made.messages.constData());
        }
        const Outcome merged = runCli(
            {"merge", path("spoken.sqlite"), path("spoken1.sqlite"), path("spoken2.sqlite"), "--json", "-"});
        QVERIFY2(merged.exitCode == 0, merged.messages.constData());
        const QJsonArray whole = merged.json()["evaluations"].toArray();
        QCOMPARE(whole.size(), 1);
        QCOMPARE(whole[0].toObject()["evaluation"].toObject()["done"].toInt(), 120);
        const Outcome reported = runCli({"report", path("spoken.sqlite"), "--json", "-"});
        QVERIFY2(reported.exitCode == 0, reported.messages.constData());
        QCOMPARE(reported.json()["evaluations"].toArray(), whole);
        QCOMPARE(whole[0].toObject()["runs"].toArray().size(), 2);
        QVERIFY(whole[0].toObject()["runs"].toArray()[0].toObject()["top1"].isDouble());
        QVERIFY(reported.json()["trainings"].isArray());
        const Outcome both = runCli({"report", path("spoken.sqlite"), "--json", path("report.json")});
        QVERIFY(both.data.contains("softmax") && QFile::exists(path("report.json")));
        // None of this leaves the two files of a log next to the stores.
        QCOMPARE(QDir(m_folder.path()).entryList({"*-wal", "*-shm"}, QDir::Files), QStringList());
    }

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QStringList command(const QString& data, const QString& store) const
    {
        return QStringList{"evaluate",    path(data),     "--model", path("tiny.json"), "--weights",
                           "untrained:1", "--batch-size", "8",       "--device",        "cpu",
                           "--quiet",     "--threads",    "1",       "--store",         path(store)};
    }

    QTemporaryDir m_folder;
};

ATTNSCOPE_EVENT_TEST(TestCliEvaluate)
#include "tst_cli_evaluate.moc"
