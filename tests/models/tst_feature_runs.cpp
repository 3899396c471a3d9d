// Features of networks with and without a head: what they are in every family, and what a run reports of them.
#include "core/base/error.h"
#include "core/run/compare.h"
#include "core/run/features/feature_agreement.h"
#include "core/run/features/token_features.h"
#include "core/run/record_json.h"
#include "models/open_model.h"
#include "tests/models/golden_models.h"
#include "tests/models/headless_classifier.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <QFile>

#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

std::shared_ptr<const Classifier> headless(const std::string& name = "deit_tiny_cfg")
{
    return std::make_shared<HeadlessClassifier>(goldenModel(name));
}

RunRequest requestOf(const std::vector<std::string>& specs, std::optional<FeatureKind> features = {})
{
    RunRequest request;
    for (const std::string& spec : specs)
        request.attention.push_back(AttentionSpec::parse(spec));
    request.latency = request.memory = false;
    request.features = features;
    return request;
}

RunReport runOn(const Classifier& classifier, const RunRequest& request, int inputs = 1)
{
    std::vector<InputSource> sources;
    for (int i = 0; i < inputs; ++i)
        sources.push_back(waves(0.01f * float(i + 3)));
    RunObserver nobody;
    return run(classifier, sources, request, nobody, {});
}

}

class TestFeatureRuns : public QObject {
    Q_OBJECT

private slots:
    void tokensAreThoseBehindTheFinalNorm_data()
    {
        columns<QString, QString, int, bool>("name", "norm", "prefix", "classToken");
        row("DeiT", "deit_tiny_cfg", "act.norm", 1, true);
        row("distilled DeiT", "deit_distilled_tiny_cfg", "act.norm", 2, true);
        row("evit", "evit_softmax_tiny_cfg", "act.norm_before_pooling", 0, false);
        row("PVTv2", "pvtv2_sra_tiny_cfg", "act.norm4", 0, false);
        row("Motionformer, trajectories", "motionformer_trajectory_tiny_cfg", "act.norm", 1, true);
        row("Motionformer, divided", "motionformer_divided_tiny_cfg", "act.norm", 1, true);
    }
    void tokensAreThoseBehindTheFinalNorm()
    {
        FETCH_TEXT(name);
        FETCH_TEXT(norm);
        QFETCH(int, prefix);
        QFETCH(bool, classToken);
        const auto classifier = goldenModel(name);
        const auto golden = readTensors(modelFolder + name + ".io.safetensors");
        const at::Tensor& normed = golden.at(norm);
        const PreparedAttention prepared = prepare(*classifier);
        const TokenFeatures features = readFeatures(*classifier, prepared, golden.at("input"), {});
        QVERIFY(difference(features.patches, normed.slice(1, prefix)) < 1e-4);
        QCOMPARE(features.layout.count(), normed.size(1));
        QCOMPARE(features.token.defined(), classToken);
        if (classToken) {
            QVERIFY(difference(features.token, normed.select(1, 0)) < 1e-4);
            QCOMPARE(features.of(FeatureKind::TokenAvg).size(1), 2 * normed.size(2));
            QVERIFY(difference(features.of(FeatureKind::TokenAvg).slice(1, normed.size(2)),
                               normed.slice(1, prefix).mean(1))
                    < 1e-4);
        } else {
            THROWS(Unsupported, requireFeatures(*classifier, FeatureKind::Token));
        }
        // What the head reads: the class token, or the mean of the patches; what two heads read: the mean of their tokens.
        const FeatureKind read = classToken ? FeatureKind::Token : FeatureKind::Avg;
        const at::Tensor expected = prefix == 2 ? normed.slice(1, 0, 2).mean(1) : features.of(read);
        QVERIFY(difference(features.of(FeatureKind::Pooled), expected) < (prefix == 2 ? 1e-4 : 1e-5));
        QCOMPARE(features.pooled.size(1), classifier->describe().features);
    }

    void aNetworkWithoutAHeadReportsFeaturesAndNoClasses()
    {
        const auto classifier = headless();
        const RunReport report = runOn(*classifier, requestOf({"softmax", "performer:samples=8"}));
        for (const RunRecord& record : report.inputs.at(0).runs) {
            QVERIFY2(record.failure.empty(), record.failure.c_str());
            QVERIFY(record.top.empty() && record.logits.empty());
            QCOMPARE(record.features->kind, "pooled");
            QCOMPARE(std::ssize(record.features->values), classifier->describe().features);
            QVERIFY(record.features->length > 0);
            QVERIFY(!record.endToEnd->hasClasses);
            const Json json = toJson(record);
            QVERIFY(!json.at("end_to_end").contains("kl") && json.at("end_to_end").contains("drift"));
            QCOMPARE(json.at("top").size(), size_t(0));
            QCOMPARE(json.at("features").at("values").size(), record.features->values.size());
            QCOMPARE(json.at("features").at("layers").size(), size_t(2));
        }
        QVERIFY(!toJson(report).contains("features"));  // of one input there is nothing to summarise
    }

