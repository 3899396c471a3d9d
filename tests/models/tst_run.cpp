#include "core/base/error.h"
#include "core/measure/approximation_error.h"
#include "core/run/classifier.h"
#include "core/run/compare.h"
#include "core/run/record_json.h"
#include "models/open_model.h"
#include "tests/models/broken_classifier.h"
#include "tests/models/golden_models.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <QFile>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <iterator>
#include <new>
#include <thread>

using namespace attnscope;
using namespace attnscope::test;

namespace {

InputSource broken()
{
    return {.path = "broken.jpg",
            .load = []() -> LoadedInput { throw FileError("broken.jpg", "it breaks off", "copy it again"); }};
}

RunRequest quick(std::vector<std::string> specs)
{
    RunRequest request;
    for (const std::string& spec : specs)
        request.attention.push_back(AttentionSpec::parse(spec));
    request.minimumSeconds = 0;
    request.minimumRepetitions = 3;
    return request;
}

/// Writes down what it is told, in order.
class Log : public RunObserver {
public:
    void onInput(size_t input, const InputRecord& record) override
    {
        lines.append("input " + QString::fromStdString(record.path));
        positions.insert(input);
    }
    void onRun(size_t input, size_t run, RunStage stage, const RunRecord&) override
    {
        positions.insert(input);
        lines.append(QString("run %1 stage %2").arg(run).arg(int(stage)));
    }
    void onUnreadable(size_t input, const UnreadableInput& unreadable) override
    {
        lines.append("unreadable " + QString::fromStdString(unreadable.path));
        refused.insert(input);
    }
    QStringList lines;
    /// Of inputs that were opened or measured, and of those that could not be.
    QSet<size_t> positions, refused;
};

RunReport measure(const RunRequest& request, std::vector<InputSource> inputs = {waves()})
{
    Log log;
    return run(*goldenModel(), inputs, request, log, {});
}

}

class TestRun : public QObject {
    Q_OBJECT

private slots:
    void softmaxHasNoErrorAgainstItself()
    {
        const auto report = measure(quick({"softmax"}));
        const RunRecord& record = report.inputs.at(0).runs.at(0);
        QCOMPARE(record.error->error.mse, 0.0);
        QCOMPARE(record.error->error.relative, 0.0);
        QCOMPARE(record.endToEnd->kl, 0.0);
        QVERIFY(record.endToEnd->top1Agrees);
        for (const double drift : record.endToEnd->drift)
            QCOMPARE(drift, 0.0);
        QVERIFY(record.error->meanOfValues.relative > 0);
        QVERIFY(record.error->zeroMse > record.error->meanOfValues.mse);
    }

    void approximationsHaveErrorsAndASpreadOverSeeds()
    {
        const auto report = measure(quick({"performer:samples=8", "ra"}));
        for (const RunRecord& record : report.inputs.at(0).runs) {
            QVERIFY(record.failure.empty());
            QVERIFY(record.error->error.mse > 0 && record.error->error.mseStddev > 0);
            QCOMPARE(record.error->seeds, 3);
            QCOMPARE(record.error->layers.size(), 2);
            QCOMPARE(record.error->layers[0].heads.size(), 3);
            QVERIFY(record.error->layers[0].classToken.has_value());
            double mean = 0;
            for (const LayerError& layer : record.error->layers)
                mean += layer.error.mse / 2;
            QVERIFY(std::abs(mean - record.error->error.mse) < 1e-12 + 1e-9 * mean);
            QCOMPARE(record.endToEnd->drift.size(), 2);
            QVERIFY(record.endToEnd->kl > 0);
            QCOMPARE(record.weights, WeightsKind::Swapped);
        }
    }

    void deterministicBackendsHaveOneSeed()
    {
        const auto report = measure(quick({"lara:samples=9", "ra:mode=biased", "lara:samples=9,noise=unit"}));
        QCOMPARE(report.inputs[0].runs[0].error->seeds, 1);
        QVERIFY(report.inputs[0].runs[1].error->deterministic);
        QCOMPARE(report.inputs[0].runs[2].error->seeds, 3);
    }

