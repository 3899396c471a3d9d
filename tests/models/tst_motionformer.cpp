#include "core/base/error.h"
#include "core/run/input_run.h"
#include "models/motionformer/motionformer.h"
#include "models/motionformer/motionformer_models.h"
#include "models/open_model.h"
#include "tests/models/description_named.h"
#include "tests/support/tensor_file.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <fstream>
#include <map>

using namespace attnscope;

namespace {

const std::string dataFolder = TEST_DATA_DIR "/models/";
constexpr double goldenTolerance = 3e-5;  // suggested_atol of the cases: above rounding, below what mistakes do

Json caseJson(const std::string& name)
{
    std::ifstream stream(dataFolder + name + ".json");
    return Json::parse(stream);
}

std::shared_ptr<Motionformer> load(const MotionformerDescription& description, const std::string& file,
                                   at::ScalarType dtype = at::kFloat)
{
    WeightLoader loader(namedTensors(readCheckpoint(dataFolder + file)), {.file = file});
    Motionformer::Setup setup;
    setup.description = description;
    setup.weights = loadMotionformerWeights(description, loader);
    setup.kind = WeightsKind::Trained;
    setup.report = loader.finish(description.name, "");
    setup.dtype = dtype;
    return std::make_shared<Motionformer>(std::move(setup));
}

std::shared_ptr<Motionformer> openCase(const std::string& name, at::ScalarType dtype = at::kFloat)
{
    const Json json = caseJson(name);
    MotionformerDescription description = parseMotionformerDescription(json["config"], name);
    description.name = name;
    return load(description, json["weights_files"]["official"].get<std::string>(), dtype);
}

std::shared_ptr<Motionformer> untrained(const MotionformerDescription& description)
{
    Motionformer::Setup setup;
    setup.description = description;
    setup.weights = randomMotionformerWeights(description, 1);
    return std::make_shared<Motionformer>(std::move(setup));
}

/// A small network of the released kind: 2 frames of 3×3 places or more.
MotionformerDescription small(SpaceTime spaceTime, std::int64_t frames = 8, std::int64_t crop = 48)
{
    MotionformerDescription d;
    d.name = "small";
    d.spaceTime = spaceTime;
    d.frames = frames;
    d.imageHeight = d.imageWidth = crop;
    d.width = 24;
    d.heads = 3;
    d.depth = 2;
    d.classifierHeads = {7};
    return d;
}

at::Tensor clip(const MotionformerDescription& d, std::int64_t batch = 1)
{
    SeededNoise noise(3, 0);
    return noise.normal("clip", {batch, 3, d.frames, d.imageHeight, d.imageWidth}, at::TensorOptions(at::kFloat));
}

/// Keeps every named activation and what attention was given.
class Recorder : public ForwardObserver {
public:
    bool seesActivations() const override { return true; }
    void onActivation(const std::string& name, const at::Tensor& value) override { activations[name] = value; }
    void beforeAttention(std::int64_t) override { ++before; }
    void afterAttention(std::int64_t, const AttentionInput& input, const at::Tensor& output) override
    {
        inputs.push_back(input);
        outputs.push_back(output);
    }
    std::map<std::string, at::Tensor> activations;
    std::vector<AttentionInput> inputs;
    std::vector<at::Tensor> outputs;
    int before = 0;
};

double largestDifference(const at::Tensor& a, const at::Tensor& b)
{
    return (a.reshape(b.sizes()).to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

/// The first landmarks that the case's code drew, layer by layer.
void giveFirstLandmarks(const Json& json, PreparedAttention& prepared)
{
    if (!json.contains("orthoformer_first_landmark_index_per_call"))
        return;
    for (std::size_t layer = 0; layer < prepared.noise.size(); ++layer) {
        const auto first = json["orthoformer_first_landmark_index_per_call"][layer].get<std::vector<double>>();
        static SeededNoise unused(0, 0);
        const auto tensor = at::tensor(first, at::kDouble).unsqueeze(0);
        prepared.noise[layer] = std::make_shared<RecordedNoise>(
            std::map<std::string, at::Tensor>{{"first", tensor}}, unused);
    }
}

std::string inGiga(double multiplyAdds)
{
    return QString::number(multiplyAdds / 1e9, 'f', 1).toStdString();
}

}

class TestMotionformer : public QObject {
    Q_OBJECT

private slots:
    void everyActivationEqualsThePublishedCode_data()
    {
        QTest::addColumn<int>("unused");
        for (const char* name : {"motionformer_trajectory_tiny_cfg", "motionformer_trajectory_4x32x32_cfg",
                                 "motionformer_trajectory_fixed_v_tiny_cfg", "motionformer_orthoformer_tiny_cfg",
                                 "motionformer_joint_tiny_cfg", "motionformer_divided_tiny_cfg"})
            QTest::newRow(name) << 0;
    }

    void everyActivationEqualsThePublishedCode()
    {
        const std::string name = QTest::currentDataTag();
        const auto model = openCase(name);
        const auto golden = test::readTensors(dataFolder + name + ".io.safetensors");
        Recorder recorder;
        PreparedAttention native = model->prepare(AttentionSpec::native(), 0);
        giveFirstLandmarks(caseJson(name), native);
        const auto logits = model->logits(golden.at("input"), native, &recorder);
        QVERIFY2(largestDifference(logits, golden.at("logits")) <= goldenTolerance, "logits");
        QVERIFY2(largestDifference(logits.softmax(-1), golden.at("probs")) <= goldenTolerance, "probs");
        const auto& input = golden.at("input");
        const TokenVolume volume{input.size(2) / 2, input.size(3) / 16, input.size(4) / 16};
        QVERIFY2(largestDifference(model->positionFor(volume), golden.at("total_pos_embed")) <= goldenTolerance,
                 "total_pos_embed");
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
        QCOMPARE(compared, 6);
        QCOMPARE(native.weights, WeightsKind::Trained);
        QCOMPARE(model->describe().parameters, caseJson(name)["params"].get<std::int64_t>());
        QCOMPARE(model->describe().load.ignored.size(), 2u);  // the unused 2-D patch embedding
    }

    void float64LeavesTheGoldensOwnRoundingAlone_data() { everyActivationEqualsThePublishedCode_data(); }
    void float64LeavesTheGoldensOwnRoundingAlone()
    {
        const std::string name = QTest::currentDataTag();
        const Json json = caseJson(name);
        const auto model = openCase(name, at::kDouble);
        const auto golden = test::readTensors(dataFolder + name + ".io.safetensors");
        PreparedAttention native = model->prepare(AttentionSpec::native(), 0);
        giveFirstLandmarks(json, native);
        const auto probabilities = model->logits(golden.at("input").to(at::kDouble), native).softmax(-1);
        // The goldens are the float32 run of the authors' code; the case says how far that is from its float64 run.
        const double allowed = 1.05 * json["max_abs_probs_vs_float64"].get<double>() + 0x1p-24;
        QVERIFY(largestDifference(probabilities, golden.at("probs")) <= allowed);
    }

    void parametersAndMultiplyAddsAreThePublishedOnes_data()
    {
        QTest::addColumn<qint64>("parameters");
        QTest::addColumn<QString>("published");
        QTest::addColumn<QString>("computed");
        QTest::newRow("motionformer_224_16x4") << qint64{109'144'720} << "369.4"
                                               << "204.2";
        QTest::newRow("motionformer_336_16x8") << qint64{109'144'720} << "958.4"
                                               << "586.7";
        QTest::newRow("motionformer_224_32x3") << qint64{109'150'864} << "1184.9"
                                               << "501.9";
        QTest::newRow("joint_224_16x4") << qint64{87'883'408} << "180.5"
                                        << "180.5";
        QTest::newRow("divided_224_16x4") << qint64{116'250'256} << "185.5"
                                          << "185.5";
    }

    void parametersAndMultiplyAddsAreThePublishedOnes()
    {
        QFETCH(const qint64, parameters);
        QFETCH(const QString, published);
        QFETCH(const QString, computed);
        const MotionformerDescription* const found = &test::descriptionNamed(namedMotionformers(),
                                                                             QTest::currentDataTag());
        QCOMPARE(found->parameters(), parameters);
        QCOMPARE(inGiga(found->multiplyAdds(Counting::Published)), published.toStdString());
        QCOMPARE(inGiga(found->multiplyAdds(Counting::Computed)), computed.toStdString());
        const CatalogueEntry* listed = nullptr;
        for (const CatalogueEntry& entry : catalogue())
            if (entry.name == found->name)
                listed = &entry;
        QVERIFY(listed != nullptr);
        QCOMPARE(listed->parameters, std::int64_t{parameters});
        QCOMPARE(inGiga(listed->macs), computed.toStdString());
        QVERIFY(listed->note.find(published.toStdString() + " G") != std::string::npos);
    }

    void headsOfOtherDataSetsCount()
    {
        MotionformerDescription d = namedMotionformers().front().description;
        d.classifierHeads = {174};  // Something-Something V2
        QCOMPARE(d.parameters(), 108'970'926);
        d.classifierHeads = {97, 300};  // Epic-Kitchens: verbs and nouns
        QCOMPARE(d.parameters(), 109'144'720 - 3 * 769);
        d.temporalValue = TemporalValue::Projected;
        QCOMPARE(inGiga(d.multiplyAdds(Counting::Computed)), std::string("216.5"));
    }

    void randomWeightsHaveTheDescribedParameters()
    {
        for (const SpaceTime spaceTime : {SpaceTime::Trajectory, SpaceTime::Joint, SpaceTime::Divided}) {
            for (const PositionForm position : {PositionForm::Separate, PositionForm::Joint}) {
                MotionformerDescription d = small(spaceTime);
                d.position = position;
                d.temporalValue = TemporalValue::Projected;
                d.classifierHeads = {5, 6};
                std::int64_t count = 0;
                MotionformerWeights weights = randomMotionformerWeights(d, 1);
                visitWeights(weights, d, [&](const std::string&, const std::vector<std::int64_t>&, at::Tensor& x) {
                    count += x.defined() ? x.numel() : 0;
                });
                const std::int64_t unused = 3 * 256 * 24 + 24;  // not held: the 2-D patch embedding
                QCOMPARE(count + unused, d.parameters());
            }
        }
        const MotionformerDescription d = small(SpaceTime::Trajectory);
        QVERIFY(randomMotionformerWeights(d, 1).blocks[1].fc1.weight.equal(
            randomMotionformerWeights(d, 1).blocks[1].fc1.weight));
        QVERIFY(!randomMotionformerWeights(d, 1).blocks[1].fc1.weight.equal(
            randomMotionformerWeights(d, 2).blocks[1].fc1.weight));
    }

    void describedModelsReadBackAsThemselves()
    {
        std::vector<MotionformerDescription> models;
        for (const NamedMotionformer& named : namedMotionformers())
            models.push_back(named.description);
        MotionformerDescription odd = small(SpaceTime::Divided, 6, 64);
        odd.imageWidth = 96;
        odd.classifierHeads = {3, 4};
        odd.position = PositionForm::Joint;
        odd.temporalValue = TemporalValue::Projected;
        odd.preLogits = odd.qkvBias = false;
        odd.attention = AttentionSpec::parse("lara:samples=16");
        models.push_back(odd);
        for (const MotionformerDescription& d : models) {
            const Json json = toJson(d);
            QVERIFY(toJson(parseMotionformerDescription(json, "test")) == json);
        }
    }

    void impossibleDescriptionsAreRefused()
    {
        const Json good = caseJson("motionformer_trajectory_tiny_cfg")["config"];
        parseMotionformerDescription(good, "test");
        const auto refuses = [&](const char* key, const Json& value) {
            Json bad = good;
            bad[key] = value;
            try {
                parseMotionformerDescription(bad, "test");
            } catch (const UsageError& error) {
                return std::string(error.what()).find(key) != std::string::npos;
            }
            return false;
        };
        QVERIFY(refuses("crop", 50));
        QVERIFY(refuses("crop", 16384));  // more than a million tokens
        QVERIFY(refuses("frames", 7));
        QVERIFY(refuses("num_heads", 5));
        QVERIFY(refuses("attn", "spiral"));
        QVERIFY(refuses("approx", "linformer"));
        QVERIFY(refuses("pos_embed", "none"));
        QVERIFY(refuses("num_classes", Json::array()));
        QVERIFY(refuses("num_classes", {1, 2, 3}));
        QVERIFY(refuses("head_act", "relu"));
        QVERIFY(refuses("attention", "native"));
        QVERIFY(refuses("family", "deit"));
        QVERIFY(refuses("use_original_traj_attn_code", "yes"));
    }

    void explicitSpatialSoftmaxEqualsTheFusedOne()
    {
        const auto model = openCase("motionformer_trajectory_tiny_cfg");
        const auto input =
            test::readTensors(dataFolder + "motionformer_trajectory_tiny_cfg.io.safetensors").at("input");
        const auto withMatrix = model->prepare(AttentionSpec::parse("softmax:form=explicit"), 0);
        QCOMPARE(withMatrix.weights, WeightsKind::Trained);
        QVERIFY(largestDifference(model->logits(input, model->prepare(AttentionSpec::native(), 0)),
                                  model->logits(input, withMatrix))
                < 1e-5);
    }

    void backendsReplaceTheSpatialStepAlone_data()
    {
        QTest::addColumn<QString>("spec");
        for (const char* spec :
             {"performer", "rfa", "ra", "ra:mode=biased", "lara:samples=9",
              "lara:samples=9,proposal=mixed,noise=unit", "nystrom:samples=9", "orthoformer:samples=9"})
            QTest::newRow(spec) << spec;
    }

    void backendsReplaceTheSpatialStepAlone()
    {
        QFETCH(const QString, spec);
        for (const SpaceTime spaceTime : {SpaceTime::Trajectory, SpaceTime::Joint, SpaceTime::Divided}) {
            const MotionformerDescription d = small(spaceTime);
            const auto model = untrained(d);
            const auto input = clip(d);
            const auto softmax = model->prepare(AttentionSpec::native(), 0);
            const auto prepared = model->prepare(AttentionSpec::parse(spec.toStdString()), 3);
            Recorder recorder, exact;
            const auto before = model->logits(input, softmax, &exact);
            const auto logits = model->logits(input, prepared, &recorder);
            QVERIFY(logits.isfinite().all().item<bool>());
            QVERIFY(logits.equal(model->logits(input, prepared)));
            QVERIFY(before.equal(model->logits(input, softmax)));
            QCOMPARE(recorder.before, 2);
            QVERIFY(recorder.outputs[0].sizes() == exact.outputs[0].sizes());
            QVERIFY(recorder.inputs[0].q.equal(exact.inputs[0].q));  // the first layer sees the same
            QVERIFY(largestDifference(recorder.outputs[0], exact.outputs[0]) > 1e-9);
            // The class token's row of the first block is exact, but for joint attention, which replaces all.
            const auto row = [](const Recorder& r) { return r.activations.at("block.0.attn").select(1, 0); };
            QCOMPARE(largestDifference(row(recorder), row(exact)) < 1e-7, spaceTime != SpaceTime::Joint);
        }
    }

    void randomizedAttentionReducesToTheExactModule()
    {
        // Unbiased randomized attention is softmax in expectation: many draws inside the module come near the exact module.
        const MotionformerDescription d = small(SpaceTime::Trajectory);
        const auto model = untrained(d);
        const auto attention = [&](const char* spec) {
            Recorder recorder;
            model->logits(clip(d), model->prepare(AttentionSpec::parse(spec), 1), &recorder);
            return recorder.activations.at("block.0.attn");
        };
        const auto exact = attention("softmax");
        const double few = largestDifference(attention("ra:samples=4"), exact),
                     many = largestDifference(attention("ra:samples=1024"), exact);
        QVERIFY2(many < few / 4, qPrintable(QString("%1 and %2").arg(few).arg(many)));  // a factor 16 is expected
    }

    void linearAttentionsApproachTheExactModule()
    {
        const MotionformerDescription d = small(SpaceTime::Trajectory);
        const auto model = untrained(d);
        const auto attention = [&](const char* spec) {
            Recorder recorder;
            model->logits(clip(d), model->prepare(AttentionSpec::parse(spec), 1), &recorder);
            return recorder.activations.at("block.0.attn");
        };
        const auto exact = attention("softmax");
        QVERIFY(largestDifference(attention("performer:samples=4096"), exact)
                < largestDifference(attention("performer:samples=16"), exact) / 4);
        QVERIFY(largestDifference(attention("rfa:samples=4096"), exact)
                < largestDifference(attention("rfa:samples=16"), exact) / 4);
    }

    void batchesAndSingleClipsAgree_data()
    {
        QTest::addColumn<int>("spaceTime");
        QTest::newRow("trajectory") << int(SpaceTime::Trajectory);
        QTest::newRow("joint") << int(SpaceTime::Joint);
        QTest::newRow("divided") << int(SpaceTime::Divided);
    }

    void batchesAndSingleClipsAgree()
    {
        QFETCH(const int, spaceTime);
        const MotionformerDescription d = small(static_cast<SpaceTime>(spaceTime));
        const auto model = untrained(d);
        const auto two = clip(d, 2);
        for (const char* spec : {"softmax", "lara:samples=9", "nystrom:samples=9"}) {
            const auto prepared = model->prepare(AttentionSpec::parse(spec), 0);
            const auto both = model->logits(two, prepared);
            for (int b = 0; b < 2; ++b)
                QVERIFY2(
                    largestDifference(model->logits(two.slice(0, b, b + 1), prepared), both.slice(0, b, b + 1))
                        < 1e-5,
                    spec);
        }
    }

    void otherCropsAndLengthsAreTaken()
    {
        for (const SpaceTime spaceTime : {SpaceTime::Trajectory, SpaceTime::Joint, SpaceTime::Divided}) {
            const auto model = untrained(small(spaceTime));
            const auto prepared = model->prepare(AttentionSpec::native(), 0);
            for (const auto& [frames, crop] : {std::pair{2, 16}, std::pair{4, 64}, std::pair{12, 32}}) {
                const MotionformerDescription other = small(spaceTime, frames, crop);
                model->checkInput({3, frames, crop, crop});
                QVERIFY(model->logits(clip(other), prepared).isfinite().all().item<bool>());
            }
        }
    }

    void clipsThatPatchAndTubeletDoNotDivideAreRefused()
    {
        const auto model = untrained(small(SpaceTime::Trajectory));
        model->checkInput({3, 8, 48, 32});
        for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{3, 7, 48, 48},
                                                       {3, 8, 50, 48},
                                                       {1, 8, 48, 48},
                                                       {3, 48, 48},
                                                       {3, 0, 48, 48}})
            QVERIFY_EXCEPTION_THROWN(model->checkInput(shape), UsageError);
    }

