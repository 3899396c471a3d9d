#include "checkpoint_builder.h"
#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/device/device.h"
#include "core/run/classifier.h"
#include "models/open_model.h"
#include "models/vit/vit_models.h"
#include "models/vit/vit_weights.h"
#include "models/weights/described_checkpoint.h"
#include "tests/models/description_named.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <QDir>
#include <QFile>

#include <cstring>

using namespace attnscope;
using namespace attnscope::test;

namespace {

const std::string dataFolder = TEST_DATA_DIR "/models/";

/// The message of the error that opening throws, or nothing.
std::string problem(const ModelRequest& request)
{
    return refusal([&] { openModel(request); });
}

}

class TestOpenModel : public QObject {
    Q_OBJECT

private slots:
    void missingUnexpectedAndMismatchingTensorsAreAllNamed()
    {
        Folder folder;
        const std::string path = folder / "weights.safetensors";
        auto entries = entriesOf(dataFolder + "deit_tiny_cfg.weights.official.safetensors");
        entries.erase("blocks.1.norm2.bias");
        entries["extra.weight"] = zeros({2});
        entries["norm.weight"] = zeros({7});
        writeSafetensors(path, entries);
        const std::string text = problem(
            {.model = dataFolder + "deit_tiny_cfg.json", .weights = path, .device = "cpu"});
        SAYS(text, "blocks.1.norm2.bias");
        SAYS(text, "extra.weight");
        SAYS(text, "norm.weight is 7 instead of 36");
    }

    void anotherNumberOfClassesIsAdoptedForNamedModels()
    {
        Folder folder;
        const std::string path = folder / "ten.safetensors";
        auto entries = namedCheckpoint("deit_tiny_patch16_224", 10);
        writeSafetensors(path, entries);
        const auto model = openModel({.model = "deit_tiny_patch16_224", .weights = path, .device = "cpu"});
        QCOMPARE(model->describe().classes, 10);
        const std::vector<std::string>& notes = model->describe().load.notes;
        QVERIFY(std::ranges::any_of(notes, [](const std::string& note) { return contains(note, "10 classes"); }));
    }

    void aCheckpointOfAnotherModelIsRefusedWithTheModelItFits()
    {
        Folder folder;
        const std::string path = folder / "large.safetensors";
        auto entries = namedCheckpoint("deit_base_patch16_384", 1000);
        entries.erase("blocks.3.norm1.bias");
        writeSafetensors(path, entries);
        const std::string text = problem({.model = "deit_base_patch16_224", .weights = path, .device = "cpu"});
        SAYS(text, "it matches deit_base_patch16_384");
    }

    void unknownNamesNameTheNearest()
    {
        const std::string text = problem(
            {.model = "deit_tini_patch16_224", .weights = "untrained", .device = "cpu"});
        SAYS(text, "deit_tiny_patch16_224");
        const std::string tiny = problem({.model = "deit_tny", .weights = "untrained", .device = "cpu"});
        SAYS(tiny, "the closest names are deit_tiny_patch16_224");
        SAYS(problem({.model = "deit_tiny_patch16_224", .device = "cpu"}), "--weights");
        SAYS(problem({.weights = "untrained", .device = "cpu"}), "--model");
        SAYS(problem({.model = "deit_tiny_patch16_224", .weights = "untrained", .device = "cpu", .dtype = "int8"}),
             "float32");
    }

    void untrainedWeightsDependOnTheSeedAlone()
    {
        VitDescription d = test::descriptionNamed(namedVits(), "deit_tiny_patch16_224");
        d.depth = 1;
        const auto a = randomVitWeights(d, 0), b = randomVitWeights(d, 0), c = randomVitWeights(d, 1);
        QVERIFY(a.head.weight.equal(b.head.weight));
        QVERIFY(!a.head.weight.equal(c.head.weight));
        const double stddev = a.blocks[0].mlps[0].fc1.weight.std().item<double>();
        // A normal cut at ±2σ has 0.88 of its standard deviation.
        QVERIFY(std::abs(stddev - 0.02 * 0.8796) < 2e-4);
        QVERIFY(a.blocks[0].mlps[0].fc1.weight.abs().max().item<double>() <= 0.04 + 1e-6);
    }

