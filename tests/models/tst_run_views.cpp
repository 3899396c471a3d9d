#include "core/base/error.h"
#include "core/run/classifier.h"
#include "core/run/compare.h"
#include "core/run/predictions.h"
#include "core/run/record_json.h"
#include "tests/models/golden_models.h"
#include "tests/support/test_class.h"

#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

std::shared_ptr<const Classifier> tinyVideoModel()
{
    return goldenModel("motionformer_trajectory_tiny_cfg");
}

/// A clip that differs from view to view.
FloatArray wave(size_t view)
{
    FloatArray array{{3, 8, 48, 48}, {}};
    for (int i = 0; i < 3 * 8 * 48 * 48; ++i)
        array.values.push_back(std::sin(0.01f * float(i) * float(view + 1)));
    return array;
}

InputSource arraySource(size_t view)
{
    return {.path = "array", .kind = "video", .load = [view] { return wave(view); }};
}

VideoViews grid(ViewGrid size)
{
    VideoViews video;
    video.width = 64;
    video.height = 48;
    video.rate = 30;
    video.grid = size;
    video.sampling = "made up";
    for (int64_t i = 0; i < size.count(); ++i)
        video.views.push_back({i / size.crops, i % size.crops, {i, i + 1}, {0.5, 0.6}});
    video.view = wave;
    return video;
}

InputSource videoSource(ViewGrid size)
{
    return {.path = "waves.mp4", .kind = "video", .load = [size] { return grid(size); }};
}

RunRequest request(std::vector<std::string> specs)
{
    RunRequest request;
    for (const std::string& spec : specs)
        request.attention.push_back(AttentionSpec::parse(spec));
    request.latency = request.memory = request.error = false;
    request.topK = 10;
    request.keepLogits = true;
    request.minimumRepetitions = 1;
    request.minimumSeconds = 0;
    return request;
}

class Log : public RunObserver {
public:
    void onView(size_t, size_t run, size_t view, const RunRecord& record) override
    {
        lines.append(QString("run %1 view %2 of %3").arg(run).arg(view).arg(record.views.size()));
    }
    void onRun(size_t, size_t run, RunStage, const RunRecord&) override
    {
        lines.append(QString("run %1").arg(run));
    }
    QStringList lines;
};

RunReport runOn(std::vector<InputSource> inputs, const RunRequest& requested)
{
    Log log;
    return run(*tinyVideoModel(), inputs, requested, log, {});
}

double probabilityOf(const std::vector<Prediction>& top, int64_t index)
{
    for (const Prediction& p : top)
        if (p.index == index)
            return p.probability;
    return NAN;
}

}

class TestRunViews : public QObject {
    Q_OBJECT

private slots:
    void classesOfAVideoAreOfTheMeanOfItsViewsProbabilities()
    {
        const auto report = runOn({videoSource({2, 3})}, request({"softmax"}));
        const RunRecord& record = report.inputs.at(0).runs.at(0);
        QCOMPARE(record.views.size(), 6);
        QCOMPARE(record.top.size(), 10);
        double sum = 0;
        for (const Prediction& p : record.top) {
            double mean = 0;
            for (const ViewPrediction& view : record.views)
                mean += double(view.probabilities[size_t(p.index)]) / 6;
            QVERIFY(std::abs(mean - p.probability) < 1e-7);
            sum += p.probability;
        }
        QVERIFY(std::abs(sum - 1) < 1e-9);
        QVERIFY(std::is_sorted(record.top.begin(), record.top.end(),
                               [](auto& a, auto& b) { return a.probability > b.probability; }));
        QVERIFY(record.logits.empty());
    }

    void everyViewIsWhatItWouldBeAlone()
    {
        const auto together = runOn({videoSource({2, 3})}, request({"softmax"}));
        for (size_t view = 0; view < 6; ++view) {
            const auto alone = runOn({arraySource(view)}, request({"softmax"}));
            QCOMPARE(together.inputs[0].runs[0].views[view].logits, alone.inputs[0].runs[0].logits);
            for (const Prediction& p : alone.inputs[0].runs[0].top)
                QCOMPARE(probabilityOf(together.inputs[0].runs[0].views[view].top, p.index), p.probability);
        }
    }

    void measurementsAreOfTheMiddleView()
    {
        RunRequest requested = request({"performer:samples=4"});
        requested.error = requested.latency = true;
        const auto video = runOn({videoSource({3, 3})}, requested), alone = runOn({arraySource(4)}, requested);
        QCOMPARE(video.inputs[0].measuredView, 4);
        QCOMPARE(video.inputs[0].runs[0].error->error.mse, alone.inputs[0].runs[0].error->error.mse);
        QCOMPARE(video.inputs[0].runs[0].endToEnd->kl, alone.inputs[0].runs[0].endToEnd->kl);
        QCOMPARE(video.inputs[0].runs[0].latency->repetitions, alone.inputs[0].runs[0].latency->repetitions);
        SAYS(video.inputs[0].notes.back(), "clip 2, crop 2");
        const auto untimed = runOn({videoSource({3, 3})}, request({"softmax"}));
        QVERIFY(untimed.inputs[0].notes.empty());
    }

