// SPDX-License-Identifier: Apache-2.0
// The instruments of the laboratory as scripts call them: what they output, and what they say where they cannot.
#include "tests/cli/cli_process.h"
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

double meanSquare(const QJsonObject& curve, int point)
{
    return curve["points"].toArray()[point].toObject()["mse"].toDouble();
}

}  // namespace

class CliLaboratory : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const Outcome made = runCli({"demo", m_folder.filePath("data"), "--only", "scenes", "--train", "1", "--val", "1"});
        QVERIFY2(made.exitCode == 0, made.messages.constData());
    }

    void randomTensorsNeedNoModel()
    {
        const QStringList words{"approximate", "--random", "64", "--head-size", "16", "--attention", "ra", "--attention", "performer",
                                "--samples", "1,16", "--seeds", "8", "--quiet", "--json", "-"};
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
        const QStringList words{"scale", "--attention", "elu", "--layers", "1", "--dim", "24", "--heads", "3", "--repetitions", "2",
                                "--seconds", "0", "--quiet", "--json", "-"};
        const QJsonObject whole = runCli(words + QStringList{"--lengths", "128,256,512"}).json();
        QCOMPARE(whole["rows"].toArray().size(), 3);  // explicit and fused softmax are always there
        for (const QJsonValue value : whole["rows"].toArray()) {
            const QJsonObject row = value.toObject();
            const double power = row["exponents"].toObject()["attention_memory"].toDouble();
            const bool squared = row["attention"].toString() == "softmax:form=explicit";
            QVERIFY2(squared ? power > 1.85 : power < 1.15, qPrintable(row["attention"].toString()));
        }
        const QJsonObject little = runCli(words + QStringList{"--lengths", "64,128", "--memory-budget", "0.0001"}).json();
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
        QVERIFY2(timer.elapsed() < 60'000, qPrintable(QString::number(timer.elapsed())));  // 30 s on a machine of its own
        QVERIFY2(outcome.data.contains("--time-budget 0"), outcome.data.constData());
        QFile file(m_folder.filePath("scale.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject report = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(report["time_budget_seconds"].toDouble(), 30.0);
        QCOMPARE(report["rows"].toArray()[0].toObject()["points"].toArray().size(), 4);
        const QJsonObject none = runCli({"scale", "--time-budget", "0.02", "--layers", "1", "--dim", "24", "--heads", "3", "--json", "-", "--quiet"}).json();
        const QJsonArray points = none["rows"].toArray()[0].toObject()["points"].toArray();
        QVERIFY(points[0].toObject()["latency_ms"].toObject()["repetitions"].toInt() >= 3);
        QVERIFY2(points[3].toObject()["stopped"].toString().contains("in total"), qPrintable(points[3].toObject()["stopped"].toString()));
    }

    void plansKeepAnAccuracyOnALabelledFolder()
    {
        const Outcome outcome = runCli({"plan", m_folder.filePath("data/scenes/val"), "--weights", demo("deit"), "--labelled", "12", "--budget",
                                        "drop=1", "--attention", "lara:samples=16", "--quiet", "--json", "-"});
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
            const Outcome outcome = runCli({"plan", m_folder.filePath("data/scenes/val"), "--weights", demo("deit"), "--labelled", "12", "--budget",
                                            budget});
            QVERIFY2(outcome.exitCode == 2 && outcome.messages.contains("--budget"), budget);
        }
    }

    void neighboursAreFoundInADatastoreOfTheSameModel()
    {
        const QString store = m_folder.filePath("features.safetensors"), val = m_folder.filePath("data/scenes/val");
        const auto neighbours = [&](const QString& weights, const QStringList& more) {
            return runCli(QStringList{"neighbours", "--datastore", store, "--weights", demo(weights), "--quiet", "--json", "-"} + more);
        };
        const Outcome built = neighbours("deit", {"--build", val, "--evaluate", val, "--k", "1,3", "--mix", "0,1"});
        if (built.messages.contains("no results store"))
            QSKIP("this build has no results store");
        QVERIFY2(built.exitCode == 0, built.messages.constData());
        const QJsonObject report = built.json();
        const QJsonObject accuracy = report["accuracy"].toObject();
        QCOMPARE(report["built"].toObject()["entries"].toInt(), report["datastore"].toObject()["entries"].toInt());
        QCOMPARE(accuracy["points"].toArray().size(), 4);
        QCOMPARE(accuracy["left_out"].toInt(), accuracy["samples"].toInt());

        const Outcome other = neighbours("deit_lara", {"--evaluate", val});
        QCOMPARE(other.exitCode, 1);
        QVERIFY2(other.messages.contains("it is a datastore of another checkpoint"), other.messages.constData());
        const Outcome beyond = neighbours("deit", {"--evaluate", val, "--k", "100000"});
        QCOMPARE(beyond.exitCode, 2);
        QVERIFY2(beyond.messages.contains("100000 neighbours are beyond the datastore"), beyond.messages.constData());
    }

    /// Every attention has a time; none has this one.
    void aBudgetThatNothingKeepsIsAnAnswer()
    {
        const Outcome outcome = runCli({"plan", m_folder.filePath("data/scenes/val/cat"), "--weights", demo("deit"), "--budget", "latency=0.000001",
                                        "--attention", "lara:samples=16", "--quiet", "--json", "-"});
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY(outcome.json()["chosen"].isNull());
        QVERIFY(outcome.messages.contains("no measured plan meets the budget"));
    }

    void accuracyWithoutLabelsIsRefused()
    {
        const Outcome outcome = runCli({"plan", m_folder.filePath("data/scenes/val"), "--weights", demo("deit"), "--budget", "drop=0.1"});
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
            const float x = static_cast<float>(std::sin(0.7 * i));
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
        const Outcome window = runCli({"layers", file, "--attention", "longformer:radius=1", "--figure", m_folder.filePath("mass.csv"), "--figure-of",
                                       "mass-kept"});
        QVERIFY2(window.exitCode == 0 && window.data.contains("keys seen") && window.data.contains("mass kept"), window.data.constData());
        QVERIFY(QFile(m_folder.filePath("mass.csv")).size() > 100);
        const Outcome query = runCli({"layers", file, "--attention", "longformer", "--figure", "seen.csv", "--figure-of", "seen"});
        QVERIFY2(query.exitCode == 2 && query.messages.contains("what is seen needs a query"), query.messages.constData());
        const Outcome empty = runCli({"approximate", file, "--attention", "lsh:buckets=16,chunk=1", "--samples", "1"});
        QVERIFY2(empty.data.contains("of queries saw no key and used all"), empty.data.constData());
        const Outcome alone = runCli({"layers", m_folder.filePath("data/scenes/val/cat/0000.jpg"), "--attention", "performer"});
        QVERIFY(alone.exitCode == 2 && !alone.crashed && alone.messages.contains("--weights"));
    }

    void mistakesOfTheRequestAreWrongUsage()
    {
        const QStringList words{"layers", m_folder.filePath("data/scenes/val/cat/0000.jpg"), "--weights", demo("deit"), "--attention", "performer",
                                "--quiet"};
        const Outcome query = runCli(words + QStringList{"--query", "20,20"});
        QCOMPARE(query.exitCode, 2);
        QVERIFY2(query.messages.contains("--query: this patch does not exist; rows are 0 to ") && query.data.isEmpty(), query.messages.constData());
        const Outcome figure = runCli(words + QStringList{"--figure", "error.png"});
        QCOMPARE(figure.exitCode, 2);
        QVERIFY2(figure.messages.contains("--figure: `error.png` is neither a figure nor its data"), figure.messages.constData());
    }

private:
    static QString demo(const QString& name) { return QStringLiteral(DEMO_MODELS "/") + name + ".safetensors"; }

    QTemporaryDir m_folder;
};

ATTNSCOPE_EVENT_TEST(CliLaboratory)
#include "tst_cli_laboratory.moc"