    void theModelCanBeLeftOutWhereShapesDecideIt()
    {
        const auto weights = dataFolder + "deit_tiny_cfg.weights.official.safetensors";
        const std::string text = problem({.weights = weights, .device = "cpu"});
        SAYS(text, "number of heads");
    }

    void imageSizeResizesThePositionEmbeddingAndSaysSo()
    {
        const auto model = openModel({.model = dataFolder + "deit_tiny_cfg.json",
                                      .weights = dataFolder + "deit_tiny_cfg.weights.official.safetensors",
                                      .device = "cpu",
                                      .imageSize = InputSize::square(48)});
        QCOMPARE(model->describe().input, (std::vector<int64_t>{3, 48, 48}));
        QCOMPARE(model->describe().tokens, 37);
        SAYS(model->describe().load.resized.at(0), "4×4 to 6×6");
        SAYS(problem({.model = "deit_tiny_patch16_224",
                      .weights = "untrained",
                      .device = "cpu",
                      .imageSize = InputSize::square(100)}),
             "multiple");
    }

    void anImageSizeWhoseResizeIsTooLargeIsRefusedAsSuch()
    {
        const auto sized = [](int64_t size, int64_t resize) {
            ModelRequest request{.model = "deit_tiny_patch16_224", .device = "cpu"};
            request.imageSize = InputSize::square(size);
            request.resize = resize;
            return request;
        };
        try {
            describeModel(sized(16384, 0));
            QFAIL("16384 · 256 / 224 is more than pictures are resized to");
        } catch (const UsageError& error) {
            const std::string text = error.what();
            SAYS(text, "an image size of 16384 means a resize to 18724 pixels before the crop");
            SAYS(text, "up to 14336");
        }
        QCOMPARE(describeModel(sized(14336, 0))->evaluationResize(), 16384);
        QCOMPARE(describeModel(sized(16384, 16384))->evaluationResize(), 16384);
    }

    void brokenDescriptionsNameTheKey_data()
    {
        columns<QByteArray, QString>("json", "named");
        const QByteArray good =
            R"("family":"deit","img_size":32,"patch_size":8,"embed_dim":36,"depth":2,"num_heads":3,"num_classes":10)";
        const auto row = [](const char* name, const QByteArray& json, const char* named) {
            attnscope::row(name, json, named);
        };
        row("no object", "[1]", "model description");
        row("not JSON", "{", "JSON");
        row("no family", R"({"depth":2})", "family");
        row("unknown family", R"({"family":"swin"})", "family");
        row("heads do not divide", "{" + QByteArray(good).replace("\"num_heads\":3", "\"num_heads\":5") + "}",
            "num_heads");
        row("negative depth", "{" + QByteArray(good).replace("\"depth\":2", "\"depth\":-2") + "}", "depth");
        row("text depth", "{" + QByteArray(good).replace("\"depth\":2", "\"depth\":\"2\"") + "}", "depth");
        row("size no multiple", "{" + QByteArray(good).replace("\"img_size\":32", "\"img_size\":33") + "}",
            "img_size");
        row("other activation", "{" + good + R"(,"act":"relu"})", "act");
        row("unknown attention", "{" + good + R"(,"attn":"fnet"})", "fnet");
        row("unknown proposal", "{" + good + R"(,"attn":"lara","attn_args":{"proposal_gen":"x"}})",
            "proposal_gen");
    }

    void brokenDescriptionsNameTheKey()
    {
        QFETCH(const QByteArray, json);
        FETCH_TEXT(named);
        const Folder folder;
        const std::string file = folder.put("model.json", json.toStdString());
        const std::string text = problem({.model = file, .weights = "untrained", .device = "cpu"});
        SAYS(text, named);
    }

    void cudaWithoutAGpuIsRefusedAndNeverReplaced()
    {
        if (!devices().back().available) {
            const std::string text = problem(
                {.model = "deit_tiny_patch16_224", .weights = "untrained", .device = "cuda"});
            SAYS(text, "--device cpu");
        }
        SAYS(problem({.model = "deit_tiny_patch16_224", .weights = "untrained", .device = "tpu"}), "cuda:N");
    }
};

ATTNSCOPE_TEST(TestOpenModel)
#include "tst_open_model.moc"
