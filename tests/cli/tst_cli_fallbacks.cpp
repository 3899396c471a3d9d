// Where rounding leaves an attention's numbers no meaning, every command that runs it says what it took instead.
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

using namespace attnscope::test;
using namespace Qt::StringLiterals;

namespace {

const QString steepAttention = u"wildcat:temperature=fixed,tau=0.1"_s;

}

class CliFallbacks : public QObject {
    Q_OBJECT

private slots:
    void everyCommandSaysSo_data()
    {
        QTest::addColumn<QStringList>("words");
        const QString photo = QStringLiteral(RESOURCE_DIR "/demo/photos/cat.jpg");
        const QStringList weights{"--weights", QStringLiteral(DEMO_MODELS "/deit.safetensors")};
        QTest::newRow("classify") << QStringList{"classify", photo} + weights;
        QTest::newRow("compare") << QStringList{"compare", photo, "--no-latency", "--no-memory"} + weights;
        QTest::newRow("layers") << QStringList{"layers", photo, "--seeds", "1"} + weights;
        QTest::newRow("layers of tensors")
            << QStringList{"layers", testData("attention/a_performer.safetensors"), "--seeds", "1"};
        QTest::newRow("approximate") << QStringList{"approximate", photo, "--samples", "64", "--seeds", "1"}
                                            + weights;
        QTest::newRow("approximate of random numbers")
            << QStringList{"approximate", "--random", "100", "--samples", "64", "--seeds", "1"};
        QTest::newRow("attend") << QStringList{"attend", testData("attention/a_performer.safetensors"), "--seeds",
                                               "1"};
    }
    void everyCommandSaysSo()
    {
        QFETCH(QStringList, words);
        const Outcome steep = runCli(words + QStringList{"--quiet", "--attention", steepAttention, "--json", "-"});
        QVERIFY2(steep.exitCode == 0, steep.messages.constData());
        QVERIFY2(steep.data.contains("computed in float64"), steep.data.constData());
        const Outcome ordinary = runCli(words + QStringList{"--quiet", "--attention", "wildcat", "--json", "-"});
        QVERIFY2(ordinary.exitCode == 0 && !ordinary.data.contains(" heads "), ordinary.data.constData());
    }

    void tablesSaySoToo()
    {
        const Outcome table = runCli({"attend", testData("attention/a_performer.safetensors"), "--seeds", "1",
                                      "--attention", steepAttention});
        const QByteArray said = table.data + table.messages;
        QVERIFY2(table.exitCode == 0 && said.contains("computed in float64"), said.constData());
    }
};

ATTNSCOPE_TEST(CliFallbacks)
#include "tst_cli_fallbacks.moc"
