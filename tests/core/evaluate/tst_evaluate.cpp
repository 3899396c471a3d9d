// Evaluations as they go wrong and go on. What needs several programs is in tests/cli.
#include "core/attention/numerics/fallbacks.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/evaluate/batch_message.h"
#include "core/evaluate/sample_predictions.h"
#include "core/evaluate/sample_readers.h"
#include "core/media/process/decoder_connection.h"
#include "core/run/compare.h"
#include "core/store/result_store.h"
#include "models/evaluation_set.h"
#include "models/open_model.h"
#include "tests/core/evaluate/evaluation_cases.h"
#include "tests/support/test_class.h"

#include <QScopeGuard>

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

/// Evaluates and returns everything that does not depend on time.
std::string resultsOf(const Classifier& network, const EvaluationRequest& request)
{
    Notebook notes;
    return resultsIn(request.store, evaluate(network, request, notes, {}));
}

std::vector<StoredSample> predictionsIn(const fs::path& store, int64_t evaluation)
{
    const ResultStore results(store, ResultStore::Mode::Read);
    SampleQuery query;
    query.run = results.evaluation(evaluation).runs.front().id;
    query.predictions = PredictionsShown::All;
    query.count = 100'000;
    return results.samples(query);
}

bool sameBits(const SamplePrediction& a, const SamplePrediction& b)
{
    return a.classes == b.classes && a.probabilities == b.probabilities && a.labelProbability == b.labelProbability
           && a.labelRank == b.labelRank;
}

}

/// Of each sample's label, by the file's name.
std::map<std::string, float> labelProbabilities(const fs::path& store, int64_t evaluation, size_t run)
{
    const ResultStore results(store, ResultStore::Mode::Read);
    SampleQuery query;
    query.run = results.evaluation(evaluation).runs[run].id;
    query.predictions = PredictionsShown::All;
    query.count = 100'000;
    std::map<std::string, float> probabilities;
    for (const StoredSample& sample : results.samples(query))
        probabilities[fs::path(sample.path).filename().string()] = sample.predictions.front()->labelProbability;
    return probabilities;
}

class TestEvaluate : public QObject {
    Q_OBJECT

private slots:
    void ranksCountHigherLogitsAndEarlierTies()
    {
        const std::vector<double> scores{1, 3, 3, 0, 2, 2}, probabilities{.1, .3, .3, .05, .15, .1};
        QCOMPARE(predictionOf(scores, probabilities, 1).labelRank, 0);
        QCOMPARE(predictionOf(scores, probabilities, 2).labelRank, 1);
        QCOMPARE(predictionOf(scores, probabilities, 3).labelRank, 5);
        const SamplePrediction prediction = predictionOf(scores, probabilities, 4);
        QCOMPARE(prediction.labelRank, 2);
        QCOMPARE(prediction.labelProbability, 0.15f);
        QCOMPARE(prediction.classes, (std::array<int32_t, 5>{1, 2, 4, 5, 0}));
        QCOMPARE(prediction.probabilities[2], 0.15f);
        const SamplePrediction few = predictionOf(std::vector<double>{1, 2}, std::vector<double>{.3, .7}, 0);
        QCOMPARE(few.classes, (std::array<int32_t, 5>{1, 0, -1, -1, -1}));
        QCOMPARE(few.squaredProbabilities, 0.58f);
        QVERIFY(std::isnan(noPrediction(2).squaredProbabilities));
    }

    void severalClassesMayBeRightAndSomeAreNotChosenFrom()
    {
        const std::vector<double> scores{5, 1, 4, 4, 2, 9}, probabilities{.3, .05, .2, .2, .1, .15};
        const std::vector<int64_t> others{3, 2}, choices{1, 2, 3, 4};
        QCOMPARE(predictionOf(scores, probabilities, 1, others).labelRank, 2);  // class 2, behind 5 and 0
        const SamplePrediction prediction = predictionOf(scores, probabilities, 4, {}, choices);
        QCOMPARE(prediction.labelRank, 2);
        QCOMPARE(prediction.classes, (std::array<int32_t, 5>{2, 3, 4, 1, -1}));
        const SamplePrediction both = predictionOf(scores, probabilities, 4, others, choices);
        QCOMPARE(both.labelRank, 0);
        QCOMPARE(both.labelProbability, 0.2f);
    }

