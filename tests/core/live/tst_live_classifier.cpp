// The tiny networks of the goldens predict clips as they predict the same input elsewhere.
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/live/live_predictor.h"
#include "core/run/classifier.h"
#include "core/run/compare.h"
#include "models/open_model.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <fstream>
#include <numeric>

using namespace attnscope;

namespace {

std::shared_ptr<const Classifier> tiny(const char* name, const char* weights = "untrained:3")
{
    ModelRequest request;
    request.model = std::string(TEST_DATA_DIR "/models/") + name + ".json";
    request.weights = weights;
    request.device = "cpu";
    return openModel(request);
}

/// A clip of the right shape with a different value everywhere.
LiveClip clipFor(const Classifier& classifier)
{
    LiveClip clip;
    clip.pixels.shape = classifier.describe().input;
    const auto count = std::accumulate(clip.pixels.shape.begin(), clip.pixels.shape.end(), int64_t{1},
                                       std::multiplies<>());
    for (int64_t i = 0; i < count; ++i)
        clip.pixels.values.push_back(std::sin(float(i) * 0.01f));
    clip.seconds = 1.5;
    return clip;
}

LiveQuestion question(std::initializer_list<const char*> specs)
{
    LiveQuestion out;
    for (const char* spec : specs)
        out.attention.push_back(AttentionSpec::parse(spec));
    return out;
}

}

class TestLiveClassifier : public QObject {
    Q_OBJECT
private slots:
    void allBackendsAnswerTheSameClip_data()
    {
        columns<QString>("model");
        row("image", "deit_tiny_cfg");
        row("video", "motionformer_trajectory_tiny_cfg");
    }
    void allBackendsAnswerTheSameClip()
    {
        QFETCH(QString, model);
        const auto classifier = tiny(model.toUtf8().constData());
        const auto predictor = livePredictor(classifier, question({"softmax", "performer:samples=16", "softmax"}));
        const LiveClip clip = clipFor(*classifier);
        for (int turn = 0; turn < 4; ++turn) {
            const LivePrediction prediction = predictor->predict(clip, {1, 20, 18}, {});
            QCOMPARE(prediction.predictions.size(), size_t(3));
            QCOMPARE(prediction.predictions[0].attention, "softmax");
            QCOMPARE(prediction.predictions[1].attention, "performer:samples=16");
            QCOMPARE(prediction.request.after, 18);
            for (const BackendPrediction& outcome : prediction.predictions) {
                QVERIFY2(outcome.failure.empty(), outcome.failure.c_str());
                QCOMPARE(outcome.top.size(), size_t(3));
                QVERIFY(outcome.top[0].label.empty());  // untrained: names would mean nothing
                QVERIFY(outcome.latencyMs > 0);
                QVERIFY(outcome.peakBytes > 0);
            }
            QVERIFY(prediction.predictions[0].agrees && prediction.predictions[2].agrees);
            QCOMPARE(prediction.predictions[0].top[0].probability, prediction.predictions[2].top[0].probability);
        }
    }

    void answerIsThatOfTheClassifierItself()
    {
        const auto classifier = tiny("motionformer_trajectory_tiny_cfg");
        const LiveClip clip = clipFor(*classifier);
        const LivePrediction prediction = livePredictor(classifier, question({"native"}))->predict(clip, {}, {});
        std::vector<int64_t> shape{1};
        shape.insert(shape.end(), clip.pixels.shape.begin(), clip.pixels.shape.end());
        const auto input = at::from_blob(const_cast<float*>(clip.pixels.values.data()), shape, at::kFloat);
        const c10::InferenceMode guard;
        const auto expected = classifier->logits(input, classifier->prepare(AttentionSpec::parse("native"), 0))[0]
                                  .to(at::kDouble)
                                  .softmax(-1);
        QCOMPARE(prediction.predictions[0].top[0].index, expected.argmax().item<int64_t>());
        QVERIFY(std::abs(prediction.predictions[0].top[0].probability - expected.max().item<double>()) < 1e-9);
    }

