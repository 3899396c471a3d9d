#include "hostile_files.h"
#include "tests/support/test_class.h"

#include <sys/resource.h>

#include <set>

using namespace attnscope;
using namespace attnscope::test;

class TestHostileFiles : public QObject {
    Q_OBJECT
private slots:
    void everyWayEndsInOneSentenceOrInPlainWeights_data()
    {
        columns<QByteArray, QString>("bytes", "sentence");
        for (const HostileFile& file : hostileFiles())
            row(file.name, QByteArray::fromStdString(file.bytes), file.sentence);
    }

    /// In time, in little memory, and without leaving anything behind.
    void everyWayEndsInOneSentenceOrInPlainWeights()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, sentence);
        const std::string path = m_folder.put("f", bytes.toStdString());
        struct rusage before {
        }, after{};
        ::getrusage(RUSAGE_SELF, &before);
        QElapsedTimer timer;
        timer.start();
        const QString said = refusal(path);
        QCOMPARE_LT(timer.elapsed(), 2000);
        ::getrusage(RUSAGE_SELF, &after);
#ifdef __SANITIZE_ADDRESS__
        constexpr long mebibytes = 150;  // it keeps what was freed for a while
#else
        constexpr long mebibytes = 50;
#endif
        QCOMPARE_LT(after.ru_maxrss - before.ru_maxrss, mebibytes * 1024);
        if (sentence.isEmpty())
            QCOMPARE(said, QString());
        else
            QVERIFY2(said.contains(sentence) && said.endsWith('.') && !said.contains('\n'), qPrintable(said));
        QCOMPARE(namesIn(m_folder), QStringList{"f"});
        QVERIFY(!QFile::exists("pwned"));
    }

    void theWaysAreManyAndTheirNamesDiffer()
    {
        std::set<std::string> names;
        for (const HostileFile& file : hostileFiles())
            names.insert(file.name);
        QCOMPARE(names.size(), hostileFiles().size());
        QCOMPARE_GE(names.size(), 60);
    }

private:
    Folder m_folder;
};

ATTNSCOPE_TEST(TestHostileFiles)
#include "tst_hostile_files.moc"