    void logitsThatAreNoNumbersAreNoAnswer()
    {
        for (const double bad :
             {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
            const SamplePrediction prediction = predictionOf(std::vector<double>{bad, 1, 2},
                                                             std::vector<double>{.2, .2, .6}, 0);
            QVERIFY(!isPrediction(prediction));
            Accuracy accuracy;
            accuracy.count(prediction.labelRank);
            QCOMPARE(accuracy.samples, 1);
            QCOMPARE(accuracy.correct, 0);
        }
        QCOMPARE(noPrediction(1000).labelRank, 1000);
    }

    void chanceIsToldFromKnowledge()
    {
        QVERIFY(looksLikeChance({512, 0, 0}, 1000));
        QVERIFY(looksLikeChance({512, 1, 0}, 1000));
        QVERIFY(!looksLikeChance({512, 60, 0}, 1000));
        QVERIFY(looksLikeChance({600, 100, 0}, 6));
        QVERIFY(!looksLikeChance({600, 300, 0}, 6));
    }

    void messagesBetweenProcessesComeBackWhole()
    {
        BatchMessage message;
        message.batch.number = 12345678901;
        message.batch.samples = {7, 9};
        message.batch.unreadable = {{8, "damaged: \xc3\xa4\n"}};
        message.batch.predictions = {
            {predictionOf(std::vector<double>{1, 2}, std::vector<double>{.3, .7}, 0), noPrediction(2)}, {}};
        message.batch.logits = {{{0.5F, std::nanf("")}, {}}, {}};
        message.batch.seconds = {0.25, 0};
        message.failures = {"", "no memory."};
        message.notFinite = {true, false};
        message.fallbacks = {{{"fell", 3, 72}, {"fell again", 1, 12345678901}}, {}};
        const BatchMessage back = decode(encode(message));
        QCOMPARE(back.batch.number, message.batch.number);
        QCOMPARE(back.batch.samples, message.batch.samples);
        QCOMPARE(back.batch.unreadable.front().sample, 8);
        QVERIFY(back.batch.logits.size() == 2 && back.batch.logits[0].size() == 2 && back.batch.logits[1].empty());
        QVERIFY(back.batch.logits[0][0][0] == 0.5F && std::isnan(back.batch.logits[0][0][1])
                && back.batch.logits[0][1].empty());
        QCOMPARE(back.batch.unreadable.front().reason, message.batch.unreadable.front().reason);
        QVERIFY(sameBits(back.batch.predictions[0][0], message.batch.predictions[0][0])
                && sameBits(back.batch.predictions[0][1], message.batch.predictions[0][1]));
        QVERIFY(back.batch.predictions[1].empty());
        QCOMPARE(back.batch.seconds, message.batch.seconds);
        QCOMPARE(back.failures, message.failures);
        QCOMPARE(back.notFinite, message.notFinite);
        QCOMPARE(back.fallbacks.size(), 2);
        QVERIFY(back.fallbacks[1].empty() && back.fallbacks[0][0].clause == "fell"
                && back.fallbacks[0][0].heads == 3);
        QVERIFY(back.fallbacks[0][1].clause == "fell again" && back.fallbacks[0][1].of == 12345678901);
        std::vector<double> cut = encode(message);
        cut.pop_back();
        THROWS(Error, decode(cut));
    }

    void everyAttentionAnswersEverySample()
    {
        const Folder folder;
        const auto network = tinyNetwork(folder);
        EvaluationRequest request = requestFor(images(folder / "val", 30, 6), folder / "runs.sqlite",
                                               randomAttentions());
        request.latency = request.memory = request.error = true;
        Notebook notes;
        const int64_t id = evaluate(*network, request, notes, {});
        const ResultStore store(request.store, ResultStore::Mode::Read);
        const StoredEvaluation stored = store.evaluation(id);
        QCOMPARE(stored.state, EvaluationState::Finished);
        QCOMPARE(stored.done, 30);
        QCOMPARE(stored.settings.batch, 8);
        QCOMPARE(std::ssize(notes.progress), 4);
        QCOMPARE(notes.progress.back().done, 30);
        for (size_t i = 0; i < stored.runs.size(); ++i) {
            const Accuracy accuracy = store.accuracy(stored.runs[i].id);
            QCOMPARE(accuracy.samples, 30);
            QCOMPARE(notes.progress.back().runs[i].accuracy.correct5, accuracy.correct5);
            const bool isExact = stored.runs[i].attention
                                 == "softmax;tokens=tome:r=2";  // merging is no error of attention
            QVERIFY(stored.runs[i].latency && stored.runs[i].memory && stored.runs[i].error.has_value() != isExact
                    && stored.runs[i].seconds > 0);
        }
        QCOMPARE(stored.runs.front().error->mse, 0.0);
        QVERIFY(stored.runs.back().error->mse > 0);
    }

    void resultsDoNotDependOnWorkers()
    {
        const Folder folder;
        const auto network = tinyNetwork(folder);
        EvaluationRequest request = requestFor(images(folder / "val", 45, 6), folder / "1.sqlite",
                                               randomAttentions());
        request.workers = 1;
        const std::string one = resultsOf(*network, request);
        for (const int64_t workers : {2, 4}) {
            request.workers = workers;
            request.store = folder / (std::to_string(workers) + ".sqlite");
            QVERIFY(resultsOf(*network, request) == one);
        }
        request.seed = 1;
        request.store = folder / "seed.sqlite";
        QVERIFY(resultsOf(*network, request)
                != one);  // what is compared does hold the random attentions' predictions
    }

    void answersDependOnNoPlaceInTheListAndNoBatch()
    {
        const Folder folder;
        const auto network = tinyNetwork(folder);
        const LabelledSet data = images(folder / "val", 45, 6);
        LabelledSet turned = data;
        std::reverse(turned.files.begin(), turned.files.end());
        const EvaluationRequest request = requestFor(data, folder / "runs.sqlite", randomAttentions());
        EvaluationRequest other = requestFor(turned, folder / "turned.sqlite", randomAttentions());
        other.batch = 7;
        Notebook notes;
        const int64_t id = evaluate(*network, request, notes, {}), otherId = evaluate(*network, other, notes, {});
        for (size_t run = 0; run < request.attention.size(); ++run) {
            const auto expected = labelProbabilities(request.store, id, run),
                       got = labelProbabilities(other.store, otherId, run);
            QCOMPARE(expected.size(), 45);
            for (const auto& [name, probability] : expected) {
                const float difference = std::abs(probability - got.at(name));
                QVERIFY2(difference <= 2e-5f,
                         qPrintable(QString("%1 %2: %3")
                                        .arg(request.attention[run].canonical().c_str(), name.c_str())
                                        .arg(difference)));
            }
        }
    }

    void evaluateAndClassifyAgreeOnEveryPicture_data()
    {
        columns<bool, bool>("plainEvaluation", "plainClassification");
        row("optimized", false, false);
        row("plain", true, true);
        row("one of each", true, false);
    }

    void evaluateAndClassifyAgreeOnEveryPicture()
    {
        QFETCH(bool, plainEvaluation);
        QFETCH(bool, plainClassification);
        const Folder folder;
        tinyNetwork(folder);
        ModelRequest model{.model = (folder / "tiny.json").string(),
                           .weights = "untrained:1",
                           .device = "cpu",
                           .plain = plainEvaluation};
        const auto network = openModel(model);
        model.plain = plainClassification;
        const auto other = openModel(model);
        const float allowed = plainEvaluation || plainClassification
                                  ? 2e-5f
                                  : 2e-7f;  // the same logits; a store rounds to float32
        const LabelledSet data = images(folder / "val", 20, 6);
        const EvaluationRequest request = requestFor(data, folder / "runs.sqlite", randomAttentions());
        Notebook notes;
        const int64_t id = evaluate(*network, request, notes, {});
        std::vector<InputSource> sources;
        for (size_t i = 0; i < data.files.size(); ++i)
            sources.push_back(
                {data.files[i].path, "image", [i] {
                     const std::string pixels = image(unsigned(i)).substr(13);
                     return Clip{.frames = 1, .height = 18, .width = 20, .pixels = {pixels.begin(), pixels.end()}};
                 }});
        RunRequest classify{.attention = request.attention, .latency = false, .memory = false, .error = false};
        RunObserver nobody;
        const RunReport report = attnscope::run(*other, sources, classify, nobody, {});
        QCOMPARE(report.inputs.size(), data.files.size());
        for (size_t run = 0; run < request.attention.size(); ++run) {
            const std::string backend = request.attention[run].backend();
            if (plainEvaluation != plainClassification && (backend == "ra" || backend == "rfa"))
                continue;  // these turn rounding into more: docs/measurements.md
            const auto evaluated = labelProbabilities(request.store, id, run);
            for (size_t i = 0; i < data.files.size(); ++i) {
                const auto& views = report.inputs[i].runs[run].views;
                QCOMPARE(views.size(), 1);
                const float expected = views.front().probabilities[size_t(data.files[i].label)],
                            got = evaluated.at(fs::path(data.files[i].path).filename().string());
                QVERIFY2(
                    std::abs(got - expected) <= allowed,
                    qPrintable(
                        QString("%1 sample %2: %3 and %4").arg(backend.c_str()).arg(i).arg(got).arg(expected)));
            }
        }
    }

    /// 48 samples of 6 classes in batches of 4: what is known after three batches is about classes from all over the list.
    void whatIsKnownSoFarIsNotOfTheFirstClasses()
    {
        const Folder folder;
        const FakeNetwork network(6,
                                  [](const at::Tensor& input, const std::string&) { return byPixels(input, 6); });
        EvaluationRequest request = requestFor(images(folder / "val", 48, 6), folder / "runs.sqlite");
        request.batch = 4;
        Notebook notes;
        notes.stopAfter = 3;
        THROWS(Cancelled, evaluate(network, request, notes, notes.stop.get_token()));
        const std::vector<int64_t> stored =
            ResultStore(request.store, ResultStore::Mode::Read).finishedBatches(notes.evaluation);
        QCOMPARE(stored, (std::vector<int64_t>{0, 2, 7}));
        // Another seed is no reason to begin again unnoticed.
        request.resume = true;
        request.seed = 7;
        const auto again = [&] { static_cast<void>(evaluate(network, request, notes, {})); };
        THROWS(UsageError, again());
        request.seed = 0;
        again();
        QCOMPARE(ResultStore(request.store, ResultStore::Mode::Read).evaluations().size(), 1);
    }

    void aStoppedEvaluationGoesOnToTheSameBits()
    {
        const Folder folder;
        const auto network = tinyNetwork(folder);
        const LabelledSet data = images(folder / "val", 45, 6);
        const std::string whole = resultsOf(*network,
                                            requestFor(data, folder / "whole.sqlite", randomAttentions()));
        EvaluationRequest request = requestFor(data, folder / "parts.sqlite", randomAttentions());
        request.resume = true;
        int64_t id = 0, done = 0;
        for (const int64_t stopAfter : {2, 1, 1, -1}) {
            Notebook notes;
            notes.stopAfter = stopAfter;
            try {
                id = evaluate(*network, request, notes, notes.stop.get_token());
                QCOMPARE(stopAfter, -1);
            } catch (const Cancelled&) {
                QVERIFY(stopAfter > 0);
            }
            QCOMPARE(notes.begun->done, done);
            done = notes.progress.back().done;
        }
        QCOMPARE(done, 45);
        QVERIFY(resultsIn(request.store, id) == whole);
    }

    void shardsMergeToTheWhole()
    {
        const Folder folder;
        const auto network = tinyNetwork(folder);
        LabelledSet data = images(folder / "val", 45, 6);
        write(data.files[20].path, "no picture");
        EvaluationRequest request = requestFor(data, folder / "whole.sqlite", randomAttentions());
        request.keep = "logits";
        const std::string whole = resultsOf(*network, request);
        ResultStore merged(folder / "merged.sqlite", ResultStore::Mode::Write);
        for (int64_t index = 1; index <= 3; ++index) {
            request.store = folder / ("part" + std::to_string(index) + ".sqlite");
            request.shard = {index, 3};
            resultsOf(*network, request);
            merged.merge(request.store);
        }
        QCOMPARE(std::ssize(merged.evaluations()), 1);
        QVERIFY(withoutTimings(merged, merged.evaluations().front().id) == whole);
        // Which the command for the whole goes on with: there is nothing left to do.
        EvaluationRequest all = requestFor(data, folder / "merged.sqlite", randomAttentions());
        all.keep = "logits";
        all.resume = true;
        Notebook notes;
        QCOMPARE(evaluate(*network, all, notes, {}), merged.evaluations().front().id);
        QVERIFY(notes.begun->done == 45 && notes.progress.empty());
    }

    void keptLogitsGiveTheStoredProbabilities()
    {
        const Folder folder;
        const auto network = tinyNetwork(folder);
        EvaluationRequest request = requestFor(images(folder / "val", 30, 6), folder / "runs.sqlite",
                                               randomAttentions());
        request.keep = "logits";
        Notebook notes;
        const int64_t id = evaluate(*network, request, notes, {});
        const ResultStore store(request.store, ResultStore::Mode::Read);
        for (const StoredRun& run : store.evaluation(id).runs) {
            std::map<int64_t, at::Tensor> probabilities;
            store.eachLogits(run.id, [&](int64_t sample, const std::vector<float>& logits) {
                probabilities[sample] = at::tensor(at::ArrayRef<float>(logits)).to(at::kDouble).softmax(-1);
            });
            QCOMPARE(probabilities.size(), size_t(30));
            store.eachPrediction(run.id, [&](const StoredSample& sample) {
                const SamplePrediction& prediction = *sample.predictions.front();
                const at::Tensor& own = probabilities.at(sample.sample);
                QCOMPARE(own.argmax().item<int64_t>(), int64_t(prediction.classes.front()));
                QCOMPARE(prediction.probabilities.front(), own.max().item<float>());
                QCOMPARE(prediction.labelProbability, own[sample.label].item<float>());
                QCOMPARE(prediction.squaredProbabilities, (own * own).sum().item<float>());
            });
        }
    }

    void unreadableSamplesAreListedAndChangeNoOthers()
    {
        const Folder folder;
        const auto network = tinyNetwork(folder);
        const LabelledSet data = images(folder / "val", 24, 6);
        Notebook good;
        const int64_t first = evaluate(
            *network, requestFor(data, folder / "good.sqlite", {AttentionSpec::parse("ra")}), good, {});
        write(data.files[3].path, "P6\n20 18\n255\nshort");
        fs::remove(data.files[12].path);  // after it was listed
        fs::remove(data.files[13].path);
        fs::create_directory(data.files[13].path);
        Notebook bad;
        const int64_t second = evaluate(
            *network, requestFor(data, folder / "bad.sqlite", {AttentionSpec::parse("ra")}), bad, {});
        QCOMPARE(std::ssize(bad.unreadable), 3);
        QVERIFY2(bad.unreadable[0].starts_with("3.ppm: ") && bad.unreadable[1].starts_with("12.ppm: "),
                 bad.unreadable[1].c_str());
        QVERIFY(!contains(bad.unreadable[1], folder.path().string()));  // the reason alone
        QCOMPARE(bad.progress.back().unreadable, 3);
        const auto all = predictionsIn(folder / "good.sqlite", first),
                   rest = predictionsIn(folder / "bad.sqlite", second);
        QCOMPARE(all.size(), 24);
        QCOMPARE(rest.size(), 21);
        for (const StoredSample& sample : rest) {
            const auto same = std::find_if(
                all.begin(), all.end(), [&](const StoredSample& other) { return other.sample == sample.sample; });
            QVERIFY(same != all.end() && sameBits(*same->predictions.front(), *sample.predictions.front()));
        }
    }

    void aFinishedEvaluationIsNotComputedAgain()
    {
        const Folder folder;
        int passes = 0;
        const FakeNetwork network(6, [&](const at::Tensor& input, const std::string&) {
            ++passes;
            return byPixels(input, 6);
        });
        EvaluationRequest request = requestFor(images(folder / "val", 16, 6), folder / "runs.sqlite");
        Notebook first, again, anew;
        const int64_t id = evaluate(network, request, first, {});
        QCOMPARE(passes, 2);
        request.resume = true;
        QCOMPARE(evaluate(network, request, again, {}), id);
        QCOMPARE(passes, 2);
        QVERIFY(again.begun->done == 16 && again.progress.empty());
        request.resume = false;
        QVERIFY(evaluate(network, request, anew, {}) != id);
        QCOMPARE(passes, 4);
    }

    void aSecondEvaluatorOfTheSameRunIsRefused()
    {
        const Folder folder;
        const FakeNetwork network(6,
                                  [](const at::Tensor& input, const std::string&) { return byPixels(input, 6); });
        EvaluationRequest request = requestFor(images(folder / "val", 32, 6), folder / "runs.sqlite");
        request.resume = true;
        Notebook notes;
        int refused = 0;
        notes.onBatch = [&] {
            Notebook other;
            try {
                evaluate(network, request, other, {});
            } catch (const OwnedElsewhere&) {
                ++refused;
            }
        };
        evaluate(network, request, notes, {});
        QCOMPARE(refused, 4);
        QCOMPARE(notes.progress.back().done, 32);
    }

    void anAttentionThatFailsLeavesTheOthers()
    {
        const Folder folder;
        std::map<std::string, int> passes, last{{"rfa", 3}, {"ra", 4}};
        const FakeNetwork network(6, [&](const at::Tensor& input, const std::string& attention) {
            if (++passes[attention] == last[attention])
                throw std::bad_alloc();
            return byPixels(input, 6);
        });
        const EvaluationRequest request = requestFor(
            images(folder / "val", 40, 6), folder / "runs.sqlite",
            {AttentionSpec::parse("softmax"), AttentionSpec::parse("rfa"), AttentionSpec::parse("ra")});
        Notebook notes;
        const int64_t id = evaluate(network, request, notes, {});
        const ResultStore store(request.store, ResultStore::Mode::Read);
        const StoredEvaluation stored = store.evaluation(id);
        QCOMPARE(store.accuracy(stored.runs[0].id).samples, 40);
        QCOMPARE(store.accuracy(stored.runs[1].id).samples, 16);
        QCOMPARE(store.accuracy(stored.runs[2].id).samples, 24);
        QVERIFY(stored.runs[0].failure.empty() && stored.runs[1].failure.find("memory") != std::string::npos
                && !stored.runs[2].failure.empty());
        QCOMPARE(std::ssize(notes.messages), 2);  // each once
        QVERIFY(notes.messages[0].starts_with("rfa: ") && notes.messages[1].starts_with("ra: "));
        for (const std::string& message : notes.messages)
            QVERIFY2(message.ends_with("The other attentions continue."), message.c_str());
        QCOMPARE(passes["rfa"], 3);
        QCOMPARE(passes["ra"], 4);
    }

    /// As a GPU: one without memory for more than three samples at a time.
    void withoutMemoryForABatchItsPartsAreComputed()
    {
        const Folder folder;
        const auto predict = [](const at::Tensor& input, const std::string&) { return byPixels(input, 6); };
        int64_t largest = 0;
        const FakeNetwork whole(6, predict), small(6, [&](const at::Tensor&input, const std::string&attention) {
            TORCH_CHECK_WITH(OutOfMemoryError, input.size(0) <= 3, "CUDA out of memory. Tried to allocate 2 GiB");
            largest = std::max(largest, input.size(0));
            return predict(input, attention);
        });
        EvaluationRequest request = requestFor(images(folder / "val", 40, 6), folder / "whole.sqlite",
                                               {AttentionSpec::parse("softmax"), AttentionSpec::parse("rfa")});
        Notebook notes;
        const auto runsWithoutNotes = [&](int64_t evaluation) {
            const ResultStore store(request.store, ResultStore::Mode::Read);
            std::vector<std::string> all;
            for (StoredRun run : store.evaluation(evaluation).runs) {
                run.notes.clear();
                all.push_back(dumpJson(canonicalRun(store, run)));
            }
            return all;
        };
        const auto expected = runsWithoutNotes(evaluate(whole, request, notes, {}));
        request.store = folder / "parts.sqlite";
        const int64_t id = evaluate(small, request, notes, {});
        QCOMPARE(largest, 2);  // of eight: fours are too many, twos are not
        const StoredEvaluation stored = ResultStore(request.store, ResultStore::Mode::Read).evaluation(id);
        QCOMPARE(stored.state, EvaluationState::Finished);
        QVERIFY(runsWithoutNotes(id) == expected);
        for (const StoredRun& run : stored.runs) {
            QVERIFY(run.failure.empty());
            QVERIFY(std::ranges::any_of(run.notes, [](const std::string& note) {
                return note == "the GPU lacks memory for whole batches, which were computed in parts";
            }));
        }
        const FakeNetwork none(6, [](const at::Tensor&, const std::string&) -> at::Tensor {
            TORCH_CHECK_WITH(OutOfMemoryError, false, "CUDA out of memory");
        });
        request.store = folder / "none.sqlite";
        THROWS(Error, evaluate(none, request, notes, {}));
    }

    void withoutAnyAttentionLeftItEnds()
    {
        const Folder folder;
        const FakeNetwork network(
            6, [](const at::Tensor&, const std::string&) -> at::Tensor { throw std::bad_alloc(); });
        Notebook notes;
        const EvaluationRequest request = requestFor(images(folder / "val", 40, 6), folder / "runs.sqlite");
        THROWS(Error, evaluate(network, request, notes, {}));
        const ResultStore store(request.store, ResultStore::Mode::Read);
        QCOMPARE(store.evaluation(notes.evaluation).state, EvaluationState::Interrupted);
    }

    void whereEveryAttentionFailedItGoesOnLater()
    {
        const Folder folder;
        int passes = 0, passesWithMemory = 2;
        const FakeNetwork network(6, [&](const at::Tensor& input, const std::string&) -> at::Tensor {
            if (++passes > passesWithMemory)
                throw std::bad_alloc();
            return byPixels(input, 6);
        });
        Notebook notes;
        EvaluationRequest request = requestFor(images(folder / "val", 40, 6), folder / "part.sqlite");
        write(request.data.files[17].path, "no picture");  // in the batch that fails
        THROWS(Error, evaluate(network, request, notes, {}));
        ResultStore merged(folder / "merged.sqlite", ResultStore::Mode::Write);
        merged.merge(request.store);
        QVERIFY(withoutTimings(merged, 1) == resultsIn(request.store, notes.evaluation));
        QCOMPARE(merged.evaluation(1).done, 16);  // the batch without any prediction does not count
        passesWithMemory = 100;
        request.resume = true;
        const int64_t resumed = evaluate(network, request, notes, {});
        const StoredEvaluation finished = ResultStore(request.store, ResultStore::Mode::Read).evaluation(resumed);
        QCOMPARE(finished.done, 40);
        QCOMPARE(finished.unreadable, 1);
        QVERIFY(finished.runs.front().failure.empty());
    }

    void whatFailedIsNamedWhereTheOthersGoOnLater()
    {
        const Folder folder;
        int rfa = 0, softmax = 0;
        const FakeNetwork network(6, [&](const at::Tensor& input, const std::string& attention) -> at::Tensor {
            if (attention == "rfa" ? ++rfa == 3 : ++softmax == 4)
                throw std::bad_alloc();
            return byPixels(input, 6);
        });
        EvaluationRequest request = requestFor(images(folder / "val", 40, 6), folder / "runs.sqlite",
                                               {AttentionSpec::parse("softmax"), AttentionSpec::parse("rfa")});
        Notebook first, later;
        THROWS(Error, evaluate(network, request, first, {}));
        request.resume = true;
        const StoredEvaluation stored =
            ResultStore(request.store, ResultStore::Mode::Read).evaluation(evaluate(network, request, later, {}));
        QCOMPARE(std::ssize(later.messages), 1);
        QVERIFY2(later.messages.front().starts_with("rfa")
                     && later.messages.front().ends_with("a new one tries it."),
                 later.messages.front().c_str());
        QCOMPARE(stored.done, 40);
        QVERIFY(stored.runs[0].failure.empty() && !stored.runs[1].failure.empty());
        QCOMPARE(rfa, 3);
    }

    void damagedPictureIsReadOnceWhateverItIsCalled_data()
    {
        columns<QString>("name");
        row("damaged", "damaged.jpg");
        row("killed", "the image decoder (signal 9).jpg");
    }

    /// Another decoder is asked when one died, and not when a sentence reads so.
    void damagedPictureIsReadOnceWhateverItIsCalled()
    {
        FETCH_TEXT(name);
        const Folder folder;
        const fs::path image = folder / name;
        write(image, "no picture");
        LabelledSet data;
        data.files.push_back({image.string(), 0});
        const SampleLoader load = imageLoaders(
            {.data = std::make_shared<LabelledSet>(data),
             .views = {.transform = {.resize = 16, .cropHeight = 16, .cropWidth = 16}}})();
        const FileDescriptor watch(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
        QVERIFY(inotify_add_watch(watch.number(), image.c_str(), IN_OPEN | IN_CLOSE)
                >= 0);  // equal ones in a row would be one
        THROWS(FileError, load(0, 0));
        int opened = 0;
        for (inotify_event event{};
             ::read(watch.number(), &event, sizeof event) == sizeof event;)  // of a file: without a name
            opened += (event.mask & IN_OPEN) != 0 ? 1 : 0;
        QCOMPARE(opened, 1);
    }

    void aDecoderThatDoesNotStartIsNotWaitedFor()
    {
        const auto data = std::make_shared<LabelledSet>();
        data->files.push_back({TEST_DATA_DIR "/preprocess/images/jpeg_420_399x299.jpg", 0});
        const QByteArray before = qgetenv("ATTNSCOPE_DECODER");
        qputenv("ATTNSCOPE_DECODER", "/bin/false");
        const auto restore = qScopeGuard([&] { qputenv("ATTNSCOPE_DECODER", before); });
        const auto begin = std::chrono::steady_clock::now();
        const auto read = [&] {
            imageLoaders(
                {.data = data, .views = {.transform = {.resize = 16, .cropHeight = 16, .cropWidth = 16}}})()(0, 0);
        };
        THROWS(DecoderNotStarted, read());
        QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
    }

    void logitsThatAreNoNumbersAreSaidAndCountAsWrong()
    {
        const Folder folder;
        int passes = 0;
        const FakeNetwork network(6, [&](const at::Tensor& input, const std::string&) {
            at::Tensor logits = at::zeros({input.size(0), 6});
            logits.select(1, 0) += 1;  // the first class
            if (++passes == 1)
                logits[2][5] = std::numeric_limits<float>::quiet_NaN();
            return logits;
        });
        LabelledSet data = images(folder / "val", 16, 6);
        for (LabelledFile& file : data.files)
            file.label = 0;
        const EvaluationRequest request = requestFor(data, folder / "runs.sqlite");
        Notebook notes;
        const int64_t id = evaluate(network, request, notes, {});
        const ResultStore store(request.store, ResultStore::Mode::Read);
        const StoredRun run = store.evaluation(id).runs.front();
        QCOMPARE(store.accuracy(run.id).samples, 16);
        QCOMPARE(store.accuracy(run.id).correct, 15);
        QCOMPARE(store.accuracy(run.id).correct5, 15);
        QVERIFY(!run.notes.empty() && run.notes.back().find("not finite") != std::string::npos);
    }

    void fallbacksAreNotedOnceWithTheNumbersOfTheirFirstBatch()
    {
        const Folder folder;
        constexpr Fallback something{"something happened"}, nothing{"nothing happened"};
        int passes = 0;
        const FakeNetwork network(6, [&](const at::Tensor& input, const std::string& attention) {
            FallbackTally::current()->add(nothing, 0, 100);
            FallbackTally::current()->add(something, attention == "softmax" || passes++ == 0 ? 0 : passes, 100);
            return byPixels(input, 6);
        });
        EvaluationRequest request = requestFor(images(folder / "val", 40, 6), folder / "runs.sqlite",
                                               {AttentionSpec::parse("softmax"), AttentionSpec::parse("ra")});
        request.resume = true;
        Notebook stopped;
        stopped.stopAfter = 3;
        THROWS(Cancelled, evaluate(network, request, stopped, stopped.stop.get_token()));
        Notebook notes;
        const int64_t id = evaluate(network, request, notes, {});
        QVERIFY(passes >= 5);
        const ResultStore store(request.store, ResultStore::Mode::Read);
        const std::vector<StoredRun> runs = store.evaluation(id).runs;
        QVERIFY(runs[0].notes.empty());
        QCOMPARE(runs[1].notes, (std::vector<std::string>{"in 2 of 100 heads of a batch something happened"}));
    }

    void guessingIsExplainedAfterFiveHundredSamples()
    {
        const Folder folder;
        LabelledSet data = images(folder / "val", 8, 1);
        const LabelledFile one = data.files.front();
        data.files.clear();
        for (int64_t i = 0; i < 640; ++i)
            data.files.push_back({one.path, i % 100});  // one image by many names of classes
        for (const bool knows : {false, true}) {
            const FakeNetwork network(100, [&](const at::Tensor& input, const std::string&) {
                at::Tensor logits = at::zeros({input.size(0), 100});
                for (int64_t i = 0; knows && i < input.size(0); ++i)
                    logits[i][i % 100] = 5;  // of batches of 100
                return logits;
            });
            EvaluationRequest request = requestFor(data, folder / (knows ? "knows.sqlite" : "guesses.sqlite"));
            request.batch = 100;
            Notebook notes;
            evaluate(network, request, notes, {});
            QCOMPARE(std::ssize(notes.messages), knows ? 0 : 1);
            QVERIFY(knows
                    || notes.messages.front().find(
                           "After 500 samples no attention is better than chance among 100 classes")
                           == 0);
        }
    }

    void aLimitIsSpreadOverTheClasses()
    {
        const Folder folder;
        const FakeNetwork network(6,
                                  [](const at::Tensor& input, const std::string&) { return byPixels(input, 6); });
        EvaluationRequest request = requestFor(images(folder / "val", 60, 6), folder / "runs.sqlite");
        request.limit = 12;
        Notebook notes;
        const int64_t id = evaluate(network, request, notes, {});
        const ResultStore store(request.store, ResultStore::Mode::Read);
        QCOMPARE(store.evaluation(id).samples, 12);
        QCOMPARE(store.evaluation(id).done, 12);
        for (const ClassAccuracy& one : store.classAccuracies(store.evaluation(id).runs.front().id))
            QCOMPARE(one.accuracy.samples, 2);
    }

    void viewsOfFrameFoldersAreAveragedAsClassifyDoes()
    {
        const Folder folder;
        LabelledSet data;
        data.root = (folder / "videos").string();
        data.layout = FolderLayout::Kinetics;
        data.video = true;
        data.classes = {"a", "b"};
        for (unsigned video = 0; video < 3; ++video) {
            for (unsigned frame = 0; frame < 12; ++frame)
                write(folder / ("videos/a/v" + std::to_string(video))
                          / ("frame_" + std::to_string(100 + frame) + ".ppm"),
                      image(100 * video + frame));
            data.files.push_back({(folder / ("videos/a/v" + std::to_string(video))).string(), 1});
        }
        data.files.push_back({(folder / "videos/none").string(), 0});
        const FakeNetwork network(6,
                                  [](const at::Tensor& input, const std::string&) { return byPixels(input, 6); });
        EvaluationRequest request = requestFor(data, folder / "runs.sqlite");
        request.views = ViewGrid{4, 1};
        request.batch = 2;
        request.keep = "logits";
        Notebook notes;
        const int64_t id = evaluate(network, request, notes, {});
        QCOMPARE(std::ssize(notes.unreadable), 1);
        // Frames 1, 4, 7 and 10 are the middles of four equal parts.
        const auto predictions = predictionsIn(request.store, id);
        QCOMPARE(predictions.size(), 3);
        for (const StoredSample& sample : predictions) {
            at::Tensor sum = at::zeros({6}, at::kDouble);
            for (const int frame : {1, 4, 7, 10}) {
                const std::string pixels = image(unsigned(100 * sample.sample + frame)).substr(13);
                Clip clip{.frames = 1, .height = 18, .width = 20, .pixels = {pixels.begin(), pixels.end()}};
                FloatArray array = applyTransform(clip, network.transform());
                const at::Tensor input = at::from_blob(array.values.data(), {1, 3, 16, 16}, at::kFloat);
                sum += byPixels(input, 6)[0].to(at::kDouble).softmax(-1);
            }
            const auto [top, order] = (sum / 4).topk(5);
            for (int64_t i = 0; i < 5; ++i) {
                QCOMPARE(sample.predictions.front()->classes[size_t(i)], order[i].item<int64_t>());
                QVERIFY(std::abs(sample.predictions.front()->probabilities[size_t(i)] - top[i].item<double>())
                        < 1e-6);
            }
        }
        const ResultStore store(request.store, ResultStore::Mode::Read);
        int64_t kept = 0;
        store.eachLogits(
            store.evaluation(id).runs.front().id, [&](int64_t number, const std::vector<float>& logits) {
                const auto own = std::ranges::find(predictions, number, &StoredSample::sample);
                const SamplePrediction& prediction = *own->predictions.front();
                const at::Tensor all = at::tensor(at::ArrayRef<float>(logits)).softmax(-1);
                QVERIFY(std::abs(all[prediction.classes[0]].item<float>() - prediction.probabilities[0]) < 1e-6F);
                ++kept;
            });
        QCOMPARE(kept, 3);
        // A video of which no view gives numbers has no class.
        const FakeNetwork mute(6, [](const at::Tensor& input, const std::string&) {
            return at::full({input.size(0), 6}, std::nan(""));
        });
        request.store = folder / "mute.sqlite";
        const auto none = predictionsIn(request.store, evaluate(mute, request, notes, {}));
        QCOMPARE(none.size(), 3);
        for (const StoredSample& sample : none)
            QCOMPARE(sample.predictions.front()->classes.front(), -1);
    }

    void requestsThatFitNothingAreRefused_data()
    {
        columns<QString, QString>("what", "part");
        row("no attention", "attention", "no attention was specified");
        row("twice", "twice", "given twice");
        row("label", "label", "has 6 classes");
        row("shard", "shard", "--shard");
        row("empty", "empty", "no samples");
    }

    void requestsThatFitNothingAreRefused()
    {
        FETCH_TEXT(what);
        FETCH_TEXT(part);
        const Folder folder;
        const FakeNetwork network(6,
                                  [](const at::Tensor& input, const std::string&) { return byPixels(input, 6); });
        EvaluationRequest request = requestFor(images(folder / "val", 6, 6), folder / "runs.sqlite");
        if (what == "attention")
            request.attention.clear();
        if (what == "twice")
            request.attention.push_back(request.attention.front());
        if (what == "label")
            request.data.files.back().label = 6;
        if (what == "shard")
            request.shard = {4, 3};
        if (what == "empty")
            request.data.files.clear();
        Notebook notes;
        try {
            evaluate(network, request, notes, {});
            QFAIL("accepted");
        } catch (const UsageError& error) {
            SAYS(error.what(), part);
        }
        QVERIFY(!fs::exists(request.store));
    }
};

ATTNSCOPE_EVENT_TEST(TestEvaluate)
#include "tst_evaluate.moc"
