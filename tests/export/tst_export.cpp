// Networks as ONNX: the bytes that are written, and what is refused. tests/export runs what is written in other programs.
#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "models/export/export_network.h"
#include "models/export/exportable.h"
#include "models/export/graph_builder.h"
#include "tests/export/onnx_reader.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <QFile>

#include <algorithm>
#include <set>

using namespace attnscope;

namespace {

const std::string models = TEST_DATA_DIR "/models/";

ExportRequest requestFor(const std::string& attention, const Folder& folder, const std::string& name = "net.onnx")
{
    ExportRequest request;
    request.model = {.model = models + "deit_tiny_cfg.json",
                     .weights = models + "deit_tiny_cfg.weights.official.safetensors",
                     .device = "cpu"};
    request.attention = attention;
    request.output = folder / (name);
    return request;
}

test::OnnxFile readFile(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        throw FileError(path, "it was not written");
    return test::readOnnx(file.readAll().toStdString());
}

std::string refusal(const std::string& attention)
{
    const Folder folder;
    try {
        (void)exportNetwork(requestFor(attention, folder));
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

}

class TestExport : public QObject {
    Q_OBJECT

private slots:
    void fileHasOneInputOneOutputAndAFreeBatch()
    {
        const Folder folder;
        const ExportReport report = exportNetwork(requestFor("softmax", folder));
        const test::OnnxFile file = readFile(report.output);
        QCOMPARE(file.irVersion, onnx::Model::irVersion);
        QCOMPARE(file.opset, onnx::Model::opset);
        QCOMPARE(file.inputs.size(), 1U);
        QCOMPARE(file.inputs[0].name, "image");
        QCOMPARE(file.inputs[0].shape.front(), "batch");
        QCOMPARE(file.inputs[0].shape.size(), 4U);
        QCOMPARE(file.outputs.size(), 1U);
        QCOMPARE(file.outputs[0].name, "logits");
        QCOMPARE(file.outputs[0].shape.front(), "batch");
        QCOMPARE(file.outputs[0].shape.back(), std::to_string(report.outputs));
        QCOMPARE(int64_t(file.nodes.size()), report.operators);
    }

    void everyNameIsMadeBeforeItIsUsed()
    {
        const Folder folder;
        const test::OnnxFile file = readFile(exportNetwork(requestFor("lara:samples=4", folder)).output);
        std::set<std::string> known{"", "image"}, names;
        for (const auto& tensor : file.initializers)
            QVERIFY(known.insert(tensor.name).second);
        for (const auto& node : file.nodes) {
            QVERIFY2(names.insert(node.name).second, node.name.c_str());
            for (const std::string& input : node.inputs)
                QVERIFY2(known.contains(input), (node.name + " takes " + input).c_str());
            for (const std::string& output : node.outputs)
                QVERIFY2(known.insert(output).second, output.c_str());
        }
        QVERIFY(known.contains(file.outputs[0].name));
    }

    void operatorsAreNamedByTheirPartOfTheNetwork()
    {
        const Folder folder;
        const test::OnnxFile file = readFile(exportNetwork(requestFor("performer:samples=8", folder)).output);
        const auto inAttention = std::ranges::count_if(
            file.nodes, [](const auto& node) { return node.name.starts_with("blocks.1.attn/attention/"); });
        QVERIFY(inAttention > 4);
        QVERIFY(std::ranges::any_of(file.nodes,
                                    [](const auto& node) { return node.name.starts_with("patch_embed/"); }));
        QVERIFY(std::ranges::all_of(file.nodes,
                                    [](const auto& node) { return node.domain.empty(); }));  // no local functions
    }

    void provenanceIsInTheMetadata()
    {
        const Folder folder;
        ExportRequest request = requestFor("performer:samples=8", folder);
        request.seed = 5;
        const auto metadata = readFile(exportNetwork(request).output).metadata;
        QCOMPARE(metadata.at("attention"), "performer:samples=8");
        QCOMPARE(metadata.at("seed"), "5");
        QCOMPARE(metadata.at("weights_sha256").size(), 64U);
        QVERIFY(metadata.at("program").starts_with("Attnscope "));
        const Json preprocessing = Json::parse(metadata.at("preprocessing"));
        QCOMPARE(preprocessing.at("mean").size(), 3U);
        QCOMPARE(preprocessing.at("std").size(), 3U);
    }

    void equalRequestsWriteEqualFiles()
    {
        const Folder folder;
        const auto bytes = [&](const std::string& name, uint64_t seed) {
            ExportRequest request = requestFor("performer:samples=8", folder, name);
            request.seed = seed;
            QFile file(QString::fromStdString(exportNetwork(request).output));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray first = bytes("a.onnx", 1);
        QVERIFY(!first.isEmpty());
        QVERIFY(first == bytes("b.onnx", 1));
        QVERIFY(first != bytes("c.onnx", 2));  // other features ω
    }

    void largeWeightsGoToASecondFile()
    {
        const Folder folder;
        ExportRequest request = requestFor("softmax", folder);
        request.externalAbove = 1000;
        const ExportReport report = exportNetwork(request);
        QCOMPARE(report.external, report.output + ".data");
        const int64_t size = QFile(QString::fromStdString(report.external)).size();
        const test::OnnxFile file = readFile(report.output);
        int outside = 0;
        for (const auto& tensor : file.initializers) {
            if (tensor.external.empty())
                continue;
            ++outside;
            QCOMPARE(tensor.external.at("location"), "net.onnx.data");
            const int64_t offset = std::stoll(tensor.external.at("offset")),
                          length = std::stoll(tensor.external.at("length"));
            QCOMPARE(offset % 4096, 0);
            QVERIFY(offset + length <= size);
        }
        QVERIFY(outside > 4);
        QVERIFY(report.bytes > size);
    }

    void everyMethodIsExportedOrRefused()
    {
        std::vector<std::string> ruled;
        for (const ExportRule& rule : exportRules()) {
            ruled.push_back(rule.method);
            QCOMPARE(rule.reason.empty(), rule.form != ExportForm::Refused);
            if (rule.form == ExportForm::Refused)  // what is proposed instead can be had
                requireExportable(AttentionSpec::parse(rule.nearest), 1);
        }
        QCOMPARE(ruled, backendNames());
    }

    void whatIsSaidToBeExportedIs_data()
    {
        columns<QString>("attention");
        for (const ExportRule& rule : exportRules()) {
            if (rule.form == ExportForm::Refused || rule.method == "sra")
                continue;
            const AttentionSpec spec = AttentionSpec::parse(rule.method);
            const RefusedOptions refused = rule.refused == nullptr ? RefusedOptions{"", spec} : rule.refused(spec);
            addRow("%s", rule.method.c_str()) << QString::fromStdString(refused.nearest.canonical());
        }
    }
    void whatIsSaidToBeExportedIs()
    {
        FETCH_TEXT(attention);
        const Folder folder;
        const ExportReport report = exportNetwork(requestFor(attention, folder));
        QVERIFY(report.operators > 20);
        QCOMPARE_LT(report.recordingError, 1e-4);
    }

    void whatDrawsForEveryImageIsRefusedWithTheNearest_data()
    {
        columns<QString, QString>("attention", "nearest");
        row("unbiased RA", "ra", "the nearest that can is ra:mode=biased.");
        row("noise of LARA", "lara:samples=4,noise=unit", "the nearest that can is lara:samples=4,noise=none.");
        row("mixture of LARA", "lara:samples=4,proposal=mixture",
            "the nearest that can is lara:samples=4,proposal=attended.");
        row("pseudo-inverse", "nystrom:exact_pinv", "the nearest that can is nystrom.");
        row("hashes", "lsh", "the nearest that can is blocks:order=lsh.");
        row("one layer", "0=softmax;1=hyper", "the nearest that can is blocks:order=lsh.");
    }
    void whatDrawsForEveryImageIsRefusedWithTheNearest()
    {
        FETCH_TEXT(attention);
        QFETCH(QString, nearest);
        const QString sentence = QString::fromStdString(refusal(attention));
        SAYS(sentence, "cannot be exported, because ");
        QVERIFY2(sentence.endsWith(nearest), qPrintable(sentence));
        QCOMPARE(sentence.count('\n'), 0);
    }

    void videoIsRefused()
    {
        const Folder folder;
        ExportRequest request = requestFor("native", folder);
        request.model = {.model = models + "motionformer_joint_tiny_cfg.json",
                         .weights = models + "motionformer_joint_tiny_cfg.weights.official.safetensors",
                         .device = "cpu"};
        THROWS(UsageError, exportNetwork(request));
    }

    void anExistingFileIsKept()
    {
        const Folder folder;
        const ExportRequest request = requestFor("softmax", folder);
        QFile file(QString::fromStdString(request.output));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
        file.close();
        THROWS(FileError, exportNetwork(request));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("mine"));
    }

    void shapesBroadcastFromTheLastAxis()
    {
        using onnx::Dimension;
        const onnx::Shape a{{1, true}, {3, false}, {1, false}}, b{{4, false}};
        QVERIFY((onnx::broadcast(a, b) == onnx::Shape{{1, true}, {3, false}, {4, false}}));
        const onnx::Shape two{{2, false}}, three{{3, false}};
        THROWS(std::logic_error, onnx::broadcast(two, three));
    }
};

ATTNSCOPE_TEST(TestExport)
#include "tst_export.moc"
