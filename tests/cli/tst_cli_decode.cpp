// Causal streams as scripts measure them: what is reported, drawn and refused.
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

#include <cmath>

using namespace attnscope::test;

namespace {

const QStringList small{"--positions", "64,128", "--repetitions", "2", "--heads", "2", "--head-size", "8"};

QJsonObject rowOf(const QJsonObject& report, const QString& mechanism)
{
    for (const QJsonValue value : report["rows"].toArray())
        if (value.toObject()["mechanism"].toString() == mechanism)
            return value.toObject();
    return {};
}

QJsonObject pointOf(const QJsonObject& row, int index)
{
    return row["points"].toArray()[index].toObject();
}

/// Every key is there, which scripts rely on; which one is not.
QString missingKey(const QJsonObject& object, const QStringList& keys)
{
    for (const QString& key : keys)
        if (!object.contains(key))
            return key;
    return {};
}

}

class CliDecode : public QObject {
    Q_OBJECT

private slots:
    void everyMechanismIsMeasuredAgainstTheCache()
    {
        const Outcome outcome = runCli(QStringList{"decode"} + small + QStringList{"--quiet", "--json", "-"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject report = outcome.json();
        QCOMPARE(missingKey(report, {"tokens", "file", "layer", "heads", "width", "value_width", "temperature",
                                     "positions", "exact", "device", "dtype", "seed", "environment", "rows"}),
                 QString());
        const QJsonArray rows = report["rows"].toArray();
        QVERIFY(rows.size() > 5);
        QCOMPARE(rows[0].toObject()["mechanism"].toString(), QString("cache"));
        for (const QJsonValue value : rows) {
            const QJsonObject row = value.toObject();
            QCOMPARE(missingKey(row, {"mechanism", "name", "title", "exponents", "break_even", "parallel",
                                      "half_life", "points", "impulse"}),
                     QString());
            QCOMPARE(row["points"].toArray().size(), 2);
            QCOMPARE(
                missingKey(pointOf(row, 1), {"position", "time_ms", "state_bytes", "macs", "mse", "relative"}),
                QString());
            QVERIFY(row["parallel"].toObject()["max_abs_diff"].toDouble(1) < 1e-4);
        }
        // 128 keys and values of 8 channels in each of 2 heads, in float32.
        QCOMPARE(pointOf(rows[0].toObject(), 1)["state_bytes"].toInt(), 128 * 16 * 2 * 4);
        QVERIFY(pointOf(rows[0].toObject(), 1)["relative"].toDouble(1) < 1e-5);
    }

    void optionsOfMechanismsShowInTheReport()
    {
        const QString gated = "rfa:gate=0.9", slots_ = "compressive:segment=16,memory=16,compressed=8";
        const Outcome outcome = runCli(QStringList{"decode", "--mechanism", gated, "--mechanism", slots_,
                                                   "--mechanism", "window:window=16", "--tokens", "recall",
                                                   "--dtype", "float64", "--quiet", "--json", "-"}
                                       + small);
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject report = outcome.json();
        QCOMPARE(report["tokens"].toString(), QString("recall"));
        QCOMPARE(report["rows"].toArray().size(), 4);
        const QJsonObject rfa = rowOf(report, gated), compressive = rowOf(report, slots_),
                          window = rowOf(report, "window:window=16");
        QVERIFY(std::abs(rfa["half_life"].toDouble() - std::log(0.5) / std::log(0.9)) < 1e-9);
        for (const QJsonValue value : rfa["impulse"].toArray()) {
            const QJsonObject point = value.toObject();
            QVERIFY(std::abs(point["state"].toDouble() - std::pow(0.9, point["lag"].toInt())) < 1e-6);
        }
        QVERIFY(!compressive["compression_losses"].toArray().isEmpty());
        QCOMPARE(pointOf(window, 0)["state_bytes"].toInt(), 16 * 16 * 2 * 8);
        QCOMPARE(pointOf(window, 1)["state_bytes"].toInt(), 16 * 16 * 2 * 8);
    }

    void fourFiguresAreWritten()
    {
        for (const char* suffix : {".svg", ".csv"}) {
            const Outcome outcome = runCli(QStringList{"decode", "--mechanism", "elu", "--quiet", "--out",
                                                       m_folder.filePath(QString("stream") + suffix)}
                                           + small);
            QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
            for (const char* part : {"", "-state", "-error", "-impulse"}) {
                QFile figure(m_folder.filePath(QString("stream") + part + suffix));
                QVERIFY2(figure.open(QIODevice::ReadOnly), qPrintable(figure.fileName()));
                QVERIFY(figure.readAll().contains("elu"));
            }
        }
    }

    void tokensOfAFileHaveALayer()
    {
        const QString file = m_folder.filePath("qkv.safetensors");
        QFile dump(file);
        QVERIFY(dump.open(QIODevice::WriteOnly));
        QByteArray values;
        for (int i = 0; i < 3 * 2 * 40 * 4; ++i) {  // two layers of one head, 40 tokens of 4 channels
            const float x = float(std::sin(0.7 * i));
            values.append(reinterpret_cast<const char*>(&x), 4);
        }
        dump.write(safetensors(R"({"q":{"dtype":"F32","shape":[2,1,40,4],"data_offsets":[0,1280]},)"
                               R"("k":{"dtype":"F32","shape":[2,1,40,4],"data_offsets":[1280,2560]},)"
                               R"("v":{"dtype":"F32","shape":[2,1,40,4],"data_offsets":[2560,3840]}})",
                               values));
        dump.close();
        const QStringList words{"decode", file,      "--positions", "20,40", "--repetitions",
                                "2",      "--quiet", "--json",      "-"};
        const Outcome outcome = runCli(words + QStringList{"--layer", "1", "--mechanism", "elu"});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        QCOMPARE(outcome.json()["layer"].toInt(), 1);
        QCOMPARE(outcome.json()["heads"].toInt(), 1);
        QVERIFY(outcome.json()["tokens"].isNull());
        const Outcome beyond = runCli(words + QStringList{"--layer", "2"});
        QVERIFY2(beyond.exitCode == 2 && beyond.messages.contains("layer"), beyond.messages.constData());
        const Outcome longer = runCli({"decode", file, "--positions", "20,41", "--quiet"});
        QVERIFY2(longer.exitCode == 2 && longer.messages.contains("40"), longer.messages.constData());
    }

    void statesBeyondTheMemoryAreRefusedBeforeTheyAreMade()
    {
        const Outcome outcome = runCli(
            {"decode", "--positions", "100000", "--memory-budget", "0.0001", "--quiet"});
        QVERIFY2(outcome.exitCode == 1 && outcome.data.isEmpty()
                     && outcome.messages.contains(
                         "the states at 100000 tokens need about 905 MiB, and 105 KiB may be used"),
                 outcome.messages.constData());
    }

    void mistakesAreWrongUsageInOneSentence_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const QStringList& words, const char* part) {
            QTest::newRow(name) << words << part;
        };
        row("unknown mechanism", {"--mechanism", "nonsense"},
            "unknown mechanism `nonsense`; the mechanisms are cache, ");
        row("unknown option", {"--mechanism", "window:radius=3"},
            "`window` has no option `radius`; its options are window");
        row("window beyond the limit", {"--mechanism", "window:window=2000000"},
            "window is an integer from 1 to 1048576");
        row("window of nothing", {"--mechanism", "window:window=0"}, "window is an integer from 1 to 1048576");
        row("gate", {"--mechanism", "rfa:gate=1.5"}, "gate is a number from 0 to 1");
        row("falling positions", {"--positions", "128,64"}, "--positions: the positions are not ascending");
        row("position beyond the limit", {"--positions", "2000000"}, "from 1 to 1048576");
        row("layer without a file", {"--layer", "3"}, "--layer requires QKV");
        row("device", {"--device", "cuda"}, "streams run on the CPU");
        row("figure", {"--out", "x.png"}, "neither a figure nor its data");
    }

    void mistakesAreWrongUsageInOneSentence()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, part);
        const Outcome outcome = runCli(QStringList{"decode", "--quiet"} + words);
        QVERIFY2(!outcome.crashed && outcome.exitCode == 2 && outcome.messages.contains(part.toUtf8())
                     && outcome.messages.count('\n') == 1 && outcome.data.isEmpty(),
                 outcome.messages.constData());
    }

private:
    QTemporaryDir m_folder;
};

ATTNSCOPE_EVENT_TEST(CliDecode)
#include "tst_cli_decode.moc"