    void cellsFillStageByStage()
    {
        Log log;
        run(*goldenModel(), {waves()}, quick({"softmax", "performer"}), log, {});
        const QStringList expected{"input waves0.100000", "run 0 stage 0", "run 1 stage 0",
                                   "run 0 stage 1",       "run 1 stage 1", "run 0 stage 2",
                                   "run 1 stage 2",       "run 0 stage 3", "run 1 stage 3"};
        QCOMPARE(log.lines, expected);
    }

    void anUnreadableInputIsListedAndTheRestGoesOn()
    {
        const auto report = measure(quick({"softmax"}), {waves(), broken(), waves()});
        QCOMPARE(report.inputs.size(), 2);
        QCOMPARE(report.unreadable.size(), 1);
        QCOMPARE(report.unreadable[0].path, "broken.jpg");
        QCOMPARE(report.unreadable[0].reason, "it breaks off; copy it again.");
    }

    /// What is told of an input belongs to its place in the request, not to its place among those that could be read.
    void inputsAreToldByTheirPlaceInTheRequest()
    {
        Log log;
        run(*goldenModel(), {broken(), waves(), broken(), broken(), waves()}, quick({"softmax"}), log, {});
        QCOMPARE(log.positions, (QSet<size_t>{1, 4}));
        QCOMPARE(log.refused, (QSet<size_t>{0, 2, 3}));
    }

    /// Features come with the error: before minutes of timing.
    void featuresComeBeforeTimes()
    {
        Log log;
        RunRequest request = quick({"softmax", "performer"});
        request.features = FeatureKind::Pooled;
        run(*goldenModel(), {waves()}, request, log, {});
        const QStringList expected{"input waves0.100000", "run 0 stage 0", "run 1 stage 0",
                                   "run 0 stage 3",       "run 1 stage 3", "run 0 stage 1",
                                   "run 1 stage 1",       "run 0 stage 2", "run 1 stage 2"};
        QCOMPARE(log.lines, expected);
        ModelSummary headless;
        headless.classes = 0;
        QCOMPARE(stageOrder(quick({"softmax"}), headless)[1], RunStage::Error);
    }

    void theSameSeedGivesTheSameFiguresAndAnotherDoesNot()
    {
        RunRequest request = quick({"ra", "performer:samples=8"});
        request.latency = false;
        request.keepLogits = true;
        const auto a = toJson(measure(request))["inputs"].dump(), b = toJson(measure(request))["inputs"].dump();
        QCOMPARE(a, b);
        request.seed = 1;
        QVERIFY(toJson(measure(request))["inputs"].dump() != a);
    }

    void optionsThatDoNotFitAreRefusedBeforeAnyInputIsOpened()
    {
        Log log;
        THROWS(UsageError, run(*goldenModel(), {waves()}, quick({"softmax", "lara:samples=50"}), log, {}));
        QVERIFY(log.lines.isEmpty());
    }

