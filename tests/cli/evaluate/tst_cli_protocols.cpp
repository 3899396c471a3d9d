// `evaluate --protocol` and studies as users run them; figures are computed again from the predictions of the store.
#include "core/data/dataset/imagenet_metadata.h"
#include "tests/cli/evaluation_runs.h"
#include "tests/support/test_class.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

using namespace attnscope;
using namespace attnscope::test;

namespace {

QString synset(int number)
{
    return QString::fromStdString(imageNetClasses().synsets.at(size_t(number)));
}

/// `inner` with two red pixels at each edge, as ObjectNet's images have them.
QByteArray framed(const QByteArray& inner)
{
    constexpr int width = 20, height = 18, border = 2;
    const QByteArray pixels = inner.right(3 * width * height), red("\xff\0\0", 3);
    QByteArray image = "P6\n24 22\n255\n";
    for (int y = -border; y < height + border; ++y)
        for (int x = -border; x < width + border; ++x)
            image += x < 0 || y < 0 || x >= width || y >= height ? red : pixels.mid(3 * (y * width + x), 3);
    return image;
}

}

class TestCliProtocols : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        put(path("tiny.json"), QByteArray(tinyNetwork).replace("\"num_classes\":12", "\"num_classes\":1000"));
    }

    void otherClassesOfImageNetAAreLeftOut()
    {
        const std::set<int64_t> among(imageNetClasses().a.begin(), imageNetClasses().a.end());
        for (const int number : {6, 11, 13})
            for (unsigned i = 0; i < 4; ++i)
                put(path(QString("a/%1/%2.ppm").arg(synset(number)).arg(i)),
                    tinyImage(unsigned(number) + 100 * i));
        const QJsonObject json = evaluated("a", {"--protocol", "imagenet-a"});
        QCOMPARE(json["evaluation"]["protocol"].toString(), QString("imagenet-a"));
        for (const QJsonValue& sample : predictions()) {
            double sum = 0;
            for (const QJsonValue& one : sample["classes"].toArray())
                QVERIFY(among.contains(one.toInt()));
            for (const QJsonValue& one : sample["probabilities"].toArray())
                sum += one.toDouble();
            QVERIFY(sum > 5.0 / 1000 && sample["rank"].toInt() < 200);
        }
        QVERIFY(refused("a", {"--protocol", "imagenet-o"}).contains("--in-distribution"));
        put(path("a/n01440764/0.ppm"), tinyImage(3));
        QVERIFY(refused("a", {"--protocol", "imagenet-a"}).contains("none of the 200 of ImageNet-A"));
    }

    void severalClassesAreRightInReal()
    {
        for (int i = 1; i <= 40; ++i)
            put(path(QString("real/ILSVRC2012_val_%1.ppm").arg(i, 8, 10, QChar('0'))), tinyImage(unsigned(i)));
        const QJsonObject json = evaluated("real", {"--protocol", "real"});
        const QJsonArray samples = predictions();
        int right = 0;
        for (const QJsonValue& sample : samples) {
            const int64_t number = validationNumber(QFileInfo(sample["path"].toString()).baseName().toStdString());
            const std::vector<int64_t>& classes = validationImages().at(size_t(number - 1)).right;
            QVERIFY(!classes.empty());
            const bool isRight = std::ranges::find(classes, sample["classes"][0].toInt()) != classes.end();
            QCOMPARE(sample["rank"].toInt() == 0, isRight);
            right += isRight ? 1 : 0;
        }
        const auto without = std::count_if(validationImages().begin(), validationImages().begin() + 40,
                                           [](const ValidationImage& image) { return image.right.empty(); });
        QVERIFY(without > 0);
        QCOMPARE(samples.size(), 40 - without);
        QCOMPARE(json["runs"][0]["correct1"].toInt(), right);
    }

    void corruptionErrorsAreRelativeToAlexNets()
    {
        for (const Corruption& corruption : corruptions())
            for (int severity = 1; severity <= 5; ++severity)
                for (const int number : {0, 1})
                    put(path(QString("c/%1/%2/%3/x.ppm")
                                 .arg(QString::fromStdString(corruption.name))
                                 .arg(severity)
                                 .arg(synset(number))),
                        tinyImage(unsigned(10 * severity + number) + unsigned(corruption.name.size())));
        const QJsonObject json = evaluated("c", {"--protocol", "imagenet-c"});
        std::map<QString, int> wrong;
        for (const QJsonValue& sample : predictions())
            wrong[sample["path"].toString().section('/', -4, -4)] += sample["rank"].toInt() > 0 ? 1 : 0;
        double sum = 0;
        for (const Corruption& corruption : corruptions())
            sum += 10 * wrong[QString::fromStdString(corruption.name)] / corruption.reference;
        const QJsonValue figures = json["runs"][0]["protocol"];
        QVERIFY(std::abs(figures["mce"].toDouble() - sum / 15) < 1e-9);
        QCOMPARE(figures["corruptions"].toArray().size(), 15);
        QCOMPARE(figures["corruptions"][0]["errors"].toArray().size(), 5);
        QDir(path("c/fog/5")).removeRecursively();
        const QJsonValue partial = evaluated("c", {"--protocol", "imagenet-c"})["runs"][0]["protocol"];
        QVERIFY(partial["mce"].isNull());
        const auto withError = [](const QJsonValue& one) { return one["ce"].isDouble(); };
        const QJsonArray all = partial["corruptions"].toArray();
        QCOMPARE(std::count_if(all.begin(), all.end(), withError), 14);
    }

    void framesOfObjectNetAreCutOff()
    {
        for (const char* name : {"bench", "clock", "soap"})
            for (unsigned i = 0; i < 5; ++i) {
                put(path(QString("objectnet/images/%1/%2.ppm").arg(name).arg(i)), framed(tinyImage(i + 7)));
                put(path(QString("plain/images/%1/%2.ppm").arg(name).arg(i)), tinyImage(i + 7));
            }
        put(path("objectnet/mappings/folder_to_objectnet_label.json"),
            R"({"bench": "Bench", "clock": "Clock", "soap": "Soap"})");
        put(path("objectnet/mappings/objectnet_to_imagenet_1k.json"),
            R"({"Bench": "park bench; barber chair", "Clock": "analog clock"})");
        put(path("objectnet/mappings/imagenet_to_label_2012_v2"), "park bench\nbarber chair\nanalog clock\n");
        put(path("objectnet/mappings/pytorch_to_imagenet_2012_id.json"), R"({"703": 0, "423": 1, "409": 2})");
        evaluated("objectnet", {"--protocol", "objectnet"});
        const QJsonArray cut = predictions();
        QCOMPARE(cut.size(), 10);
        put(path("plain/list.txt"), "images/bench/0.ppm 703\nimages/bench/1.ppm 703\nimages/bench/2.ppm 703\n"
                                    "images/bench/3.ppm 703\nimages/bench/4.ppm 703\n");
        evaluated("plain/list.txt", {});
        const QJsonArray plain = predictions();
        for (int i = 0; i < plain.size(); ++i) {
            // The same image: the ratio of two classes' probabilities is the same whatever is left out.
            QCOMPARE(cut[i]["classes"].toArray().size(), 3);
            QVERIFY(cut[i]["label_probability"].toDouble() > plain[i]["label_probability"].toDouble());
        }
        QVERIFY(refused("objectnet", {"--protocol", "objectnet", "--decode", "fast"}).contains("border"));
        evaluated("objectnet", {"--protocol", "objectnet", "--cache", path("crops")});
        evaluated("objectnet", {"--protocol", "objectnet", "--cache", path("crops")});
        QCOMPARE(predictions(), cut);
    }

    void outliersAreToldByTheirConfidence()
    {
        for (const int number : {3, 4})
            for (unsigned i = 0; i < 6; ++i) {
                put(path(QString("o/%1/%2.ppm").arg(synset(number)).arg(i)),
                    tinyImage(200 + 10 * i + unsigned(number)));
                put(path(QString("in/%1/%2.ppm").arg(synset(number)).arg(i)),
                    tinyImage(300 + 10 * i + unsigned(number)));
            }
        put(path("in/" + synset(9) + "/other.ppm"), tinyImage(1));
        const QJsonObject json = evaluated("o", {"--protocol", "imagenet-o", "--in-distribution", path("in")});
        std::vector<std::pair<double, bool>> scores;
        for (const QJsonValue& sample : predictions())
            scores.emplace_back(sample["probabilities"][0].toDouble(),
                                sample["path"].toString().startsWith(path("o/")));
        QCOMPARE(scores.size(), 24);
        std::ranges::sort(scores);
        double area = 0;
        int found = 0;
        for (size_t i = 0; i < scores.size(); ++i)
            if (scores[i].second)
                area += double(++found) / double(i + 1) / 12;
        QVERIFY(std::abs(json["runs"][0]["protocol"]["aupr"].toDouble() - area) < 1e-9);
    }

    void labelsAreCountedAsPublished_data()
    {
        QTest::addColumn<int>("classes");
        QTest::addColumn<QString>("views");
        QTest::newRow("imagenet-21k") << 11'221 << "";
        QTest::newRow("k600") << 600 << "10x3";
        QTest::newRow("k700") << 700 << "10x3";
        QTest::newRow("ssv2") << 174 << "1x3";
    }

    /// Three samples get the first class that is predicted of them, the third, and one that is not among five: one is right, two are of five.
    void labelsAreCountedAsPublished()
    {
        QFETCH(int, classes);
        QFETCH(QString, views);
        const QString protocol = QTest::currentDataTag();
        const bool video = !views.isEmpty();
        const QString tiny = video ? testData("models/motionformer_trajectory_tiny_cfg.json") : path("tiny.json");
        put(path("wide.json"),
            fileContent(tiny)
                .replace("\"num_classes\":1000", "\"num_classes\":" + QByteArray::number(classes))
                .replace("\"num_classes\": 10", "\"num_classes\": " + QByteArray::number(classes)));
        QStringList names{"n00005787", "n01440764", "n01443537"};
        QStringList more{"--protocol", protocol};
        if (video) {
            names.clear();
            for (int i = 0; i < classes; ++i)
                names << QString("action %1").arg(i);
            put(path("names.txt"), names.join('\n').toUtf8());
            more << "--labels" << path("names.txt");
        }
        QJsonArray all;
        const auto evaluatedWith = [&](const QStringList& labels) {
            const QJsonObject json = evaluated(layOut(protocol, labels, names), more, "wide.json");
            const QJsonObject run = lastRun();
            names = run["class_names"].toVariant().toStringList();
            all = {};
            for (int i = 0; i < 3; ++i)
                for (const QJsonValue& sample : run["predictions"].toArray())
                    if (QFileInfo(sample["path"].toString()).baseName() == QString::number(i))
                        all << sample["classes"];
            return json;
        };
        evaluatedWith(names.first(3));
        QCOMPARE(all.size(), 3);
        QCOMPARE(names.size(), classes);
        int other = 0;
        while (all[2].toArray().contains(other))
            ++other;
        const QJsonObject json = evaluatedWith({names[all[0][0].toInt()], names[all[1][2].toInt()], names[other]});
        const QJsonValue run = json["runs"][0];
        QCOMPARE(run["samples"].toInt(), 3);
        QCOMPARE(run["correct1"].toInt(), 1);
        QCOMPARE(run["correct5"].toInt(), 2);
        double logs = 0;
        for (const QJsonValue& sample : predictions())
            logs -= std::log(sample["label_probability"].toDouble()) / 3;
        QVERIFY(std::abs(run["nll"].toDouble() - logs) < 1e-6);
        QCOMPARE(json["evaluation"]["protocol"].toString(), protocol);
        QCOMPARE(json["evaluation"]["views"].toString(), views);
        QCOMPARE(json["evaluation"]["sampling"].toString(), protocol == "ssv2" ? "ssv2"
                                                            : video            ? "published"
                                                                               : "");
        QVERIFY(refused(layOut(protocol, names.first(3), names), {"--protocol", video ? "imagenet" : "k600"})
                    .contains(video ? "is a set of images" : "is a set of videos"));
    }

    /// The verb alone of segment 1 is right, the noun alone of segment 2, nothing of 3; each head's probabilities are those of `classify`.
    void actionsAreVerbsAndNouns()
    {
        const QString tiny = testData("models/motionformer_trajectory_tiny_cfg.json");
        put(path("heads.json"), fileContent(tiny).replace("\"num_classes\": 10", "\"num_classes\": [97, 300]"));
        put(path("kitchen/P01/videos/P01_11.MP4"),
            fileContent(testData("preprocess/videos/h264_30fps_300f_320x240.mp4")));
        const QStringList protocol{"--protocol", "epic100"};
        using Labels = std::array<std::pair<int, int>, 4>;  // verb and noun
        const auto evaluatedWith = [&](const Labels& labels, const QStringList& more) {
            QByteArray list("narration_id,video_id,start_timestamp,stop_timestamp,verb_class,noun_class\n");
            for (size_t i = 0; i < 4; ++i)
                list += QString("P01_11_%1,P01_11,00:00:0%1.50,00:00:0%2.5,%3,%4\n")
                            .arg(i)
                            .arg(i + 3)
                            .arg(labels[i].first)
                            .arg(labels[i].second)
                            .toUtf8();
            put(path("kitchen/EPIC_100_validation.csv"), list);
            return evaluated("kitchen", protocol + more, "heads.json");
        };
        evaluatedWith({}, {});
        const QJsonArray first = predictions();
        QCOMPARE(first.size(), 4);
        Labels labels;
        for (int i = 0; i < 4; ++i) {
            const Outcome outcome = runCli({"classify", path("kitchen/P01/videos/P01_11.MP4"), "--model",
                                            path("heads.json"), "--weights", "untrained", "--start",
                                            QString("%1.5").arg(i), "--duration", "3", "--topk", "300", "--json",
                                            "-", "--quiet"});
            QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
            std::vector<double> verbs(97), nouns(300);
            for (const QJsonValue& one : outcome.json()["inputs"][0]["runs"][0]["top"].toArray())
                (one["index"].toInt() < 97
                     ? verbs[size_t(one["index"].toInt())]
                     : nouns[size_t(one["index"].toInt() - 97)]) = one["probability"].toDouble();
            std::vector<std::pair<double, int>> actions;
            for (int verb = 0; verb < 97; ++verb)
                for (int noun = 0; noun < 300; ++noun)
                    actions.emplace_back(-verbs[size_t(verb)] * nouns[size_t(noun)], verb * 300 + noun);
            std::ranges::sort(actions);
            const QJsonValue sample = first[i];
            QVERIFY(sample["path"].toString().endsWith(
                QString("P01_11.MP4#id=P01_11_%1&t=%1.5,%2.5").arg(i).arg(i + 3)));
            for (int place = 0; place < 5; ++place) {
                QCOMPARE(sample["classes"][place].toInt(), actions[size_t(place)].second);
                QVERIFY(std::abs(sample["probabilities"][place].toDouble() + actions[size_t(place)].first) < 1e-9);
            }
            const int action = actions.front().second;
            labels[size_t(i)] = {(action / 300 + (i < 2 ? 0 : 1)) % 97,
                                 (action % 300 + (i % 2 == 0 ? 0 : 150)) % 300};
        }
        const QJsonObject json = evaluatedWith(labels, {"--keep", "logits"});
        const QJsonValue run = json["runs"][0], figures = run["protocol"];
        QCOMPARE(figures["verb_top1"].toDouble(), 0.5);
        QCOMPARE(figures["noun_top1"].toDouble(), 0.5);
        QCOMPARE(figures["action_top1"].toDouble(), 0.25);
        QCOMPARE(run["correct1"].toInt(), 1);
        int ofFive = 0;
        for (int i = 0; i < 4; ++i) {
            const QJsonArray five = first[i]["classes"].toArray();
            ofFive += five.contains(labels[size_t(i)].first * 300 + labels[size_t(i)].second) ? 1 : 0;
        }
        QCOMPARE(run["correct5"].toInt(), ofFive);
        QCOMPARE(json["evaluation"]["views"].toString(), QString("10x3"));
        QCOMPARE(json["evaluation"]["partial"].toArray().size(), 0);
        const Outcome table = runCli(command("kitchen", protocol, "heads.json"));
        QVERIFY2(table.data.contains("Verb top-1") && table.data.contains("25.0"), table.data.constData());
        put(path("head.json"), fileContent(tiny));
        QVERIFY(refused("kitchen", protocol, "head.json")
                    .contains("does not have two heads, for 97 verbs and 300 nouns"));
        QVERIFY(refused("kitchen/P01", {}, "heads.json").contains("--protocol epic100"));
        put(path("kitchen/EPIC_100_validation.csv"), "narration_id,video_id\n");
        QVERIFY(refused("kitchen", protocol, "heads.json").contains("has no column `start_timestamp`"));
    }

    void aStudyEvaluatesEachWithEach()
    {
        for (const char* set : {"one", "two"})
            for (const int number : {2, 5})
                put(path(QString("%1/%2/x.ppm").arg(set, synset(number))), tinyImage(unsigned(number)));
        put(path("study.toml"), QString(R"(model = "%1/tiny.json"
weights = "untrained"
attention = ["softmax", "performer:samples=4"]
seed = [1, 2]
no-measuring = true
report = "%1/study.md"
store = "%1/study.sqlite"
[[data]]
folder = "%1/one"
protocol = "imagenet-sketch"
[[data]]
folder = "%1/two"
limit = 1
seed = 3
)")
                                    .arg(m_folder.path())
                                    .toUtf8());
        const QStringList command{"evaluate", "--from", path("study.toml"), "--quiet", "--json", "-"};
        const Outcome outcome = runCli(command);
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonArray evaluations = outcome.json()["evaluations"].toArray();
        QCOMPARE(evaluations.size(), 3);
        QList<int> seeds, samples;
        for (const QJsonValue& each : evaluations) {
            seeds << each["evaluation"]["seed"].toInt();
            samples << each["evaluation"]["done"].toInt();
            QCOMPARE(each["runs"].toArray().size(), 2);
        }
        QCOMPARE(seeds, (QList{1, 2, 3}));
        QCOMPARE(samples, (QList{2, 2, 1}));
        QCOMPARE(evaluations[0]["evaluation"]["protocol"].toString(), QString("imagenet-sketch"));
        QVERIFY(QFileInfo(path("study.md")).size() > 1000);
        const Outcome again = runCli(command + QStringList{"--resume"});
        QCOMPARE(again.json()["evaluations"].toArray().size(), 3);
        QCOMPARE(again.json()["evaluations"][0]["evaluation"]["id"], evaluations[0]["evaluation"]["id"]);
    }

    void aDataSetThatFailsLeavesTheOthers()
    {
        put(path("whole/n01440764/x.ppm"), tinyImage(2));
        put(path("partial.toml"), QString(R"(model = "%1/tiny.json"
weights = "untrained"
attention = "softmax"
no-measuring = true
store = "%1/partial.sqlite"
[[data]]
folder = "%1/not-there"
[[data]]
folder = "%1/whole"
)")
                                      .arg(m_folder.path())
                                      .toUtf8());
        const Outcome outcome = runCli({"evaluate", "--from", path("partial.toml"), "--quiet", "--json", "-"});
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(outcome.json()["evaluations"].toArray().size(), 1);
        QCOMPARE(outcome.json()["failures"].toArray().size(), 1);
        QVERIFY(outcome.json()["failures"][0]["failure"].toString().contains("does not exist"));
        QVERIFY(outcome.messages.contains("The other evaluations continue."));
    }

    void badStudiesAreOneSentence_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("no TOML") << QByteArray("weights = \n") << QByteArray("line 1");
        QTest::newRow("no data") << QByteArray("weights = \"a\"\n") << QByteArray("has no data set");
        QTest::newRow("no folder") << QByteArray("[[data]]\nlimit = 1\n") << QByteArray("has no folder");
        QTest::newRow("a table") << QByteArray("weights = {a = 1}\n[[data]]\nfolder = \"x\"\n")
                                 << QByteArray("`weights` is neither a text nor a number");
        QTest::newRow("unknown") << QByteArray("colour = 1\n[[data]]\nfolder = \"x\"\n") << QByteArray("--colour");
    }

    void badStudiesAreOneSentence()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, sentence);
        put(path("bad.toml"), text);
        const Outcome outcome = runCli({"evaluate", "--from", path("bad.toml")});
        QVERIFY(outcome.exitCode == 1 || outcome.exitCode == 2);
        QVERIFY2(outcome.messages.contains(sentence), outcome.messages.constData());
        QVERIFY(runCli({"evaluate"}).messages.contains("no folder is given"));
    }

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }

    static QByteArray fileContent(const QString& name)
    {
        QFile file(name);
        if (!file.open(QIODevice::ReadOnly))
            qFatal("%s cannot be read", qPrintable(name));
        return file.readAll();
    }

    /// Samples 0, 1 and 2 with these labels, as the data of a protocol lie on disks; the place to evaluate.
    QString layOut(const QString& protocol, const QStringList& labels, const QStringList& classes)
    {
        QDir(path(protocol)).removeRecursively();
        QJsonArray split;
        QJsonObject numbers;
        QByteArray annotation("label,youtube_id,time_start,time_end,split\n");
        for (int i = 0; i < 3; ++i) {
            const QString name = protocol == "imagenet-21k" || protocol == "k700"
                                     ? QString("%1/%2").arg(labels[i]).arg(i)
                                     : QString("videos/%1").arg(i);
            const std::array videos{"h264_60fps_180f_256x144.mp4", "h264_25fps_100f_portrait_180x320.mp4",
                                    "h264_23976fps_144f_320x180.mp4"};
            put(path(protocol + "/" + name + (protocol == "imagenet-21k" ? ".ppm" : ".mp4")),
                protocol == "imagenet-21k"
                    ? tinyImage(unsigned(i))
                    : fileContent(testData(QString("preprocess/videos/") + videos.at(size_t(i)))));
            split << QJsonObject{{"id", QString::number(i)}, {"template", labels[i]}};
            annotation += QString("%1,%2,0,10,val\n").arg(labels[i]).arg(i).toUtf8();
        }
        if (protocol == "k600")
            put(path("k600/validate.csv"), annotation);
        if (protocol != "ssv2")
            return protocol;
        for (const QString& name : classes)
            numbers[name] = QString::number(numbers.size());
        put(path("ssv2/something-something-v2-validation.json"), QJsonDocument(split).toJson());
        put(path("ssv2/something-something-v2-labels.json"), QJsonDocument(numbers).toJson());
        return protocol;
    }

    QStringList command(const QString& place, const QStringList& more, const QString& model)
    {
        m_store = path(QString("store%1.sqlite").arg(++m_stores));
        return QStringList{"evaluate",    path(place), "--model",        path(model), "--weights", "untrained",
                           "--attention", "softmax",   "--no-measuring", "--quiet",   "--store",   m_store}
               + more;
    }

    QJsonObject evaluated(const QString& place, const QStringList& more, const QString& model = "tiny.json")
    {
        const Outcome outcome = runCli(command(place, more, model) + QStringList{"--json", "-"});
        if (outcome.exitCode != 0)
            qCritical("%s", outcome.messages.constData());
        return outcome.json();
    }

    QByteArray refused(const QString& place, const QStringList& more, const QString& model = "tiny.json")
    {
        const Outcome outcome = runCli(command(place, more, model));
        return outcome.exitCode == 0 ? QByteArray() : outcome.messages;
    }

    /// The only run of the store that was written last.
    QJsonObject lastRun()
    {
        const QString file = path("predictions.json");
        runCli({"predictions", m_store, "--out", file});
        QFile written(file);
        const bool opened = written.open(QIODevice::ReadOnly);
        return opened ? QJsonDocument::fromJson(written.readAll())["runs"][0].toObject() : QJsonObject();
    }

    QJsonArray predictions() { return lastRun()["predictions"].toArray(); }

    QTemporaryDir m_folder;
    QString m_store;
    int m_stores = 0;
};

ATTNSCOPE_TEST(TestCliProtocols)
#include "tst_cli_protocols.moc"
