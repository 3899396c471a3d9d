// The instruments of the laboratory as scripts call them: what they output, and what they say where they cannot.
#include "tests/cli/cli_process.h"
#include "tests/support/sanitizer.h"
#include "tests/support/test_class.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

#include <cmath>

using namespace attnscope::test;

namespace {

QJsonObject curve(const QJsonObject& report, int index)
{
    return report["curves"].toArray()[index].toObject();
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

double meanSquare(const QJsonObject& curve, int point)
{
    return curve["points"].toArray()[point].toObject()["mse"].toDouble();
}

}

class CliLaboratory : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const Outcome made = runCli(
            {"demo", m_folder.filePath("data"), "--only", "scenes", "--train", "1", "--val", "1"});
        QVERIFY2(made.exitCode == 0, made.messages.constData());
    }

    void randomTensorsNeedNoModel()
    {
        const QStringList words{
            "approximate", "--random",  "64",   "--head-size", "16", "--attention", "ra",     "--attention",
            "performer",   "--samples", "1,16", "--seeds",     "8",  "--quiet",     "--json", "-"};
        const Outcome outcome = runCli(words);
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject report = outcome.json();
        QCOMPARE(report["tokens"].toInt(), 64);
        QCOMPARE(report["width"].toInt(), 16);
        QCOMPARE(report["heads"].toInt(), 8);
        const QJsonObject ra = curve(report, 0);
        QCOMPARE(ra["attention"].toString(), QString("ra"));
        // Unbiased: the error is variance, and falls as 1/S.
        QVERIFY(std::abs(ra["power"].toDouble() + 1) < 0.05);
        QVERIFY(meanSquare(curve(report, 1), 1) < meanSquare(curve(report, 1), 0));
        QCOMPARE(runCli(words).json()["curves"].toArray(), report["curves"].toArray());
    }

    void oneSourceOfTensorsIsAskedFor()
    {
        const Outcome none = runCli({"approximate", "--attention", "ra"});
        QVERIFY(none.exitCode == 2 && !none.crashed);
        const Outcome both = runCli({"approximate", "cat.jpg", "--random", "64", "--attention", "ra"});
        QVERIFY(both.exitCode == 2 && !both.crashed);
    }

    void scaleGrowsAndStopsAtItsBudget()
    {
        const QStringList words{"scale", "--attention",   "elu", "--layers",  "1", "--dim",   "24",     "--heads",
                                "3",     "--repetitions", "2",   "--seconds", "0", "--quiet", "--json", "-"};
        const QJsonObject whole = runCli(words + QStringList{"--lengths", "128,256,512"}).json();
        QCOMPARE(whole["rows"].toArray().size(), 3);  // explicit and fused softmax are always there
        for (const QJsonValue value : whole["rows"].toArray()) {
            const QJsonObject row = value.toObject();
            const double power = row["exponents"].toObject()["attention_memory"].toDouble();
            const bool squared = row["attention"].toString() == "softmax:form=explicit";
            QVERIFY2(squared ? power > 1.85 : power < 1.15, qPrintable(row["attention"].toString()));
        }
        const QJsonObject little =
            runCli(words + QStringList{"--lengths", "64,128", "--memory-budget", "0.0001"}).json();
        const QJsonArray points = little["rows"].toArray()[0].toObject()["points"].toArray();
        QVERIFY(points[0].toObject().contains("latency_ms"));
        QVERIFY(points[1].toObject()["stopped"].toString().startsWith("needs "));
    }

    void withoutArgumentsAScaleEndsWhileSomebodyWaits()
    {
        QElapsedTimer timer;
        timer.start();
        const Outcome outcome = runCli({"scale", "--json", m_folder.filePath("scale.json"), "--quiet"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        QVERIFY2(timer.elapsed() < 60'000 * attnscope::slowdown,
                 qPrintable(QString::number(timer.elapsed())));  // 30 s on a machine of its own
        QVERIFY2(outcome.data.contains("--time-budget 0"), outcome.data.constData());
        QFile file(m_folder.filePath("scale.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject report = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(report["time_budget_seconds"].toDouble(), 30.0);
        QCOMPARE(report["rows"].toArray()[0].toObject()["points"].toArray().size(), 4);
        const QJsonObject none = runCli({"scale", "--time-budget", "0.02", "--layers", "1", "--dim", "24",
                                         "--heads", "3", "--json", "-", "--quiet"})
                                     .json();
        const QJsonArray points = none["rows"].toArray()[0].toObject()["points"].toArray();
        QVERIFY(points[0].toObject()["latency_ms"].toObject()["repetitions"].toInt() >= 3);
        QVERIFY2(points[3].toObject()["stopped"].toString().contains("in total"),
                 qPrintable(points[3].toObject()["stopped"].toString()));
    }

    void plansKeepAnAccuracyOnALabelledFolder()
    {
        const Outcome outcome = runCli({"plan", m_folder.filePath("data/scenes/val"), "--weights", demo("deit"),
                                        "--labelled", "12", "--budget", "drop=1", "--attention", "lara:samples=16",
                                        "--quiet", "--json", "-"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject report = outcome.json();
        QCOMPARE(report["labelled"].toInt(), 12);
        QCOMPARE(report["inputs"].toArray().size(), 4);
        QCOMPARE(report["candidates"].toArray().size(), 3);
        const double accuracy = report["chosen"].toObject()["measured"].toObject()["top1"].toDouble(-1);
        QVERIFY(accuracy >= 0 && accuracy <= 1);
    }

    void anAccuracyIsAShare()
    {
        for (const char* budget : {"accuracy=1.01", "drop=-0.1", "accuracy=nan", "accuracy=", "accuracy"}) {
            const Outcome outcome = runCli({"plan", m_folder.filePath("data/scenes/val"), "--weights",
                                            demo("deit"), "--labelled", "12", "--budget", budget});
            QVERIFY2(outcome.exitCode == 2 && outcome.messages.contains("--budget"), budget);
        }
    }

    void exitsAreMeasuredBeforeAndAfterTheyAreTrained()
    {
        const QString scenes = m_folder.filePath("data/scenes"), heads = m_folder.filePath("exits.safetensors");
        const auto exits = [&](const QString& weights, const QStringList& more = {}) {
            return runCli(QStringList{"exits", scenes, "--weights", weights, "--thresholds", "0,0.5,1", "--quiet",
                                      "--json", "-"}
                          + more);
        };
        const Outcome untrained = exits(demo("deit"),
                                        {"--attention", "softmax", "--attention", "performer:samples=16", "--out",
                                         m_folder.filePath("exits.svg")});
        if (untrained.messages.contains("no results store"))
            QSKIP("this build has no results store");
        QVERIFY2(untrained.exitCode == 0, untrained.messages.constData());
        const QJsonObject before = untrained.json();
        QVERIFY(!before["trained_heads"].toBool(true));
        QVERIFY(before["notes"].toArray().first().toString().startsWith("untrained exits"));
        QCOMPARE(before["runs"].toArray().size(), 2);
        const QJsonObject run = before["runs"].toArray().first().toObject();
        QCOMPARE(run["depth"].toArray().size(), 6);
        QCOMPARE(run["confidence"].toArray()[2].toObject()["correct"].toInt(-1),
                 run["depth"].toArray()[5].toObject()["correct"].toInt(-2));
        QCOMPARE(run["confidence"].toArray()[0].toObject()["mean_blocks"].toDouble(), 1.0);
        for (const char* figure : {"exits.svg", "exits-oracle.svg", "exits-blocks.svg"})
            QVERIFY2(QFile::exists(m_folder.filePath(figure)), figure);

        const QStringList train{"train", scenes,         "--exits", "--out",    heads, "--epochs",
                                "1",     "--batch-size", "4",       "--warmup", "0",   "--augment",
                                "none",  "--quiet",      "--json",  "-"};
        const Outcome refused = runCli(train);
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.messages.contains("give its checkpoint with --init"), refused.messages.constData());
        const Outcome trained = runCli(train + QStringList{"--init", demo("deit")});
        QVERIFY2(trained.exitCode == 0, trained.messages.constData());
        const QJsonObject epoch = trained.json()["epochs"].toArray().first().toObject();
        QCOMPARE(epoch["validation"].toObject()["exits_correct1"].toArray().size(), 5);
        const Outcome again = exits(heads);
        QVERIFY2(again.exitCode == 0, again.messages.constData());
        QVERIFY(again.json()["trained_heads"].toBool());
        QCOMPARE(again.json()["runs"].toArray().first().toObject()["depth"].toArray()[5],
                 run["depth"].toArray()[5]);

        const Outcome beyond = runCli(
            {"exits", scenes, "--weights", demo("deit"), "--thresholds", "0.5,2", "--quiet"});
        QCOMPARE(beyond.exitCode, 2);
        QVERIFY2(beyond.messages.contains("2 is not a probability"), beyond.messages.constData());
    }

    /// Every attention has a time; none has this one.
    void aBudgetThatNothingKeepsIsAnAnswer()
    {
        const Outcome outcome = runCli({"plan", m_folder.filePath("data/scenes/val/cat"), "--weights",
                                        demo("deit"), "--budget", "latency=0.000001", "--attention",
                                        "lara:samples=16", "--quiet", "--json", "-"});
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY(outcome.json()["chosen"].isNull());
        QVERIFY(outcome.messages.contains("no measured plan meets the budget"));
    }

    void accuracyWithoutLabelsIsRefused()
    {
        const Outcome outcome = runCli(
            {"plan", m_folder.filePath("data/scenes/val"), "--weights", demo("deit"), "--budget", "drop=0.1"});
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY(outcome.messages.contains("--labelled"));
    }

    void layersOfTensorsNeedNoModel()
    {
        const QString file = m_folder.filePath("qkv.safetensors");
        QFile dump(file);
        QVERIFY(dump.open(QIODevice::WriteOnly));
        QByteArray values;
        for (int i = 0; i < 3 * 2 * 16 * 4; ++i) {  // one layer of two heads, 16 tokens of 4 channels
            const float x = float(std::sin(0.7 * i));
            values.append(reinterpret_cast<const char*>(&x), 4);
        }
        dump.write(safetensors(R"({"q":{"dtype":"F32","shape":[1,2,16,4],"data_offsets":[0,512]},)"
                               R"("k":{"dtype":"F32","shape":[1,2,16,4],"data_offsets":[512,1024]},)"
                               R"("v":{"dtype":"F32","shape":[1,2,16,4],"data_offsets":[1024,1536]}})",
                               values));
        dump.close();
        const Outcome outcome = runCli({"layers", file, "--attention", "performer", "--quiet", "--json", "-"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonArray attention = outcome.json()["attention"].toArray();
        QVERIFY(attention.size() == 1 && !attention[0].toObject().contains("weights"));  // there is no network
        const Outcome table = runCli({"layers", file, "--attention", "performer"});
        QVERIFY2(table.data.contains("performer  vs. softmax over all keys, 8 seeds\n"), table.data.constData());
        const Outcome window = runCli({"layers", file, "--attention", "longformer:radius=1", "--figure",
                                       m_folder.filePath("mass.csv"), "--figure-of", "mass-kept"});
        QVERIFY2(window.exitCode == 0 && window.data.contains("keys seen") && window.data.contains("mass kept"),
                 window.data.constData());
        QVERIFY(QFile(m_folder.filePath("mass.csv")).size() > 100);
        const Outcome query = runCli(
            {"layers", file, "--attention", "longformer", "--figure", "seen.csv", "--figure-of", "seen"});
        QVERIFY2(query.exitCode == 2 && query.messages.contains("`seen` is of one query"),
                 query.messages.constData());
        const Outcome clusters = runCli({"layers", file, "--attention", "tangent:samples=4", "--figure",
                                         m_folder.filePath("clusters.svg"), "--figure-of", "cluster"});
        QVERIFY2(clusters.exitCode == 0
                     && contentOf(m_folder.filePath("clusters.svg")).contains("Clusters of queries"),
                 clusters.messages.constData());
        const Outcome other = runCli(
            {"layers", file, "--attention", "performer", "--figure", "x.svg", "--figure-of", "cluster"});
        QVERIFY2(other.exitCode == 2 && other.messages.contains("`performer` has no map `cluster`")
                     && other.messages.contains("tangent"),
                 other.messages.constData());
        const Outcome empty = runCli(
            {"approximate", file, "--attention", "lsh:buckets=16,chunk=1", "--samples", "1"});
        QVERIFY2(empty.data.contains("of queries saw no key and used all"), empty.data.constData());
        const Outcome alone = runCli(
            {"layers", m_folder.filePath("data/scenes/val/cat/0000.jpg"), "--attention", "performer"});
        QVERIFY(alone.exitCode == 2 && !alone.crashed && alone.messages.contains("--weights"));
    }

    /// Of a model's heads, and of random numbers: each map of features next to the exact value.
    void kernelsAreEstimatedByEveryKindOfFeatures()
    {
        const QString figure = m_folder.filePath("kernel.svg");
        const Outcome outcome = runCli({"approximate", image(), "--weights", demo("deit"), "--kernel", "--samples",
                                        "16", "--out", figure, "--quiet", "--json", "-"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject report = outcome.json();
        QCOMPARE(report["samples"].toInt(), 16);
        QCOMPARE(report["curves"].toArray().size(), 3);
        QCOMPARE(report["heads"].toArray().size(), 6 * 3);
        for (const QJsonValue value : report["heads"].toArray()) {
            const QJsonObject features = value.toObject()["features"].toObject();
            QCOMPARE(features.keys(), QStringList({"cosine", "hyperbolic", "positive", "trigonometric"}));
            // A constant phase adds variance; pairs of features of opposite sign take some away.
            const auto stddev = [&](const char* name) {
                return features[name].toObject()["median_relative_stddev"].toDouble();
            };
            QVERIFY(stddev("cosine") > stddev("trigonometric") && stddev("positive") > stddev("hyperbolic"));
        }
        QVERIFY(contentOf(figure).contains("relative standard deviation, 16 features"));
        const QStringList random{"approximate", "--random", "32", "--head-size", "8", "--kernel",
                                 "--quiet",     "--json",   "-"};
        const QJsonObject drawn = runCli(random).json();
        QCOMPARE(drawn["samples"].toInt(), 64);
        QCOMPARE(runCli(random).json()["heads"], drawn["heads"]);
        QVERIFY(runCli(random + QStringList{"--seed", "1"}).json()["heads"] != drawn["heads"]);
    }

    /// A file may say what it expects: exit code 1 where that differs.
    void kernelsOfAFileAreComparedWithItsNumbers()
    {
        const QString good = QStringLiteral(TEST_DATA_DIR "/mechanisms/x_kernel.safetensors");
        const QByteArray file = contentOf(good);
        QVERIFY(!file.isEmpty());
        const Outcome agrees = runCli({"approximate", good, "--kernel", "--quiet"});
        QVERIFY2(agrees.exitCode == 0 && agrees.data.contains("largest difference to the file"),
                 agrees.messages.constData());
        const QString bad = m_folder.filePath("changed.safetensors");
        QFile changed(bad);
        QVERIFY(changed.open(QIODevice::WriteOnly));
        changed.write(withNanIn(file, "exact"));
        changed.close();
        const Outcome differs = runCli({"approximate", bad, "--kernel", "--quiet"});
        QVERIFY2(differs.exitCode == 1 && !differs.crashed, differs.data + differs.messages);
    }

    void termsOfTheFirstLogitsAddUp()
    {
        const QString figure = m_folder.filePath("terms.svg"), maps = m_folder.filePath("terms.safetensors");
        const Outcome outcome = runCli({"layers", image(), "--weights", demo("deit"), "--terms", "--query", "9,4",
                                        "--out", maps, "--figure", figure, "--quiet", "--json", "-"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject report = outcome.json();
        const QStringList terms{"content-content",   "content-position", "position-content",
                                "position-position", "global-content",   "global-position"};
        const QJsonObject decomposed = report["logit_terms"].toObject();
        QCOMPARE(decomposed["heads"].toInt(), 3);
        QVERIFY(decomposed["residual"].toDouble(1) < 1e-3);
        for (int head = 0; head < 3; ++head) {
            double sum = 0;
            for (const QJsonValue term : decomposed["terms"].toArray())
                sum += term.toObject()["shares"].toArray()[head].toDouble();
            QVERIFY2(std::abs(sum - 1) < 1e-4, qPrintable(QString::number(sum)));
        }
        // A map for every key, in every head.
        const QJsonObject shown = decomposed["maps"].toObject();
        for (const QString& term : terms) {
            const QJsonArray heads = shown["terms"].toObject()[term].toArray();
            QCOMPARE(heads.size(), 3);
            QCOMPARE(heads[0].toArray().size(), report["tokens"].toObject()["count"].toInt());
        }
        for (const QString& term : terms)
            QVERIFY2(contentOf(figure).contains(term.toUtf8()), qPrintable(term));
        QVERIFY(contentOf(maps).contains("terms.content-content") && contentOf(maps).contains("\"logits\""));
    }

    void instrumentsWithoutAttentionsRefuseThem_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const QStringList& words, const char* part) {
            QTest::newRow(name) << words << part;
        };
        row("kernel of an attention", {"approximate", "--kernel", "--random", "8", "--attention", "ra"},
            "--kernel: it compares feature maps, not attentions");
        row("kernel with several counts", {"approximate", "--kernel", "--random", "8", "--samples", "1,4"},
            "--samples: a kernel plot has one number of features");
        row("kernel of nothing", {"approximate", "--kernel"}, "without --weights, INPUT is one safetensors file");
        row("terms of an attention", {"layers", "IMAGE", "--weights", "DEIT", "--terms", "--attention", "ra"},
            "--terms: it decomposes logits");
        row("maps without a query", {"layers", "IMAGE", "--weights", "DEIT", "--terms", "--out", "x.safetensors"},
            "--out: the terms' maps need a query");
        row("a query outside", {"layers", "IMAGE", "--weights", "DEIT", "--terms", "--query", "14,0"},
            "--query: this patch does not exist");
        row("no position embedding", {"layers", "IMAGE", "--weights", "PVT", "--terms"}, "position embedding");
    }

    void instrumentsWithoutAttentionsRefuseThem()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, part);
        words.replaceInStrings("IMAGE", image())
            .replaceInStrings("DEIT", demo("deit"))
            .replaceInStrings("PVT", demo("pvt_v2"));
        const Outcome outcome = runCli(words + QStringList{"--quiet"});
        QVERIFY2(!outcome.crashed && (outcome.exitCode == 1 || outcome.exitCode == 2)
                     && outcome.messages.contains(part.toUtf8()) && outcome.data.isEmpty(),
                 outcome.messages.constData());
    }

    void mistakesOfTheRequestAreWrongUsage()
    {
        const QStringList words{"layers",      m_folder.filePath("data/scenes/val/cat/0000.jpg"),
                                "--weights",   demo("deit"),
                                "--attention", "performer",
                                "--quiet"};
        const Outcome query = runCli(words + QStringList{"--query", "20,20"});
        QCOMPARE(query.exitCode, 2);
        QVERIFY2(query.messages.contains("--query: this patch does not exist; rows are 0 to ")
                     && query.data.isEmpty(),
                 query.messages.constData());
        const Outcome figure = runCli(words + QStringList{"--figure", "error.png"});
        QCOMPARE(figure.exitCode, 2);
        QVERIFY2(figure.messages.contains("--figure: `error.png` is neither a figure nor its data"),
                 figure.messages.constData());
    }

private:
    static QString demo(const QString& name) { return QStringLiteral(DEMO_MODELS "/") + name + ".safetensors"; }
    QString image() const { return m_folder.filePath("data/scenes/val/cat/0000.jpg"); }

    QTemporaryDir m_folder;
};

ATTNSCOPE_EVENT_TEST(CliLaboratory)
#include "tst_cli_laboratory.moc"
