// Receipts of evaluations: what a stranger gets from one, and what one may not ask for.
#include "evaluation_runs.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace attnscope::test;

class TestCliRepeat : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        put(path("tiny.json"), tinyNetwork);
        putImages(path("val"), 60);
        const Outcome outcome = runCli({"evaluate",       path("val"),
                                        "--model",        path("tiny.json"),
                                        "--weights",      "untrained:1",
                                        "--attention",    "softmax",
                                        "--attention",    "performer:samples=16",
                                        "--batch-size",   "8",
                                        "--threads",      "2",
                                        "--workers",      "2",
                                        "--no-measuring", "--quiet",
                                        "--store",        path("first.sqlite"),
                                        "--receipt",      path("receipt.json")});
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
    }

    void anotherPlaceAndOtherThreadsGiveTheSameBytes()
    {
        QVERIFY(QDir(m_folder.path()).rename("val", "moved"));
        const Outcome outcome = repeat(path("receipt.json"), {"--threads", "1", "--workers", "1"});
        QVERIFY(QDir(m_folder.path()).rename("moved", "val"));
        QVERIFY2(outcome.exitCode == 0, (outcome.messages + outcome.data).constData());
        QCOMPARE(outcome.json()["same"].toBool(), true);
        QCOMPARE(outcome.json()["results"].toArray().size(), 0);
        const QJsonArray conditions = outcome.json()["conditions"].toArray();
        QCOMPARE(conditions.size(), 1);
        QCOMPARE(conditions[0].toObject()["name"].toString(), QString("threads"));
    }

    void whatDiffersIsNamed()
    {
        const QString changed = path("changed.json");
        QByteArray receipt = read(path("receipt.json"));
        receipt.replace("\"--batch-size\",\n  \"8\"", "\"--batch-size\",\n  \"8\",\n  \"--seed\",\n  \"9\"");
        put(changed, receipt);
        const Outcome outcome = repeat(changed, {}, path("val"));
        QCOMPARE(outcome.exitCode, 1);
        QStringList results, conditions;
        for (const QJsonValue& one : outcome.json()["results"].toArray())
            results << one.toObject()["name"].toString();
        for (const QJsonValue& one : outcome.json()["conditions"].toArray())
            conditions << one.toObject()["name"].toString();
        QVERIFY(conditions.contains("seed"));
        // Exact attention draws nothing.
        QVERIFY(results.filter("performer").size() >= 1 && results.filter("softmax").isEmpty());
    }

    void howFilesAreReadIsRepeated()
    {
        const QString receipt = path("read.json");
        const Outcome outcome = runCli({"evaluate", path("val"), "--model", path("tiny.json"), "--weights",
                                        "untrained:1", "--orientation", "apply", "--limit-pixels", "359",
                                        "--no-measuring", "--quiet", "--store", path("read.sqlite"), "--receipt",
                                        receipt, "--json", "-"});
        QCOMPARE(outcome.exitCode, 3);  // 360 pixels each
        QCOMPARE(outcome.json()["evaluation"].toObject()["reading"].toString(),
                 QString("--orientation apply --limit-pixels 359"));
        QCOMPARE(outcome.json()["evaluation"].toObject()["unreadable"].toInt(), 60);
        const Outcome repeated = repeat(receipt, {}, path("val"));
        QVERIFY2(repeated.exitCode == 0, (repeated.messages + repeated.data).constData());
        put(receipt, read(receipt).replace("\"359\"", "\"360\""));  // of the options alone
        const Outcome other = repeat(receipt, {}, path("val"));
        QCOMPARE(other.exitCode, 1);
        const QJsonObject found = other.json()["conditions"].toArray()[0].toObject();
        QCOMPARE(found["name"].toString(), QString("reading"));
    }

    void changedImageIsNoticed()
    {
        const QString image = QDir(path("val")).entryList(QDir::Dirs | QDir::NoDotAndDotDot).first();
        const QDir folder(path("val/" + image));
        const QString file = folder.filePath(folder.entryList(QDir::Files).first());
        const QByteArray before = read(file);
        put(file, before.left(before.size() / 2));
        const Outcome outcome = repeat(path("receipt.json"), {}, path("val"));
        put(file, before);
        QCOMPARE(outcome.exitCode, 1);
        QStringList names;
        for (const QJsonValue& one : outcome.json()["conditions"].toArray())
            names << one.toObject()["name"].toString();
        QVERIFY(names.contains("contents (SHA-256)"));
    }

    void receiptsMayNotAskForFiles_data()
    {
        QTest::addColumn<QByteArray>("options");
        QTest::addColumn<QString>("says");
        QTest::newRow("a store") << QByteArray(R"(["--store", "/tmp/mine.sqlite"])")
                                 << "a receipt may not ask for `--store`";
        QTest::newRow("a plug-in") << QByteArray(R"(["--plugin", "evil.so"])")
                                   << "a receipt may not ask for `--plugin`";
        QTest::newRow("in one word") << QByteArray(R"(["--store=/tmp/mine.sqlite"])")
                                     << "a receipt may not ask for `--store=";
        QTest::newRow("a file as a model")
            << QByteArray(R"(["--model", "/etc/passwd"])") << "a receipt may not ask for `--model`";
        QTest::newRow("not known") << QByteArray(R"(["--seed", "many"])")
                                   << "its options are not those of this version";
        QTest::newRow("cut off") << QByteArray(R"(["--seed"])") << "its options are not those of this version";
        QTest::newRow("numbers") << QByteArray("[1, 2]") << "this receipt is damaged";
    }

    void receiptsMayNotAskForFiles()
    {
        QFETCH(QByteArray, options);
        QFETCH(QString, says);
        put(path("asks.json"),
            R"({"attnscope_receipt": 1, "conditions": [], "results": [], "options": )" + options + "}");
        const Outcome outcome = repeat(path("asks.json"), {}, path("val"));
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.messages.contains(says.toUtf8()), outcome.messages.constData());
    }

    void whatIsNoReceiptIsSaid()
    {
        put(path("none.json"), "{}");
        QVERIFY(repeat(path("none.json"), {}).messages.contains("this is not a receipt"));
        put(path("none.json"), R"({"attnscope_receipt": 2})");
        QVERIFY(repeat(path("none.json"), {}).messages.contains("of another version"));
        QVERIFY(repeat(path("missing.json"), {}).messages.contains("the receipt cannot be read"));
    }

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    static QByteArray read(const QString& name)
    {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    Outcome repeat(const QString& receipt, const QStringList& more, const QString& folder = {}) const
    {
        return runCli(QStringList{"repeat", receipt, folder.isEmpty() ? path("moved") : folder, "--model",
                                  path("tiny.json"), "--weights", "untrained:1", "--quiet", "--json", "-"}
                      + more);
    }

    QTemporaryDir m_folder;
};

ATTNSCOPE_EVENT_TEST(TestCliRepeat)
#include "tst_cli_repeat.moc"
