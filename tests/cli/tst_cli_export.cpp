// Export as a program: what it prints, and its refusals.
#include "tests/cli/cli_process.h"
#include "tests/export/onnx_reader.h"
#include "tests/support/test_class.h"

#include <QFile>
#include <QSet>
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

    /// What Model Explorer shows numbers at are operators of the file that it has opened.
    void anOverlayNamesOperatorsOfTheExportedFile()
    {
        const QTemporaryDir folder;
        const QStringList network{"--weights", DEMO_MODELS "/deit.safetensors", "--attention", "lara"};
        QCOMPARE(runCli(QStringList{"export", "--out", "net.onnx"} + network, folder.path()).exitCode, 0);
        QCOMPARE(runCli(QStringList{"layers", DEMO_MODELS "/../photos/cat.jpg", "--teacher-forced", "--overlay",
                                    "errors.json"}
                            + network,
                        folder.path())
                     .exitCode,
                 0);
        QFile file(folder.filePath("net.onnx")), overlay(folder.filePath("errors.json"));
        QVERIFY(file.open(QIODevice::ReadOnly) && overlay.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        const QJsonObject json = QJsonDocument::fromJson(overlay.readAll()).object();
        QJsonObject results = json["results"].toObject();
        QSet<double> values;
        for (const OnnxNode& node : readOnnx({bytes.data(), size_t(bytes.size())}).nodes) {
            const QJsonValue result = results.take(QString::fromStdString(node.name));
            QCOMPARE(result.isObject(), node.name.find("attn/attention/") != std::string::npos);
            if (result.isObject())
                values.insert(result["value"].toDouble());
        }
        QVERIFY(results.isEmpty());
        QCOMPARE(values.size(), 6);  // one of each layer
        QCOMPARE(json["gradient"].toArray().size(), 3);
    }

    void anOverlayThatCannotBeIsRefusedBeforeAnythingIsMeasured()
    {
        const QStringList layers{"layers", DEMO_MODELS "/../photos/cat.jpg", "--weights",
                                 DEMO_MODELS "/deit.safetensors", "--attention"};
        for (const QStringList& wrong : {QStringList{"ra", "--overlay", "a.json"},
                                         {"lara", "--overlay", "a.svg"},
                                         {"lara", "--overlay", "/nowhere/a.json"}}) {
            const auto outcome = runCli(layers + wrong);
            QVERIFY(outcome.exitCode != 0 && outcome.data.isEmpty());
            QCOMPARE(outcome.messages.trimmed().count('\n'), 0);
        }
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
