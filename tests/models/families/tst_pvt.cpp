#include "core/base/error.h"
#include "core/measure/memory.h"
#include "models/pvt/pvt_models.h"
#include "models/pvt/pvt_names.h"
#include "models/pvt/pyramid_vision_transformer.h"
#include "tests/models/description_named.h"
#include "tests/models/golden_models.h"
#include "tests/support/test_class.h"

#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

PvtDescription describedBy(const std::string& name)
{
    PvtDescription description = parsePvtDescription(goldenJson(name)["config"], name);
    description.name = name;
    return description;
}

using Model = PyramidVisionTransformer;

std::unique_ptr<Model> build(const PvtDescription& d, PvtWeights weights, WeightsKind kind)
{
    Model::Setup setup;
    setup.description = d;
    setup.weights = std::move(weights);
    setup.kind = kind;
    return std::make_unique<Model>(std::move(setup));
}

std::unique_ptr<Model> untrained(const PvtDescription& d)
{
    return build(d, randomPvtWeights(d, 0), WeightsKind::Untrained);
}

std::shared_ptr<const Classifier> openCase(const std::string& name)
{
    return goldenModel(name, {.plain = true});
}

at::Tensor prediction(const Classifier& model, const at::Tensor& input, const std::string& spec,
                      ForwardObserver* observer = nullptr)
{
    return model.logits(input, prepare(model, spec), observer);
}

at::Tensor image(int64_t height, int64_t width)
{
    SeededNoise noise(1, 0);
    return noise.normal("picture", {1, 3, height, width}, at::kFloat);
}

}

class TestPvt : public QObject {
    Q_OBJECT

private slots:
    void countedMultiplyAddsAreThoseOfTheNetwork()
    {
        for (const char* name : {"pvtv2_sra_tiny_cfg", "pvtv2_linear_tiny_cfg", "pvtv2_lara_tiny_cfg"}) {
            const PvtDescription d = describedBy(name);
            const auto model = untrained(d);
            QCOMPARE(model->describe().macs, d.multiplyAdds(d.attention));
            QCOMPARE(model->multiplyAdds(prepare(*model, "performer")),
                     d.multiplyAdds(AttentionSpec::parse("performer")));
        }
        // With every token a key, kv works on all of them and sr on none.
        const PvtDescription d = descriptionNamed(namedPvts(), "pvt_v2_b1");
        const double c = 64, tokens = 3136, cells = 49;
        PvtDescription one = d;
        one.stages = {d.stages.front()};
        QCOMPARE(one.blockMultiplyAdds(0, KeySource::All) - one.blockMultiplyAdds(0, KeySource::Reduced),
                 (tokens - cells) * 2 * c * c - cells * 64 * c * c);
    }

    void untrainedWeightsHaveThePublishedSpread()
    {
        // Convolutions by their fan-out, so that depthwise ones are not drowned.
        const PvtWeights large = randomPvtWeights(descriptionNamed(namedPvts(), "pvt_v2_b1"), 0);
        const auto stddev = [](const at::Tensor& x) { return x.std().item<double>(); };
        QVERIFY(std::abs(stddev(large.stages[0].blocks[0].convolution.weight) - std::sqrt(2.0 / 9)) < 0.02);
        QVERIFY(std::abs(stddev(large.stages[1].embedding.weight) - std::sqrt(2.0 / (9 * 128))) < 0.001);
        QVERIFY(std::abs(stddev(large.head.weight) - 0.02 * 0.8796) < 0.0002);  // a normal cut at ±2
    }

    void softmaxOverReducedKeysIsSra_data()
    {
        columns<QString>("sra");
        row("pvtv2_sra_tiny_cfg", "sra");
        row("pvtv2_linear_tiny_cfg", "sra:linear");
    }

    void softmaxOverReducedKeysIsSra()
    {
        FETCH_TEXT(sra);
        const std::string name = currentDataTag();
        const auto model = openCase(name);
        const auto input = goldenTensors(name).at("input_rect");
        const auto native = prepare(*model);
        QCOMPARE(native.resolved.canonical(), AttentionSpec::parse(sra).canonical());
        const auto expected = model->logits(input, native, nullptr);
        QVERIFY(expected.equal(prediction(*model, input, sra)));
        QVERIFY(expected.equal(prediction(*model, input, "softmax:keys=reduced")));
        QVERIFY(difference(prediction(*model, input, "softmax:form=explicit,keys=reduced"), expected)
                < goldenTolerance);
        // Biased RA with every pair, not quite softmax; over all keys something else altogether.
        QVERIFY(difference(prediction(*model, input, "softmax"), expected) > 1e-3);
    }