    void aTemporalEmbeddingOfAnotherLengthIsInterpolatedAndNoted()
    {
        MotionformerDescription d = parseMotionformerDescription(
            caseJson("motionformer_trajectory_tiny_cfg")["config"], "test");
        d.frames = 16;
        const auto model = load(d, "motionformer_trajectory_tiny_cfg.weights.official.safetensors");
        const auto& resized = model->describe().load.resized;
        QCOMPARE(resized.size(), 2u);
        QVERIFY(resized[0].find("temp_embed from 4 to 8 time steps (linear") == 0);
        QVERIFY(resized[1].find("pos_embed from 14×14 to 3×3") == 0);
        QVERIFY(model->logits(clip(d), model->prepare(AttentionSpec::native(), 0)).isfinite().all().item<bool>());
    }

    void missingAndForeignTensorsAreRefused()
    {
        MotionformerDescription d = parseMotionformerDescription(
            caseJson("motionformer_trajectory_tiny_cfg")["config"], "test");
        d.spaceTime = SpaceTime::Joint;  // leaves proj_q and proj_kv over
        QVERIFY_EXCEPTION_THROWN(load(d, "motionformer_trajectory_tiny_cfg.weights.official.safetensors"),
                                 CheckpointMismatch);
        d.spaceTime = SpaceTime::Divided;
        QVERIFY_EXCEPTION_THROWN(load(d, "motionformer_trajectory_tiny_cfg.weights.official.safetensors"),
                                 CheckpointMismatch);
    }

