// `approximate --all` as scripts call it: table, JSON, figure, and how it goes on.
#include "tests/cli/cli_process.h"
#include "tests/support/sanitizer.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

#include <cmath>

using namespace attnscope::test;

namespace {

const QStringList fewOfRandom{
    "approximate",     "--all",       "--random",       "64",          "--head-size",       "8",
    "--seconds",       "0",           "--seeds",        "2",           "--quiet",           "--attention",
    "lara:samples=16", "--attention", "topk:samples=8", "--attention", "nystrom:samples=16"};

QByteArray textIn(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}

class CliLeaderboard : public QObject {
    Q_OBJECT

private slots:
    void allAttentionsOfADemoNetworkAreMeasuredInAMinute()
    {
        const QString figure = m_folder.filePath("board.svg");
        const Outcome made = runCli(
            {"demo", m_folder.filePath("data"), "--only", "scenes", "--train", "1", "--val", "1"});
        QVERIFY2(made.exitCode == 0, made.messages.constData());
        const Outcome outcome = runCli({"approximate", m_folder.filePath("data/scenes/val/cat/0000.jpg"), "--all",
                                        "--weights", QStringLiteral(DEMO_MODELS "/deit.safetensors"), "--seconds",
                                        "0", "--seeds", "1", "--samples", "16", "--quiet", "--out", figure,
                                        "--json", "-"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject report = outcome.json(), board = report["leaderboard"].toObject();
        QVERIFY(board["complete"].toBool());
        QVERIFY(board["seconds"].toDouble() < 60 * attnscope::slowdown);
        QCOMPARE(board["error"].toString(), QString("KL of the classes"));
        const QJsonArray rows = report["rows"].toArray();
        QCOMPARE(rows.size(), board["candidates"].toInt());
        QVERIFY(rows.size() > 30);
        double before = 0;
        for (const auto& value : rows) {
            const QJsonObject row = value.toObject();
            QVERIFY2(!row.contains("failure"), qPrintable(row["failure"].toString()));
            const double kl = row["end_to_end"].toObject()["kl"].toDouble(-1);
            QVERIFY2(kl >= before || !row["end_to_end"].toObject()["kl"].isDouble(),
                     qPrintable(row["attention"].toString()));
            before = kl;
            QCOMPARE(row["layers"].toArray().size(), board["layers"].toInt());
            QVERIFY(row["latency_ms"].toObject()["median"].toDouble() > 0);
            QVERIFY(row["memory_bytes"].toObject()["attention_peak"].toInt() > 0);
        }
        QVERIFY(rows[0].toObject()["front"].toObject()["time"].toBool());
        QVERIFY(!report["omitted"].toArray().isEmpty());
        QVERIFY(textIn(figure).contains("<svg") && textIn(figure).contains("KL of the classes"));
    }

    void theTableNamesTheFront()
    {
        const Outcome outcome = runCli(fewOfRandom);
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        for (const char* part : {"lara:samples=16", "topk:samples=8", "nystrom:samples=16", "Best at equal",
                                 "time", "Relative error", "of exact"})
            QVERIFY2(outcome.data.contains(part), outcome.data.constData());
    }

    void rowsAreSortedByWhatIsAskedFor()
    {
        for (const char* by : {"time", "memory"}) {
            const Outcome outcome = runCli(fewOfRandom + QStringList{"--sort", by, "--json", "-"});
            QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
            double before = 0;
            for (const auto& value : outcome.json()["rows"].toArray()) {
                const double cost = value.toObject()["relative_cost"].toObject()[by].toDouble();
                QVERIFY(cost >= before);
                before = cost;
            }
        }
    }

    void aRepeatedCommandMeasuresOnlyWhatIsMissing()
    {
        const QStringList resumed{"--resume", m_folder.filePath("rows.json"), "--json", "-"};
        const QJsonObject first = runCli(fewOfRandom + resumed).json();
        QCOMPARE(first["rows"].toArray().size(), 3);
        const QJsonObject again = runCli(fewOfRandom + resumed).json();
        QCOMPARE(again["rows"].toArray(), first["rows"].toArray());  // times too: nothing was measured
        const Outcome more = runCli(fewOfRandom + QStringList{"--attention", "performer:samples=16"} + resumed);
        QCOMPARE(more.json()["rows"].toArray().size(), 4);
        int kept = 0;
        for (const auto& value : more.json()["rows"].toArray())
            for (const auto& old : first["rows"].toArray())
                kept += value.toObject()["latency_ms"] == old.toObject()["latency_ms"] ? 1 : 0;
        QCOMPARE(kept, 3);
        const Outcome other = runCli(fewOfRandom + QStringList{"--seed", "5"} + resumed);
        QVERIFY2(other.exitCode == 2 && other.messages.contains("another seed"), other.messages.constData());
    }

    void whatDoesNotGoTogetherIsRefused()
    {
        const Outcome kernel = runCli({"approximate", "--all", "--kernel", "--random", "16", "--quiet"});
        QVERIFY2(kernel.exitCode == 2 && kernel.messages.contains("--all"), kernel.messages.constData());
        const Outcome sort = runCli({"approximate", "--all", "--sort", "name", "--random", "16", "--quiet"});
        QVERIFY2(sort.exitCode == 2, sort.messages.constData());
    }

private:
    QTemporaryDir m_folder;
};

ATTNSCOPE_EVENT_TEST(CliLeaderboard)
#include "tst_cli_leaderboard.moc"
