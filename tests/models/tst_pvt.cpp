#include "core/base/error.h"
#include "core/measure/memory.h"
#include "models/pvt/pvt_models.h"
#include "models/pvt/pvt_names.h"
#include "models/pvt/pyramid_vision_transformer.h"
#include "tests/models/description_named.h"
#include "tests/support/tensor_file.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <fstream>
#include <map>

using namespace attnscope;

namespace {

const std::string dataFolder = TEST_DATA_DIR "/models/";

PvtDescription describedBy(const std::string& name)
{
    std::ifstream stream(dataFolder + name + ".json");
    PvtDescription description = parsePvtDescription(Json::parse(stream)["config"], name);
    description.name = name;
    return description;
}

using Model = PyramidVisionTransformer;

std::unique_ptr<Model> build(const PvtDescription& d, PvtWeights weights, WeightsKind kind,
                             at::ScalarType dtype = at::kFloat)
{
    Model::Setup setup;
    setup.description = d;
    setup.weights = std::move(weights);
    setup.kind = kind;
    setup.dtype = dtype;
    return std::make_unique<Model>(std::move(setup));
}

std::unique_ptr<Model> untrained(const PvtDescription& d)
{
    return build(d, randomPvtWeights(d, 0), WeightsKind::Untrained);
}

/// A golden case with its weights under either naming.
std::unique_ptr<Model> openCase(const std::string& name, const std::string& naming = "official",
                                at::ScalarType dtype = at::kFloat)
{
    const PvtDescription d = describedBy(name);
    StateDict state = readCheckpoint(dataFolder + name + ".weights." + naming + ".safetensors");
    std::map<std::string, StoredTensor> renamed;
    for (const auto& [key, tensor] : state.tensors)
        renamed.emplace(pvtOriginalName(key), tensor);
    state.tensors = renamed;
    WeightLoader loader(namedTensors(state), {.file = name});
    PvtWeights weights = loadPvtWeights(d, loader);
    loader.finish(name, "");
    return build(d, std::move(weights), WeightsKind::Trained, dtype);
}

/// Keeps every named activation and the inputs of every attention.
class Recorder : public ForwardObserver {
public:
    bool seesActivations() const override { return true; }
    void onActivation(const std::string& name, const at::Tensor& value) override { activations[name] = value; }
    void afterAttention(std::int64_t, const AttentionInput& input, const at::Tensor&) override
    {
        inputs.push_back(input);
    }
    std::map<std::string, at::Tensor> activations;
    std::vector<AttentionInput> inputs;
};

double largestDifference(const at::Tensor& a, const at::Tensor& b)
{
    return (a.reshape(b.sizes()).to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

at::Tensor prediction(const Model& model, const at::Tensor& input, const std::string& spec,
                      ForwardObserver* observer = nullptr)
{
    return model.logits(input, model.prepare(AttentionSpec::parse(spec), 0), observer);
}

at::Tensor image(std::int64_t height, std::int64_t width)
{
    SeededNoise noise(1, 0);
    return noise.normal("picture", {1, 3, height, width}, at::kFloat);
}

std::string refusal(const std::function<void()>& action)
{
    try {
        action();
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

std::string joined(const std::vector<std::string>& notes)
{
    std::string text;
    for (const std::string& note : notes)
        text += note + "\n";
    return text;
}

constexpr double goldenTolerance = 3e-5;  // suggested_atol of the cases: above rounding, below what mistakes do

}

class TestPvt : public QObject {
    Q_OBJECT

private slots:
    void everyActivationEqualsThePublishedCode_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("naming");
        QTest::newRow("sra") << "pvtv2_sra_tiny_cfg"
                             << "official";
        QTest::newRow("sra, timm") << "pvtv2_sra_tiny_cfg"
                                   << "timm";
        QTest::newRow("linear sra") << "pvtv2_linear_tiny_cfg"
                                    << "official";
        QTest::newRow("linear sra, timm") << "pvtv2_linear_tiny_cfg"
                                          << "timm";
        QTest::newRow("lara") << "pvtv2_lara_tiny_cfg"
                              << "official";
    }

    void everyActivationEqualsThePublishedCode()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, naming);
        const auto model = openCase(name.toStdString(), naming.toStdString());
        const auto golden = test::readTensors(dataFolder + name.toStdString() + ".io.safetensors");
        Recorder recorder;
        const auto native = model->prepare(AttentionSpec::native(), 0);
        QCOMPARE(native.weights, WeightsKind::Trained);
        QVERIFY(native.deterministic);
        const auto logits = model->logits(golden.at("input"), native, &recorder);
        QVERIFY2(largestDifference(logits, golden.at("logits")) <= goldenTolerance, "logits");
        int compared = 0;
        for (const auto& [key, expected] : golden) {
            if (!key.starts_with("act."))
                continue;
            const auto found = recorder.activations.find(key.substr(4));
            QVERIFY2(found != recorder.activations.end(), key.c_str());
            const double difference = largestDifference(found->second, expected);
            QVERIFY2(difference <= goldenTolerance, (key + " differs by " + std::to_string(difference)).c_str());
            ++compared;
        }
        QVERIFY(compared >= 13);
    }

    void rectangularOddPictureEqualsThePublishedCode_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("sra") << "pvtv2_sra_tiny_cfg";
        QTest::newRow("linear sra") << "pvtv2_linear_tiny_cfg";
    }

