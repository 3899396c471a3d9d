// Export as a program: what it prints, and its refusals.
#include "tests/cli/cli_process.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QTemporaryDir>

using namespace attnscope::test;
using namespace Qt::StringLiterals;

class TestCliExport : public QObject {
    Q_OBJECT

private slots:
    void aNetworkIsWrittenAndDescribed()
    {
        const QTemporaryDir folder;
        const auto outcome = runCli({"export", "--weights", DEMO_MODELS "/deit.safetensors", "--attention",
                                     "0-1=softmax;2-3=monarch", "--out", "net.onnx", "--json", "-"},
                                    folder.path());
        QVERIFY2(outcome.exitCode == 0, outcome.messages.constData());
        const QJsonObject json = outcome.json();
        QCOMPARE(json["attention"].toString(), u"0-1=softmax;2-3=monarch;4-5=softmax"_s);
        QCOMPARE(json["output_name"].toString(), u"logits"_s);
        QCOMPARE(json["opset"].toInt(), 23);
        QVERIFY(json["recording_error"].toDouble(1) < 1e-4);
        QCOMPARE(QFile(folder.filePath("net.onnx")).size(), json["bytes"].toInteger());
    }

    void whatDrawsForEveryImageIsRefusedInOneSentence()
    {
        const QTemporaryDir folder;
        const auto outcome = runCli(
            {"export", "--weights", DEMO_MODELS "/deit.safetensors", "--attention", "ra", "--out", "net.onnx"},
            folder.path());
        QCOMPARE(outcome.exitCode, 2);
        QCOMPARE(outcome.messages.trimmed().count('\n'), 0);
        QVERIFY2(outcome.messages.contains("the nearest that can is ra:mode=biased"),
                 outcome.messages.constData());
        QVERIFY(!QFile::exists(folder.filePath("net.onnx")));
    }

    void videoIsRefused()
    {
        const QTemporaryDir folder;
        const auto outcome = runCli(
            {"export", "--weights", DEMO_MODELS "/motionformer.safetensors", "--out", "net.onnx"}, folder.path());
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.messages.contains("networks for videos are not exported"), outcome.messages.constData());
    }
};

ATTNSCOPE_TEST(TestCliExport)
#include "tst_cli_export.moc"