    void mergedTokensAnswerAsTheNetworkDoes()
    {
        const auto classifier = tiny("deit_tiny_cfg");
        const LiveClip clip = clipFor(*classifier);
        const char* merging = "softmax;tokens=tome:r=3";
        const LivePrediction prediction =
            livePredictor(classifier, question({"softmax", merging}))->predict(clip, {}, {});
        QVERIFY2(prediction.predictions[1].failure.empty(), prediction.predictions[1].failure.c_str());
        QCOMPARE(prediction.predictions[1].attention, std::string(merging));
        const auto input = at::from_blob(const_cast<float*>(clip.pixels.values.data()), {1, 3, 32, 32},
                                         at::kFloat);
        const c10::InferenceMode guard;
        const auto expected = classifier->logits(input, classifier->prepare(AttentionSpec::parse(merging), 0))[0]
                                  .to(at::kDouble)
                                  .softmax(-1);
        QCOMPARE(prediction.predictions[1].top[0].index, expected.argmax().item<int64_t>());
        QVERIFY(std::abs(prediction.predictions[1].top[0].probability - expected.max().item<double>()) < 1e-9);
        QVERIFY(prediction.predictions[1].top[0].probability != prediction.predictions[0].top[0].probability);
    }

    /// As each does alone; one that takes other clips says so.
    void networksPredictTheSameClip()
    {
        const std::vector<ComparedNetwork> networks{
            {.classifier = tiny("motionformer_trajectory_tiny_cfg")},
            {.classifier = tiny("motionformer_trajectory_tiny_cfg", "untrained:4"), .checkpoint = "2"},
            {.classifier = tiny("deit_tiny_cfg"), .checkpoint = "3"},
            {.failure = "it is gone.", .checkpoint = "4"}};
        const LiveClip clip = clipFor(*networks.front().classifier);
        const LivePrediction prediction =
            livePredictor(networks, question({"softmax", "softmax;checkpoint=2", "softmax;checkpoint=3",
                                              "softmax;checkpoint=4", "softmax;checkpoint=5"}))
                ->predict(clip, {}, {});
        for (size_t i = 0; i < 2; ++i) {
            const BackendPrediction& together = prediction.predictions[i];
            const LivePrediction alone =
                livePredictor(networks[i].classifier, question({"softmax"}))->predict(clip, {}, {});
            QCOMPARE(together.failure, "");
            QCOMPARE(together.top[0].index, alone.predictions[0].top[0].index);
            QCOMPARE(together.top[0].probability, alone.predictions[0].top[0].probability);
        }
        QVERIFY(prediction.predictions[0].top[0].probability != prediction.predictions[1].top[0].probability);
        QVERIFY(!prediction.predictions[1].agrees);  // classes of two networks without names
        QVERIFY(contains(prediction.predictions[2].failure, "takes clips of another size"));
        QVERIFY(contains(prediction.predictions[3].failure, "it is gone."));
        QVERIFY(contains(prediction.predictions[4].failure, "is not open"));
        QVERIFY(prediction.predictions[4].top.empty());
    }

    void randomAttentionsDrawByTheClipsContentAsCompareDoes()
    {
        const auto classifier = tiny("deit_tiny_cfg");
        LiveClip clip = clipFor(*classifier);
        const auto predictor = livePredictor(classifier, question({"ra"}));
        const auto first = predictor->predict(clip, {1, 20, 18}, {}).predictions[0].top;
        RunRequest request{.attention = {AttentionSpec::parse("ra")},
                           .topK = 3,
                           .latency = false,
                           .memory = false,
                           .error = false};
        RunObserver nobody;
        const RunReport report = run(*classifier, {{"clip", "image", [&] { return clip.pixels; }}}, request,
                                     nobody, {});
        const auto& compared = report.inputs.at(0).runs.at(0).top;
        QCOMPARE(first.size(), compared.size());
        for (size_t i = 0; i < first.size(); ++i) {
            QCOMPARE(first[i].index, compared[i].index);
            QVERIFY(std::abs(first[i].probability - compared[i].probability) < 1e-9);
        }
        const auto drawn = [&](const LiveClip& shown) {
            PreparedAttention prepared = classifier->prepare(AttentionSpec::parse("ra"), 0);
            prepared.drawFor(networkInput(shown.pixels, *classifier).samples);
            return prepared.noise.front()->normal("eps", {1, 4}, at::kFloat);
        };
        const at::Tensor before = drawn(clip);
        clip.pixels.values.back() += 1;
        QVERIFY(!drawn(clip).equal(before));
    }

