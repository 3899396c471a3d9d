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