    void rectangularOddPictureEqualsThePublishedCode()
    {
        QFETCH(const QString, name);
        const auto model = openCase(name.toStdString());
        const auto golden = test::readTensors(dataFolder + name.toStdString() + ".io.safetensors");
        model->checkInput({3, 75, 101});
        const auto logits = model->logits(golden.at("input_rect"), model->prepare(AttentionSpec::native(), 0),
                                          nullptr);
        QVERIFY(largestDifference(logits, golden.at("logits_rect")) <= goldenTolerance);
    }

    void countsEqualThePublishedNetworks_data()
    {
        QTest::addColumn<qint64>("parameters");
        QTest::addColumn<double>("macs");  // in units of 10^9, as printed
        QTest::addColumn<int>("decimals");
        QTest::newRow("pvt_v2_b0") << qint64{3'666'760} << 0.566 << 3;
        QTest::newRow("pvt_v2_b1") << qint64{14'009'000} << 2.108 << 3;
        QTest::newRow("pvt_v2_b2") << qint64{25'362'856} << 4.027 << 3;
        QTest::newRow("pvt_v2_b2_li") << qint64{22'553'512} << 3.889 << 3;
        QTest::newRow("pvt_v2_b3") << qint64{45'238'696} << 6.897 << 3;
        QTest::newRow("pvt_v2_b4") << qint64{62'556'072} << 10.101 << 3;
        QTest::newRow("pvt_v2_b5") << qint64{81'956'008} << 11.717 << 3;
        QTest::newRow("pvt_v2_b1_lara") << qint64{12'635'816} << 2.314 << 3;
        QTest::newRow("pvt_v2_b2_lara") << qint64{22'462'568} << 4.459 << 3;
        QTest::newRow("pvt_v2_b3_lara") << qint64{39'892'328} << 7.709 << 3;
        QTest::newRow("pvt_v2_b4_lara") << qint64{54'459'176} << 11.311 << 3;
        QTest::newRow("pvt_v2_b5_lara") << qint64{71'667'176} << 13.281 << 3;
        QTest::newRow("pvt_v2_b1_performer") << qint64{12'138'152} << 2.48 << 2;
        QTest::newRow("pvt_v2_b2_performer") << qint64{21'062'376} << 4.75 << 2;
        QTest::newRow("pvt_v2_b3_performer") << qint64{36'011'496} << 8.05 << 2;
        QTest::newRow("pvt_v2_b4_performer") << qint64{48'583'720} << 11.79 << 2;
        QTest::newRow("pvt_v2_b5_performer") << qint64{63'171'432} << 13.78 << 2;
        QTest::newRow("pvt_v2_b1_softmax") << qint64{12'138'152} << 4.986 << 3;
        QTest::newRow("pvt_v2_b2_softmax") << qint64{21'062'376} << 8.587 << 3;
        QTest::newRow("pvt_v2_b3_softmax") << qint64{36'011'496} << 11.800 << 3;
        QTest::newRow("pvt_v2_b4_softmax") << qint64{48'583'720} << 15.895 << 3;
        QTest::newRow("pvt_v2_b5_softmax") << qint64{63'171'432} << 17.564 << 3;
    }

    void countsEqualThePublishedNetworks()
    {
        QFETCH(const qint64, parameters);
        QFETCH(const double, macs);
        QFETCH(const int, decimals);
        const PvtDescription& d = test::descriptionNamed(namedPvts(), QTest::currentDataTag());
        QCOMPARE(qint64(d.parameters()), parameters);
        QCOMPARE(QString::number(d.multiplyAdds(d.attention) / 1e9, 'f', decimals),
                 QString::number(macs, 'f', decimals));
    }