    void checkpointsOpenByTheirDescription()
    {
        const std::string name = "motionformer_divided_tiny_cfg";
        const auto model = openModel({.model = dataFolder + name + ".json",
                                      .weights = dataFolder + name + ".weights.official.safetensors",
                                      .device = "cpu"});
        const auto golden = test::readTensors(dataFolder + name + ".io.safetensors");
        QCOMPARE(model->describe().family, std::string("motionformer"));
        QCOMPARE(model->describe().input, (std::vector<std::int64_t>{3, 4, 32, 32}));
        QVERIFY(largestDifference(model->logits(golden.at("input"), model->prepare(AttentionSpec::native(), 0)),
                                  golden.at("logits"))
                <= goldenTolerance);
        const auto larger = openModel({.model = dataFolder + name + ".json",
                                       .weights = "untrained:3",
                                       .device = "cpu",
                                       .imageSize = InputSize::square(64)});
        larger->checkInput({3, 4, 64, 64});
        QCOMPARE(larger->transform().cropHeight, 64);
        QCOMPARE(larger->transform().mean[0], 0.5f);
        QVERIFY_EXCEPTION_THROWN(openModel({.model = dataFolder + name + ".json",
                                            .weights = "untrained",
                                            .device = "cpu",
                                            .imageSize = InputSize::square(50)}),
                                 UsageError);
    }