    void keysComeFromWhereTheSpecificationSays()
    {
        const auto sizes = [](const std::string& name, const std::string& spec) {
            Recorder recorder;
            prediction(*openCase(name), image(75, 101), spec, &recorder);
            std::vector<int64_t> keys;
            for (const AttentionInput& in : recorder.inputs) {
                keys.push_back(in.k.size(2));
                if (in.tokens.count() != in.q.size(2) || in.keyLayout().count() != in.k.size(2))
                    keys.push_back(-1);  // a layout that does not fit its tokens
            }
            return keys;
        };
        // Grids of 19×26, 10×13, 5×7 and 3×4 tokens; R = 8, 4, 2, 1.
        using Keys = std::vector<int64_t>;
        QCOMPARE(sizes("pvtv2_sra_tiny_cfg", "sra"), (Keys{2 * 3, 2 * 3, 2 * 3, 2 * 3, 12}));
        QCOMPARE(sizes("pvtv2_sra_tiny_cfg", "performer:keys=reduced"), (Keys{6, 6, 6, 6, 12}));
        QCOMPARE(sizes("pvtv2_sra_tiny_cfg", "performer"), (Keys{494, 130, 130, 35, 12}));
        QCOMPARE(sizes("pvtv2_linear_tiny_cfg", "sra:linear"),
                 (Keys{49, 49, 49, 49}));  // up where the grid is smaller
        QCOMPARE(sizes("pvtv2_linear_tiny_cfg", "softmax"), (Keys{494, 130, 35, 12}));
        QCOMPARE(sizes("pvtv2_lara_tiny_cfg", "softmax"), (Keys{494, 130, 35, 12}));
    }

    void weightsAreMarkedByTheirKeys_data()
    {
        columns<QString, QString, int, QString>("name", "spec", "weights", "exact");
        const auto row = [](const char* name, const char* spec, WeightsKind kind, const char* exact) {
            attnscope::row(std::string(name) + " " + spec, name, spec, int(kind), exact);
        };
        const char* all = "softmax over all keys";
        const char* reduced = "spatial reduction (SRA)";
        row("pvtv2_sra_tiny_cfg", "native", WeightsKind::Trained, reduced);
        row("pvtv2_sra_tiny_cfg", "sra", WeightsKind::Trained, reduced);
        row("pvtv2_sra_tiny_cfg", "softmax:form=explicit,keys=reduced", WeightsKind::Trained, reduced);
        row("pvtv2_sra_tiny_cfg", "performer:keys=reduced", WeightsKind::Swapped, reduced);
        row("pvtv2_sra_tiny_cfg", "softmax", WeightsKind::Untrained, all);
        row("pvtv2_sra_tiny_cfg", "ra", WeightsKind::Untrained, all);
        row("pvtv2_linear_tiny_cfg", "native", WeightsKind::Trained, reduced);
        row("pvtv2_linear_tiny_cfg", "lara:samples=9,keys=reduced", WeightsKind::Swapped, reduced);
        row("pvtv2_lara_tiny_cfg", "native", WeightsKind::Trained, all);
        row("pvtv2_lara_tiny_cfg", "lara:samples=4,proposal=mixed,beta=2,seed=3", WeightsKind::Trained, all);
        row("pvtv2_lara_tiny_cfg", "softmax", WeightsKind::Swapped, all);
    }

    void weightsAreMarkedByTheirKeys()
    {
        FETCH_TEXT(name);
        FETCH_TEXT(spec);
        QFETCH(const int, weights);
        FETCH_TEXT(exact);
        const auto model = openCase(name);
        const auto prepared = prepare(*model, spec);
        QCOMPARE(int(prepared.weights), weights);
        SAYS(prepared.exactMeaning, exact);
        // The reference has the same keys, and is exact against itself.
        const auto reference = model->prepare(prepared.exact, 0);
        QCOMPARE(reference.exact.canonical(), prepared.exact.canonical());
        if (name != "pvtv2_lara_tiny_cfg")
            SAYS(prepared.notes, "exact means");
        QCOMPARE(contains(prepared.notes, "are dropped"), weights == int(WeightsKind::Untrained));
    }

