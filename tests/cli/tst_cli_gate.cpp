// The gate of continuous integration as a program: its exit codes and files, and the example of docs/ci.md as it stands.
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

using namespace attnscope::test;
using namespace Qt::StringLiterals;

namespace {

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

/// Records in a folder, one for each latency.
void writeRecords(const QString& folder, const QList<double>& latencies)
{
    QVERIFY(QDir().mkpath(folder));
    for (int i = 0; i < latencies.size(); ++i)
        write(
            u"%1/%2.json"_s.arg(folder).arg(i, 2, 10, QChar('0')),
            R"({"model": {"name": "net"}, "inputs": [{"path": "a.jpg", "runs": [{"attention": "lara", "latency_ms": {"median": )"
                + QByteArray::number(latencies[i]) + "}}]}]}");
}

int xmlElements(const QString& path, const QString& name)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    QXmlStreamReader xml(&file);
    int count = 0;
    while (!xml.atEnd())
        count += xml.readNext() == QXmlStreamReader::StartElement && xml.name() == name ? 1 : 0;
    return xml.hasError() ? -1 : count;
}

}

class TestCliGate : public QObject {
    Q_OBJECT

private slots:
    void slowerRepetitionsFailAndAreReported()
    {
        const QTemporaryDir folder;
        writeRecords(folder.filePath("a"), QList<double>(10, 4.0));
        writeRecords(folder.filePath("b"), QList<double>(10, 5.0));
        const auto outcome = runCli(
            {"gate", "a", "b", "--json", "-", "--junit", "gate.xml", "--benchmark", "benchmark.json"},
            folder.path());
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(outcome.json()["failed"].toBool(), true);
        QCOMPARE(outcome.json()["checks"].toArray().at(0)["worse"].toInt(), 10);
        QCOMPARE(xmlElements(folder.filePath("gate.xml"), "testcase"), 1);
        QCOMPARE(xmlElements(folder.filePath("gate.xml"), "failure"), 1);
        QFile benchmark(folder.filePath("benchmark.json"));
        QVERIFY(benchmark.open(QIODevice::ReadOnly));
        const auto entry = QJsonDocument::fromJson(benchmark.readAll()).array().at(0);
        QCOMPARE(entry["unit"].toString(), u"ms"_s);
        QCOMPARE(entry["value"].toDouble(), 5.0);
    }

    void equalAndFasterRepetitionsPass()
    {
        const QTemporaryDir folder;
        writeRecords(folder.filePath("a"), QList<double>(10, 4.0));
        writeRecords(folder.filePath("b"),
                     {4.1, 4.1, 4.1, 4.1, 4.1, 4.1, 4.1, 4.1, 4.1, 4.1});  // within the tolerance
        QCOMPARE(runCli({"gate", "a", "b"}, folder.path()).exitCode, 0);
        QCOMPARE(runCli({"gate", "b", "a"}, folder.path()).exitCode, 0);
        QCOMPARE(runCli({"gate", "a", "b", "--tolerance", "0.01"}, folder.path()).exitCode, 1);
    }

    void fewRepetitionsCannotFailAndSaySo()
    {
        const QTemporaryDir folder;
        writeRecords(folder.filePath("a"), QList<double>(6, 4.0));
        writeRecords(folder.filePath("b"), QList<double>(6, 9.0));
        const auto outcome = runCli({"gate", "a", "b"}, folder.path());
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY(outcome.data.contains("too few repetitions"));
    }

    void badInputIsOneSentence_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("no JSON") << QByteArray("{") << 1;
        QTest::newRow("another record") << QByteArray("{\"a\": 1}") << 1;
        QTest::newRow("latency of another type")
            << QByteArray(R"({"model": {}, "inputs": [{"runs": [{"latency_ms": {"median": "fast"}}]}]})") << 1;
        QTest::newRow("nothing in common") << QByteArray(R"({"model": {"name": "other"}, "inputs": []})") << 2;
    }
    void badInputIsOneSentence()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, exitCode);
        const QTemporaryDir folder;
        writeRecords(folder.filePath("a"), {4.0});
        write(folder.filePath("b.json"), text);
        const auto outcome = runCli({"gate", "a", "b.json"}, folder.path());
        QCOMPARE(outcome.exitCode, exitCode);
        QCOMPARE(outcome.messages.trimmed().count('\n'), 0);
        QVERIFY(outcome.data.isEmpty());
    }

    void exampleOfTheGuideRuns()
    {
        const QTemporaryDir folder;
        QFile guide(QStringLiteral(DEMO_MODELS "/../../../docs/ci.md"));
        QVERIFY(guide.open(QIODevice::ReadOnly));
        const auto code = QRegularExpression("```sh\n(.*?)```", QRegularExpression::DotMatchesEverythingOption)
                              .match(guide.readAll());
        QVERIFY(code.hasMatch());
        for (const char* side : {"before", "after"}) {
            QVERIFY(QDir(folder.path()).mkpath(side));
            const QString program = folder.filePath(QString(side) + "/attnscope-cli");
            write(program, "#!/bin/sh\nexec " ATTNSCOPE_CLI " \"$@\"\n");
            QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        }
        QVERIFY(QFile::copy(QStringLiteral(DEMO_MODELS "/deit.safetensors"), folder.filePath("deit.safetensors")));
        const QDir photos(QStringLiteral(DEMO_MODELS "/../photos"));
        QVERIFY(
            QFile::copy(photos.filePath(photos.entryList({"*.jpg"}).constFirst()), folder.filePath("photo.jpg")));
        const auto outcome = runShell("cd '" + folder.path() + "' && " + code.captured(1));
        // The same program on both sides: a failure has a probability of 1 %, which no test should have.
        QVERIFY2(outcome.exitCode == 0 || outcome.exitCode == 1, outcome.messages.constData());
        QCOMPARE(QDir(folder.filePath("records/after")).entryList({"*.json"}).size(), 10);
        QVERIFY2(outcome.data.contains("lara:samples=16"), outcome.messages.constData());
        QCOMPARE(xmlElements(folder.filePath("latency.xml"), "testcase"), 2);
    }
};

ATTNSCOPE_TEST(TestCliGate)
#include "tst_cli_gate.moc"
