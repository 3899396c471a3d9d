// What an evaluation is going to do, before it does it; and how its progress is measured.
#include "core/base/error.h"
#include "core/checkpoint/sha256.h"
#include "core/evaluate/evaluation_plan.h"
#include "core/evaluate/pipeline_meter.h"
#include "core/evaluate/sample_predictions.h"
#include "tests/core/evaluate/evaluation_cases.h"
#include "tests/support/test_class.h"

#include <ATen/Parallel.h>

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

/// A network of which only the description is looked at.
class Described : public FakeNetwork {
public:
    explicit Described(ModelSummary summary = {})
        : FakeNetwork(6, [](const at::Tensor& input, const std::string&) { return byPixels(input, 6); })
        , m_changed(FakeNetwork::describe())
    {
        if (!summary.input.empty())
            m_changed.input = summary.input;
        m_changed.classifierHeads = summary.classifierHeads;
    }
    const ModelSummary& describe() const override { return m_changed; }
    /// Only softmax draws nothing.
    PreparedAttention prepare(const AttentionSpec& spec, uint64_t seed) const override
    {
        PreparedAttention prepared = FakeNetwork::prepare(spec, seed);
        prepared.deterministic = spec.canonical() == "softmax";
        return prepared;
    }

private:
    ModelSummary m_changed;
};

/// Files that are only named; sample i has class i modulo 6.
EvaluationRequest requestOf(int64_t files, bool video = false)
{
    EvaluationRequest request;
    request.data.root = "/data";
    request.data.layout = FolderLayout::ImageNet;
    request.data.video = video;
    for (int64_t i = 0; i < files; ++i)
        request.data.files.push_back({"/data/" + std::to_string(i), i % 6});
    request.attention = {AttentionSpec::parse("softmax")};
    return request;
}

EvaluationPlan planOf(const EvaluationRequest& request)
{
    return planEvaluation(Described(), request, {});
}

using Change = void (*)(EvaluationRequest&);

}