    void everyAttentionRunsOnAnyPicture_data()
    {
        columns<QString, int, int>("name", "height", "width");
        for (const char* name : {"pvtv2_sra_tiny_cfg", "pvtv2_linear_tiny_cfg", "pvtv2_lara_tiny_cfg"})
            for (const auto& [height, width] : {std::pair{29, 29}, {64, 64}, {75, 101}, {33, 257}})
                row(QString("%1 %2×%3").arg(name).arg(height).arg(width), name, height, width);
    }

    void everyAttentionRunsOnAnyPicture()
    {
        FETCH_TEXT(name);
        QFETCH(const int, height);
        QFETCH(const int, width);
        const auto model = openCase(name);
        model->checkInput({3, height, width});
        const auto input = image(height, width);
        for (const BackendInfo& info : backends()) {
            if (info.needsReduction)
                continue;
            // 49 landmarks on a grid, whatever the stage's own: 1×1 tokens have them too.
            for (const std::string keys : {"all", "reduced"}) {
                if (keys == "reduced" && (name == "pvtv2_lara_tiny_cfg" || info.ownKeysOnly))
                    continue;
                const auto prepared = prepare(*model, info.name + ":keys=" + keys);
                const auto logits = model->logits(input, prepared, nullptr);
                QVERIFY2(isFinite(logits), (info.name + " " + keys).c_str());
                QVERIFY(logits.equal(model->logits(input, prepared, nullptr)));
            }
        }
        QVERIFY(isFinite(prediction(*model, input, "lara:proposal=mixed,beta=2,noise=unit")));
    }

    void stagesWithoutReductionKeepSoftmax()
    {
        for (const char* name : {"pvtv2_sra_tiny_cfg", "pvtv2_lara_tiny_cfg"}) {
            const auto prepared = prepare(*openCase(name), "performer:samples=9");
            QCOMPARE(prepared.layers.back()->spec().canonical(), "softmax");
            for (size_t i = 0; i + 1 < prepared.layers.size(); ++i)
                QCOMPARE(prepared.layers[i]->spec().canonical(), "performer:samples=9");
        }
        const auto reduced = prepare(*openCase("pvtv2_linear_tiny_cfg"), "rfa:keys=reduced");
        QCOMPARE(reduced.layers.back()->spec().canonical(), "softmax:keys=reduced");
        QCOMPARE(reduced.layers.front()->spec().canonical(), "rfa:keys=reduced");
    }

    void manyDrawsOfRandomizedAttentionComeNearSra()
    {
        const auto model = openCase("pvtv2_sra_tiny_cfg");
        Recorder recorder;
        prediction(*model, goldenTensors("pvtv2_sra_tiny_cfg").at("input"), "sra", &recorder);
        for (size_t layer = 0; layer < 4; ++layer) {
            const auto attended = [&](const std::string& spec) {
                const auto prepared = prepare(*model, spec);
                return prepared.layers[layer]->attend(recorder.inputs[layer], *prepared.noise[layer]);
            };
            const auto exact = attended("sra");
            const double few = (attended("ra:samples=2,keys=reduced") - exact).norm().item<double>();
            const double many = (attended("ra:samples=64,keys=reduced") - exact).norm().item<double>();
            QVERIFY2(many < few / 4,
                     qPrintable(QString("%1 with 2, %2 with 64 draws").arg(few).arg(many)));  // √32
        }
    }

