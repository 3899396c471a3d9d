#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "models/blocks/mlp_width.h"
#include "models/blocks/position_embedding.h"
#include "tests/models/golden_models.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <map>

using namespace attnscope;
using namespace attnscope::test;

class TestVisionTransformer : public QObject {
    Q_OBJECT

private slots:
    void positionRulesEqualTheirSources()
    {
        const auto weights = readTensors(modelFolder + "deit_tiny_cfg.weights.official.safetensors");
        const auto golden = goldenTensors("deit_tiny_cfg");
        const auto resized = [&](int64_t rows, int64_t columns, PositionRule rule) {
            return resizePositionEmbedding(weights.at("pos_embed"), 1, 4, 4, rows, columns, rule);
        };
        QVERIFY(difference(resized(7, 7, PositionRule::Deit), golden.at("pos_embed.to_7x7.deit_bicubic")) < 1e-6);
        QVERIFY(difference(resized(7, 7, PositionRule::Timm), golden.at("pos_embed.to_7x7.timm_bicubic_antialias"))
                < 1e-6);
        QVERIFY(difference(resized(3, 5, PositionRule::Timm), golden.at("pos_embed.to_3x5.timm_bicubic_antialias"))
                < 1e-6);
    }

    void switchingTheAttentionLeavesWeightsAndOtherAnswersAlone()
    {
        const auto model = goldenModel();
        const auto input = goldenTensors("deit_tiny_cfg").at("input");
        const auto softmax = prepare(*model, "softmax");
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
            QVERIFY(isFinite(logits));
            QVERIFY(logits.equal(model->logits(input, prepared)));
            if (info.name != "softmax")
                QVERIFY2(difference(logits, before) > 1e-6, info.name.c_str());
        }
        QVERIFY(before.equal(model->logits(input, softmax)));
    }

    void reducedKeysAreRefusedWhereNothingReducesThem()
    {
        const auto model = goldenModel();
        for (const char* spec : {"sra", "sra:linear", "softmax:keys=reduced", "lara:samples=9,keys=reduced"}) {
            try {
                prepare(*model, spec);
                QFAIL(spec);
            } catch (const UsageError& error) {
                QVERIFY2(error.reason().find("no spatial reduction") != std::string::npos, error.what());
            }
        }
        QCOMPARE(prepare(*model, "softmax:keys=all").weights, WeightsKind::Trained);
    }

    void weightsStayTrainedWhicheverCodeComputesTheirAttention()
    {
        const Folder folder;
        const auto golden = goldenJson("deit_tiny_cfg");
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
            const std::string path = folder.put("own.json", description.dump());
            const auto model = openModel({.model = path,
                                          .weights = modelFolder + "deit_tiny_cfg.weights.official.safetensors",
                                          .device = "cpu"});
            QCOMPARE(model->prepare(spec, 0).weights, WeightsKind::Trained);
            for (const OptionInfo& option : info.options) {
                if (option.definesAttention)
                    continue;
                const OptionValue other = option.type == OptionType::Choice
                                              ? OptionValue(option.choices.back().name)
                                              : OptionValue(int64_t{5});
                QVERIFY2(model->prepare(spec.with(option.name, other), 0).weights == WeightsKind::Trained,
                         (own + " " + option.name).c_str());
                ++requested;
            }
        }
        QVERIFY(requested >= 10);
        QCOMPARE(prepare(*goldenModel(), "lara:samples=9,kernel=plain").weights, WeightsKind::Swapped);
    }

    void mlpsAreAsWideAsTheRatioMeans()
    {
        // As recognisers state what they found in a file, every hidden width comes back.
        for (int64_t width = 1; width <= 1024; ++width)
            for (const int64_t hidden : {width, 2 * width + 3, 5 * width / 2 + 1, 3 * width + 1, 4 * width})
                QCOMPARE(mlpWidth(width, double(hidden) / double(width)), hidden);
        QCOMPARE(mlpWidth(176, 480.0 / 176), 480);
        QCOMPARE(mlpWidth(192, 3.3), 633);  // 633.6: truncated, as the published code has it
    }

    void landmarksComeFromPatchTokensAlone()
    {
        // A DeiT layer's 16 patches pool to 16 landmarks, one each; the class token is a query and a key, but no landmark.
        const auto model = goldenModel();
        const auto prepared = prepare(*model, "lara:samples=16");
        QVERIFY(!prepared.notes.empty());
        SAYS(prepared.notes.front(), "plain pooled landmarks");
        THROWS(UsageError, prepare(*model, "lara:samples=50"));
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
        QVERIFY(difference(out, prepared.layers[0]->attend(given, noise)) < 1e-6);
    }
};

ATTNSCOPE_TEST(TestVisionTransformer)
#include "tst_vision_transformer.moc"