    void countedParametersAreThoseOfTheTensors()
    {
        for (const char* name : {"pvtv2_sra_tiny_cfg", "pvtv2_linear_tiny_cfg", "pvtv2_lara_tiny_cfg"}) {
            std::ifstream stream(dataFolder + name + ".json");
            const PvtDescription d = describedBy(name);
            QCOMPARE(d.parameters(), Json::parse(stream)["params"].get<std::int64_t>());
            std::int64_t elements = 0;
            PvtWeights weights = randomPvtWeights(d, 0);
            visitWeights(weights, d, [&](const std::string&, const std::vector<std::int64_t>&, at::Tensor& x) {
                elements += x.defined() ? x.numel() : 0;
            });
            QCOMPARE(elements, d.parameters());
        }
    }

    void countedMultiplyAddsAreThoseOfTheNetwork()
    {
        for (const char* name : {"pvtv2_sra_tiny_cfg", "pvtv2_linear_tiny_cfg", "pvtv2_lara_tiny_cfg"}) {
            const PvtDescription d = describedBy(name);
            const auto model = untrained(d);
            QCOMPARE(model->describe().macs, d.multiplyAdds(d.attention));
            QCOMPARE(model->multiplyAdds(model->prepare(AttentionSpec::parse("performer"), 0)),
                     d.multiplyAdds(AttentionSpec::parse("performer")));
        }
        // With every token a key, kv works on all of them and sr on none.
        const PvtDescription d = test::descriptionNamed(namedPvts(), "pvt_v2_b1");
        const double c = 64, tokens = 3136, cells = 49;
        PvtDescription one = d;
        one.stages = {d.stages.front()};
        QCOMPARE(one.blockMultiplyAdds(0, KeySource::All) - one.blockMultiplyAdds(0, KeySource::Reduced),
                 (tokens - cells) * 2 * c * c - cells * 64 * c * c);
    }

    void untrainedWeightsDependOnTheSeedAlone()
    {
        const PvtDescription d = describedBy("pvtv2_sra_tiny_cfg");
        const auto input = test::readTensors(dataFolder + "pvtv2_sra_tiny_cfg.io.safetensors").at("input");
        const auto first = prediction(*untrained(d), input, "sra");
        QVERIFY(first.equal(prediction(*untrained(d), input, "sra")));
        const auto other = build(d, randomPvtWeights(d, 1), WeightsKind::Untrained);
        QVERIFY(!first.equal(prediction(*other, input, "sra")));
        // The published spread: convolutions by their fan-out, so that depthwise ones are not drowned.
        const PvtWeights large = randomPvtWeights(test::descriptionNamed(namedPvts(), "pvt_v2_b1"), 0);
        const auto stddev = [](const at::Tensor& x) { return x.std().item<double>(); };
        QVERIFY(std::abs(stddev(large.stages[0].blocks[0].convolution.weight) - std::sqrt(2.0 / 9)) < 0.02);
        QVERIFY(std::abs(stddev(large.stages[1].embedding.weight) - std::sqrt(2.0 / (9 * 128))) < 0.001);
        QVERIFY(std::abs(stddev(large.head.weight) - 0.02 * 0.8796) < 0.0002);  // a normal cut at ±2
    }

    void softmaxOverReducedKeysIsSra_data()
    {
        QTest::addColumn<QString>("sra");
        QTest::newRow("pvtv2_sra_tiny_cfg") << "sra";
        QTest::newRow("pvtv2_linear_tiny_cfg") << "sra:linear";
    }

    void softmaxOverReducedKeysIsSra()
    {
        QFETCH(const QString, sra);
        const std::string name = QTest::currentDataTag();
        const auto model = openCase(name);
        const auto input = test::readTensors(dataFolder + name + ".io.safetensors").at("input_rect");
        const auto native = model->prepare(AttentionSpec::native(), 0);
        QCOMPARE(native.resolved.canonical(), AttentionSpec::parse(sra.toStdString()).canonical());
        const auto expected = model->logits(input, native, nullptr);
        QVERIFY(expected.equal(prediction(*model, input, sra.toStdString())));
        QVERIFY(expected.equal(prediction(*model, input, "softmax:keys=reduced")));
        QVERIFY(largestDifference(prediction(*model, input, "softmax:form=explicit,keys=reduced"), expected)
                < goldenTolerance);
        // Biased RA with every pair, not quite softmax; over all keys something else altogether.
        QVERIFY(largestDifference(prediction(*model, input, "softmax"), expected) > 1e-3);
    }