    void notesNameWhatIsReplacedAndBothCounts()
    {
        const auto model = untrained(small(SpaceTime::Trajectory));
        const auto notes = model->prepare(AttentionSpec::parse("lara:samples=9"), 0).notes;
        QVERIFY(notes.front().find("the spatial softmax within each frame") != std::string::npos);
        QVERIFY(notes.back().find("as published") != std::string::npos);
        QVERIFY_EXCEPTION_THROWN(model->prepare(AttentionSpec::parse("sra"), 0), UsageError);
    }

    void approximationErrorIsMeasuredPerFrame()
    {
        const MotionformerDescription d = small(SpaceTime::Trajectory);
        const auto model = untrained(d);
        RunRequest request;
        request.attention = {AttentionSpec::parse("softmax"), AttentionSpec::parse("lara:samples=9"),
                             AttentionSpec::parse("orthoformer:samples=9")};
        request.latency = false;
        InputRecord record;
        for (const AttentionSpec& spec : request.attention) {
            RunRecord run;
            run.attention = spec.canonical();
            record.runs.push_back(run);
        }
        RunObserver observer;
        InputRun(*model, request, observer, {}, 0)
            .measure({.load =
                          [&](std::size_t) {
                              return NetworkInput{clip(d), {}};
                          }},
                     record);
        for (const RunRecord& run : record.runs) {
            QVERIFY2(run.failure.empty(), run.failure.c_str());
            QVERIFY(run.error.has_value());
            QCOMPARE(run.error->exact, std::string("softmax over the keys of each frame"));
            QCOMPARE(run.error->layers.size(), 2u);
            QVERIFY(std::isfinite(run.error->meanOfValues.relative));
            QVERIFY(!run.notes.empty());
        }
        QVERIFY(record.runs[0].error->error.relative < 1e-6);
        // The same by hand: LARA against softmax on the first layer's own q, k, v, over all rows and frames of a head.
        Recorder recorder;
        model->logits(clip(d), model->prepare(AttentionSpec::parse("softmax"), 0), &recorder);
        SeededNoise noise(0, 0);
        const auto lara = model->prepare(request.attention[1], 0).layers[0]->attend(recorder.inputs[0], noise);
        const auto byHead = [](const at::Tensor& x) { return x.to(at::kDouble).square().sum({0, 2, 3, 4}); };
        const double relative =
            (byHead(lara - recorder.outputs[0]) / byHead(recorder.outputs[0])).sqrt().mean().item<double>();
        QVERIFY(std::abs(record.runs[1].error->layers[0].error.relative - relative) < 1e-6 * relative);
    }

    void halfPrecisionStaysNearFloat32()
    {
        const auto golden = test::readTensors(dataFolder + "motionformer_trajectory_tiny_cfg.io.safetensors");
        const auto model = openCase("motionformer_trajectory_tiny_cfg", at::kBFloat16);
        const auto logits = model->logits(golden.at("input").to(at::kBFloat16),
                                          model->prepare(AttentionSpec::native(), 0));
        QCOMPARE(logits.scalar_type(), at::kFloat);
        const double size = golden.at("logits").abs().max().item<double>();
        QVERIFY(largestDifference(logits, golden.at("logits"))
                < 0.1 * size);  // 8 bits of mantissa through two blocks
    }

    void twoHeadsAnswerOneAfterTheOther()
    {
        MotionformerDescription d = small(SpaceTime::Joint);
        d.classifierHeads = {4, 5};
        const auto model = untrained(d);
        QCOMPARE(model->logits(clip(d), model->prepare(AttentionSpec::native(), 0)).size(1), 9);
        QCOMPARE(model->describe().classes, 9);
        QVERIFY(model->describe().load.notes.front().find("two heads") == 0);
    }
};

ATTNSCOPE_TEST(TestMotionformer)
#include "tst_motionformer.moc"
