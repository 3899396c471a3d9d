// Classes given as vectors: networks without a head predict them by cosine.
#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/run/compare.h"
#include "core/run/first_layer.h"
#include "models/class_embeddings.h"
#include "models/open_model.h"
#include "tests/models/golden_models.h"
#include "tests/models/headless_classifier.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <QFile>

#include <cmath>
#include <cstring>

using namespace attnscope;
using namespace attnscope::test;

namespace {

std::shared_ptr<const Classifier> withoutHead(const std::string& name = "deit_tiny_cfg")
{
    return std::make_shared<HeadlessClassifier>(goldenModel(name));
}

SafetensorsEntry tableOf(const std::vector<float>& values, int64_t rows)
{
    SafetensorsEntry entry{ElementType::Float32, {rows, std::ssize(values) / rows}, {}};
    entry.bytes.resize(values.size() * sizeof(float));
    std::memcpy(entry.bytes.data(), values.data(), entry.bytes.size());
    return entry;
}

std::vector<float> wavy(int64_t count)
{
    std::vector<float> values;
    for (int64_t i = 0; i < count; ++i)
        values.push_back(std::sin(0.7f * float(i * i % 101)));
    return values;
}

}

class TestClassEmbeddings : public QObject {
    Q_OBJECT

private slots:
    void aFileIsReadWithItsNamesAndScale()
    {
        const ClassEmbeddings read = readClassEmbeddings(
            written("ok", tableOf(wavy(6), 2), {{"classes", R"(["a cat","a dog"])"}, {"logit_scale", "25.5"}}));
        QCOMPARE(read.classes, (std::vector<std::string>{"a cat", "a dog"}));
        QCOMPARE(read.width, 3);
        QCOMPARE(read.values, wavy(6));
        QCOMPARE(read.scale, 25.5);
        QCOMPARE(readClassEmbeddings(written("usual", tableOf(wavy(6), 2), {{"classes", R"(["a","b"])"}})).scale,
                 100.0);
    }

    void logitsAreScaledCosinesOfFeatures()
    {
        const auto network = withoutHead();
        const int64_t width = network->describe().features;
        ClassEmbeddings embeddings{.file = "made up",
                                   .classes = {"one", "two", "three"},
                                   .width = width,
                                   .values = wavy(3 * width),
                                   .scale = 40};
        const auto classifier = withClassEmbeddings(network, embeddings);
        QCOMPARE(classifier->describe().classes, 3);
        QCOMPARE(classifier->describe().features, width);
        QCOMPARE(classifier->labels(), embeddings.classes);
        SAYS(classifier->describe().load.notes.back(), "made up");
        const PreparedAttention prepared = prepare(*classifier, "performer:samples=8", 3);
        const NetworkInput input = networkInput(waveArray(0.03f), *classifier);
        const at::Tensor features = network->logits(input.values, prepared).to(at::kDouble);
        const at::Tensor rows = at::tensor(embeddings.values).reshape({3, width}).to(at::kDouble);
        const at::Tensor wanted = 40 * at::cosine_similarity(features.unsqueeze(1), rows.unsqueeze(0), 2);
        QVERIFY(difference(classifier->logits(input.values, prepared), wanted) < 1e-4);
        QVERIFY(wanted.abs().max().item<double>() > 0.1);
        // A longer embedding is the same class.
        for (int64_t i = 0; i < width; ++i)
            embeddings.values[size_t(i)] *= 7;
        QVERIFY(difference(withClassEmbeddings(network, embeddings)->logits(input.values, prepared), wanted)
                < 1e-4);
        QCOMPARE(classifier->multiplyAdds(prepared), network->multiplyAdds(prepared) + double(3 * width));
    }

    /// Neighbours and exits read blocks, and see the same classes and the network's own features.
    void readOutsPredictTheSameClasses()
    {
        const auto network = withoutHead();
        const int64_t width = network->describe().features;
        const auto classifier = withClassEmbeddings(
            network, {.file = "f", .classes = {"a", "b"}, .width = width, .values = wavy(2 * width)});
        const PreparedAttention prepared = prepare(*classifier);
        const NetworkInput input = networkInput(waveArray(0.03f), *classifier);
        struct Tokens : ForwardObserver {
            explicit Tokens(std::string block)
                : name(std::move(block))
            {}
            bool seesActivations() const override { return true; }
            void onActivation(const std::string& part, const at::Tensor& value) override
            {
                if (part == name)
                    tokens = value;
            }
            std::string name;
            at::Tensor tokens;
        } last(classifier->readableBlocks().back());
        const at::Tensor logits = classifier->logits(input.values, prepared, &last);
        const Readout readout = classifier->readOut(last.tokens);
        QVERIFY(difference(readout.logits, logits) < 1e-4);
        QVERIFY(difference(readout.features, network->readOut(last.tokens).features) < 1e-6);
        QVERIFY(difference(classifier->exitLogits(0, last.tokens), logits) < 1e-4);
        // Of a network that is a source of its first layer, so is what stands around it.
        const auto whole = goldenModel();
        const int64_t outputs = whole->describe().classes;
        const auto around = withClassEmbeddings(
            whole, {.file = "f", .classes = {"a"}, .width = outputs, .values = wavy(outputs)});
        const auto* source = dynamic_cast<const FirstLayerSource*>(around.get());
        QVERIFY(source != nullptr && source->firstLayer(input.values).has_value());
    }

