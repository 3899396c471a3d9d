#include "core/base/error.h"
#include "core/run/input_run.h"
#include "models/motionformer/motionformer.h"
#include "models/motionformer/motionformer_models.h"
#include "tests/models/description_named.h"
#include "tests/models/golden_models.h"
#include "tests/support/test_class.h"

#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

std::shared_ptr<Motionformer> load(const MotionformerDescription& description, const std::string& file,
                                   at::ScalarType dtype = at::kFloat)
{
    WeightLoader loader(namedTensors(readCheckpoint(modelFolder + file)), {.file = file});
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
    const Json json = goldenJson(name);
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
MotionformerDescription small(SpaceTime spaceTime, int64_t frames = 8, int64_t crop = 48)
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

at::Tensor clip(const MotionformerDescription& d, int64_t batch = 1)
{
    SeededNoise noise(3, 0);
    return noise.normal("clip", {batch, 3, d.frames, d.imageHeight, d.imageWidth}, at::kFloat);
}

std::string inGiga(double multiplyAdds)
{
    return QString::number(multiplyAdds / 1e9, 'f', 1).toStdString();
}

}

class TestMotionformer : public QObject {
    Q_OBJECT

private slots:
    void float64LeavesTheGoldensOwnRoundingAlone_data()
    {
        rows("name", {"motionformer_trajectory_tiny_cfg", "motionformer_trajectory_4x32x32_cfg",
                      "motionformer_trajectory_fixed_v_tiny_cfg", "motionformer_orthoformer_tiny_cfg",
                      "motionformer_joint_tiny_cfg", "motionformer_divided_tiny_cfg"});
    }

    void float64LeavesTheGoldensOwnRoundingAlone()
    {
        const std::string name = currentDataTag();
        const Json json = goldenJson(name);
        const auto model = openCase(name, at::kDouble);
        const auto golden = goldenTensors(name);
        PreparedAttention native = prepare(*model);
        giveFirstLandmarks(json, native);
        const auto probabilities = model->logits(golden.at("input").to(at::kDouble), native).softmax(-1);
        // The goldens are the float32 run of the authors' code; the case says how far that is from its float64 run.
        const double allowed = 1.05 * json["max_abs_probs_vs_float64"].get<double>() + 0x1p-24;
        QVERIFY(difference(probabilities, golden.at("probs")) <= allowed);
        const auto single = openCase(name);
        const auto& input = golden.at("input");
        const TokenVolume volume{input.size(2) / 2, input.size(3) / 16, input.size(4) / 16};
        QCOMPARE_LE(difference(single->positionFor(volume), golden.at("total_pos_embed")), goldenTolerance);
        QCOMPARE(single->describe().load.ignored.size(), 2);  // the unused 2-D patch embedding
    }

    void bothCountsAreTold_data()
    {
        columns<QString>("published");
        row("motionformer_224_16x4", "369.4");
        row("motionformer_336_16x8", "958.4");
        row("motionformer_224_32x3", "1184.9");
        row("joint_224_16x4", "180.5");
        row("divided_224_16x4", "185.5");
    }

    void bothCountsAreTold()
    {
        FETCH_TEXT(published);
        const auto& found = descriptionNamed(namedMotionformers(), currentDataTag());
        QCOMPARE(inGiga(found.multiplyAdds(Counting::Published)), published);
        SAYS(findModel(currentDataTag())->note, published + " G");
    }

    void headsOfOtherDataSetsCount()
    {
        MotionformerDescription d = namedMotionformers().front().description;
        d.classifierHeads = {174};  // Something-Something V2
        QCOMPARE(d.parameters(), 108'970'926);
        d.classifierHeads = {97, 300};  // Epic-Kitchens: verbs and nouns
        QCOMPARE(d.parameters(), 109'144'720 - 3 * 769);
        d.temporalValue = TemporalValue::Projected;
        QCOMPARE(inGiga(d.multiplyAdds(Counting::Computed)), "216.5");
    }

    void randomWeightsHaveTheDescribedParameters()
    {
        for (const SpaceTime spaceTime : {SpaceTime::Trajectory, SpaceTime::Joint, SpaceTime::Divided}) {
            for (const PositionForm position : {PositionForm::Separate, PositionForm::Joint}) {
                MotionformerDescription d = small(spaceTime);
                d.position = position;
                d.temporalValue = TemporalValue::Projected;
                d.classifierHeads = {5, 6};
                int64_t count = 0;
                MotionformerWeights weights = randomMotionformerWeights(d, 1);
                visitWeights(weights, d, [&](const std::string&, const std::vector<int64_t>&, at::Tensor& x) {
                    count += x.defined() ? x.numel() : 0;
                });
                const int64_t unused = 3 * 256 * 24 + 24;  // not held: the 2-D patch embedding
                QCOMPARE(count + unused, d.parameters());
            }
        }
        const MotionformerDescription d = small(SpaceTime::Trajectory);
        QVERIFY(randomMotionformerWeights(d, 1).blocks[1].fc1.weight.equal(
            randomMotionformerWeights(d, 1).blocks[1].fc1.weight));
        QVERIFY(!randomMotionformerWeights(d, 1).blocks[1].fc1.weight.equal(
            randomMotionformerWeights(d, 2).blocks[1].fc1.weight));
    }

