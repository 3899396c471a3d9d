// Columns of several networks on the command line.
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QTemporaryDir>

using namespace attnscope::test;

namespace {

QString demoFile(const QString& name)
{
    return QStringLiteral(DEMO_MODELS "/") + name;
}

const QString cat = demoFile("../photos/cat.jpg");

QJsonArray runsOf(const Outcome& outcome)
{
    return outcome.json()["inputs"].toArray()[0].toObject()["runs"].toArray();
}

QStringList textsOf(const QJsonArray& runs, const QString& key)
{
    QStringList texts;
    for (const auto& run : runs)
        texts << run.toObject()[key].toString();
    return texts;
}

}

class CliColumns : public QObject {
    Q_OBJECT

private slots:
    /// Trained softmax, trained LARA, and each swapped for the other.
    void networksStandSideBySide()
    {
        const Outcome outcome = runCli({"compare", cat, "--weights", demoFile("deit.safetensors"), "--weights",
                                        demoFile("deit_lara.safetensors"), "--attention", "softmax", "--attention",
                                        "native", "--attention", "lara;checkpoint=1", "--seconds", "0",
                                        "--repetitions", "3", "--json", "-"});
        QCOMPARE(outcome.exitCode, 0);
        const QJsonArray runs = runsOf(outcome);
        QCOMPARE(textsOf(runs, "attention"),
                 (QStringList{"softmax", "softmax;checkpoint=2", "native;checkpoint=2", "lara"}));
        QCOMPARE(textsOf(runs, "weights"), (QStringList{"trained", "swapped", "trained", "swapped"}));
        const QJsonObject own = runs[2].toObject();
        QVERIFY(own["resolved"].toString().startsWith("lara"));
        QCOMPARE(own["checkpoint"].toObject()["path"].toString(), demoFile("deit_lara.safetensors"));
        QCOMPARE(own["checkpoint"].toObject()["sha256"].toString().size(), 64);
        QCOMPARE(own["end_to_end"].toObject()["against"].toString(), demoFile("deit.safetensors"));
        QVERIFY(own["latency_ms"].isObject() && own["memory_bytes"].isObject() && own["error"].isObject());
        QCOMPARE(outcome.json()["other_models"].toArray().size(), 1);
    }

    void whatCannotBeComparedIsASentenceAtItsColumn()
    {
        const Outcome outcome = runCli({"classify", cat, "--weights", demoFile("deit.safetensors"), "--weights",
                                        demoFile("motionformer.safetensors"), "--weights", "nowhere.pth", "--json",
                                        "-"});
        QCOMPARE(outcome.exitCode, 1);
        const QStringList failures = textsOf(runsOf(outcome), "failure");
        QCOMPARE(failures.size(), 3);
        QVERIFY(failures[0].isEmpty() && failures[1].contains("clips") && failures[2].contains("nowhere.pth"));
    }

    void aCheckpointThatIsNotGivenIsWrongUsage()
    {
        const QStringList compare{"compare", cat, "--weights", demoFile("deit.safetensors"), "--attention"};
        for (const char* wrong : {"lara;checkpoint=2", "lara;checkpoint=other.pth", "lara;dtype=int3"}) {
            const Outcome outcome = runCli(compare + QStringList{wrong});
            QCOMPARE(outcome.exitCode, 2);
            QCOMPARE(outcome.messages.count('\n'), 1);
        }
    }

    /// Each network's evaluation is what it is alone, with pairs across them.
    void anEvaluationOfSeveralNetworks()
    {
        QTemporaryDir folder;
        const auto file = [&](const char* name) { return folder.filePath(name); };
        QVERIFY(runCli({"demo", file("demo"), "--only", "scenes", "--train", "1", "--val", "4"}).exitCode == 0);
        const QString first = demoFile("deit.safetensors"), second = demoFile("deit_lara.safetensors");
        const auto evaluate = [&](const QStringList& networks, const char* store, const QStringList& more = {}) {
            return runCli(QStringList{"evaluate", file("demo/scenes"), "--store", file(store), "--batch-size",
                                      "16", "--no-measuring", "--quiet", "--json", "-"}
                          + networks + more);
        };
        const QStringList both{"--weights", first,         "--weights", second,        "--attention",
                               "softmax",   "--attention", "native",    "--attention", "lara;checkpoint=1"};
        const Outcome outcome = evaluate(both, "both.sqlite");
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject json = outcome.json();
        const QJsonArray others = json["evaluations"].toArray();
        QCOMPARE(others.size(), 1);
        const QJsonArray runs = json["runs"].toArray(), otherRuns = others[0].toObject()["runs"].toArray();
        QCOMPARE(textsOf(runs, "attention"), (QStringList{"softmax", "lara"}));
        QCOMPARE(textsOf(otherRuns, "attention"), (QStringList{"softmax;checkpoint=2", "native;checkpoint=2"}));
        QCOMPARE(textsOf(otherRuns, "weights"), (QStringList{"swapped", "trained"}));
        const QJsonArray pairs = json["pairs"].toArray();
        QCOMPARE(textsOf(pairs, "a").join(' '), QString("softmax softmax softmax lara lara softmax;checkpoint=2"));
        QCOMPARE(pairs[2].toObject()["b"].toString(), QString("native;checkpoint=2"));
        QCOMPARE(pairs[2].toObject()["samples"].toInt(), 48);
        QVERIFY(!json.contains("failures"));

        const Outcome one = evaluate({"--weights", first, "--attention", "softmax", "--attention", "lara"},
                                     "one.sqlite"),
                      two = evaluate({"--weights", second, "--attention", "softmax", "--attention", "native"},
                                     "two.sqlite");
        for (const auto& [alone, together] :
             {std::pair(one.json()["runs"].toArray(), runs), std::pair(two.json()["runs"].toArray(), otherRuns)})
            for (int i = 0; i < 2; ++i)
                for (const char* key : {"correct1", "correct5", "samples", "interval95", "resolved"})
                    QCOMPARE(together[i].toObject()[key], alone[i].toObject()[key]);

        const Outcome again = evaluate(both, "both.sqlite", {"--resume"});
        QCOMPARE(again.json()["pairs"], json["pairs"]);
        const Outcome report = runCli({"report", file("both.sqlite"), "--json", "-"});
        QCOMPARE(report.json()["evaluations"].toArray().size(), 2);
        const Outcome text = runCli(QStringList{"evaluate", file("demo/scenes"), "--store", file("both.sqlite"),
                                                "--batch-size", "16", "--no-measuring", "--resume"}
                                    + both);
        QCOMPARE(text.data.count("native;checkpoint=2"), 6);  // in its two tables, in a note and in three pairs
        QCOMPARE(text.data.count("McNemar"), 1);
        QVERIFY(text.messages.contains("already been evaluated"));

        const Outcome dry = evaluate(both, "both.sqlite", {"--dry-run"});
        QCOMPARE(textsOf(dry.json()["attentions"].toArray(), "attention"),
                 (QStringList{"softmax", "lara", "softmax;checkpoint=2", "native;checkpoint=2"}));
        for (const QStringList& wrong : {QStringList{"--receipt", file("receipt.json")}, QStringList{"--probe"},
                                         QStringList{"--model", "deit", "--model", "deit", "--model", "deit"}})
            QCOMPARE(evaluate(both, "wrong.sqlite", wrong).exitCode, 2);
        QVERIFY(!QFile::exists(file("wrong.sqlite")));
    }