    /// A projection is stored as a head.
    void ofANetworkWithAHeadItsOutputCounts()
    {
        const auto network = goldenModel();
        const int64_t outputs = network->describe().classes;
        const auto classifier = withClassEmbeddings(
            network, {.file = "f", .classes = {"a", "b"}, .width = outputs, .values = wavy(2 * outputs)});
        const PreparedAttention prepared = prepare(*classifier);
        const NetworkInput input = networkInput(waveArray(0.03f), *classifier);
        const at::Tensor output = network->logits(input.values, prepared);
        const at::Tensor rows = at::tensor(wavy(2 * outputs)).reshape({2, outputs});
        QVERIFY(difference(classifier->logits(input.values, prepared),
                           100 * at::cosine_similarity(output.unsqueeze(1), rows.unsqueeze(0), 2))
                < 1e-3);
    }

    void aRunShowsTheClasses()
    {
        const auto network = withoutHead();
        const int64_t width = network->describe().features;
        const auto classifier = withClassEmbeddings(
            network, {.file = "f", .classes = {"a", "b", "c"}, .width = width, .values = wavy(3 * width)});
        RunRequest request;
        request.attention = {AttentionSpec::parse("softmax"), AttentionSpec::parse("performer:samples=8")};
        request.latency = request.memory = false;
        RunObserver nobody;
        const RunReport report = run(*classifier, {{.path = "picture", .load = [] { return waveArray(0.03f); }}},
                                     request, nobody, {});
        for (const RunRecord& one : report.inputs.front().runs) {
            QCOMPARE(one.top.size(), size_t(3));
            QVERIFY(one.top.front().label == "a" || one.top.front().label == "b" || one.top.front().label == "c");
            QVERIFY(!one.features);
            QVERIFY(one.endToEnd && one.endToEnd->hasClasses && std::isfinite(one.endToEnd->kl));
        }
    }

    void aModelIsOpenedWithThem()
    {
        const std::string model = m_folder / "tiny.json";
        QFile file(QString::fromStdString(model));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            R"({"family":"deit","img_size":16,"patch_size":4,"embed_dim":12,"depth":2,"num_heads":3,"num_classes":5,"attention":"softmax"})");
        file.close();
        ModelRequest request{.model = model, .weights = "untrained:2", .device = "cpu"};
        request.classEmbeddings = written("five", tableOf(wavy(10), 2), {{"classes", R"(["x","y"])"}});
        QCOMPARE(openModel(request)->labels(), (std::vector<std::string>{"x", "y"}));
        request.classEmbeddings = written("six", tableOf(wavy(12), 2), {{"classes", R"(["x","y"])"}});
        const QString sentence = problem([&] { (void)openModel(request); });
        SAYS(sentence, "its embeddings have 6 numbers, but the head of tiny returns 5");
        request.classEmbeddings = m_folder / "missing.safetensors";
        THROWS(FileError, openModel(request));
    }

    void badFilesAreOneSentence_data()
    {
        using Metadata = std::map<std::string, std::string>;
        columns<std::vector<float>, Metadata, QString>("values", "metadata", "part");
        const auto row = [](const char* name, const std::vector<float>& values, const Metadata& metadata,
                            const char* part) {
            QTest::newRow(name) << values << metadata << QString::fromUtf8(part);
        };
        const Metadata named{{"classes", R"(["a","b"])"}};
        const float none = std::nanf("");
        row("no names", {1, 2, 3, 4}, {}, "its header does not name the classes");
        row("no list", {1, 2, 3, 4}, {{"classes", "a, b"}}, "is not a JSON list of names");
        row("numbers", {1, 2, 3, 4}, {{"classes", "[1, 2]"}}, "is not a JSON list of names");
        row("one name", {1, 2, 3, 4}, {{"classes", R"(["a"])"}}, "its header has 1 name for 2 rows of embeddings");
        row("not finite", {1, 2, 3, none}, named, "the embedding of class `b` is not finite");
        row("no direction", {0, 0, 3, 4}, named, "the embedding of class `a` has length 0");
        row("no scale", {1, 2, 3, 4}, {{"classes", R"(["a","b"])"}, {"logit_scale", "large"}},
            "is not a positive number");
        row("negative scale", {1, 2, 3, 4}, {{"classes", R"(["a","b"])"}, {"logit_scale", "-4"}},
            "is not a positive number");
    }
    void badFilesAreOneSentence()
    {
        using Metadata = std::map<std::string, std::string>;
        QFETCH(std::vector<float>, values);
        QFETCH(Metadata, metadata);
        QFETCH(QString, part);
        const std::string file = written("bad", tableOf(values, 2), metadata);
        const QString sentence = problem([&] { (void)readClassEmbeddings(file); });
        QVERIFY2(sentence.contains(part) && sentence.contains("bad.safetensors") && !sentence.contains('\n'),
                 qPrintable(sentence));
    }

    void oneTableIsWanted()
    {
        const std::string two = m_folder / "two.safetensors";
        writeSafetensors(two, {{"a", tableOf(wavy(4), 2)}, {"b", tableOf(wavy(4), 2)}},
                         {{"classes", R"(["a","b"])"}});
        QVERIFY(problem([&] { (void)readClassEmbeddings(two); }).contains("it has 2 tensors instead of one"));
        SafetensorsEntry flat = tableOf(wavy(4), 2);
        flat.shape = {4};
        QVERIFY(problem([&] {
                    (void)readClassEmbeddings(written("flat", flat, {{"classes", R"(["a"])"}}));
                }).contains("not a table"));
    }

private:
    std::string written(const std::string& name, const SafetensorsEntry& table,
                        const std::map<std::string, std::string>& metadata) const
    {
        const std::string file = m_folder / (name + ".safetensors");
        writeSafetensors(file, {{"embeddings", table}}, metadata);
        return file;
    }
    template <typename Work>
    static QString problem(const Work& work)
    {
        try {
            work();
        } catch (const Error& error) {
            return QString::fromUtf8(error.what());
        }
        return {};
    }

    Folder m_folder;
};

ATTNSCOPE_TEST(TestClassEmbeddings)
#include "tst_class_embeddings.moc"