    void exactAttentionHasCosineOne()
    {
        RunRequest request = requestOf({"softmax"}, FeatureKind::Token);
        request.patchColours = true;
        const RunReport report = runOn(*goldenModel("deit_tiny_cfg"), request);
        const FeatureDrift& drift = *report.inputs.at(0).runs.at(0).featureDrift;
        for (const double cosine :
             {drift.cosine, *drift.token, *drift.avg, drift.patches->mean, drift.patches->p05})
            QVERIFY(std::abs(cosine - 1) < 1e-12);
        for (const LayerCosine& layer : drift.layers)
            QVERIFY(std::abs(*layer.token - 1) < 1e-12 && std::abs(layer.patches - 1) < 1e-12);
        QCOMPARE(drift.colours.pixels, drift.exactColours.pixels);
        QCOMPARE(drift.colours.height, 4);
        QCOMPARE(drift.colours.width, 4);
        QVERIFY(drift.variance > 0 && drift.variance <= 1);
        // The basis stretches each component over the patches: darkest and brightest occur in each of the three.
        for (size_t channel = 0; channel < 3; ++channel) {
            uint8_t low = 255, high = 0;
            for (size_t i = channel; i < drift.colours.pixels.size(); i += 3)
                low = std::min(low, drift.colours.pixels[i]), high = std::max(high, drift.colours.pixels[i]);
            QCOMPARE(int(low), 0);
            QCOMPARE(int(high), 255);
        }
    }

    void approximationsDriftFromTheExactFeatures()
    {
        RunRequest request = requestOf({"performer:samples=4"}, FeatureKind::Avg);
        request.patchColours = true;
        const RunReport report = runOn(*goldenModel("deit_tiny_cfg"), request);
        const RunRecord& record = report.inputs.at(0).runs.at(0);
        const FeatureDrift& drift = *record.featureDrift;
        QVERIFY(drift.cosine < 1 && drift.cosine > -1);
        QCOMPARE(drift.cosine, *drift.avg);
        QVERIFY(drift.patches->p05 <= drift.patches->mean);
        QCOMPARE(drift.patchCosines.size(), size_t(16));
        QVERIFY(drift.layers.at(1).patches < 1 && *drift.layers.at(1).token < 1);
        QVERIFY(drift.colours.pixels != drift.exactColours.pixels);
        QCOMPARE(drift.values.size(), record.features->values.size());
        for (size_t i = 0; i < drift.values.size(); ++i)
            QVERIFY(std::abs(drift.values[i] - record.features->values[i]) < 1e-4);
        QVERIFY(!record.top.empty());  // the head is still there
    }

    /// By hand, from two passes with the run's own seed.
    void cosinesAreThoseOfTwoPasses()
    {
        const auto classifier = headless();
        RunRequest request = requestOf({"lara:samples=4"}, FeatureKind::Token);
        request.seeds = 1;
        const FeatureDrift drift = *runOn(*classifier, request).inputs.at(0).runs.at(0).featureDrift;
        const auto array = std::get<FloatArray>(waves(0.01f * float(0 + 3)).load());
        const NetworkInput input = networkInput(array, *classifier);
        const auto read = [&](const char* spec) {
            PreparedAttention prepared = prepare(*classifier, spec);
            prepared.drawFor(input.samples);
            return readFeatures(*classifier, prepared, input.values, {});
        };
        const TokenFeatures exact = read("softmax"), own = read("lara:samples=4");
        const auto cosine = [](const at::Tensor& a, const at::Tensor& b) {
            const at::Tensor x = a.to(at::kDouble).flatten(), y = b.to(at::kDouble).flatten();
            return (at::dot(x, y) / (x.norm() * y.norm())).item<double>();
        };
        QVERIFY(std::abs(drift.cosine - cosine(exact.token[0], own.token[0])) < 1e-6);
        QVERIFY(std::abs(*drift.avg - cosine(exact.patches[0].mean(0), own.patches[0].mean(0))) < 1e-6);
        for (int64_t patch = 0; patch < 16; ++patch)
            QVERIFY(std::abs(drift.patchCosines[size_t(patch)]
                             - cosine(exact.patches[0][patch], own.patches[0][patch]))
                    < 1e-6);
    }