    void anEvaluationGoesOnWithoutNetworksThatFail()
    {
        QTemporaryDir folder;
        QVERIFY(
            runCli({"demo", folder.filePath("demo"), "--only", "scenes", "--train", "1", "--val", "2"}).exitCode
            == 0);
        const Outcome outcome = runCli({"evaluate", folder.filePath("demo/scenes"), "--no-measuring", "--json",
                                        "-", "--store", folder.filePath("runs.sqlite"), "--weights",
                                        demoFile("deit.safetensors"), "--weights", "nowhere.pth", "--weights",
                                        demoFile("motionformer.safetensors"), "--attention", "native",
                                        "--attention", "softmax;checkpoint=1;dtype=bfloat16"});
        QCOMPARE(outcome.exitCode, 1);
        const QJsonArray failures = outcome.json()["failures"].toArray();
        QCOMPARE(failures.size(), 2);
        QCOMPARE(failures[0].toObject()["network"].toString(), QString("nowhere.pth"));
        QVERIFY(failures[1].toObject()["failure"].toString().contains("clips"));
        QVERIFY(outcome.messages.contains("nowhere.pth"));
        QCOMPARE(outcome.json()["evaluation"].toObject()["state"].toString(), QString("finished"));
        const QJsonObject other = outcome.json()["evaluations"].toArray()[0].toObject();
        QCOMPARE(other["evaluation"].toObject()["dtype"].toString(), QString("bfloat16"));
        QCOMPARE(textsOf(other["runs"].toArray(), "attention"), QStringList{"softmax;dtype=bfloat16"});
        QCOMPARE(outcome.json()["pairs"].toArray().size(), 1);
    }

    void layersOfTwoNetworks()
    {
        QTemporaryDir folder;
        const QString figure = folder.filePath("cka.csv");
        const Outcome outcome = runCli({"layers", demoFile("../photos"), "--weights", demoFile("deit.safetensors"),
                                        "--against", demoFile("deit_lara.safetensors"), "--query", "3,4",
                                        "--figure", figure, "--overlay", folder.filePath("net.json"), "--json",
                                        "-"});
        QCOMPARE(outcome.exitCode, 0);
        const QJsonObject json = outcome.json();
        const auto blocks = json["blocks"].toObject()["first"].toArray().size();
        QVERIFY(blocks > 0);
        QCOMPARE(json["cka"].toArray().size(), blocks);
        QCOMPARE(json["drift"].toArray().size(), blocks);
        QVERIFY(json["weights"].toArray().size() > 10);
        QCOMPARE(textsOf(json["description"].toArray(), "key"), QStringList{"attention"});
        QCOMPARE(json["maps"].toObject().keys(), (QStringList{"first", "second"}));
        QVERIFY(QFile(figure).size() > 0);
        for (const char* name : {"drift", "cka", "weights"}) {
            QFile overlay(folder.filePath(u"net-%1.json"_s.arg(QLatin1String(name))));
            QVERIFY(overlay.open(QIODevice::ReadOnly));
            const QJsonObject results = QJsonDocument::fromJson(overlay.readAll()).object()["results"].toObject();
            const double last = results["blocks.5.mlp/MatMul"]["value"].toDouble();
            QVERIFY(results.size() > 100 && last > 0);
            if (name == "drift"_L1)
                QCOMPARE(last, json["drift"].toArray()[5].toDouble());
        }
        const Outcome one = runCli({"layers", cat, "--weights", demoFile("deit.safetensors"), "--against",
                                    demoFile("deit.safetensors"), "--attention",
                                    "native;checkpoint=2;dtype=bfloat16"});
        QCOMPARE(one.exitCode, 0);
        QVERIFY(one.data.contains("bfloat16") && one.data.contains("at least 4"));
    }
};

ATTNSCOPE_EVENT_TEST(CliColumns)
#include "tst_cli_columns.moc"
