#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/run/classifier.h"
#include "models/blocks/mlp_width.h"
#include "models/blocks/position_embedding.h"
#include "models/open_model.h"
#include "tests/support/tensor_file.h"
#include "tests/support/test_class.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <map>

using namespace attnscope;

namespace {

const std::string dataFolder = TEST_DATA_DIR "/models/";

std::shared_ptr<const Classifier> openCase(const std::string& name, const std::string& weights,
                                           const std::string& rule = "deit")
{
    return openModel({.model = dataFolder + name + ".json",
                      .weights = dataFolder + weights + ".weights.official.safetensors",
                      .device = "cpu",
                      .positionRule = rule});
}

Json readJson(const std::string& path)
{
    std::ifstream stream(path);
    return Json::parse(stream);
}

/// Keeps every named activation.
class Recorder : public ForwardObserver {
public:
    bool seesActivations() const override { return true; }
    void onActivation(const std::string& name, const at::Tensor& value) override { activations[name] = value; }
    std::map<std::string, at::Tensor> activations;
};

double largestDifference(const at::Tensor& a, const at::Tensor& b)
{
    return (a.reshape(b.sizes()).to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

constexpr double goldenTolerance = 3e-5;  // suggested_atol of the cases: above rounding, below what mistakes do

}

class TestVisionTransformer : public QObject {
    Q_OBJECT

private slots:
    void everyActivationEqualsThePublishedCode_data()
    {
        QTest::addColumn<QString>("weights");
        QTest::newRow("deit_tiny_cfg") << "deit_tiny_cfg";
        QTest::newRow("deit_distilled_tiny_cfg") << "deit_distilled_tiny_cfg";
        QTest::newRow("evit_softmax_tiny_cfg") << "evit_softmax_tiny_cfg";
        QTest::newRow("evit_ra_mean_tiny_cfg") << "evit_softmax_tiny_cfg";
        QTest::newRow("evit_performer_tiny_cfg") << "evit_performer_tiny_cfg";
        QTest::newRow("evit_lara_tiny_cfg") << "evit_lara_tiny_cfg";
    }

    void everyActivationEqualsThePublishedCode()
    {
        QFETCH(const QString, weights);
        const std::string name = QTest::currentDataTag();
        const auto model = openCase(name, weights.toStdString());
        const auto golden = test::readTensors(dataFolder + name + ".io.safetensors");
        Recorder recorder;
        const auto native = model->prepare(AttentionSpec::native(), 0);
        const auto logits = model->logits(golden.at("input"), native, &recorder);
        QVERIFY2(largestDifference(logits, golden.at("logits")) <= goldenTolerance, "logits");
        int compared = 0;
        for (const auto& [key, expected] : golden) {
            if (key.compare(0, 4, "act.") != 0)
                continue;
            const auto found = recorder.activations.find(key.substr(4));
            QVERIFY2(found != recorder.activations.end(), key.c_str());
            const double difference = largestDifference(found->second, expected);
            QVERIFY2(difference <= goldenTolerance, (key + " differs by " + std::to_string(difference)).c_str());
            ++compared;
        }
        QVERIFY(compared >= 5);
        QCOMPARE(native.weights, WeightsKind::Trained);
    }

    void largerInputUsesTheDeitPositionRule()
    {
        for (const std::string name : {"deit_tiny_cfg", "deit_distilled_tiny_cfg"}) {
            const auto model = openCase(name, name);
            const auto golden = test::readTensors(dataFolder + name + ".io.safetensors");
            const auto logits = model->logits(golden.at("input_big"), model->prepare(AttentionSpec::native(), 0));
            QVERIFY(largestDifference(logits, golden.at("logits_big.deit_bicubic")) <= goldenTolerance);
        }
    }

    void positionRulesEqualTheirSources()
    {
        const auto weights = test::readTensors(dataFolder + "deit_tiny_cfg.weights.official.safetensors");
        const auto golden = test::readTensors(dataFolder + "deit_tiny_cfg.io.safetensors");
        const auto resized = [&](std::int64_t rows, std::int64_t columns, PositionRule rule) {
            return resizePositionEmbedding(weights.at("pos_embed"), 1, 4, 4, rows, columns, rule);
        };
        QVERIFY(largestDifference(resized(7, 7, PositionRule::Deit), golden.at("pos_embed.to_7x7.deit_bicubic"))
                < 1e-6);
        QVERIFY(largestDifference(resized(7, 7, PositionRule::Timm),
                                  golden.at("pos_embed.to_7x7.timm_bicubic_antialias"))
                < 1e-6);
        QVERIFY(largestDifference(resized(3, 5, PositionRule::Timm),
                                  golden.at("pos_embed.to_3x5.timm_bicubic_antialias"))
                < 1e-6);
    }

    void switchingTheAttentionLeavesWeightsAndOtherAnswersAlone()
    {
        const auto model = openCase("deit_tiny_cfg", "deit_tiny_cfg");
        const auto input = test::readTensors(dataFolder + "deit_tiny_cfg.io.safetensors").at("input");
        const auto softmax = model->prepare(AttentionSpec::parse("softmax"), 0);
        const auto before = model->logits(input, softmax);
        for (const BackendInfo& info : backends()) {
            if (info.needsReduction)
                continue;
            // Fewer landmarks and keys than the 17 tokens: with as many, some are softmax.
            const std::map<std::string, std::string> fewer{
                {"topk", ":samples=4"},        {"local", ":window=2"}, {"longformer", ":radius=1"},
                {"bigbird", ":block=1"},       {"span", ":span=1"},    {"clustered", ":samples=4,topk=4"},
                {"blocks", ":block=4,keep=1"}, {"hyper", ":block=4"},  {"scatterbrain", ":block=4"},
                {"wildcat", ":samples=4"},     {"merge", ":samples=4"}};
            const auto few = fewer.find(info.name);
            const auto spec = AttentionSpec::parse(info.name
                                                   + (few != fewer.end() ? few->second
                                                      : info.landmarks   ? ":samples=9"
                                                                         : ""));
            const auto prepared = model->prepare(spec, 3);
            QCOMPARE(prepared.weights, info.name == "softmax" ? WeightsKind::Trained : WeightsKind::Swapped);
            const auto logits = model->logits(input, prepared);
            QVERIFY(logits.isfinite().all().item<bool>());
            QVERIFY(logits.equal(model->logits(input, prepared)));
            if (info.name != "softmax")
                QVERIFY2(largestDifference(logits, before) > 1e-6, info.name.c_str());
        }
        QVERIFY(before.equal(model->logits(input, softmax)));
    }

    void reducedKeysAreRefusedWhereNothingReducesThem()
    {
        const auto model = openCase("deit_tiny_cfg", "deit_tiny_cfg");
        for (const char* spec : {"sra", "sra:linear", "softmax:keys=reduced", "lara:samples=9,keys=reduced"}) {
            try {
                model->prepare(AttentionSpec::parse(spec), 0);
                QFAIL(spec);
            } catch (const UsageError& error) {
                QVERIFY2(error.reason().find("no spatial reduction") != std::string::npos, error.what());
            }
        }
        QCOMPARE(model->prepare(AttentionSpec::parse("softmax:keys=all"), 0).weights, WeightsKind::Trained);
    }

    void weightsStayTrainedWhicheverCodeComputesTheirAttention()
    {
        QTemporaryDir folder;
        const auto golden = readJson(dataFolder + "deit_tiny_cfg.json");
        int requested = 0;
        for (const BackendInfo& info : backends()) {
            if (info.needsReduction)
                continue;
            const std::string own = info.name
                                    + (info.landmarks         ? ":samples=9"
                                       : info.name == "local" ? ":window=2"
                                                              : "");
            const AttentionSpec spec = AttentionSpec::parse(own);
            Json description = golden.contains("config") ? golden.at("config") : golden;
            description["attention"] = own;
            description.erase("attn");
            description.erase("attn_args");
            const std::string path = folder.filePath("own.json").toStdString();
            std::ofstream(path) << description;
            const auto model = openModel({.model = path,
                                          .weights = dataFolder + "deit_tiny_cfg.weights.official.safetensors",
                                          .device = "cpu"});
            QCOMPARE(model->prepare(spec, 0).weights, WeightsKind::Trained);
            for (const OptionInfo& option : info.options) {
                if (option.definesAttention)
                    continue;
                const OptionValue other = option.type == OptionType::Choice
                                              ? OptionValue(option.choices.back().name)
                                              : OptionValue(std::int64_t{5});
                QVERIFY2(model->prepare(spec.with(option.name, other), 0).weights == WeightsKind::Trained,
                         (own + " " + option.name).c_str());
                ++requested;
            }
        }
        QVERIFY(requested >= 10);
        QCOMPARE(openCase("deit_tiny_cfg", "deit_tiny_cfg")
                     ->prepare(AttentionSpec::parse("lara:samples=9,kernel=plain"), 0)
                     .weights,
                 WeightsKind::Swapped);
    }

    void mlpsAreAsWideAsTheRatioMeans()
    {
        // As recognisers state what they found in a file, every hidden width comes back.
        for (std::int64_t width = 1; width <= 1024; ++width)
            for (const std::int64_t hidden : {width, 2 * width + 3, 5 * width / 2 + 1, 3 * width + 1, 4 * width})
                QCOMPARE(mlpWidth(width, double(hidden) / double(width)), hidden);
        QCOMPARE(mlpWidth(176, 480.0 / 176), std::int64_t{480});
        QCOMPARE(mlpWidth(192, 3.3), std::int64_t{633});  // 633.6: truncated, as the published code has it
    }

    void explicitSoftmaxEqualsTheFusedOne()
    {
        const auto model = openCase("deit_tiny_cfg", "deit_tiny_cfg");
        const auto input = test::readTensors(dataFolder + "deit_tiny_cfg.io.safetensors").at("input");
        const auto fused = model->prepare(AttentionSpec::parse("softmax"), 0);
        const auto withMatrix = model->prepare(AttentionSpec::parse("softmax:form=explicit"), 0);
        QCOMPARE(withMatrix.weights, WeightsKind::Trained);
        QVERIFY(largestDifference(model->logits(input, fused), model->logits(input, withMatrix)) < 1e-5);
    }

    void anInputThatThePatchDoesNotDivideIsRefused()
    {
        const auto model = openCase("deit_tiny_cfg", "deit_tiny_cfg");
        model->checkInput({3, 32, 40});
        QVERIFY_EXCEPTION_THROWN(model->checkInput({3, 32, 33}), UsageError);
        QVERIFY_EXCEPTION_THROWN(model->checkInput({1, 32, 32}), UsageError);
        QVERIFY_EXCEPTION_THROWN(model->checkInput({3, 4, 32, 32}), UsageError);
    }

    void landmarksComeFromPatchTokensAlone()
    {
        // A DeiT layer's 16 patches pool to 16 landmarks, one each; the class token is a query and a key, but no landmark.
        const auto model = openCase("deit_tiny_cfg", "deit_tiny_cfg");
        const auto prepared = model->prepare(AttentionSpec::parse("lara:samples=16"), 0);
        QVERIFY(!prepared.notes.empty());
        QVERIFY(prepared.notes.front().find("plain pooled landmarks") != std::string::npos);
        QVERIFY_EXCEPTION_THROWN(model->prepare(AttentionSpec::parse("lara:samples=50"), 0), UsageError);
        const AttentionInput in{.q = at::randn({1, 3, 17, 12}),
                                .k = at::randn({1, 3, 17, 12}),
                                .v = at::randn({1, 3, 17, 12}),
                                .scale = 0.3,
                                .tokens = {1, 1, 4, 4}};
        SeededNoise noise(0, 0);
        const auto out = prepared.layers[0]->attend(in, noise);
        AttentionInput given = in;
        given.queryLandmarks = in.q.slice(2, 1);
        given.keyLandmarks = in.k.slice(2, 1);
        QVERIFY(largestDifference(out, prepared.layers[0]->attend(given, noise)) < 1e-6);
    }

    void halfPrecisionStaysNearFloat32()
    {
        const auto golden = test::readTensors(dataFolder + "deit_tiny_cfg.io.safetensors");
        const auto model = openModel({.model = dataFolder + "deit_tiny_cfg.json",
                                      .weights = dataFolder + "deit_tiny_cfg.weights.official.safetensors",
                                      .device = "cpu",
                                      .dtype = "bfloat16"});
        const auto logits = model->logits(golden.at("input").to(at::kBFloat16),
                                          model->prepare(AttentionSpec::native(), 0));
        const double size = golden.at("logits").abs().max().item<double>();
        QVERIFY(largestDifference(logits, golden.at("logits"))
                < 0.1 * size);  // 8 bits of mantissa through two blocks
    }
};

ATTNSCOPE_TEST(TestVisionTransformer)
#include "tst_vision_transformer.moc"