    void descriptionsReadBackAsThemselves()
    {
        MotionformerDescription odd = small(SpaceTime::Divided, 6, 64);
        odd.imageWidth = 96;
        odd.classifierHeads = {3, 4};
        odd.position = PositionForm::Joint;
        odd.temporalValue = TemporalValue::Projected;
        odd.preLogits = odd.qkvBias = false;
        odd.attention = AttentionSpec::parse("lara:samples=16");
        Json json = toJson(odd);
        QVERIFY(toJson(parseMotionformerDescription(json, "test")) == json);
        json["family"] = "deit";
        REFUSES(UsageError, parseMotionformerDescription(json, "test"), "family");
    }

    void backendsReplaceTheSpatialStepAlone_data()
    {
        rows("spec", {"performer", "rfa", "ra", "ra:mode=biased", "lara:samples=9",
                      "lara:samples=9,proposal=mixed,noise=unit", "nystrom:samples=9", "orthoformer:samples=9"});
    }

    void backendsReplaceTheSpatialStepAlone()
    {
        FETCH_TEXT(spec);
        for (const SpaceTime spaceTime : {SpaceTime::Trajectory, SpaceTime::Joint, SpaceTime::Divided}) {
            const MotionformerDescription d = small(spaceTime);
            const auto model = untrained(d);
            const auto input = clip(d);
            const auto softmax = prepare(*model);
            const auto prepared = prepare(*model, spec, 3);
            Recorder recorder, exact;
            const auto before = model->logits(input, softmax, &exact);
            const auto logits = model->logits(input, prepared, &recorder);
            QVERIFY(isFinite(logits));
            QVERIFY(logits.equal(model->logits(input, prepared)));
            QVERIFY(before.equal(model->logits(input, softmax)));
            QCOMPARE(recorder.before, 2);
            QVERIFY(recorder.outputs[0].sizes() == exact.outputs[0].sizes());
            QVERIFY(recorder.inputs[0].q.equal(exact.inputs[0].q));  // the first layer sees the same
            QVERIFY(difference(recorder.outputs[0], exact.outputs[0]) > 1e-9);
            // The class token's row of the first block is exact, but for joint attention, which replaces all.
            const auto row = [](const Recorder& r) { return r.activations.at("block.0.attn").select(1, 0); };
            QCOMPARE(difference(row(recorder), row(exact)) < 1e-7, spaceTime != SpaceTime::Joint);
        }
    }

    void drawnAttentionsApproachTheExactModule()
    {
        // Unbiased randomized attention is softmax in expectation: many draws inside the module come near the exact module.
        const MotionformerDescription d = small(SpaceTime::Trajectory);
        const auto model = untrained(d);
        const auto attention = [&](const char* spec) {
            Recorder recorder;
            model->logits(clip(d), prepare(*model, spec, 1), &recorder);
            return recorder.activations.at("block.0.attn");
        };
        const auto exact = attention("softmax");
        const double few = difference(attention("ra:samples=4"), exact),
                     many = difference(attention("ra:samples=1024"), exact);
        QVERIFY2(many < few / 4, qPrintable(QString("%1 and %2").arg(few).arg(many)));  // a factor 16 is expected
        QVERIFY(difference(attention("performer:samples=4096"), exact)
                < difference(attention("performer:samples=16"), exact) / 4);
        QVERIFY(difference(attention("rfa:samples=4096"), exact)
                < difference(attention("rfa:samples=16"), exact) / 4);
    }

    void batchesAndSingleClipsAgree_data()
    {
        columns<int>("spaceTime");
        row("trajectory", int(SpaceTime::Trajectory));
        row("joint", int(SpaceTime::Joint));
        row("divided", int(SpaceTime::Divided));
    }

    void batchesAndSingleClipsAgree()
    {
        QFETCH(const int, spaceTime);
        const MotionformerDescription d = small(static_cast<SpaceTime>(spaceTime));
        const auto model = untrained(d);
        const auto two = clip(d, 2);
        for (const char* spec : {"softmax", "lara:samples=9", "nystrom:samples=9"}) {
            const auto prepared = prepare(*model, spec);
            const auto both = model->logits(two, prepared);
            for (int b = 0; b < 2; ++b)
                QVERIFY2(difference(model->logits(two.slice(0, b, b + 1), prepared), both.slice(0, b, b + 1))
                             < 1e-5,
                         spec);
        }
    }

