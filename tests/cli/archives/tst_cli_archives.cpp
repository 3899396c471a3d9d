// Evaluations that read archives: the same bytes as from the folder, also when they are killed, shared, cached and repeated.
#include "tests/cli/evaluation_runs.h"
#include "tests/support/packed_files.h"
#include "tests/support/signal_process.h"
#include "tests/support/test_class.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <random>

using namespace attnscope;
using namespace attnscope::test;

class TestCliArchives : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        put(path("tiny.json"), tinyNetwork);
        MemberFiles files, photographs, labelled, first, second;
        for (int i = 0; i < count; ++i) {
            const QString name = QString("c%1/%2").arg(i * 6 / count).arg(i, 6, 10, QChar('0'));
            const QByteArray image = i == 50 ? QByteArray("P6 damaged") : tinyImage(unsigned(i));
            put(path("val/" + name + ".ppm"), image);
            const MemberFile member{name.toStdString() + ".ppm", image.toStdString()};
            const MemberFile label{name.toStdString() + ".cls", std::to_string(i * 6 / count)};
            files.push_back(member);
            labelled.insert(labelled.end(), {member, label});
            (i < count / 2 ? first : second).insert((i < count / 2 ? first : second).end(), {label, member});
        }
        const QDir goldens(QStringLiteral(TEST_DATA_DIR) + "/preprocess/images");
        for (const QString& name : goldens.entryList({"jpeg*.jpg", "gray*.jpg"})) {
            QFile file(goldens.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            photographs.push_back({"c0/" + name.toStdString(), file.readAll().toStdString()});
        }
        QVERIFY(photographs.size() > 3);
        const auto packed = [this](const char* name, const std::string& bytes) {
            put(path(name), QByteArray::fromStdString(bytes));
        };
        packed("val.tar", tarOf(files));
        packed("val.tar.gz", gzipOf(tarOf(files)));
        packed("val.zip", zipOf(files));
        packed("wds.tar", tarOf(labelled));
        packed("jpegs.tar.gz", gzipOf(tarOf(photographs)));
        packed("jpegs.zip", zipOf(photographs));
        packed("shards/val-000000.tar", tarOf(first));
        packed("shards/val-000001.tar", tarOf(second));
        m_folder = evaluated("val", "folder", {});
        QVERIFY2(m_folder.contains("\"unreadable\": 1"), m_messages);
        QTest::qSleep(2100);  // images in archives that just changed are not kept
    }

    /// Names, labels and predictions: the JSON has their hashes.
    void theyGiveTheBytesOfTheFolder()
    {
        for (const QString name : {"val.tar", "val.tar.gz", "val.zip", "wds.tar"})
            QCOMPARE(evaluated(name, name, {}), m_folder);
        const auto runs = [](const QByteArray& json) { return QJsonDocument::fromJson(json)["runs"]; };
        QByteArray shards = evaluated("shards", "shards", {});
        QCOMPARE(runs(evaluated("shards/val-{000000..000001}.tar", "pattern", {})), runs(shards));
        shards.replace(path("shards/val-000000.tar/").toUtf8(), "");
        QCOMPARE(runs(shards), runs(m_folder));
    }

    void killedAtRandomTheyGoOn()
    {
        std::minstd_rand random(7);
        int killed = 0;
        for (int attempt = 0; attempt < 5; ++attempt) {
            QProcess process;
            process.start(QStringLiteral(ATTNSCOPE_CLI),
                          command("val.tar.gz", "killed.sqlite") + QStringList{"--resume"});
            if (!process.waitForFinished(250 + int(random() % 600))) {
                signalProcess(process.processId(), SIGKILL);
                process.waitForFinished();
                ++killed;
            }
        }
        QVERIFY(killed > 0);
        QCOMPARE(evaluated("val.tar.gz", "killed", {"--resume"}), m_folder);
        // What was begun with the folder goes on with its archive.
        QCOMPARE(evaluated("val.zip", "folder", {"--resume"}), m_folder);
    }

    void partsOfThemAreMerged()
    {
        for (const QString part : {"1", "2"})
            evaluated("val.tar", "part" + part, {"--shard", part + "/2"});
        QCOMPARE(runCli({"merge", path("merged.sqlite"), path("part1.sqlite"), path("part2.sqlite")}).exitCode, 0);
        QCOMPARE(evaluated("val.tar", "merged", {"--resume"}), m_folder);
    }

    void cropsOfThemAreKept()
    {
        const QStringList cached{"--cache", path("crops")};
        const QByteArray whole = evaluated("jpegs.tar.gz", "whole", {});
        QVERIFY2(!whole.isEmpty(), m_messages);
        QCOMPARE(evaluated("jpegs.tar.gz", "filling", cached), whole);
        const QByteArray before = qgetenv("ATTNSCOPE_DECODER");
        qputenv("ATTNSCOPE_DECODER", "/bin/false");
        const QByteArray filled = evaluated("jpegs.tar.gz", "filled", cached);
        const QByteArray other = evaluated("jpegs.zip", "filled-other", cached);
        qputenv("ATTNSCOPE_DECODER", before);
        QCOMPARE(filled, whole);
        QVERIFY(other.isEmpty());  // another file, whose crops are not there
    }

    void oneImageIsClassified()
    {
        const QStringList model{"--model", path("tiny.json"), "--weights", "untrained:1", "--device",
                                "cpu",     "--json"};
        const auto classified = [&](const QString& image, const QString& json) {
            const Outcome outcome = runCli(QStringList{"classify", path(image)} + model + QStringList{path(json)});
            m_messages = outcome.messages;
            QFile file(path(json));
            return outcome.exitCode == 0 && file.open(QIODevice::ReadOnly)
                       ? QJsonDocument::fromJson(file.readAll())["inputs"][0]["runs"]
                       : QJsonValue();
        };
        const QJsonValue plain = classified("val/c1/000020.ppm", "plain.json");
        QVERIFY2(plain.isArray(), m_messages);
        QCOMPARE(classified("val.zip/c1/000020.ppm", "packed.json"), plain);
        classified("val.zip/c1/nothing.ppm", "none.json");
        QVERIFY2(m_messages.contains("the archive has no such file"), m_messages);
    }

    void receiptsHashWhatIsPacked()
    {
        evaluated("val", "receipt", {"--receipt", path("folder.receipt")});
        evaluated("val.tar.gz", "receipt-packed", {"--receipt", path("packed.receipt")});
        QFile folder(path("folder.receipt")), packed(path("packed.receipt"));
        QVERIFY(folder.open(QIODevice::ReadOnly) && packed.open(QIODevice::ReadOnly));
        QCOMPARE(packed.readAll(), folder.readAll());
    }