class TestEvaluationPlan : public QObject {
    Q_OBJECT

private slots:
    /// Without a sentence the request is carried out.
    void requestsAreRefusedBeyondTheirBounds_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, Change change, const char* expected = "") {
            QTest::newRow(name) << change << expected;
        };
        const char* const shard = "--shard: out of range; give I/N with 1 ≤ I ≤ N";
        row("first shard", [](EvaluationRequest& request) { request.shard = {1, 3}; });
        row("last shard", [](EvaluationRequest& request) { request.shard = {3, 3}; });
        row(
            "shard 0",
            [](EvaluationRequest& request) {
                request.shard = {0, 3};
            },
            shard);
        row(
            "shard 4 of 3",
            [](EvaluationRequest& request) {
                request.shard = {4, 3};
            },
            shard);
        row(
            "of no shards",
            [](EvaluationRequest& request) {
                request.shard = {1, 0};
            },
            shard);
        const char* const batch = "--batch-size: out of range; give 1 to 65536, or 0 for the default";
        row("largest batch", [](EvaluationRequest& request) { request.batch = 65536; });
        row(
            "batch too large", [](EvaluationRequest& request) { request.batch = 65537; }, batch);
        row(
            "negative batch", [](EvaluationRequest& request) { request.batch = -1; }, batch);
        const char* const workers = "--workers: out of range; give 1 to 1024, or 0 for as many as --threads";
        row("most workers", [](EvaluationRequest& request) { request.workers = 1024; });
        row(
            "too many workers", [](EvaluationRequest& request) { request.workers = 1025; }, workers);
        row(
            "negative workers", [](EvaluationRequest& request) { request.workers = -1; }, workers);
        row(
            "negative limit", [](EvaluationRequest& request) { request.limit = -1; },
            "--limit: out of range; give a number of samples, or 0 for all");
        const char* const label = ", and fake has 6 classes; class numbers start at 0";
        row(
            "label too large", [](EvaluationRequest& request) { request.data.files[3].label = 6; }, label);
        row(
            "negative label", [](EvaluationRequest& request) { request.data.files[3].label = -1; }, label);
        row(
            "no files", [](EvaluationRequest& request) { request.data.files.clear(); },
            "/data: it contains no samples");
        row("cache of images", [](EvaluationRequest& request) { request.cache = "/cache"; });
        row(
            "cache of videos",
            [](EvaluationRequest& request) {
                request.cache = "/cache";
                request.data.video = true;
            },
            "--cache: only images can be cached");
        row("decoding of images",
            [](EvaluationRequest& request) { request.reading.decoding = JpegDecoding::Scaled; });
        row(
            "decoding of videos",
            [](EvaluationRequest& request) {
                request.reading.decoding = JpegDecoding::Scaled;
                request.data.video = true;
            },
            "--decode: frames of videos can't be decoded");
        const char* const images = ": it is an option for videos; leave it out";
        row("orientation of images", [](EvaluationRequest& request) { request.reading.orientation = true; });
        row("published sampling of images",
            [](EvaluationRequest& request) { request.reading.sampling = SamplingRule::Published; });
        row(
            "sampling of images",
            [](EvaluationRequest& request) { request.reading.sampling = SamplingRule::Segments; }, images);
        row(
            "rotation of images", [](EvaluationRequest& request) { request.reading.rotation = Rotation::Apply; },
            images);
        row(
            "start time of images",
            [](EvaluationRequest& request) { request.reading.startTime = StartTime::Official; }, images);
        row(
            "orientation of videos",
            [](EvaluationRequest& request) {
                request.reading.orientation = true;
                request.data.video = true;
            },
            "--orientation: it is an option for images; leave it out");
    }

    void requestsAreRefusedBeyondTheirBounds()
    {
        QFETCH(Change, change);
        QFETCH(QString, expected);
        EvaluationRequest request = requestOf(12);
        change(request);
        QString message;
        try {
            planOf(request);
        } catch (const UsageError& error) {
            message = QString::fromStdString(error.what());
        }
        QVERIFY2(expected.isEmpty() ? message.isEmpty() : message.contains(expected), qPrintable(message));
    }

    void networksOfOtherKindsAreRefused()
    {
        const Described clips({.input = {3, 8, 16, 16}}), heads({.classifierHeads = {97, 300}});
        QVERIFY_EXCEPTION_THROWN(planEvaluation(clips, requestOf(6), {}), UsageError);
        QCOMPARE(planEvaluation(clips, requestOf(6, true), {}).viewsAtOnce, int64_t{1});
        QVERIFY_EXCEPTION_THROWN(planEvaluation(heads, requestOf(6), {}), Unsupported);
    }

    /// All batches of all shards are those of the whole, and each sample is in one of them.
    void everyShardHasItsBatches()
    {
        for (const int64_t files : {1, 6, 7, 20}) {
            for (const int64_t count : {1, 2, 3}) {
                std::vector<int64_t> samples;
                for (int64_t index = 1; index <= count; ++index) {
                    EvaluationRequest request = requestOf(files);
                    request.batch = 3;
                    request.shard = {index, count};
                    const EvaluationPlan plan = planOf(request);
                    int64_t own = 0;
                    for (const int64_t number : plan.batches.batches) {
                        QCOMPARE(number % count, index - 1);
                        for (const int64_t sample : plan.batches.samplesOf(number)) {
                            QCOMPARE(sample / 3, number);
                            samples.push_back(sample);
                            ++own;
                        }
                    }
                    QCOMPARE(plan.samples(), own);
                }
                std::ranges::sort(samples);
                QCOMPARE(std::ssize(samples), files);
                QVERIFY(std::ranges::adjacent_find(samples) == samples.end() && samples.front() == 0
                        && samples.back() == files - 1);
            }
        }
    }

    void everyBeginningOfTheOrderIsSpreadOverAll()
    {
        for (const int64_t count : {0, 1, 2, 3, 4, 19, 100, 610, 1563}) {
            const std::vector<int64_t> order = spreadOrder(count);
            std::vector<int64_t> sorted = order, all(static_cast<size_t>(count));
            std::ranges::sort(sorted);
            std::iota(all.begin(), all.end(), 0);
            QCOMPARE(sorted, all);
            for (int64_t first = 10; first <= count; first *= 2) {
                std::vector<int64_t> begin(order.begin(), order.begin() + first);
                std::ranges::sort(begin);
                begin.push_back(count + begin.front());
                for (size_t i = 1; i < begin.size(); ++i)
                    QVERIFY2(begin[i] - begin[i - 1] <= 4 * count / first + 1,
                             qPrintable(QString("%1 of %2").arg(first).arg(count)));
            }
        }
    }

    void limitsTakeEverySoManyth()
    {
        EvaluationRequest request = requestOf(10);
        request.limit = 4;
        std::vector<std::string> names;
        const EvaluationPlan plan = planOf(request);
        for (const LabelledFile& file : plan.data->files)
            names.push_back(file.path);
        QCOMPARE(names, (std::vector<std::string>{"/data/0", "/data/2", "/data/5", "/data/7"}));
        QCOMPARE(plan.settings.limit, int64_t{4});
        for (const int64_t limit : {0, 10, 11}) {
            request.limit = limit;
            QCOMPARE(planOf(request).samples(), int64_t{10});
        }
        request.limit = 1;
        QCOMPARE(planOf(request).samples(), int64_t{1});
    }

    void defaultsDependOnTheData()
    {
        EvaluationRequest request = requestOf(100);
        EvaluationPlan plan = planOf(request);
        QCOMPARE(plan.batches.batch, int64_t{32});
        QCOMPARE(plan.batches.views, int64_t{1});
        QCOMPARE(plan.batches.classes, int64_t{6});
        QCOMPARE(plan.batches.workers, int64_t(at::get_num_threads()));
        QCOMPARE(plan.settings.views, std::string());
        request.batch = 1;
        request.workers = 7;
        plan = planOf(request);
        QCOMPARE(plan.batches.batch, int64_t{1});
        QCOMPARE(plan.batches.workers, int64_t{7});
        // An image network sees single frames, the centre of each, and at most sixteen at a time.
        request = requestOf(6, true);
        plan = planOf(request);
        QCOMPARE(plan.batches.batch, int64_t{1});
        QCOMPARE(plan.batches.views, int64_t{10});
        QCOMPARE(plan.viewsAtOnce, int64_t{10});
        QCOMPARE(plan.settings.views, std::string("10x1"));
        QVERIFY(plan.batches.workers >= 1 && plan.batches.workers <= 4);
        request.views = ViewGrid{20, 3};
        plan = planOf(request);
        QCOMPARE(plan.batches.views, int64_t{20});
        QCOMPARE(plan.viewsAtOnce, int64_t{16});
        QCOMPARE(planEvaluation(Described({.input = {3, 8, 16, 16}}), request, {}).batches.views, int64_t{60});
    }

    void videosAreSampledAsTheirDataSetIsPublished()
    {
        const Described clips({.input = {3, 8, 16, 16}});
        EvaluationRequest request = requestOf(6, true);
        const auto planned = [&] { return planEvaluation(clips, request, {}); };
        QCOMPARE(planned().batches.reading.views.rule, SamplingRule::Published);
        QCOMPARE(planned().settings.sampling, std::string("published"));
        request.data.wholeVideos = true;
        EvaluationPlan plan = planned();
        QCOMPARE(plan.batches.reading.views.rule, SamplingRule::Segments);
        QCOMPARE(plan.batches.views, int64_t{3});
        QCOMPARE(plan.settings.views, std::string("1x3"));
        QCOMPARE(plan.settings.sampling, std::string("ssv2"));
        QCOMPARE(plan.settings.notes.size(), request.data.notes.size() + 1);
        QVERIFY(plan.settings.notes.back().find("--sampling ssv2") != std::string::npos);
        request.views = ViewGrid{10, 3};
        QVERIFY_EXCEPTION_THROWN(planned(), UsageError);
        request.reading.sampling = SamplingRule::Published;
        QCOMPARE(planned().settings.views, std::string("10x3"));
        QCOMPARE(planned().settings.notes.size(), request.data.notes.size());
        // An image network sees frames from all over a video as it is.
        request = requestOf(6, true);
        request.data.wholeVideos = true;
        plan = planOf(request);
        QCOMPARE(plan.settings.views, std::string("10x1"));
        QCOMPARE(plan.settings.sampling, std::string());
        request.reading.rotation = Rotation::Apply;
        request.reading.startTime = StartTime::Official;
        request.limits.imagePixels = 7;
        plan = planOf(request);
        QCOMPARE(plan.batches.reading.views.rotation, Rotation::Apply);
        QCOMPARE(plan.batches.reading.views.startTime, StartTime::Official);
        QCOMPARE(plan.settings.reading, std::string("--rotation apply --start-time official --limit-pixels 7"));
        QCOMPARE(planOf(requestOf(6)).settings.reading, std::string());
    }

    /// A crop of an image that is rotated first is another one.
    void rotatedImagesHaveCropsOfTheirOwn()
    {
        EvaluationRequest request = requestOf(6);
        const std::string before = cropDescription(planOf(request).batches.reading);
        request.reading.orientation = true;
        QCOMPARE(planOf(request).settings.reading, std::string("--orientation apply"));
        QCOMPARE(cropDescription(planOf(request).batches.reading), before + "; orientation applied");
    }

    void settingsSayWhatIsEvaluated()
    {
        const Folder folder;
        write(folder / "weights.bin", "abc");
        EvaluationRequest request = requestOf(12);
        request.seed = 7;
        request.shard = {2, 2};
        request.batch = 5;
        request.command = "attnscope-cli evaluate";
        request.modelDescription = "{}";
        request.data.notes = {"a note"};
        const EvaluationSettings settings = planOf(request).settings;
        QCOMPARE(settings.model, std::string("fake"));
        QCOMPARE(settings.modelDescription, request.modelDescription);
        QCOMPARE(settings.weights, std::string("none"));
        QCOMPARE(settings.weightsHash, sha256("none\n{}"));
        QCOMPARE(settings.transform, Described().transform().name());
        QCOMPARE(settings.dtype, std::string("float32"));
        QVERIFY(settings.device.starts_with("cpu, ") && settings.threads >= 1);
        QCOMPARE(settings.batch, int64_t{5});
        QCOMPARE(settings.seed, uint64_t{7});
        QCOMPARE(settings.draws, std::string());
        QVERIFY((settings.shard == Shard{2, 2}));
        for (const char* library :
             {"OpenCV", "libjpeg", "libtiff"})  // which images need which is known when they are read
            QVERIFY2(settings.decoder.find(library) != std::string::npos, settings.decoder.c_str());
        QVERIFY(!settings.environment.torch.empty());
        QCOMPARE(settings.command, request.command);
        QCOMPARE(settings.notes, request.data.notes);
        request.weightsFile = (folder / "weights.bin").string();
        QCOMPARE(planOf(request).settings.weights, request.weightsFile);
        QCOMPARE(planOf(request).settings.weightsHash, sha256("abc"));
        request.attention.push_back(AttentionSpec::parse("performer"));
        QCOMPARE(planOf(request).settings.draws, std::string(drawsByContent));
    }

    /// Up to 1.96 standard deviations, and one sample, above the mean of guessing.
    void chanceIsAnInterval()
    {
        QVERIFY(looksLikeChance({1000, 119, 0}, 10));  // 100 + 1.96 √90 + 1 = 119.6
        QVERIFY(!looksLikeChance({1000, 120, 0}, 10));
        QVERIFY(looksLikeChance({400, 220, 0}, 2));  // 200 + 1.96 √100 + 1 = 220.6
        QVERIFY(!looksLikeChance({400, 221, 0}, 2));
    }

    /// Against counting: the classes with a higher score, and those before it with the same.
    void ranksOfManyClasses()
    {
        std::minstd_rand random(3);
        for (const size_t classes : {1UL, 4UL, 5UL, 6UL, 50UL}) {
            std::vector<double> scores(classes), probabilities(classes);
            for (size_t i = 0; i < classes; ++i) {
                scores[i] = double(random() % 7);  // with ties
                probabilities[i] = double(i) / 64;
            }
            for (size_t label = 0; label < classes; ++label) {
                const SamplePrediction prediction = predictionOf(scores, probabilities, int64_t(label));
                int32_t rank = 0;
                for (size_t i = 0; i < classes; ++i)
                    if (scores[i] > scores[label] || (scores[i] == scores[label] && i < label))
                        ++rank;
                QCOMPARE(prediction.labelRank, rank);
                QCOMPARE(prediction.labelProbability, float(probabilities[label]));
                if (rank < 5) {
                    QCOMPARE(prediction.classes[size_t(rank)], static_cast<int32_t>(label));
                    QCOMPARE(prediction.probabilities[size_t(rank)], float(probabilities[label]));
                }
            }
        }
    }

    void timeLeftIsTheMedianBatchTimesTheirNumber()
    {
        PipelineMeter meter(1);
        for (const int milliseconds : {20, 400, 20}) {
            QVERIFY(!meter.secondsFor(10));
            std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
            meter.add(1, 0, 0, 0, {});
        }
        const double seconds = meter.secondsFor(10).value();
        QVERIFY2(seconds >= 0.2 && seconds < 3.9, qPrintable(QString::number(seconds)));
        QCOMPARE(meter.secondsFor(0).value(), 0.0);
        QCOMPARE(meter.secondsFor(20).value(), 2 * seconds);
    }

    void loadSaysWhereTheTimeWent_data()
    {
        QTest::addColumn<double>("waited");
        QTest::addColumn<double>("computed");
        QTest::addColumn<double>("stored");
        QTest::addColumn<QString>("bottleneck");
        QTest::newRow("reading") << 0.6 << 0.3 << 0.1 << "decoding";
        QTest::newRow("network") << 0.1 << 0.6 << 0.3 << "network";
        QTest::newRow("store") << 0.1 << 0.3 << 0.6 << "store";
        QTest::newRow("nothing") << 0.0 << 0.0 << 0.0 << "decoding";
        QTest::newRow("network and store alike") << 0.1 << 0.3 << 0.3 << "network";
    }

    /// Of two threads that read half of the time.
    void loadSaysWhereTheTimeWent()
    {
        QFETCH(double, waited);
        QFETCH(double, computed);
        QFETCH(double, stored);
        QFETCH(QString, bottleneck);
        using Clock = std::chrono::steady_clock;
        const auto before = Clock::now();
        PipelineMeter meter(2);
        const auto begin = Clock::now();
        double worked = 0;
        for (int batch = 1; batch <= 4; ++batch) {
            const auto start = Clock::now();
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            const double seconds = secondsSince(start);
            worked += seconds;
            meter.add(50, waited * seconds, computed * seconds, stored * seconds, {3 * batch, 100, worked});
        }
        const double most = secondsSince(before), least = worked;
        const PipelineLoad load = meter.load();
        QVERIFY(begin >= before);
        QVERIFY2(load.samplesPerSecond <= 200 / least && load.samplesPerSecond >= 200 / most,
                 qPrintable(QString::number(load.samplesPerSecond)));
        const auto isPart = [&](double found, double part) {
            return found <= part + 1e-9 && found >= part * least / most - 1e-9;
        };
        QVERIFY(isPart(load.decoding, 0.5));
        QVERIFY(isPart(load.computing, computed));
        QVERIFY(isPart(load.storing, stored));
        QCOMPARE(load.queued, int64_t{12});
        QCOMPARE(load.queueSize, int64_t{100});
        QCOMPARE(QString::fromStdString(load.bottleneck), bottleneck);
    }
};

ATTNSCOPE_EVENT_TEST(TestEvaluationPlan)
#include "tst_evaluation_plan.moc"