    void otherCropsAndLengthsAreTaken()
    {
        for (const SpaceTime spaceTime : {SpaceTime::Trajectory, SpaceTime::Joint, SpaceTime::Divided}) {
            const auto model = untrained(small(spaceTime));
            const auto prepared = prepare(*model);
            for (const auto& [frames, crop] : {std::pair{2, 16}, std::pair{4, 64}, std::pair{12, 32}}) {
                const MotionformerDescription other = small(spaceTime, frames, crop);
                model->checkInput({3, frames, crop, crop});
                QVERIFY(isFinite(model->logits(clip(other), prepared)));
            }
        }
    }

    void aTemporalEmbeddingOfAnotherLengthIsInterpolatedAndNoted()
    {
        MotionformerDescription d = parseMotionformerDescription(
            goldenJson("motionformer_trajectory_tiny_cfg")["config"], "test");
        d.frames = 16;
        const auto model = load(d, "motionformer_trajectory_tiny_cfg.weights.official.safetensors");
        const auto& resized = model->describe().load.resized;
        QCOMPARE(resized.size(), 2u);
        QVERIFY(resized[0].find("temp_embed from 4 to 8 time steps (linear") == 0);
        QVERIFY(resized[1].find("pos_embed from 14×14 to 3×3") == 0);
        QVERIFY(isFinite(model->logits(clip(d), prepare(*model))));
    }

    void missingAndForeignTensorsAreRefused()
    {
        MotionformerDescription d = parseMotionformerDescription(
            goldenJson("motionformer_trajectory_tiny_cfg")["config"], "test");
        d.spaceTime = SpaceTime::Joint;  // leaves proj_q and proj_kv over
        THROWS(CheckpointMismatch, load(d, "motionformer_trajectory_tiny_cfg.weights.official.safetensors"));
        d.spaceTime = SpaceTime::Divided;
        THROWS(CheckpointMismatch, load(d, "motionformer_trajectory_tiny_cfg.weights.official.safetensors"));
    }

    void checkpointsOpenByTheirDescription()
    {
        const std::string name = "motionformer_divided_tiny_cfg";
        const auto model = goldenModel(name);
        QCOMPARE(model->describe().family, "motionformer");
        QCOMPARE(model->describe().input, (std::vector<int64_t>{3, 4, 32, 32}));
        const auto larger = goldenModel(name, {.weights = "untrained:3", .imageSize = InputSize::square(64)});
        larger->checkInput({3, 4, 64, 64});
        QCOMPARE(larger->transform().cropHeight, 64);
        QCOMPARE(larger->transform().mean[0], 0.5f);
        THROWS(UsageError, goldenModel(name, {.weights = "untrained", .imageSize = InputSize::square(50)}));
    }

    void notesNameWhatIsReplacedAndBothCounts()
    {
        const auto model = untrained(small(SpaceTime::Trajectory));
        const auto notes = prepare(*model, "lara:samples=9").notes;
        SAYS(notes.front(), "the spatial softmax within each frame");
        SAYS(notes.back(), "as published");
        THROWS(UsageError, prepare(*model, "sra"));
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
        const auto load = [&](size_t) { return NetworkInput{clip(d), {}}; };
        const auto network = onlyNetwork(*model);
        InputRun(network, request, observer, {}, 0).measure({{.load = load}}, record);
        for (const RunRecord& run : record.runs) {
            QVERIFY2(run.failure.empty(), run.failure.c_str());
            QVERIFY(run.error.has_value());
            QCOMPARE(run.error->exact, "softmax over the keys of each frame");
            QCOMPARE(run.error->layers.size(), 2u);
            QVERIFY(std::isfinite(run.error->meanOfValues.relative));
            QVERIFY(!run.notes.empty());
        }
        QVERIFY(record.runs[0].error->error.relative < 1e-6);
        // The same by hand: LARA against softmax on the first layer's own q, k, v, over all rows and frames of a head.
        Recorder recorder;
        model->logits(clip(d), prepare(*model, "softmax"), &recorder);
        SeededNoise noise(0, 0);
        const auto lara = model->prepare(request.attention[1], 0).layers[0]->attend(recorder.inputs[0], noise);
        const auto byHead = [](const at::Tensor& x) { return x.to(at::kDouble).square().sum({0, 2, 3, 4}); };
        const double relative =
            (byHead(lara - recorder.outputs[0]) / byHead(recorder.outputs[0])).sqrt().mean().item<double>();
        QVERIFY(std::abs(record.runs[1].error->layers[0].error.relative - relative) < 1e-6 * relative);
    }

    void twoHeadsAnswerOneAfterTheOther()
    {
        MotionformerDescription d = small(SpaceTime::Joint);
        d.classifierHeads = {4, 5};
        const auto model = untrained(d);
        QCOMPARE(model->logits(clip(d), prepare(*model)).size(1), 9);
        QCOMPARE(model->describe().classes, 9);
        QVERIFY(model->describe().load.notes.front().find("two heads") == 0);
    }
};

ATTNSCOPE_TEST(TestMotionformer)
#include "tst_motionformer.moc"
