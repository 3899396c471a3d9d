// `evaluate --cache`: the same bytes as without, whatever becomes of the cache.
#include "evaluation_runs.h"
#include "tests/support/signal_process.h"
#include "tests/support/test_class.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <random>

using namespace attnscope::test;

class TestCliEvaluateCache : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        put(path("tiny.json"), tinyNetwork);
        putImages(path("val"), 120);
        const QDir goldens(QStringLiteral(TEST_DATA_DIR) + "/preprocess/images");
        for (const QString& name : goldens.entryList({"jpeg*.jpg", "exif*.jpg", "gray*.jpg"})) {
            QDir().mkpath(path("jpegs/c0"));
            QVERIFY(QFile::copy(goldens.filePath(name), path("jpegs/c0/" + name)));
        }
        QVERIFY(QDir(path("jpegs/c0")).count() > 4);
        QTest::qSleep(2100);  // images that just changed are not kept
    }

    void resultsAreTheSameWithAndWithoutIt()
    {
        for (const QString data : {"val", "jpegs"}) {
            const QByteArray without = evaluated(data, data + "-without", {});
            QVERIFY2(!without.isEmpty(), m_messages);
            const QStringList cached{"--cache", path(data + "-cache")};
            QCOMPARE(evaluated(data, data + "-filling", cached), without);
            QVERIFY(!QDir(path(data + "-cache")).entryList({"*.crops"}).isEmpty());
            QCOMPARE(evaluated(data, data + "-filled", cached), without);
        }
    }

    void secondEvaluationDecodesNothing()
    {
        const QStringList cached{"--cache", path("jpegs-cache")};
        const QByteArray before = qgetenv("ATTNSCOPE_DECODER");
        qputenv("ATTNSCOPE_DECODER", "/bin/false");
        const QByteArray without = evaluated("jpegs", "no-decoder", {});
        const QByteArray with = evaluated("jpegs", "no-decoder-cached", cached);
        qputenv("ATTNSCOPE_DECODER", before);
        QVERIFY(without.isEmpty());
        QVERIFY2(!with.isEmpty(), m_messages);
        QCOMPARE(with, comparable(path("jpegs-without.json")));
    }

    /// JPEGs decoded to a fraction of their size are other crops: their record says so, and a cache of exact ones does not hold them.
    void fastDecodingIsNamedAndKeptApart()
    {
        const QStringList fast{"--decode", "fast"}, cached{"--cache", path("jpegs-cache")};
        const QByteArray without = evaluated("jpegs", "fast", fast);
        QVERIFY2(without.contains("scaled JPEG decoding"), m_messages);
        QVERIFY(!comparable(path("jpegs-without.json")).contains("scaled JPEG decoding"));
        QCOMPARE(evaluated("jpegs", "fast-filling", fast + cached), without);
        QCOMPARE(evaluated("jpegs", "fast-filled", fast + cached), without);
    }

    void killedAtRandomItGivesTheSameBytes()
    {
        std::minstd_rand random(5);
        int killed = 0;
        for (int attempt = 0; attempt < 6; ++attempt) {
            QProcess process;
            process.start(QStringLiteral(ATTNSCOPE_CLI),
                          command("val", "killed.sqlite")
                              + QStringList{"--resume", "--cache", path("killed-cache"), "--workers", "2"});
            if (!process.waitForFinished(200 + int(random() % 700))) {
                signalProcess(process.processId(), SIGKILL);
                process.waitForFinished();
                ++killed;
            }
        }
        QVERIFY(killed > 0);
        QCOMPARE(evaluated("val", "killed", {"--resume", "--cache", path("killed-cache")}),
                 comparable(path("val-without.json")));
        // What was killed behind its last batch left nothing to resume, and its crops to whoever opens the cache next.
        QCOMPARE(evaluated("val", "killed-anew", {"--cache", path("killed-cache")}),
                 comparable(path("val-without.json")));
        QVERIFY(QDir(path("killed-cache")).entryList({"*.part"}).isEmpty());
    }

    void damagedCacheGivesTheSameBytes()
    {
        const QDir cache(path("val-cache"));
        for (const QString& name : cache.entryList({"*.crops"})) {
            QFile file(cache.filePath(name));
            QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(file.size() / 4096 / 2 * 4096));
            QCOMPARE(file.write("damaged"), qint64(7));
        }
        QCOMPARE(evaluated("val", "damaged", {"--cache", cache.path()}), comparable(path("val-without.json")));
        QCOMPARE(evaluated("val", "mended", {"--cache", cache.path()}), comparable(path("val-without.json")));
        QVERIFY(!cache.entryList({"*.crops"}).isEmpty());
    }

    void videosAndPlacesThatAreNoFolderAreRefused()
    {
        put(path("file"), "x");
        QVERIFY(evaluated("val", "refused", {"--cache", path("file")}).isEmpty());
        QVERIFY2(m_messages.contains("crops cannot be stored there"), m_messages);
        put(path("videos/c0/a.mp4"), "x");
        QVERIFY(evaluated("videos", "refused2", {"--cache", path("cache")}).isEmpty());
        QVERIFY2(m_messages.contains("--cache: only images can be cached"), m_messages);
    }

private:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QStringList command(const QString& data, const QString& store) const
    {
        return QStringList{"evaluate",    path(data),     "--model", path("tiny.json"), "--weights",
                           "untrained:1", "--batch-size", "8",       "--device",        "cpu",
                           "--quiet",     "--threads",    "1",       "--no-measuring",  "--store",
                           path(store)}
               + someAttentions();
    }
    /// The JSON without timings, and empty when it failed.
    QByteArray evaluated(const QString& data, const QString& name, const QStringList& more)
    {
        const Outcome outcome = runCli(command(data, name + ".sqlite") + more
                                       + QStringList{"--json", path(name + ".json")});
        m_messages = outcome.messages;
        return outcome.exitCode == 0 ? comparable(path(name + ".json")) : QByteArray();
    }

    QTemporaryDir m_folder;
    QByteArray m_messages;
};

ATTNSCOPE_EVENT_TEST(TestCliEvaluateCache)
#include "tst_cli_evaluate_cache.moc"