    void jointFormAgreesWithSeparateMatrices()
    {
        // The official weights with q and kv joined are the LARA authors' softmax form: the same function over all keys.
        const PvtDescription d = describedBy("pvtv2_sra_tiny_cfg");
        const PvtWeights separate = randomPvtWeights(d, 5);
        PvtWeights joint = separate;
        for (PvtStageWeights& stage : joint.stages)
            for (PvtBlockWeights& block : stage.blocks) {
                block.joint = {at::cat({block.query.weight, block.keyValue.weight}),
                               at::cat({block.query.bias, block.keyValue.bias})};
                block.query = block.keyValue = {};
                block.reduction = {};
            }
        PvtDescription form = d;
        form.form = PvtForm::Joint;
        form.attention = AttentionSpec::parse("softmax");
        const auto input = image(64, 64);
        const auto expected = prediction(*build(d, separate, WeightsKind::Trained), input, "softmax");
        QVERIFY(difference(prediction(*build(form, joint, WeightsKind::Trained), input, "softmax"), expected)
                < 1e-5);
    }

    void mistakesNameStageAndBlock()
    {
        const auto model = openCase("pvtv2_sra_tiny_cfg");
        const auto text = refusal([&] { prepare(*model, "lara:samples=50"); });
        QVERIFY(text.starts_with("stage 1 block 1: "));
        SAYS(text, "not a square");
        const PvtDescription d = describedBy("pvtv2_sra_tiny_cfg");
        QCOMPARE(d.place(0).name(), "stage 1 block 1");
        QCOMPARE(d.place(2).name(), "stage 2 block 2");
        QCOMPARE(d.place(4).name(), "stage 4 block 1");
        QCOMPARE(d.layers(), 5);
        // Segments of a line pair up only where there are as many reduced keys: said when the image is known.
        const auto segments = refusal(
            [&] { prediction(*model, image(75, 101), "lara:samples=16,landmarks=segments,keys=reduced"); });
        QVERIFY(segments.starts_with("stage 1 block 1: "));
        SAYS(segments, "do not match");
    }

    void otherReductionIsRefused()
    {
        const auto strided = openCase("pvtv2_sra_tiny_cfg"), pooled = openCase("pvtv2_linear_tiny_cfg"),
                   joint = openCase("pvtv2_lara_tiny_cfg");
        REFUSES(UsageError, prepare(*strided, "sra:linear"), "write sra");
        REFUSES(UsageError, prepare(*pooled, "sra"), "write sra:linear");
        REFUSES(UsageError, prepare(*joint, "sra"), "no spatial reduction");
        REFUSES(UsageError, prepare(*joint, "rfa:keys=reduced"), "no spatial reduction");
    }

    void pictureSmallerThanACellIsRefused()
    {
        const auto strided = openCase("pvtv2_sra_tiny_cfg"), pooled = openCase("pvtv2_linear_tiny_cfg");
        strided->checkInput({3, 29, 29});
        REFUSES(UsageError, strided->checkInput({3, 28, 64}), "stage 1 has 7×16 tokens");
        pooled->checkInput({3, 1, 1});
        QVERIFY(isFinite(prediction(*pooled, image(1, 1), "sra:linear")));
    }

    void descriptionsSayTheirAttention()
    {
        const PvtDescription tiny = describedBy("pvtv2_lara_tiny_cfg");
        QCOMPARE(tiny.attention.canonical(), "lara:samples=4,proposal=mixed,beta=2");
        QVERIFY(tiny.landmarkMaps == LandmarkMaps::Dense);
        QCOMPARE(descriptionNamed(namedPvts(), "pvt_v2_b2_li").attention.canonical(), "sra:linear=true");
    }

    void switchingTheAttentionLeavesWeightsAlone()
    {
        const auto model = openCase("pvtv2_sra_tiny_cfg");
        const auto input = image(64, 64);
        const auto before = prediction(*model, input, "sra");
        const auto other = prediction(*model, input, "performer:keys=reduced");
        QVERIFY(difference(other, before) > 1e-6);
        QVERIFY(before.equal(prediction(*model, input, "sra")));
        int64_t bytes = 0;
        const PvtDescription d = describedBy("pvtv2_sra_tiny_cfg");
        PvtWeights weights = randomPvtWeights(d, 0);
        visitWeights(weights, d, [&](const std::string&, const std::vector<int64_t>&, at::Tensor& x) {
            bytes += x.defined() ? int64_t(x.nbytes()) : 0;
        });
        QCOMPARE(model->weightBytes(prepare(*model)), bytes);
    }
};

ATTNSCOPE_TEST(TestPvt)
#include "tst_pvt.moc"
