// Token merging as scripts ask for it.
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

#include <QJsonArray>
#include <QTemporaryDir>

using namespace attnscope::test;

namespace {

const QString photo = QStringLiteral(RESOURCE_DIR "/demo/photos/cat.jpg"),
              weights = QStringLiteral(DEMO_MODELS "/deit.safetensors");

QJsonArray runsOf(const Outcome& outcome)
{
    return outcome.json()["inputs"].toArray()[0].toObject()["runs"].toArray();
}

}

class CliTokens : public QObject {
    Q_OBJECT

private slots:
    void everyAttentionRunsWithEveryTokens()
    {
        const Outcome outcome = runCli({"compare", photo, "--weights", weights, "--attention", "softmax",
                                        "--attention", "wildcat:samples=16", "--tokens", "none", "--tokens",
                                        "tome:r=8", "--no-latency", "--no-memory", "--quiet", "--json", "-"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonArray runs = runsOf(outcome);
        QStringList attention, tokens;
        for (const auto& run : runs) {
            attention << run.toObject()["attention"].toString();
            tokens << run.toObject()["tokens"].toString();
        }
        QCOMPARE(attention, (QStringList{"softmax", "softmax;tokens=tome:r=8", "wildcat:samples=16",
                                         "wildcat:samples=16;tokens=tome:r=8"}));
        QCOMPARE(tokens, (QStringList{"", "tome:r=8", "", "tome:r=8"}));
        const QJsonObject merged = runs[1].toObject();
        QCOMPARE(merged["merged"].toObject()["layers"].toArray()[0].toObject()["tokens"].toInt(), 189);
        QVERIFY(merged["end_to_end"].toObject()["kl"].toDouble() > 0
                && merged["end_to_end"].toObject()["kl"].toDouble() < 0.01);
        // Its attention is exact: an error of 0 would say that merging loses nothing.
        for (const int run : {0, 2, 3})
            QVERIFY(runs[run].toObject().contains("error"));
        QVERIFY(!merged.contains("error"));
        QVERIFY(merged["notes"].toArray().last().toString().contains("no error of its own"));
        QVERIFY(merged["macs"].toDouble() < runs[0].toObject()["macs"].toDouble());
    }

    void tablesHaveADashForAnErrorThatAColumnCannotHave()
    {
        const Outcome outcome = runCli({"compare", photo, "--weights", weights, "--attention",
                                        "softmax;tokens=tome:r=8", "--no-latency", "--no-memory", "--quiet"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        QByteArray errors;
        for (const QByteArray& line : outcome.data.split('\n'))
            if (line.trimmed().startsWith("softmax;tokens") && line.contains("\u2013"))
                errors = line.simplified();
        QVERIFY2(errors.count("\u2013") == 2, outcome.data.constData());
    }

    void noTokensMergedPredictTheSameToTheBit()
    {
        const Outcome outcome = runCli({"classify", photo, "--weights", weights, "--attention", "softmax",
                                        "--tokens", "none", "--tokens", "tome:r=0", "--logits", "--quiet",
                                        "--json", "-"});
        QCOMPARE(outcome.exitCode, 0);
        const QJsonArray runs = runsOf(outcome);
        QCOMPARE(runs[1].toObject()["attention"].toString(), QString("softmax;tokens=tome:r=0"));
        QVERIFY(runs[0].toObject()["logits"].toArray().size() > 1);
        QCOMPARE(runs[0].toObject()["logits"], runs[1].toObject()["logits"]);
    }

    void weightsIn8BitsAreAColumn()
    {
        const Outcome outcome = runCli({"compare", photo, "--weights", weights, "--attention", "softmax",
                                        "--weights-dtype", "own", "--weights-dtype", "int8", "--no-latency",
                                        "--quiet", "--json", "-"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject own = runsOf(outcome)[0].toObject(), small = runsOf(outcome)[1].toObject();
        QCOMPARE(small["attention"].toString(), QString("softmax;weights=int8"));
        QVERIFY(!own.contains("weights_dtype"));
        QCOMPARE(small["weights_dtype"].toString(), QString("int8"));
        QCOMPARE(small["macs"].toDouble(), own["macs"].toDouble());
        QVERIFY(small["memory_bytes"].toObject()["weights"].toDouble()
                < 0.85 * own["memory_bytes"].toObject()["weights"].toDouble());
        QVERIFY(own.contains("error") && !small.contains("error"));
        const double kl = small["end_to_end"].toObject()["kl"].toDouble();
        QVERIFY2(kl > 0 && kl < 0.01, QByteArray::number(kl));
    }

    void layersDrawWhatHasMerged()
    {
        const QTemporaryDir folder;
        const Outcome outcome = runCli({"layers", photo, "--weights", weights, "--attention", "softmax",
                                        "--tokens", "tome:r=16", "--figure", folder.filePath("merged.svg"),
                                        "--figure-of", "merged", "--quiet", "--json", "-"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        QVERIFY(QFile::exists(folder.filePath("merged.svg")));
        const QJsonObject one = outcome.json()["attention"].toArray()[0].toObject();
        QCOMPARE(one["tokens"].toString(), QString("tome:r=16"));
        QCOMPARE(one["merged"].toObject()["layers"].toArray()[5].toObject()["tokens"].toInt(), 101);
    }

    void whatCannotMergeIsOneSentence_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const QStringList& words, const char* said) {
            QTest::newRow(name) << words << QByteArray(said);
        };
        const QStringList model{"--weights", weights};
        row("too many", QStringList{"compare", photo, "--attention", "softmax", "--tokens", "tome:r=99"} + model,
            "give r from 0 to 98");
        row("grid",
            QStringList{"compare", photo, "--attention", "lara:landmarks=grid", "--tokens", "tome:r=9"} + model,
            "landmarks=segments");
        row("twice",
            QStringList{"compare", photo, "--attention", "softmax;tokens=tome:r=1", "--tokens", "tome:r=9"}
                + model,
            "names its tokens itself");
        row("weights twice",
            QStringList{"compare", photo, "--attention", "softmax;weights=int8", "--weights-dtype", "own"} + model,
            "names its weights itself");
        row("weights of a plan",
            QStringList{"plan", photo, "--attention", "wildcat;weights=int8", "--budget", "kl=0.1"} + model,
            "leave out `;weights=`");
        row("unknown", QStringList{"compare", photo, "--attention", "softmax", "--tokens", "pool"} + model,
            "none or tome");
        row("pyramid",
            {"compare", photo, "--attention", "native", "--tokens", "tome:r=9", "--weights",
             QStringLiteral(DEMO_MODELS "/pvt_v2.safetensors")},
            "tokens cannot merge in");
        row("tensors",
            {"attend", testData("attention/a_performer.safetensors"), "--attention", "softmax;tokens=tome:r=2"},
            "here attention is on its own");
        row("curves", QStringList{"approximate", photo, "--attention", "performer;tokens=tome:r=2"} + model,
            "what the network does with tokens and weights");
        row("plans by error",
            QStringList{"plan", photo, "--budget", "error=0.1", "--attention", "elu", "--tokens", "tome:r=2"}
                + model,
            "kl, accuracy or drop");
    }
    void whatCannotMergeIsOneSentence()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, said);
        const Outcome outcome = runCli(words);
        QVERIFY(!outcome.crashed);
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.messages.contains(said), outcome.messages.constData());
        QCOMPARE(outcome.messages.trimmed().count('\n'), 0);
    }
};

ATTNSCOPE_TEST(CliTokens)
#include "tst_cli_tokens.moc"