    /// Verbs and nouns: 3 and 4 classes.
    void headsAreAnsweredByThemselves()
    {
        Folder folder;
        const std::string file = folder / "two_heads.json";
        Json description = Json::parse(
            std::ifstream(TEST_DATA_DIR "/models/motionformer_trajectory_tiny_cfg.json"))["config"];
        description["num_classes"] = {3, 4};
        std::ofstream(file) << description;
        const auto classifier = openModel({.model = file, .weights = "untrained:3", .device = "cpu"});
        LiveQuestion requested = question({"softmax", "softmax", "performer:samples=16"});
        requested.topK = 4;
        const LiveClip clip = clipFor(*classifier);
        const LivePrediction prediction = livePredictor(classifier, requested)->predict(clip, {}, {});
        const auto& top = prediction.predictions[0].top;
        QCOMPARE(top.size(), 7);
        const auto sum = [&](size_t begin, size_t end) {
            double all = 0;
            for (size_t i = begin; i < end; ++i)
                all += top[i].probability;
            return all;
        };
        QVERIFY2(std::abs(sum(0, 3) - 1) < 1e-9, qPrintable(QString::number(sum(0, 3))));
        QVERIFY2(std::abs(sum(3, 7) - 1) < 1e-9, qPrintable(QString::number(sum(3, 7))));
        for (size_t i = 0; i < top.size(); ++i)
            QCOMPARE(top[i].index >= 3, i >= 3);
        QVERIFY(prediction.predictions[1].agrees);
        const auto& other = prediction.predictions[2].top;
        QCOMPARE(prediction.predictions[2].agrees,
                 other[0].index == top[0].index && other[3].index == top[3].index);
    }

    void backendThatDoesNotFitSaysSoAndTheOthersGoOn()
    {
        const auto classifier = tiny("deit_tiny_cfg");
        const auto predictor = livePredictor(classifier, question({"softmax", "sra"}));
        const LivePrediction prediction = predictor->predict(clipFor(*classifier), {}, {});
        QVERIFY(prediction.predictions[0].failure.empty());
        QVERIFY(!prediction.predictions[1].failure.empty());
        QVERIFY(prediction.predictions[1].top.empty());
        QVERIFY(!prediction.predictions[1].agrees);
    }

    void stopEndsTheForwardPass()
    {
        const auto classifier = tiny("motionformer_trajectory_tiny_cfg");
        std::stop_source stop;
        stop.request_stop();
        THROWS(
            Cancelled,
            livePredictor(classifier, question({"softmax"}))->predict(clipFor(*classifier), {}, stop.get_token()));
        THROWS(UsageError, livePredictor(classifier, question({})));
    }

    void recipeFollowsTheModel()
    {
        const auto video = tiny("motionformer_trajectory_tiny_cfg"), image = tiny("deit_tiny_cfg");
        const auto clips = liveRecipe(video->describe(), video->transform(), 2),
                   images = liveRecipe(image->describe(), image->transform(), 1);
        QCOMPARE(clips.wish.frames, video->describe().input[1]);
        QCOMPARE(clips.wish.interval, video->describe().frameInterval);
        QCOMPARE(clips.height, video->describe().input[2]);
        QCOMPARE(images.wish.frames, 1);
        // One frame, prepared as evaluation prepares an image.
        Clip frame;
        frame.frames = 1;
        frame.height = 60;
        frame.width = 80;
        for (int i = 0; i < 60 * 80 * 3; ++i)
            frame.pixels.push_back(uint8_t(i * 37 % 251));
        std::vector<float> planes(size_t(3 * images.height * images.width));
        images.prepare(frame, planes.data());
        QCOMPARE(planes, applyTransform(frame, image->transform()).values);
    }
};

ATTNSCOPE_EVENT_TEST(TestLiveClassifier)
#include "tst_live_classifier.moc"
