// Videos and folders of frames, from the command line to the JSON.
#include "tests/cli/cli_process.h"
#include "tests/support/signal_process.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <cmath>
#include <csignal>

using namespace attnscope::test;

namespace {

QString video(const char* name)
{
    return testData(QString("preprocess/videos/") + name);
}

QStringList videoModel()
{
    return {"--weights", testData("models/motionformer_trajectory_tiny_cfg.weights.official.safetensors"),
            "--model",   testData("models/motionformer_trajectory_tiny_cfg.json"),
            "--json",    "-",
            "--quiet"};
}

QStringList imageModel()
{
    return {"--weights", testData("models/deit_tiny_cfg.weights.official.safetensors"),
            "--model",   testData("models/deit_tiny_cfg.json"),
            "--json",    "-",
            "--quiet"};
}

QJsonObject firstInput(const Outcome& outcome)
{
    return outcome.json()["inputs"].toArray().first().toObject();
}

QJsonObject firstRun(const QJsonObject& input)
{
    return input["runs"].toArray().first().toObject();
}

QString notesOf(const QJsonObject& input)
{
    QStringList notes;
    for (const auto& note : input["notes"].toArray())
        notes << note.toString();
    return notes.join('\n');
}

double probability(const QJsonArray& top, int index)
{
    for (const auto& entry : top)
        if (entry.toObject()["index"].toInt() == index)
            return entry.toObject()["probability"].toDouble();
    return NAN;
}

std::vector<double> softmax(const QJsonArray& logits)
{
    std::vector<double> values;
    double sum = 0;
    for (const auto& logit : logits)
        sum += values.emplace_back(std::exp(logit.toDouble()));
    for (double& value : values)
        value /= sum;
    return values;
}

/// By file: the mean probabilities, and the logits of the first and the last view.
QJsonObject independentResults()
{
    QFile file(testData("preprocess/video_logits.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qPrintable(file.fileName()));
    return QJsonDocument::fromJson(file.readAll()).object()["files"].toObject();
}

bool ffmpeg(const QStringList& arguments)
{
    QProcess process;
    process.start("ffmpeg", QStringList{"-v", "error", "-y"} + arguments);
    return process.waitForStarted() && process.waitForFinished() && process.exitCode() == 0;
}

}

class CliVideo : public QObject {
    Q_OBJECT

private slots:
    void classifyAveragesThePublishedViews()
    {
        const Outcome outcome = runCli(
            QStringList{"classify", video("h264_30fps_300f_320x240.mp4"), "--logits", "--topk", "10"}
            + videoModel());
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject input = firstInput(outcome), run = firstRun(input);
        QCOMPARE(input["kind"].toString(), "video");
        QCOMPARE(input["grid"].toString(), "10x3");
        QCOMPARE(input["views"].toArray().size(), 30);
        QCOMPARE(input["width"].toInt(), 320);
        QCOMPARE(input["fps"].toDouble(), 30.0);
        QCOMPARE(input["seconds"].toDouble(), 10.0);
        const QJsonArray views = run["views"].toArray();
        QCOMPARE(views.size(), 30);
        std::vector<double> mean(10);
        for (const auto& view : views) {
            const auto p = softmax(view.toObject()["logits"].toArray());
            for (size_t i = 0; i < 10; ++i)
                mean[i] += p[i] / 30;
        }
        for (int i = 0; i < 10; ++i)
            QVERIFY(std::abs(probability(run["top"].toArray(), i) - mean[size_t(i)]) < 1e-6);
        const QJsonObject last = input["views"].toArray().last().toObject();
        QCOMPARE(last["clip"].toInt(), 9);
        QCOMPARE(last["crop"].toInt(), 2);
        QCOMPARE(last["frames"].toArray().size(), 8);
        // 8 frames of every 4th: L = 32; (300 − 32) · 9 / 10 = 241.2: the first frame at or behind
        QCOMPARE(last["frames"].toArray().first().toInt(), 242);
    }

    void labelsNameTheClassesOfEveryView()
    {
        QTemporaryDir folder;
        QFile names(folder.filePath("names.txt"));
        QVERIFY(names.open(QIODevice::WriteOnly) && names.write("n0\nn1\nn2\nn3\nn4\nn5\nn6\nn7\nn8\nn9\n") > 0);
        names.close();
        const Outcome outcome = runCli(QStringList{"classify", video("mjpeg_15fps_45f_160x120.avi"), "--views",
                                                   "2x1", "--labels", names.fileName()}
                                       + videoModel());
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        QJsonArray lists{firstRun(firstInput(outcome))["top"]};
        for (const auto& view : firstRun(firstInput(outcome))["views"].toArray())
            lists.append(view.toObject()["top"]);
        QCOMPARE(lists.size(), 3);
        for (const auto& list : lists) {
            QVERIFY(!list.toArray().isEmpty());
            for (const auto& each : list.toArray())
                QCOMPARE(each.toObject()["label"].toString(),
                         "n" + QString::number(each.toObject()["index"].toInt()));
        }
    }

    void viewsAndTheirMeanEqualAnIndependentPipeline_data()
    {
        QTest::addColumn<QString>("file");
        for (const QString& file : independentResults().keys())
            QTest::newRow(qPrintable(file)) << file;
    }

    void viewsAndTheirMeanEqualAnIndependentPipeline()
    {
        QFETCH(QString, file);
        const QJsonObject expected = independentResults()[file].toObject();
        const Outcome outcome = runCli(QStringList{"classify", video(qPrintable(file)), "--logits", "--topk", "10"}
                                       + videoModel());
        const QJsonObject run = firstRun(firstInput(outcome));
        const QJsonArray probabilities = expected["probabilities"].toArray(), views = run["views"].toArray();
        QCOMPARE(views.size(), 30);
        // The golden tests' tolerance of logits; a grey level of another decoder would move them by some 1e-3.
        for (int i = 0; i < 10; ++i)
            QVERIFY(std::abs(probability(run["top"].toArray(), i) - probabilities[i].toDouble()) < 3e-5);
        for (const int view : {0, 29})
            for (int i = 0; i < 10; ++i)
                QVERIFY(std::abs(views[view].toObject()["logits"][i].toDouble()
                                 - expected["logits"].toArray()[view == 0 ? 0 : 1][i].toDouble())
                        < 3e-5);
    }

    void compareMeasuresOneView()
    {
        const Outcome outcome = runCli(QStringList{"compare", video("mjpeg_15fps_45f_160x120.avi"), "--attention",
                                                   "softmax", "--attention", "performer:samples=8", "--seconds",
                                                   "0", "--repetitions", "3"}
                                       + videoModel());
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject input = firstInput(outcome);
        QCOMPARE(input["grid"].toString(), "1x1");
        for (const auto& run : input["runs"].toArray())
            for (const char* key : {"latency_ms", "memory_bytes", "error", "end_to_end", "top"})
                QVERIFY2(run.toObject().contains(key), key);
        const Outcome several = runCli(QStringList{"compare", video("mjpeg_15fps_45f_160x120.avi"), "--attention",
                                                   "softmax", "--views", "3x3", "--no-latency"}
                                       + videoModel());
        QCOMPARE(firstInput(several)["measured_view"].toInt(), 4);
        QVERIFY(notesOf(firstInput(several)).contains("clip 2, crop 2"));
    }

    void damagedVideoIsUsedAsFarAsItGoes()
    {
        const Outcome outcome = runCli(QStringList{"classify", video("truncated_half.webm"), "--views", "2x1"}
                                       + videoModel());
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        QVERIFY(notesOf(firstInput(outcome)).contains("is truncated"));
    }

    void brokenVideosAreListedAndTheRestGoesOn()
    {
        const Outcome outcome = runCli(
            QStringList{"classify", video("broken_text.mp4"), video("broken_no_moov.mp4"), video("audio_only.mp4"),
                        video("no_such_file.mp4"), video("h264_ten_frames_200x150.mp4"), "--views", "1x1"}
            + videoModel());
        QCOMPARE(outcome.exitCode, 3);
        QCOMPARE(outcome.json()["unreadable"].toArray().size(), 4);
        QCOMPARE(outcome.json()["inputs"].toArray().size(), 1);
        for (const char* name : {"broken_text", "broken_no_moov", "audio_only", "no_such_file"})
            QCOMPARE(outcome.linesAbout(name), 1);
        QVERIFY(notesOf(firstInput(outcome)).contains("last frame, which is repeated"));
    }

    void folderOfFramesIsTheVideo()
    {
        QTemporaryDir frames;
        const QString whole = video("h264_nobframes_30fps_64f_224x224.mp4");
        if (!ffmpeg({"-i", whole, "-pix_fmt", "rgb24", "-sws_flags", "bicubic+accurate_rnd+full_chroma_int",
                     frames.filePath("frame_%04d.png")}))
            QSKIP("ffmpeg is not installed");
        const QStringList options{"--views", "4x3", "--logits"};
        const QJsonObject a = firstInput(runCli(QStringList{"classify", whole} + options + videoModel()));
        const QJsonObject b = firstInput(runCli(QStringList{"classify", frames.path()} + options + videoModel()));
        QCOMPARE(b["kind"].toString(), "video");
        QCOMPARE(b["views"], a["views"]);
        const QJsonArray topA = firstRun(a)["top"].toArray(), topB = firstRun(b)["top"].toArray();
        QCOMPARE(topB.first().toObject()["index"], topA.first().toObject()["index"]);
        // ffmpeg's program rounds colours otherwise by a level here and there.
        QVERIFY(std::abs(topB.first().toObject()["probability"].toDouble()
                         - topA.first().toObject()["probability"].toDouble())
                < 0.01);
        const Outcome images = runCli(QStringList{"classify", frames.path()} + imageModel());
        QCOMPARE(images.json()["inputs"].toArray().size(), 64);
        QCOMPARE(firstInput(images)["kind"].toString(), "image");
    }

    void folderOfVideosIsEachOfThem()
    {
        QTemporaryDir folder;
        QVERIFY(QFile::copy(video("h264_ten_frames_200x150.mp4"), folder.filePath("b.mp4")));
        QVERIFY(QFile::copy(video("h264_one_frame_200x150.mp4"), folder.filePath("a.mp4")));
        QVERIFY(QFile::copy(video("broken_text.mp4"), folder.filePath("c.mp4")));
        for (const QStringList& model : {videoModel(), imageModel()}) {
            const Outcome outcome = runCli(QStringList{"classify", folder.path(), "--views", "1x1"} + model);
            QCOMPARE(outcome.exitCode, 3);
            QCOMPARE(outcome.json()["inputs"].toArray().size(), 2);
            QVERIFY(firstInput(outcome)["path"].toString().endsWith("a.mp4"));
            QCOMPARE(outcome.linesAbout("c.mp4"), 1);
        }
    }

    void modelOfPicturesSeesFramesOfAVideo()
    {
        QTemporaryDir folder;
        QStringList inputs{video("h264_30fps_300f_320x240.mp4")};
        if (ffmpeg({"-i", inputs.first(), "-t", "1", folder.filePath("moving.gif")}))
            inputs << folder.filePath("moving.gif");
        const Outcome outcome = runCli(QStringList{"classify"} + inputs + QStringList{"--views", "5x3"}
                                       + imageModel());
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        for (const auto& input : outcome.json()["inputs"].toArray()) {
            QCOMPARE(input.toObject()["kind"].toString(), "video");
            QCOMPARE(input.toObject()["grid"].toString(), "5x1");
            QVERIFY(notesOf(input.toObject()).contains("each of 5 frames separately"));
        }
    }

    void modelOfVideosRefusesAPicture()
    {
        const Outcome outcome = runCli(QStringList{"classify", testData("preprocess/images/bmp_251x260.bmp")}
                                       + videoModel());
        QVERIFY(outcome.exitCode != 0 && !outcome.crashed);
        QVERIFY(!outcome.json()["unreadable"].toArray().isEmpty());
    }

    void partOfAVideoIsSampled()
    {
        const QJsonObject input = firstInput(
            runCli(QStringList{"classify", video("h264_30fps_300f_320x240.mp4"), "--views", "1x1", "--start", "5",
                               "--duration", "2"}
                   + videoModel()));
        const QJsonObject view = input["views"].toArray().first().toObject();
        QCOMPARE(view["frames"].toArray().first().toInt(), 150);
        QCOMPARE(view["seconds"].toArray().first().toDouble(), 5.0);
        QCOMPARE(input["seconds"].toDouble(), 2.0);
    }

    void samplingOfSomethingSomething()
    {
        const QJsonObject input = firstInput(runCli(
            QStringList{"classify", video("h264_30fps_300f_320x240.mp4"), "--sampling", "ssv2"} + videoModel()));
        QCOMPARE(input["grid"].toString(), "1x3");
        const QJsonArray frames = input["views"].toArray().first().toObject()["frames"].toArray();
        QCOMPARE(frames.first().toInt(), 18);  // s = 299 / 8: (round(0) + round(37.375)) / 2
        QVERIFY(frames.last().toInt() > 270);
    }

    /// The default of its splits is what `ssv2` asks for; receipts repeat whichever it was, and old ones, which do not say, the published rule.
    void somethingSomethingIsEvaluatedAsPublished()
    {
        QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& content) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        };
        QByteArray labels, names;
        for (int i = 0; i < 10; ++i) {
            labels += QString("%1\"c%2\": \"%2\"").arg(i == 0 ? "{" : ", ").arg(i).toUtf8();
            names += QString("c%1\n").arg(i).toUtf8();
        }
        write("labels.json", labels + "}");
        write("names.txt", names);
        write("validation.json", R"([{"id": "7", "template": "c3"}])");
        QVERIFY(QFile::copy(video("h264_30fps_300f_320x240.mp4"), folder.filePath("7.webm")));
        const QStringList model = videoModel().mid(0, 4);
        const QString labelled = folder.filePath("names.txt");
        const auto evaluated = [&](const QString& name, const QStringList& more) {
            return runCli(QStringList{"evaluate", folder.filePath("validation.json"), "--labels", labelled,
                                      "--no-measuring", "--store", folder.filePath(name + ".sqlite"), "--receipt",
                                      folder.filePath(name), "--json", "-", "--quiet"}
                          + model + more);
        };
        const auto resultsOf = [&](const QString& name) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::ReadOnly)
                       ? QJsonDocument::fromJson(file.readAll()).object()["results"].toArray()
                       : QJsonArray();
        };
        const Outcome usual = evaluated("usual", {});
        QVERIFY2(usual.exitCode == 0, usual.messages.constData());
        const QJsonObject settings = usual.json()["evaluation"].toObject();
        QCOMPARE(settings["sampling"].toString(), QString("ssv2"));
        QCOMPARE(settings["views"].toString(), QString("1x3"));
        QVERIFY(QJsonDocument(settings["notes"].toArray()).toJson().contains("one clip over the whole video"));
        QCOMPARE(evaluated("named", {"--sampling", "ssv2"}).exitCode, 0);
        QCOMPARE(resultsOf("named"), resultsOf("usual"));
        const Outcome published = evaluated("published", {"--sampling", "published", "--views", "1x3"});
        QCOMPARE(published.json()["evaluation"].toObject()["sampling"].toString(), QString("published"));
        QVERIFY(!resultsOf("published").isEmpty() && resultsOf("published") != resultsOf("usual"));
        const auto repeated = [&](const QString& name) {
            return runCli(QStringList{"repeat", folder.filePath(name), folder.filePath("validation.json"),
                                      "--labels", labelled, "--quiet", "--json", "-"}
                          + model);
        };
        for (const char* name : {"usual", "published"})
            QVERIFY(repeated(name).json()["same"].toBool());
        QFile file(folder.filePath("published"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        write("old", QString::fromUtf8(file.readAll())
                         .remove(QRegularExpression(",\\s*\"--sampling\",\\s*\"published\""))
                         .toUtf8());
        const Outcome old = repeated("old");
        QVERIFY2(old.json()["same"].toBool(), (old.messages + old.data).constData());
        const Outcome wrong = evaluated("wrong", {"--views", "10x3"});
        QVERIFY(wrong.exitCode == 2 && wrong.messages.contains("--sampling published"));
    }

    void wrongOptionsAreRefused_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("named");
        QTest::newRow("no grid") << QStringList{"--views", "10"} << QByteArray("10x3");
        QTest::newRow("two crops") << QStringList{"--views", "10x2"} << QByteArray("3");
        QTest::newRow("ssv2 with ten clips")
            << QStringList{"--sampling", "ssv2", "--views", "10x3"} << QByteArray("1x3");
        QTest::newRow("unknown rule") << QStringList{"--sampling", "sssv2"} << QByteArray("ssv2");
        QTest::newRow("negative start") << QStringList{"--start", "-1"} << QByteArray("start");
    }

    void wrongOptionsAreRefused()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, named);
        const Outcome outcome = runCli(QStringList{"classify", video("h264_ten_frames_200x150.mp4")} + options
                                       + videoModel());
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.messages.contains(named), outcome.messages.constData());
    }

    void tablesShowFewViewsOneByOne()
    {
        QStringList model = videoModel();
        model.removeOne("--json");
        model.removeOne("-");
        const Outcome few = runCli(QStringList{"classify", video("h264_30fps_300f_320x240.mp4"), "--views", "1x3"}
                                   + model);
        QVERIFY(few.data.contains("clip") && few.data.contains("over views"));
        const Outcome many = runCli(QStringList{"classify", video("h264_30fps_300f_320x240.mp4")} + model);
        QVERIFY(!many.data.contains("  clip  crop") && many.data.contains("30 views: 10x3"));
    }

    void interruptedVideoIsWrittenAndEndsAtOnce()
    {
        QProcess process;
        process.start(QStringLiteral(ATTNSCOPE_CLI),
                      {"classify", video("h264_30fps_300f_320x240.mp4"), "--weights", "untrained", "--model",
                       "motionformer_224_16x4", "--json", "-"});
        QVERIFY(process.waitForStarted());
        QByteArray messages;
        QElapsedTimer timer;
        timer.start();
        QTest::qWait(6000);  // in the middle of a view of some seconds
        QVERIFY(signalProcess(process.processId(), SIGINT));
        timer.restart();
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY2(timer.elapsed() < 20000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(QJsonDocument::fromJson(process.readAllStandardOutput()).object()["interrupted"].toBool());
    }
};

ATTNSCOPE_EVENT_TEST(CliVideo)
#include "tst_cli_video.moc"