    void stoppingEndsTheRunWithinOneLayer()
    {
        RunRequest request = quick({"softmax"});
        request.minimumSeconds = 60;
        std::stop_source source;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            source.request_stop();
        });
        Log log;
        const auto begin = std::chrono::steady_clock::now();
        THROWS(Cancelled, run(*goldenModel(), {waves()}, request, log, source.get_token()));
        QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(1300));
        QVERIFY(log.lines.contains("run 0 stage 0"));
    }

    void theJsonHasTheKeysOfTheContract()
    {
        RunRequest request = quick({"native", "lara:samples=9"});
        request.keepLogits = true;
        const Json json = toJson(measure(request, {waves(), broken()}));
        for (const char* key : {"model", "device", "dtype", "inputs", "unreadable"})
            QVERIFY2(json.contains(key), key);
        for (const char* key : {"name", "parameters", "macs", "input"})
            QVERIFY2(json["model"].contains(key), key);
        const Json& first = json["inputs"][0]["runs"][0];
        for (const char* key :
             {"attention", "top", "logits", "weights", "latency_ms", "memory_bytes", "error", "end_to_end"})
            QVERIFY2(first.contains(key), key);
        for (const char* key : {"median", "p05", "p95", "repetitions", "attention_median"})
            QVERIFY2(first["latency_ms"].contains(key), key);
        for (const char* key : {"peak", "weights", "attention_peak"})
            QVERIFY2(first["memory_bytes"].contains(key), key);
        QVERIFY(first["error"]["layers"][1]["heads"][2].contains("relative"));
        for (const char* key : {"kl", "top1_agrees", "drift"})
            QVERIFY2(first["end_to_end"].contains(key), key);
        QCOMPARE(first["weights"].get<std::string>(), "trained");
        QCOMPARE(json["inputs"][0]["runs"][1]["weights"].get<std::string>(), "swapped");
        QCOMPARE(first["top"].size(), 5);
        QCOMPARE(first["logits"].size(), 10);
        QCOMPARE(json["unreadable"][0]["path"].get<std::string>(), "broken.jpg");
    }

    void classNamesOfUntrainedWeightsAreNotShown()
    {
        const auto model = openModel(
            {.model = modelFolder + "deit_tiny_cfg.json", .weights = "untrained:4", .device = "cpu"});
        Log log;
        RunRequest request = quick({"softmax"});
        const auto report = run(*model, {waves()}, request, log, {});
        QCOMPARE(report.inputs[0].runs[0].weights, WeightsKind::Untrained);
        for (const Prediction& p : report.inputs[0].runs[0].top)
            QVERIFY(p.label.empty());
    }

    void memoryOfAModelExceedsThatOfItsAttention()
    {
        const auto report = measure(quick({"softmax:form=explicit", "performer"}));
        for (const RunRecord& record : report.inputs[0].runs) {
            QVERIFY(record.memory->attentionPeakBytes > 0);
            QVERIFY(record.memory->peakBytes > record.memory->attentionPeakBytes);
            QVERIFY(record.memory->weightsBytes == 40'078 * 4);
            QVERIFY(record.latency->attentionMedianMs < record.latency->medianMs);
            QVERIFY(record.latency->repetitions >= 3);
        }
    }

    void errorOfOneHeadIsTheDefinition()
    {
        const auto exact = at::randn({1, 2, 5, 4}, at::kDouble);
        auto out = exact.clone();
        out.select(1, 1).add_(0.5);
        const auto heads = headDifferences(out, exact);
        QCOMPARE(heads[0].mse, 0.0);
        QCOMPARE(heads[0].relative, 0.0);
        QVERIFY(std::abs(heads[1].mse - 0.25) < 1e-12);
        const double size = exact.select(1, 1).norm().item<double>();
        QVERIFY(std::abs(heads[1].relative - std::sqrt(20 * 0.25) / size) < 1e-12);
        QVERIFY(!headDifferences(at::full_like(exact, std::nan("")), exact)[0].finite);
    }

    void logitsThatAreNotFiniteAgreeWithNothing_data()
    {
        columns<QString, bool>("broken", "softmaxIsSound");
        row("of the attention", "performer", true);
        row("of what it is compared with", "softmax", false);
    }

    void logitsThatAreNotFiniteAgreeWithNothing()
    {
        FETCH_TEXT(broken);
        QFETCH(bool, softmaxIsSound);
        const BrokenClassifier model(goldenModel(), broken);
        Log log;
        RunRequest request = quick({"softmax", "performer:samples=8"});
        request.latency = request.memory = false;
        const RunReport report = run(model, {waves()}, request, log, {});
        const auto& runs = report.inputs.at(0).runs;
        QCOMPARE(runs[0].endToEnd->top1Agrees, softmaxIsSound);
        QCOMPARE(std::isnan(runs[0].endToEnd->kl), !softmaxIsSound);
        QVERIFY(std::isnan(runs[1].endToEnd->kl));
        QVERIFY(!runs[1].endToEnd->top1Agrees);
        QCOMPARE(runs[1].endToEnd->top1Agreement, 0.0);
        QVERIFY(std::any_of(runs[1].notes.begin(), runs[1].notes.end(),
                            [](const std::string& note) { return note.find("not finite") != std::string::npos; }));
        const Json json = toJson(report)["inputs"][0]["runs"][1]["end_to_end"];
        QVERIFY(json["kl"].is_null());
        QVERIFY(!json["top1_agrees"].get<bool>());
    }

    /// Keys that the network has reduced: a window of one patch misses them for most queries.
    void queriesWithoutKeysAreANumberOfTheRecord()
    {
        const auto model = openModel({.model = modelFolder + "pvtv2_sra_tiny_cfg.json",
                                      .weights = modelFolder + "pvtv2_sra_tiny_cfg.weights.official.safetensors",
                                      .device = "cpu"});
        Log log;
        RunRequest request = quick(
            {"softmax", "longformer:radius=0,keys=reduced", "longformer:radius=256,keys=reduced"});
        request.latency = request.memory = request.error = false;
        const RunReport report = run(*model, {waves()}, request, log, {});
        const auto& runs = report.inputs.at(0).runs;
        QVERIFY(runs[1].failure.empty() && runs[2].failure.empty());
        QVERIFY(!runs[0].emptyRows);
        QVERIFY(*runs[1].emptyRows > 0 && *runs[1].emptyRows < 1);
        QCOMPARE(*runs[2].emptyRows, 0.0);
        const auto said = [](const RunRecord& record) {
            return std::any_of(record.notes.begin(), record.notes.end(), [](const std::string& note) {
                return note.find("% of queries saw no key and used all") != std::string::npos;
            });
        };
        QVERIFY(said(runs[1]) && !said(runs[2]));
        const Json json = toJson(report)["inputs"][0]["runs"];
        QVERIFY(!json[0].contains("empty_rows"));
        QCOMPARE(json[1]["empty_rows"].get<double>(), *runs[1].emptyRows);
        QCOMPARE(json[2]["empty_rows"].get<double>(), 0.0);
    }

    /// Two layers of three heads; in the errors three seeds of each, and what the prediction has said is not said again.
    void fallbacksAreNotesOfTheRecord()
    {
        RunRequest request = quick({"softmax", "wildcat:temperature=fixed,tau=0.1", "wildcat"});
        request.latency = request.memory = false;
        for (const bool error : {false, true}) {
            request.error = error;
            const RunReport report = measure(request);
            const auto& runs = report.inputs.at(0).runs;
            const auto about = [](const RunRecord& record) {
                std::vector<std::string> found;
                std::ranges::copy_if(record.notes, std::back_inserter(found), [](const std::string& note) {
                    return note.starts_with("in ") && note.ends_with("computed in float64");
                });
                return found;
            };
            QVERIFY(about(runs[0]).empty() && about(runs[2]).empty());
            QCOMPARE(about(runs[1]).size(), 1);
            QVERIFY2(about(runs[1]).front().starts_with("in 6 of 6 heads "), about(runs[1]).front().c_str());
            SAYS(toJson(report)["inputs"][0]["runs"][1]["notes"].dump(), "computed in float64");
        }
    }

    void memoryThatOneInputLacksLeavesTheOthers_data()
    {
        columns<bool>("torch");
        row("of the C++ library", false);
        row("of LibTorch", true);
    }

    void memoryThatOneInputLacksLeavesTheOthers()
    {
        QFETCH(bool, torch);
        const InputSource huge{.path = "huge.png", .load = [torch]() -> LoadedInput {
                                   if (torch)
                                       at::empty({int64_t{1} << 55});
                                   throw std::bad_alloc();
                               }};
        const RunReport report = measure(quick({"softmax"}), {waves(), huge, waves()});
        QCOMPARE(report.inputs.size(), 2);
        QCOMPARE(report.unreadable.size(), 1);
        QCOMPARE(report.unreadable[0].path, "huge.png");
        QCOMPARE(report.unreadable[0].reason,
                 "there is not enough memory for it; choose a smaller input, or fewer views.");
    }
};

ATTNSCOPE_TEST(TestRun)
#include "tst_run.moc"
