// `evaluate --protocol` and studies as users run them; figures are computed again from the predictions of the store.
#include "core/data/dataset/imagenet_metadata.h"
#include "tests/cli/evaluation_runs.h"
#include "tests/support/test_class.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
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

    QStringList command(const QString& place, const QStringList& more)
    {
        m_store = path(QString("store%1.sqlite").arg(++m_stores));
        return QStringList{"evaluate",       path(place), "--model",     path("tiny.json"),
                           "--weights",      "untrained", "--attention", "softmax",
                           "--no-measuring", "--quiet",   "--store",     m_store}
               + more;
    }

    QJsonObject evaluated(const QString& place, const QStringList& more)
    {
        const Outcome outcome = runCli(command(place, more) + QStringList{"--json", "-"});
        if (outcome.exitCode != 0)
            qCritical("%s", outcome.messages.constData());
        return outcome.json();
    }

    QByteArray refused(const QString& place, const QStringList& more)
    {
        const Outcome outcome = runCli(command(place, more));
        return outcome.exitCode == 0 ? QByteArray() : outcome.messages;
    }

    /// Those of the only run of the store that was written last.
    QJsonArray predictions()
    {
        const QString file = path("predictions.json");
        runCli({"predictions", m_store, "--out", file});
        QFile written(file);
        const bool opened = written.open(QIODevice::ReadOnly);
        return opened ? QJsonDocument::fromJson(written.readAll())["runs"][0]["predictions"].toArray()
                      : QJsonArray();
    }

    QTemporaryDir m_folder;
    QString m_store;
    int m_stores = 0;
};

ATTNSCOPE_TEST(TestCliProtocols)
#include "tst_cli_protocols.moc"
