// From a labelled folder to a datastore, accuracy and the neighbours of an image, as users get there.
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <cmath>

using namespace attnscope::test;

class CliNeighbours : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const Outcome made = runCli(
            {"demo", m_folder.filePath("data"), "--only", "scenes", "--train", "2", "--val", "1"});
        QVERIFY2(made.exitCode == 0, made.messages.constData());
        const Outcome built = neighbours("deit", {"--build", folder("train"), "--limit", "16"});
        if (built.messages.contains("no results store"))
            QSKIP("this build has no results store");
        QVERIFY2(built.exitCode == 0, built.messages.constData());
        QCOMPARE(built.json()["built"].toObject()["entries"].toInt(), 16);
    }

    void accuracyHasAPointForEveryNumberAndMix()
    {
        const QString figure = m_folder.filePath("mix.svg");
        const Outcome outcome = neighbours(
            "deit", {"--evaluate", folder("val"), "--k", "1,3", "--mix", "0,0.5,1", "--out", figure});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject report = outcome.json(), accuracy = report["accuracy"].toObject();
        QCOMPARE(accuracy["points"].toArray().size(), 6);
        QCOMPARE(accuracy["samples"].toInt(), 12);
        QCOMPARE(accuracy["left_out"].toInt(), 0);
        for (const QJsonValue value : accuracy["points"].toArray()) {
            const QJsonObject point = value.toObject();
            const QJsonArray interval = point["interval"].toArray();
            QCOMPARE(point["top1"].toDouble(), point["correct"].toInt() / 12.0);
            QVERIFY(interval[0].toDouble() <= point["top1"].toDouble()
                    && point["top1"].toDouble() <= interval[1].toDouble());
        }
        // λ = 0 is the model, however many neighbours there are.
        QCOMPARE(accuracy["points"].toArray()[0].toObject()["correct"],
                 accuracy["points"].toArray()[3].toObject()["correct"]);
        QFile svg(figure);
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QByteArray drawn = svg.readAll();
        QVERIFY(drawn.contains("k = 1") && drawn.contains("k = 3"));
    }

    void anImageHasItsNeighboursNearestFirst()
    {
        const Outcome outcome = neighbours("deit", {image("val"), "--k", "4", "--mix", "0.5"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject shown = outcome.json()["inputs"].toArray()[0].toObject();
        const QJsonArray found = shown["neighbours"].toArray();
        QCOMPARE(found.size(), 4);
        double weight = 0, distance = 0;
        for (const QJsonValue value : found) {
            const QJsonObject one = value.toObject();
            QVERIFY(one["distance"].toDouble() >= distance);
            distance = one["distance"].toDouble();
            weight += one["weight"].toDouble();
            QVERIFY(QFile::exists(one["path"].toString()));
        }
        QVERIFY(std::abs(weight - 1) < 1e-9);
        for (const char* key : {"model", "retrieved", "mixed"})
            QCOMPARE(shown[key].toArray().size(), 5);
    }

    /// What is in the datastore is not its own neighbour.
    void anImageOfTheDatastoreLeavesItselfOut()
    {
        const QString own = image("train");
        const Outcome outcome = neighbours("deit", {own, "--k", "3"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject shown = outcome.json()["inputs"].toArray()[0].toObject();
        QCOMPARE(shown["left_out"].toInt(), 1);
        for (const QJsonValue value : shown["neighbours"].toArray())
            QVERIFY(value.toObject()["path"].toString() != own && value.toObject()["distance"].toDouble() > 0);
        const Outcome same = neighbours(
            "deit", {"--evaluate", folder("train"), "--limit", "16", "--k", "1", "--mix", "1"});
        QCOMPARE(same.json()["accuracy"].toObject()["left_out"].toInt(), 16);
        QVERIFY(same.json()["notes"].toArray()[0].toString().contains("held-out"));
    }

    /// A list in words that the checkpoint does not know needs the words for its classes, as `evaluate` does.
    void labelsNameTheClassesOfAList()
    {
        QByteArray list, words;
        QDir classes(folder("val"));
        const QStringList names = classes.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
        QCOMPARE(names.size(), 12);
        for (int i = 0; i < names.size(); ++i) {
            list += (names[i] + "/0000.jpg klasse-" + QString::number(i) + "\n").toUtf8();
            words += "Klasse " + QByteArray::number(i) + "\n";
        }
        const QString file = folder("val/list.txt"), labels = m_folder.filePath("klassen.txt"),
                      store = m_folder.filePath("klassen.safetensors");
        write(file, list);
        write(labels, words);
        const Outcome unknown = neighbours("deit", {"--build", file}, store);
        QVERIFY2(unknown.exitCode != 0 && unknown.messages.contains("klasse-0") && !QFile::exists(store),
                 unknown.messages.constData());
        const Outcome built = neighbours("deit", {"--build", file, "--labels", labels, image("val"), "--k", "1"},
                                         store);
        QVERIFY2(built.exitCode == 0, built.messages.constData());
        QCOMPARE(built.json()["built"].toObject()["entries"].toInt(), 12);
        const QJsonObject shown = built.json()["inputs"].toArray()[0].toObject();
        QVERIFY(shown["neighbours"].toArray()[0].toObject()["label"].toString().startsWith("Klasse "));
        // Synsets of the JSON that torchvision ships are matched, and not shown.
        QByteArray synsets, json;
        for (int i = 0; i < names.size(); ++i) {
            const QByteArray synset = "n0000" + QByteArray::number(1000 + i);
            synsets += names[i].toUtf8() + "/0000.jpg " + synset + "\n";
            json += (i == 0 ? "{" : ", ")
                    + ("\"" + QByteArray::number(i) + "\": [\"" + synset + "\", \"Klasse " + QByteArray::number(i)
                       + "\"]");
        }
        write(file, synsets);
        write(labels, json + "}");
        const Outcome keyed = neighbours("deit", {"--build", file, "--labels", labels, image("val"), "--k", "1"},
                                         store);
        QVERIFY2(keyed.exitCode == 0, keyed.messages.constData());
        QCOMPARE(keyed.json()["inputs"], built.json()["inputs"]);
        write(labels, "Klasse 0\nKlasse 1\n");
        const Outcome few = neighbours("deit", {"--build", file, "--labels", labels}, store);
        QVERIFY2(few.exitCode == 1 && few.messages.contains("it has 2 class names; the model has 12 classes"),
                 few.messages.constData());
    }

    void aDatastoreOfAnotherNetworkIsRefused()
    {
        const Outcome other = neighbours("deit_lara", {"--evaluate", folder("val")});
        QCOMPARE(other.exitCode, 1);
        QVERIFY2(other.messages.contains("it is a datastore of another checkpoint"), other.messages.constData());
        const Outcome attention = neighbours("deit", {image("val"), "--attention", "elu"});
        QCOMPARE(attention.exitCode, 1);
        QVERIFY2(attention.messages.contains("attention"), attention.messages.constData());
        const Outcome checkpoint = neighbours("deit", {image("val")}, demo("deit"));
        QVERIFY2(checkpoint.exitCode == 1 && !checkpoint.crashed, checkpoint.messages.constData());
    }

    void mistakesAreWrongUsage_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const QStringList& words, const char* part) {
            QTest::newRow(name) << words << part;
        };
        row("nothing to do", {}, "there is nothing to do");
        row("k beyond the datastore", {"IMAGE", "--k", "17"},
            "17 neighbours are beyond the datastore of 16 entries; give 1 to 16");
        row("no neighbour", {"IMAGE", "--k", "0"}, "0 neighbours are beyond the datastore");
        row("mix", {"IMAGE", "--mix", "1.5"}, "1.5 is not a fraction");
        row("a figure of nothing", {"IMAGE", "--out", "x.svg"}, "--out: its figure shows accuracy");
        row("distance", {"IMAGE", "--distance", "manhattan"}, "--distance");
    }

    void mistakesAreWrongUsage()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, part);
        const Outcome outcome = neighbours("deit", words.replaceInStrings("IMAGE", image("val")));
        QVERIFY2(!outcome.crashed && outcome.exitCode == 2 && outcome.messages.contains(part.toUtf8())
                     && outcome.data.isEmpty(),
                 outcome.messages.constData());
    }

private:
    static QString demo(const QString& name) { return QStringLiteral(DEMO_MODELS "/") + name + ".safetensors"; }
    static void write(const QString& path, const QByteArray& content)
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("%s cannot be written", qPrintable(path));
    }

    QString folder(const QString& part) const { return m_folder.filePath("data/scenes/" + part); }
    /// The first image of a split.
    QString image(const QString& split) const { return folder(split + "/cat/0000.jpg"); }
    Outcome neighbours(const QString& weights, const QStringList& more, const QString& store = {}) const
    {
        return runCli(QStringList{"neighbours", "--datastore",
                                  store.isEmpty() ? m_folder.filePath("features.safetensors") : store, "--weights",
                                  demo(weights), "--quiet", "--json", "-"}
                      + more);
    }

    QTemporaryDir m_folder;
};

ATTNSCOPE_EVENT_TEST(CliNeighbours)
#include "tst_cli_neighbours.moc"