    void agreementOfSeveralInputs()
    {
        const RunReport report = runOn(*headless(), requestOf({"softmax", "performer:samples=1"}), 6);
        const auto agreements = featureAgreement(report.inputs);
        QCOMPARE(agreements.size(), size_t(2));
        QCOMPARE(agreements[0].attention, "softmax");
        QCOMPARE(agreements[0].inputs, 6);
        QCOMPARE(*agreements[0].sameNeighbour, 1.0);
        QVERIFY(std::abs(agreements[0].cosine.p05 - 1) < 1e-12);
        QVERIFY(agreements[1].cosine.p05 <= agreements[1].cosine.mean && agreements[1].cosine.mean < 1);
        QVERIFY(*agreements[1].sameNeighbour >= 0 && *agreements[1].sameNeighbour <= 1);
        const Json json = toJson(report);
        QCOMPARE(json.at("features").size(), size_t(2));
        QVERIFY(featureAgreement({report.inputs[0]}).empty());
        QVERIFY(!featureAgreement({report.inputs[0], report.inputs[1]}).front().sameNeighbour);
    }

    /// Two inputs whose features swap places: the nearest of each is then another one.
    void neighboursAreLookedUpAmongTheExactFeatures()
    {
        std::vector<InputRecord> inputs(4);
        const std::vector<std::vector<float>> exact{{1, 0}, {1, 0.1f}, {0, 1}, {0.1f, 1}},
            own{{0, 1}, {1, 0.1f}, {0, 2}, {1, 0}};
        for (size_t i = 0; i < 4; ++i)
            inputs[i].runs.push_back(
                {.attention = "x",
                 .featureDrift = FeatureDrift{.cosine = 1, .values = own[i], .exact = exact[i]}});
        QCOMPARE(*featureAgreement(inputs).front().sameNeighbour, 0.5);
    }

    void featuresOfAVideoAreTheMeanOverItsViews()
    {
        // An image network takes the frames of a video as views.
        const auto classifier = headless();
        VideoViews video{.grid = {2, 1}, .views = {{.clip = 0}, {.clip = 1}}};
        video.view = [](size_t view) { return waveArray(0.01f * float(view + 3)); };
        RunObserver nobody;
        const RunRequest request = requestOf({"softmax"});
        const RunReport whole = run(*classifier,
                                    {{.path = "video", .kind = "video", .load = [video] { return video; }}},
                                    request, nobody, {});
        const RunReport frames = run(*classifier, {waves(0.01f * float(0 + 3)), waves(0.01f * float(1 + 3))},
                                     request, nobody, {});
        QCOMPARE(whole.unreadable.size(), size_t(0));
        const auto& mean = whole.inputs.at(0).runs.at(0).features->values;
        for (size_t i = 0; i < mean.size(); ++i) {
            const float expected = (frames.inputs.at(0).runs.at(0).features->values[i]
                                    + frames.inputs.at(1).runs.at(0).features->values[i])
                                   / 2;
            QVERIFY(std::abs(mean[i] - expected) < 1e-5f);
        }
    }

    void aPyramidWithoutAHeadOutputsTheMeanOfItsPatches()
    {
        Json config = goldenJson("pvtv2_sra_tiny_cfg").at("config");
        config["num_classes"] = 0;
        const std::string headless = m_folder.put("headless.json", config.dump());
        for (const bool plain : {false, true}) {
            const auto bare = openModel(
                {.model = headless, .weights = "untrained:5", .device = "cpu", .plain = plain});
            const auto whole = goldenModel("pvtv2_sra_tiny_cfg", {.weights = "untrained:5", .plain = plain});
            QCOMPARE(bare->describe().classes, 0);
            QCOMPARE(whole->describe().parameters - bare->describe().parameters, 10 * 32 + 10);
            const at::Tensor input = at::rand({2, 3, 64, 64});
            const PreparedAttention prepared = prepare(*bare);
            const at::Tensor output = bare->logits(input, prepared);
            QCOMPARE(output.size(1), bare->describe().features);
            const TokenFeatures features = readFeatures(*whole, prepare(*whole), input, {});
            QVERIFY(difference(output, features.pooled) < 1e-5);
            QVERIFY(difference(output, readFeatures(*bare, prepared, input, {}).of(FeatureKind::Avg)) < 1e-5);
        }
    }

    void featuresThatAreNotThereAreRefusedBeforeAnyInputIsOpened()
    {
        const RunRequest request = requestOf({"softmax"}, FeatureKind::Token);
        REFUSES(Unsupported, runOn(*goldenModel("evit_softmax_tiny_cfg"), request),
                "it has no class token; use the features avg or pooled.");
        THROWS(UsageError, parseFeatureKind("cls"));
        for (const std::string& name : featureKindNames())
            QCOMPARE(std::string(toText(parseFeatureKind(name))), name);
    }

private:
    Folder m_folder;
};

ATTNSCOPE_EVENT_TEST(TestFeatureRuns)
#include "tst_feature_runs.moc"
