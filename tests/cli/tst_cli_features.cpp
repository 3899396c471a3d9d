// Networks without a head as users evaluate and classify with them: features against a training folder, and class embeddings.
#include "core/base/json.h"
#include "core/checkpoint/safetensors.h"
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <cmath>

using namespace attnscope::test;

namespace {

/// The demo's PVTv2 without its head, a description of it, and its head's rows as embeddings of its classes.
void writeHeadless(const QDir& folder, const QStringList& classes)
{
    using namespace attnscope;
    const StateDict whole = readCheckpoint(DEMO_MODELS "/pvt_v2.safetensors");
    std::map<std::string, SafetensorsEntry> body, head;
    for (const auto& [name, tensor] : whole.tensors)
        if (name == "head.weight")
            head["embeddings"] = {tensor.type, tensor.shape, tensor.read()};
        else if (!name.starts_with("head."))
            body[name] = {tensor.type, tensor.shape, tensor.read()};
    writeSafetensors(folder.filePath("body.safetensors").toStdString(), body);
    Json names = Json::array();
    for (const QString& one : classes)
        names.push_back(one.toStdString());
    writeSafetensors(folder.filePath("classes.safetensors").toStdString(), head, {{"classes", names.dump()}});
    writeSafetensors(folder.filePath("nameless.safetensors").toStdString(), head);
    QFile description(DEMO_MODELS "/pvt_v2.json");
    if (!description.open(QIODevice::ReadOnly))
        qFatal("pvt_v2.json cannot be read");
    Json config = Json::parse(description.readAll().toStdString());
    (config.contains("config") ? config["config"] : config)["num_classes"] = 0;
    QFile file(folder.filePath("body.json"));
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(config.dump())) < 0)
        qFatal("body.json cannot be written");
}

}