    void keysComeFromWhereTheSpecificationSays()
    {
        const auto sizes = [](const std::string& name, const std::string& spec) {
            Recorder recorder;
            prediction(*openCase(name), image(75, 101), spec, &recorder);
            std::vector<std::int64_t> keys;
            for (const AttentionInput& in : recorder.inputs) {
                keys.push_back(in.k.size(2));
                if (in.tokens.count() != in.q.size(2) || in.keyLayout().count() != in.k.size(2))
                    keys.push_back(-1);  // a layout that does not fit its tokens
            }
            return keys;
        };
        // Grids of 19×26, 10×13, 5×7 and 3×4 tokens; R = 8, 4, 2, 1.
        using Keys = std::vector<std::int64_t>;
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
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("spec");
        QTest::addColumn<int>("weights");
        QTest::addColumn<QString>("exact");
        const auto row = [](const char* name, const char* spec, WeightsKind kind, const char* exact) {
            QTest::newRow(qPrintable(QString("%1 %2").arg(name, spec))) << name << spec << int(kind) << exact;
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
        QFETCH(const QString, name);
        QFETCH(const QString, spec);
        QFETCH(const int, weights);
        QFETCH(const QString, exact);
        const auto model = openCase(name.toStdString());
        const auto prepared = model->prepare(AttentionSpec::parse(spec.toStdString()), 0);
        QCOMPARE(int(prepared.weights), weights);
        QVERIFY2(prepared.exactMeaning.find(exact.toStdString()) != std::string::npos,
                 prepared.exactMeaning.c_str());
        // The reference has the same keys, and is exact against itself.
        const auto reference = model->prepare(prepared.exact, 0);
        QCOMPARE(reference.exact.canonical(), prepared.exact.canonical());
        if (name != "pvtv2_lara_tiny_cfg")
            QVERIFY2(joined(prepared.notes).find("exact means") != std::string::npos,
                     joined(prepared.notes).c_str());
        const bool dropped = joined(prepared.notes).find("are dropped") != std::string::npos;
        QCOMPARE(dropped, weights == int(WeightsKind::Untrained));
    }

    void everyAttentionRunsOnAnyPicture_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        for (const char* name : {"pvtv2_sra_tiny_cfg", "pvtv2_linear_tiny_cfg", "pvtv2_lara_tiny_cfg"})
            for (const auto& [height, width] : {std::pair{29, 29}, {64, 64}, {75, 101}, {33, 257}})
                QTest::newRow(qPrintable(QString("%1 %2×%3").arg(name).arg(height).arg(width)))
                    << name << height << width;
    }

    void everyAttentionRunsOnAnyPicture()
    {
        QFETCH(const QString, name);
        QFETCH(const int, height);
        QFETCH(const int, width);
        const auto model = openCase(name.toStdString());
        model->checkInput({3, height, width});
        const auto input = image(height, width);
        for (const BackendInfo& info : backends()) {
            if (info.needsReduction)
                continue;
            // 49 landmarks on a grid, whatever the stage's own: 1×1 tokens have them too.
            for (const std::string keys : {"all", "reduced"}) {
                if (keys == "reduced" && (name == "pvtv2_lara_tiny_cfg" || info.ownKeysOnly))
                    continue;
                const auto prepared = model->prepare(AttentionSpec::parse(info.name + ":keys=" + keys), 0);
                const auto logits = model->logits(input, prepared, nullptr);
                QVERIFY2(logits.isfinite().all().item<bool>(), (info.name + " " + keys).c_str());
                QVERIFY(logits.equal(model->logits(input, prepared, nullptr)));
            }
        }
        QVERIFY(prediction(*model, input, "lara:proposal=mixed,beta=2,noise=unit").isfinite().all().item<bool>());
    }

    void stagesWithoutReductionKeepSoftmax()
    {
        for (const char* name : {"pvtv2_sra_tiny_cfg", "pvtv2_lara_tiny_cfg"}) {
            const auto prepared = openCase(name)->prepare(AttentionSpec::parse("performer:samples=9"), 0);
            QCOMPARE(prepared.layers.back()->spec().canonical(), std::string("softmax"));
            for (std::size_t i = 0; i + 1 < prepared.layers.size(); ++i)
                QCOMPARE(prepared.layers[i]->spec().canonical(), std::string("performer:samples=9"));
        }
        const auto reduced =
            openCase("pvtv2_linear_tiny_cfg")->prepare(AttentionSpec::parse("rfa:keys=reduced"), 0);
        QCOMPARE(reduced.layers.back()->spec().canonical(), std::string("softmax:keys=reduced"));
        QCOMPARE(reduced.layers.front()->spec().canonical(), std::string("rfa:keys=reduced"));
    }