    void viewsAreToldBeforeTheirBackend()
    {
        Log log;
        run(*tinyVideoModel(), {videoSource({2, 1})}, request({"softmax", "performer:samples=4"}), log, {});
        const QStringList expected{
            "run 0 view 0 of 1", "run 1 view 0 of 1", "run 0 view 1 of 2", "run 0", "run 1 view 1 of 2", "run 1"};
        QCOMPARE(log.lines, expected);
    }

    void oneViewHasItsLogitsWhereAPictureHas()
    {
        const auto report = runOn({videoSource({1, 1})}, request({"softmax"}));
        QCOMPARE(report.inputs[0].runs[0].logits.size(), 10);
        QCOMPARE(report.inputs[0].runs[0].logits, report.inputs[0].runs[0].views[0].logits);
    }

    void viewThatIsNotFiniteIsLeftOutAndSaid()
    {
        const InputSource source{.path = "odd.mp4", .kind = "video", .load = [] {
                                     VideoViews video = grid({3, 1});
                                     video.view = [](size_t view) {
                                         FloatArray array = wave(view);
                                         if (view == 1)
                                             array.values[5] = NAN;
                                         return array;
                                     };
                                     return video;
                                 }};
        const auto report = runOn({source}, request({"softmax"}));
        const RunRecord& record = report.inputs[0].runs[0];
        QVERIFY(record.views[1].top.empty());
        SAYS(record.notes.back(), "1 of 3 views");
        const int64_t index = record.top[0].index;
        const double mean = (probabilityOf(record.views[0].top, index) + probabilityOf(record.views[2].top, index))
                            / 2;
        QVERIFY(std::abs(record.top[0].probability - mean) < 1e-12);
    }

    void viewOfAnotherShapeMakesTheVideoUnreadable()
    {
        const InputSource source{.path = "odd.mp4", .kind = "video", .load = [] {
                                     VideoViews video = grid({1, 1});
                                     video.view = [](size_t) {
                                         return FloatArray{{3, 1, 2, 2}, std::vector<float>(12)};
                                     };
                                     return video;
                                 }};
        const auto report = runOn({source, videoSource({1, 1})}, request({"softmax"}));
        QCOMPARE(report.unreadable.size(), 1);
        QCOMPARE(report.inputs.size(), 1);
    }

    void headsAreAnsweredByThemselves()
    {
        const std::vector<int64_t> heads{2, 3};
        const auto logits = at::tensor({1.0, 2.0, 0.0, 5.0, 1.0});
        const auto p = probabilitiesOf(logits, heads);
        QVERIFY(at::allclose(p.slice(0, 0, 2), logits.slice(0, 0, 2).to(at::kDouble).softmax(-1)));
        QVERIFY(at::allclose(p.slice(0, 2, 5), logits.slice(0, 2, 5).to(at::kDouble).softmax(-1)));
        const auto top = topClasses(p, 2, heads, {"take", "put", "cup", "knife", "pan"});
        QCOMPARE(top.size(), 4);
        QCOMPARE(top[0].label, "put");
        QCOMPARE(top[2].label, "knife");
        QCOMPARE(firstClasses(logits.unsqueeze(0), heads), (std::vector<int64_t>{1, 3}));
        const auto shifted = at::tensor(
            {7.0, 8.0, 0.0, 5.0, 1.0});  // a head's logits have no common zero with the other's
        QVERIFY(divergence(logits.unsqueeze(0), shifted.unsqueeze(0), heads) < 1e-7);
        QVERIFY(divergence(logits.unsqueeze(0), shifted.unsqueeze(0), {5}) > 0.1);
    }

    void notFiniteHeadsHaveNoFirstClass()
    {
        const std::vector<int64_t> heads{2, 3};
        const auto sound = at::tensor({1.0, 2.0, 0.0, 5.0, 1.0}).unsqueeze(0);
        for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
            auto broken = sound.clone();
            broken[0][4] = bad;
            QCOMPARE(firstClasses(broken, heads), (std::vector<int64_t>{1, noClass}));
            QVERIFY(std::isnan(divergence(sound, broken, heads)));
            QVERIFY(std::isnan(divergence(broken, sound, heads)));
            QVERIFY(!sameFirstClasses(broken, broken, heads));
            QVERIFY(!sameFirstClasses(sound, broken, heads));
        }
        QVERIFY(sameFirstClasses(sound, sound * 2, heads));
        QVERIFY(!sameFirstClasses(sound, -sound, heads));
        QCOMPARE(divergence(sound, sound, heads), 0.0);
    }

    void jsonNamesViews()
    {
        const Json json = toJson(runOn({videoSource({2, 3}), arraySource(0)}, request({"softmax"})))["inputs"];
        const Json& video = json[0];
        QCOMPARE(video["kind"].get<std::string>(), "video");
        QCOMPARE(video["grid"].get<std::string>(), "2x3");
        QCOMPARE(video["views"].size(), 6);
        QCOMPARE(video["views"][4]["clip"].get<int>(), 1);
        QCOMPARE(video["views"][4]["crop"].get<int>(), 1);
        QCOMPARE(video["views"][4]["frames"][1].get<int>(), 5);
        const Json& run = video["runs"][0];
        QVERIFY(!run.contains("logits"));
        QCOMPARE(run["views"][3]["logits"].size(), 10);
        QCOMPARE(run["views"][3]["top"].size(), 10);
        QVERIFY(!json[1].contains("views") && !json[1]["runs"][0].contains("views"));
    }
};

ATTNSCOPE_TEST(TestRunViews)
#include "tst_run_views.moc"