class CliFeatures : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const Outcome made = runCli({"demo", path("data"), "--only", "scenes", "--train", "6", "--val", "2"});
        QVERIFY2(made.exitCode == 0, made.messages.constData());
        writeHeadless(QDir(m_folder.path()),
                      QDir(path("data/scenes/val")).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name));
    }

    /// Neighbours and probe for every attention, without asking for them: there is nothing else to evaluate.
    void withoutAHeadFeaturesAreEvaluated()
    {
        const Outcome outcome = evaluate(headless() << "--attention"
                                                    << "softmax"
                                                    << "--attention"
                                                    << "elu");
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject json = outcome.json(), features = json["features"].toObject();
        QCOMPARE(features["kind"].toString(), QString("pooled"));
        QCOMPARE(features["training"].toObject()["samples"].toInt(), 72);
        QCOMPARE(features["training"].toObject()["classes"].toInt(), 12);
        QVERIFY(features["probe"].toObject()["converged"].toBool());
        QCOMPARE(features["probe"].toObject()["trials"].toArray().size(), 3);
        QCOMPARE(features["evaluations"].toArray().size(), 3);  // k = 10 and 20 fit 72 samples
        const QJsonArray runs = json["runs"].toArray();
        QCOMPARE(runs.size(), 2);
        for (const QJsonValue value : runs) {
            const QJsonObject run = value.toObject();
            QCOMPARE(run["knn"].toArray().size(), 2);
            QCOMPARE(run["knn"].toArray()[1].toObject()["k"].toInt(), 20);
            for (const QJsonValue one :
                 QJsonArray{run["knn"].toArray()[0], run["knn"].toArray()[1], run["probe"]}) {
                const QJsonObject accuracy = one.toObject();
                const QJsonArray interval = accuracy["interval95"].toArray();
                QCOMPARE(accuracy["samples"].toInt(), 24);
                QCOMPARE(accuracy["top1"].toDouble(), accuracy["correct1"].toInt() / 24.0);
                QVERIFY(interval[0].toDouble() <= accuracy["top1"].toDouble()
                        && accuracy["top1"].toDouble() <= interval[1].toDouble());
                QVERIFY(accuracy["correct1"].toInt() <= accuracy["correct5"].toInt());
            }
            // The keys of the contract are the probe's.
            for (const char* key : {"attention", "model", "top1", "top5", "samples", "correct1", "correct5",
                                    "unreadable", "interval95", "images_per_second", "latency_ms", "memory_bytes"})
                QVERIFY2(run.contains(key), key);
            QCOMPARE(run["top1"], run["probe"].toObject()["top1"]);
        }
        // Trained on these scenes, it tells them apart; what is not exact loses.
        QVERIFY(runs[0].toObject()["top1"].toDouble() > 0.6);
        QCOMPARE(runs[0].toObject()["attention"].toString(), QString("softmax"));
        QCOMPARE(json["pairs"].toArray().size(), 1);
        const Outcome table = runCli(command(headless() << "--attention"
                                                        << "softmax",
                                             "features.sqlite"));
        QVERIFY2(table.exitCode == 0, table.messages.constData());
        QVERIFY(table.data.contains("kNN, k = 20") && table.data.contains("linear probe")
                && table.data.contains("a protocol of ours"));
    }

    void resumedItGivesTheSame()
    {
        const QStringList words = headless() << "--attention"
                                             << "performer:samples=8"
                                             << "--knn"
                                             << "5";
        const QJsonObject first = evaluate(words, "again.sqlite").json();
        const Outcome again = evaluate(words + QStringList{"--resume"}, "again.sqlite");
        QVERIFY2(again.exitCode == 0, again.messages.constData());
        const QJsonObject run = first["runs"].toArray()[0].toObject(),
                          same = again.json()["runs"].toArray()[0].toObject();
        QVERIFY(!run.contains("probe"));
        QCOMPARE(run["knn"], same["knn"]);
        QCOMPARE(again.json()["features"].toObject()["evaluations"],
                 first["features"].toObject()["evaluations"]);  // the same ids
    }

    /// With a head the classes are evaluated as ever, and features beside them.
    void withAHeadFeaturesComeBesideClasses()
    {
        const QStringList words{"--weights",      DEMO_MODELS "/deit.safetensors",
                                "--features",     "token+avg",
                                "--probe",        "--no-measuring",
                                "--train-folder", path("data/scenes"),
                                "--train-limit",  "36"};
        const Outcome outcome = evaluate(words);
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject json = outcome.json(), run = json["runs"].toArray()[0].toObject();
        QCOMPARE(json["features"].toObject()["kind"].toString(), QString("token+avg"));
        QCOMPARE(json["features"].toObject()["training"].toObject()["samples"].toInt(), 36);
        QVERIFY(run.contains("probe") && !run.contains("knn"));
        QCOMPARE(json["evaluation"].toObject()["state"].toString(), QString("finished"));
        QVERIFY(!json["evaluation"].toObject()["transform"].toString().isEmpty());
        const QJsonObject alone =
            evaluate({"--weights", DEMO_MODELS "/deit.safetensors", "--no-measuring"}).json();
        QCOMPARE(run["correct1"], alone["runs"].toArray()[0].toObject()["correct1"]);
        QVERIFY(!alone.contains("features"));
    }

    /// Features need no classes of the head: whatever the folders are called.
    void withAHeadFeaturesAreEvaluatedOnOtherClasses()
    {
        const QDir scenes(path("data/scenes"));
        for (const QString& split : {QString("train"), QString("val")})
            for (const QString& name : QDir(scenes.filePath(split)).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
                const QString place = path("kinds/" + split + "/kind-of-" + name);
                QVERIFY(QDir().mkpath(place));
                for (const QString& file : QDir(scenes.filePath(split + "/" + name)).entryList(QDir::Files))
                    QVERIFY(QFile::copy(scenes.filePath(split + "/" + name + "/" + file), place + "/" + file));
            }
        const QStringList words{"evaluate",       path("kinds/val"),
                                "--weights",      DEMO_MODELS "/deit.safetensors",
                                "--no-measuring", "--quiet",
                                "--store",        path("kinds.sqlite"),
                                "--json",         "-"};
        QVERIFY(runCli(words).exitCode != 0);
        const Outcome outcome = runCli(words + QStringList{"--knn", "5"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject json = outcome.json();
        QCOMPARE(json["runs"].toArray()[0].toObject()["knn"].toArray()[0].toObject()["samples"].toInt(), 24);
        QVERIFY(json["features"].toObject()["notes"].toArray().last().toString().contains(
            "own predictions are not evaluated"));
    }

    void classEmbeddingsAreItsClasses()
    {
        const QStringList network = headless() << "--class-embeddings" << path("classes.safetensors");
        const QString image = path("data/scenes/val/cat/0000.jpg");
        const Outcome classified = runCli(QStringList{"classify", image, "--json", "-", "--quiet"} + network);
        QVERIFY2(classified.exitCode == 0, classified.messages.constData());
        const QJsonObject model = classified.json()["model"].toObject();
        const QJsonArray top =
            classified.json()["inputs"].toArray()[0].toObject()["runs"].toArray()[0].toObject()["top"].toArray();
        QCOMPARE(model["classes"].toInt(), 12);
        QCOMPARE(top.size(), 5);
        QVERIFY(QDir(path("data/scenes/val")).exists(top[0].toObject()["label"].toString()));
        // The rows of its own head are embeddings of these classes, nearly.
        const Outcome evaluated = evaluate(network, "zero.sqlite");
        QVERIFY2(evaluated.exitCode == 0, evaluated.messages.constData());
        QVERIFY(!evaluated.json().contains("features"));
        QVERIFY(evaluated.json()["runs"].toArray()[0].toObject()["top1"].toDouble() > 0.4);
        const Outcome compared = runCli(
            QStringList{"compare", image, "--attention", "elu", "--no-latency", "--json", "-", "--quiet"}
            + network);
        const QJsonObject run = compared.json()["inputs"].toArray()[0].toObject()["runs"].toArray()[0].toObject();
        QVERIFY2(run["end_to_end"].toObject().contains("kl") && run["top"].toArray().size() == 5,
                 compared.messages.constData());
        const Outcome exits = runCli(
            QStringList{"exits", path("data/scenes/val"), "--limit", "4", "--json", "-", "--quiet"} + network);
        QVERIFY2(exits.exitCode == 0, exits.messages.constData());
    }

    /// Other embeddings are another evaluation.
    void classEmbeddingsArePartOfTheIdentity()
    {
        QFile::copy(path("classes.safetensors"), path("copied.safetensors"));
        const QStringList network = headless() << "--limit"
                                               << "6"
                                               << "--no-measuring";
        const auto run = [&](const QString& embeddings, const QStringList& more) {
            return evaluate(network + QStringList{"--class-embeddings", path(embeddings)} + more,
                            "identity.sqlite");
        };
        const auto id = [](const Outcome& outcome) {
            return outcome.exitCode == 0 ? outcome.json()["evaluation"].toObject()["id"].toInt() : -1;
        };
        const int first = id(run("classes.safetensors", {"--resume"}));
        QVERIFY(first > 0);
        QCOMPARE(id(run("copied.safetensors", {"--resume"})), first);
        attnscope::StateDict state = attnscope::readCheckpoint(path("classes.safetensors").toStdString());
        const attnscope::StoredTensor& rows = state.tensors.at("embeddings");
        attnscope::writeSafetensors(
            path("scaled.safetensors").toStdString(), {{"embeddings", {rows.type, rows.shape, rows.read()}}},
            {{"classes", state.metadata.at("classes").get<std::string>()}, {"logit_scale", "10"}});
        const Outcome refused = run("scaled.safetensors", {"--resume"});
        QVERIFY2(refused.exitCode == 2 && refused.messages.contains("evaluation 1 differs in: "),
                 refused.messages.constData());
        const int other = id(run("scaled.safetensors", {}));
        QVERIFY(other > 0 && other != first);
    }

    void mistakesAreOneSentence_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const QStringList& words, int code, const char* part) {
            QTest::newRow(name) << words << code << QString(part);
        };
        row("no training folder", {"LONELY"}, 2, "there is no `train` in");
        row("k", {"VAL", "--knn", "73"}, 2, "73 neighbours are beyond the 72 training samples");
        row("kind", {"VAL", "--features", "token"}, 1, "it has no class token");
        row("shard", {"VAL", "--shard", "1/2"}, 2, "--shard");
        row("dry run", {"VAL", "--dry-run"}, 2, "--dry-run");
        row("labels", {"VAL", "--labels", "names.txt"}, 2, "the classes are those of the training folder");
        row("nameless embeddings", {"VAL", "--class-embeddings", "NAMELESS"}, 1,
            "its header does not name the classes");
        row("missing embeddings", {"VAL", "--class-embeddings", "nowhere.safetensors"}, 1, "nowhere.safetensors");
    }
    void mistakesAreOneSentence()
    {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, part);
        QDir(m_folder.path()).mkpath("lonely/val");
        QFile::copy(path("data/scenes/val/cat/0000.jpg"), path("lonely/val/0.jpg"));
        words.replaceInStrings(QRegularExpression("^LONELY$"), path("lonely/val"));
        words.replaceInStrings(QRegularExpression("^VAL$"), path("data/scenes/val"));
        words.replaceInStrings(QRegularExpression("^NAMELESS$"), path("nameless.safetensors"));
        const Outcome outcome = runCli(QStringList{"evaluate"} + words + headless()
                                       + QStringList{"--quiet", "--store", path("bad.sqlite")});
        QVERIFY2(!outcome.crashed && outcome.exitCode == code && outcome.messages.contains(part.toUtf8()),
                 outcome.messages.constData());
        QCOMPARE(outcome.messages.trimmed().count('\n'), 0);
    }

    /// The features are those in front of the head, the classes those of the folder that the datastore is made of.
    void withoutAHeadNeighboursAloneClassify()
    {
        const auto neighbours = [&](const QStringList& network, const char* store, const QStringList& more) {
            return runCli(QStringList{"neighbours", "--datastore", path(store), "--quiet", "--json", "-"} + network
                          + more);
        };
        const QStringList whole{"--weights", DEMO_MODELS "/pvt_v2.safetensors", "--device", "cpu"};
        const QStringList both{
            "--build", path("data/scenes/train"),           "--evaluate", path("data/scenes/val"), "--k",
            "1,5",     path("data/scenes/val/cat/0000.jpg")};
        const Outcome alone = neighbours(headless(), "body.features", both),
                      model = neighbours(whole, "whole.features", both + QStringList{"--mix", "1"});
        QVERIFY2(alone.exitCode == 0 && model.exitCode == 0, (alone.messages + model.messages).constData());
        QCOMPARE(alone.json()["accuracy"].toObject()["points"], model.json()["accuracy"].toObject()["points"]);
        QVERIFY(alone.json()["accuracy"].toObject()["points"].toArray()[0].toObject()["correct"].toInt() > 2);
        const QJsonObject shown = alone.json()["inputs"].toArray()[0].toObject(),
                          same = model.json()["inputs"].toArray()[0].toObject();
        QCOMPARE(shown["neighbours"], same["neighbours"]);
        QCOMPARE(shown["retrieved"], same["retrieved"]);
        QVERIFY(shown["model"].toArray().isEmpty() && same["model"].toArray().size() == 5);
        const Outcome mixed = neighbours(headless(), "body.features",
                                         {path("data/scenes/val/cat/0000.jpg"), "--mix", "0.5"});
        QVERIFY2(mixed.exitCode == 2 && mixed.messages.contains("has no head that neighbours could be mixed with"),
                 mixed.messages.constData());
    }

    /// Where there are no classes to show, the sentence says what helps.
    void exitsOfNoClassesAreRefused()
    {
        const Outcome outcome = runCli(QStringList{"exits", path("data/scenes/val"), "--quiet"} + headless());
        QVERIFY2(outcome.exitCode == 2 && outcome.messages.contains("--class-embeddings"),
                 outcome.messages.constData());
    }

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QStringList headless() const
    {
        return {"--weights", path("body.safetensors"), "--model", path("body.json"), "--device", "cpu"};
    }
    QStringList command(const QStringList& words, const QString& store) const
    {
        return QStringList{"evaluate", path("data/scenes/val"), "--store", path(store), "--quiet"} + words;
    }
    Outcome evaluate(const QStringList& words, const QString& store = "features.sqlite") const
    {
        return runCli(command(words, store) + QStringList{"--json", "-"});
    }

    QTemporaryDir m_folder;
};

ATTNSCOPE_EVENT_TEST(CliFeatures)
#include "tst_cli_features.moc"