    void manyDrawsOfRandomizedAttentionComeNearSra()
    {
        const auto model = openCase("pvtv2_sra_tiny_cfg");
        Recorder recorder;
        prediction(*model, test::readTensors(dataFolder + "pvtv2_sra_tiny_cfg.io.safetensors").at("input"), "sra",
                   &recorder);
        for (std::size_t layer = 0; layer < 4; ++layer) {
            const auto attended = [&](const std::string& spec) {
                const auto prepared = model->prepare(AttentionSpec::parse(spec), 0);
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
        QVERIFY(
            largestDifference(prediction(*build(form, joint, WeightsKind::Trained), input, "softmax"), expected)
            < 1e-5);
    }

    void mistakesNameStageAndBlock()
    {
        const auto model = openCase("pvtv2_sra_tiny_cfg");
        const auto text = refusal([&] { model->prepare(AttentionSpec::parse("lara:samples=50"), 0); });
        QVERIFY2(text.starts_with("stage 1 block 1: ") && text.find("not a square") != std::string::npos,
                 text.c_str());
        const PvtDescription d = describedBy("pvtv2_sra_tiny_cfg");
        QCOMPARE(d.place(0).name(), std::string("stage 1 block 1"));
        QCOMPARE(d.place(2).name(), std::string("stage 2 block 2"));
        QCOMPARE(d.place(4).name(), std::string("stage 4 block 1"));
        QCOMPARE(d.layers(), std::int64_t{5});
        // Segments of a line pair up only where there are as many reduced keys: said when the image is known.
        const auto segments = refusal(
            [&] { prediction(*model, image(75, 101), "lara:samples=16,landmarks=segments,keys=reduced"); });
        QVERIFY2(segments.starts_with("stage 1 block 1: ") && segments.find("do not match") != std::string::npos,
                 segments.c_str());
    }

    void otherReductionIsRefused()
    {
        const auto strided = openCase("pvtv2_sra_tiny_cfg"), pooled = openCase("pvtv2_linear_tiny_cfg"),
                   joint = openCase("pvtv2_lara_tiny_cfg");
        QVERIFY(refusal([&] { strided->prepare(AttentionSpec::parse("sra:linear"), 0); }).find("write sra")
                != std::string::npos);
        QVERIFY(refusal([&] { pooled->prepare(AttentionSpec::parse("sra"), 0); }).find("write sra:linear")
                != std::string::npos);
        QVERIFY(refusal([&] { joint->prepare(AttentionSpec::parse("sra"), 0); }).find("no spatial reduction")
                != std::string::npos);
        QVERIFY(refusal([&] {
                    joint->prepare(AttentionSpec::parse("rfa:keys=reduced"), 0);
                }).find("no spatial reduction")
                != std::string::npos);
    }

    void pictureSmallerThanACellIsRefused()
    {
        const auto strided = openCase("pvtv2_sra_tiny_cfg"), pooled = openCase("pvtv2_linear_tiny_cfg");
        strided->checkInput({3, 29, 29});
        QVERIFY(refusal([&] {
                    strided->checkInput({3, 28, 64});
                }).find("stage 1 has 7×16 tokens")
                != std::string::npos);
        pooled->checkInput({3, 1, 1});
        QVERIFY(prediction(*pooled, image(1, 1), "sra:linear").isfinite().all().item<bool>());
        for (const auto& shape :
             {std::vector<std::int64_t>{1, 64, 64}, {3, 64}, {3, 4, 64, 64}, {3, 0, 64}, {3, 16384, 16384}})
            QVERIFY(!refusal([&] { pooled->checkInput(shape); }).empty());
    }

    void descriptionsReadBackWhatTheyWrite()
    {
        for (const NamedPvt& named : namedPvts()) {
            const PvtDescription& d = named.description;
            const Json json = toJson(d);
            const PvtDescription read = parsePvtDescription(json, "test");
            QCOMPARE(toJson(read).dump(), json.dump());
            QCOMPARE(read.parameters(), d.parameters());
            QCOMPARE(read.multiplyAdds(read.attention), d.multiplyAdds(d.attention));
        }
        const PvtDescription tiny = describedBy("pvtv2_lara_tiny_cfg");
        QCOMPARE(tiny.attention.canonical(), std::string("lara:samples=4,proposal=mixed,beta=2"));
        QVERIFY(tiny.landmarkMaps == LandmarkMaps::Dense);
        QCOMPARE(test::descriptionNamed(namedPvts(), "pvt_v2_b2_li").attention.canonical(),
                 std::string("sra:linear=true"));
    }

    void impossibleDescriptionsAreRefused_data()
    {
        QTest::addColumn<QString>("changed");
        QTest::addColumn<QString>("named");
        const auto row = [](const char* changed, const char* named) {
            QTest::newRow(changed) << changed << named;
        };
        row(R"({"family":"pvt"})", "family");
        row(R"({"embed_dims":[]})", "embed_dims");
        row(R"({"embed_dims":[8,16,20,-1]})", "embed_dims");
        row(R"({"embed_dims":[8,16,20,32,64]})", "num_heads");
        row(R"({"num_heads":[3,2,5,8]})", "num_heads");
        row(R"({"depths":[1,2,1]})", "depths");
        row(R"({"depths":[1,2,1,1.5]})", "depths");
        row(R"({"mlp_ratios":[8,8,4,"4"]})", "mlp_ratios");
        row(R"({"sr_ratios":null})", "sr_ratios");
        row(R"({"sr_ratios":[8,4,2,0]})", "sr_ratios");
        row(R"({"linear":1})", "linear");
        row(R"({"act":"relu"})", "act");
        row(R"({"input":16})", "too small");
        row(R"({"input":[64]})", "input");
        row(R"({"attention":"native"})", "attention");
        row(R"({"attention":"sra:linear"})", "attention");
        row(R"({"attention":"lora"})", "lora");
        row(R"({"attention":"lara","landmark_maps":"thick"})", "landmark_maps");
        row(R"({"family":"pvt_v2_lara","attention":"softmax:keys=reduced"})", "no spatial reduction");
        row(R"({"family":"pvt_v2_lara","linear":true})", "linear");
        row(R"({"attn":"lara","attn_args":{"pool_module_type":"mlp"}})", "pool_module_type");
        row(R"({"attn":"a\nb"})", R"("a\nb" is unknown)");
        row(R"({"attn":"lara","attn_args":{"mis_type":"\u202e"}})", R"(`mis_type` = "\u202e" is not supported)");
    }

    void impossibleDescriptionsAreRefused()
    {
        QFETCH(const QString, changed);
        QFETCH(const QString, named);
        std::ifstream stream(dataFolder + "pvtv2_sra_tiny_cfg.json");
        Json config = Json::parse(stream)["config"];
        config.update(Json::parse(changed.toStdString()));
        const std::string text = refusal([&] { parsePvtDescription(config, "model.json"); });
        QVERIFY2(text.find(named.toStdString()) != std::string::npos, text.c_str());
    }

    void halfPrecisionStaysNearFloat32()
    {
        const auto golden = test::readTensors(dataFolder + "pvtv2_sra_tiny_cfg.io.safetensors");
        const auto model = openCase("pvtv2_sra_tiny_cfg", "official", at::kBFloat16);
        const auto logits = prediction(*model, golden.at("input").to(at::kBFloat16), "sra");
        const double size = golden.at("logits").abs().max().item<double>();
        QVERIFY(largestDifference(logits, golden.at("logits"))
                < 0.1 * size);  // 8 bits of mantissa through five blocks
    }

    void switchingTheAttentionLeavesWeightsAlone()
    {
        const auto model = openCase("pvtv2_sra_tiny_cfg");
        const auto input = image(64, 64);
        const auto before = prediction(*model, input, "sra");
        const auto other = prediction(*model, input, "performer:keys=reduced");
        QVERIFY(largestDifference(other, before) > 1e-6);
        QVERIFY(before.equal(prediction(*model, input, "sra")));
        std::int64_t bytes = 0;
        const PvtDescription d = describedBy("pvtv2_sra_tiny_cfg");
        PvtWeights weights = randomPvtWeights(d, 0);
        visitWeights(weights, d, [&](const std::string&, const std::vector<std::int64_t>&, at::Tensor& x) {
            bytes += x.defined() ? std::int64_t(x.nbytes()) : 0;
        });
        QCOMPARE(model->weightBytes(model->prepare(AttentionSpec::native(), 0)), bytes);
    }
};

ATTNSCOPE_TEST(TestPvt)
#include "tst_pvt.moc"