private:
    QString path(const QString& name) const { return m_dir.filePath(name); }
    QStringList command(const QString& data, const QString& store) const
    {
        return QStringList{"evaluate",    path(data),     "--model", path("tiny.json"), "--weights",
                           "untrained:1", "--batch-size", "8",       "--device",        "cpu",
                           "--quiet",     "--threads",    "1",       "--no-measuring",  "--store",
                           path(store)}
               + someAttentions();
    }
    /// The comparable JSON with paths below the data; empty where the command failed.
    QByteArray evaluated(const QString& data, const QString& name, const QStringList& more)
    {
        const Outcome outcome = runCli(command(data, name + ".sqlite") + more
                                       + QStringList{"--json", path(name + ".json")});
        m_messages = outcome.messages;
        QByteArray json = outcome.exitCode == 0 || outcome.exitCode == 3 ? comparable(path(name + ".json"))
                                                                         : QByteArray();
        for (const char* place : {"val.tar.gz/", "val.tar/", "val.zip/", "wds.tar/", "val/"})
            json.replace(path(place).toUtf8(), "");
        return json;
    }

    static constexpr int count = 120;
    QTemporaryDir m_dir;
    QByteArray m_folder, m_messages;
};

ATTNSCOPE_EVENT_TEST(TestCliArchives)
#include "tst_cli_archives.moc"
