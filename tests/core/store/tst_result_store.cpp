// SPDX-License-Identifier: Apache-2.0
#include "core/measure/proportions.h"
#include "tests/core/store/raw_database.h"
#include "tests/core/store/store_cases.h"
#include "tests/support/signal_process.h"
#include "tests/support/stored_results.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <limits>

using namespace attnscope;
using namespace attnscope::testing;
using attnscope::test::signalProcess;

namespace {

std::string messageOf(const std::function<void()>& work)
{
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace

class TestResultStore : public QObject {
    Q_OBJECT

private slots:
    void whatWasStoredIsRead();
    void countsAgreeWithTheAnswers();
    void aPairCountsOnSharedSamples();
    void galleriesPageByFallingProbability();
    void resumedEvaluationEqualsAnUninterruptedOne();
    void finishedEvaluationIsFoundAgain();
    void otherFactsBeginAnotherEvaluation_data();
    void otherFactsBeginAnotherEvaluation();
    void dataThatMovedIsTheSameData();
    void batchesAreStoredOnceAndWhereTheyBelong();
    void finishedIsRefusedWhileSamplesAreMissing();
    void notFiniteProbabilitiesAreKept();
    void theBinGivesBackOrDeletes();
    void liveOwnerIsRespectedAndDeadOneIsNot();
    void whoeverLostTheEvaluationCannotAdd();
    void mergedShardsEqualOneProcess();
    void drawsOfAnOlderRuleAreNotGoneOnWith();
    void shardsOfTwoRulesOfDrawingAreNotMerged();
    void mergingTwiceChangesNothing();
    void batchWithoutAnyAnswerIsMerged();
    void contradictingPartsAreRefusedWhole();
    void wholeEvaluationsAreAddedOnce();
    void trainingsAreKeptEpochByEpoch();
    void readingLeavesNothingBesideTheStore();
    void olderStoresAreReadAsTheyAreAndMigratedWithABackup();
    void partsOfVersion2AreMerged();
};

void TestResultStore::whatWasStoredIsRead()
{
    TemporaryFolder folder;
    const auto data = madeUpData(100, 10);
    auto settings = madeUpSettings();
    settings.notes = {"a note"};
    settings.environment.torch = "2.11.0";
    auto runs = madeUpRuns(2);
    ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
    const std::int64_t id = evaluateMadeUp(store, settings, data, runs);
    StoredRun measured = store.evaluation(id).runs[1];
    measured.latency = Latency{62.1, 61, 64, 4.9, 4.8, 5, 20};
    measured.memory = Memory{1 << 20, 2 << 20, 3000};
    measured.error = ErrorValue{1e-3, std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity(), 0};
    measured.emptyRows = 0.12;
    measured.notes = {"plain pooled landmarks"};
    store.setMeasurements(measured.id, measured);
    store.setNote(id, "the paper's setting");

    ResultStore reader(folder / "runs.sqlite", ResultStore::Mode::Read);
    const auto all = reader.evaluations();
    QCOMPARE(all.size(), std::size_t(1));
    const StoredEvaluation& read = all[0];
    QCOMPARE(read.settings.model, settings.model);
    QCOMPARE(read.settings.notes, settings.notes);
    QCOMPARE(read.settings.environment.torch, settings.environment.torch);
    QCOMPARE(read.state, EvaluationState::Finished);
    QCOMPARE(read.samples, 100);
    QCOMPARE(read.done, 100);
    QCOMPARE(read.unreadable, 2);
    QCOMPARE(read.note, std::string("the paper's setting"));
    QCOMPARE(read.runs.size(), std::size_t(2));
    QCOMPARE(read.runs[0].attention, std::string("softmax"));
    QCOMPARE(read.runs[0].weights, WeightsKind::Trained);
    QCOMPARE(read.runs[0].seconds, 1.0);  // four batches
    QCOMPARE(read.runs[1].latency->medianMs, 62.1);
    QCOMPARE(read.runs[1].memory->attentionPeakBytes, 3000);
    QVERIFY(std::isnan(read.runs[1].error->mseStddev));
    QVERIFY(std::isinf(read.runs[1].error->relative));
    QCOMPARE(read.runs[1].emptyRows.value(), 0.12);
    QVERIFY(!read.runs[0].emptyRows);
    QCOMPARE(read.runs[1].notes, measured.notes);
    QCOMPARE(reader.classes(id), data.classes);
    const auto bad = reader.unreadable(id, 0, -1);
    QCOMPARE(bad.size(), std::size_t(2));
    QCOMPARE(bad[0].path, data.files[49].path);
    QCOMPARE(bad[1].sample, 99);
    QCOMPARE(reader.parts(id).size(), std::size_t(1));
}

void TestResultStore::countsAgreeWithTheAnswers()
{
    TemporaryFolder folder;
    const auto data = madeUpData(500, 10);
    ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
    const auto id = evaluateMadeUp(store, madeUpSettings(), data, madeUpRuns(2));
    for (std::int64_t run = 0; run < 2; ++run) {
        Accuracy all;
        std::map<std::int64_t, Accuracy> classes;
        std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> confusions;
        for (std::int64_t i = 0; i < 500; ++i) {
            if (i % 50 == 49)
                continue;
            const std::int64_t label = data.files[static_cast<std::size_t>(i)].label;
            const auto prediction = madeUpPrediction(run, i, label, 10);
            for (Accuracy* counted : {&all, &classes[label]}) {
                ++counted->samples;
                counted->correct1 += prediction.labelRank == 0;
                counted->correct5 += prediction.labelRank < 5;
            }
            if (prediction.labelRank != 0)
                ++confusions[{label, prediction.classes[0]}];
        }
        const std::int64_t stored = store.evaluation(id).runs[static_cast<std::size_t>(run)].id;
        QCOMPARE(store.accuracy(stored).samples, 490);
        QCOMPARE(store.accuracy(stored).correct1, all.correct1);
        QCOMPARE(store.accuracy(stored).correct5, all.correct5);
        QVERIFY(all.correct1 < all.correct5 && all.correct5 < 490);
        for (const ClassAccuracy& read : store.classAccuracies(stored)) {
            QCOMPARE(read.name, "class " + std::to_string(read.label));
            QCOMPARE(read.accuracy.correct1, classes[read.label].correct1);
            QCOMPARE(read.accuracy.samples, classes[read.label].samples);
        }
        std::int64_t last = std::numeric_limits<std::int64_t>::max(), sum = 0;
        for (const Confusion& read : store.worstConfusions(stored, -1)) {
            QCOMPARE(read.samples, (confusions[{read.label, read.prediction}]));
            QVERIFY(read.samples <= last);
            last = read.samples;
            sum += read.samples;
        }
        QCOMPARE(sum, all.samples - all.correct1);
        QCOMPARE(store.worstConfusions(stored, 3).size(), std::size_t(3));
    }
}

void TestResultStore::aPairCountsOnSharedSamples()
{
    TemporaryFolder folder;
    const auto data = madeUpData(300, 10);
    ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
    const auto id = evaluateMadeUp(store, madeUpSettings(), data, madeUpRuns(3));
    const auto runs = store.evaluation(id).runs;
    const RunPair pair = store.pair(runs[0].id, runs[1].id);
    RunPair expected;
    for (std::int64_t i = 0; i < 300; ++i) {
        if (i % 50 == 49)
            continue;
        const auto label = data.files[static_cast<std::size_t>(i)].label;
        const auto a = madeUpPrediction(0, i, label, 10), b = madeUpPrediction(1, i, label, 10);
        const bool rightA = a.labelRank == 0, rightB = b.labelRank == 0;
        ++(rightA ? rightB ? expected.bothRight : expected.onlyA : rightB ? expected.onlyB : expected.bothWrong);
        expected.samePrediction += a.classes[0] == b.classes[0];
    }
    QCOMPARE(pair.bothRight, expected.bothRight);
    QCOMPARE(pair.onlyA, expected.onlyA);
    QCOMPARE(pair.onlyB, expected.onlyB);
    QCOMPARE(pair.bothWrong, expected.bothWrong);
    QCOMPARE(pair.samePrediction, expected.samePrediction);
    QCOMPARE(pair.mcnemarP, mcnemarExact(expected.onlyA, expected.onlyB));
    QCOMPARE(store.pairs({runs[0].id, runs[1].id, runs[2].id}).size(), std::size_t(3));

    const auto other = evaluateMadeUp(store, madeUpSettings(), madeUpData(64, 10), madeUpRuns(1));
    const std::string message = messageOf([&] { store.pair(runs[0].id, store.evaluation(other).runs[0].id); });
    QVERIFY2(contains(message, "saw different data"), message.c_str());
}

void TestResultStore::galleriesPageByFallingProbability()
{
    TemporaryFolder folder;
    const auto data = madeUpData(300, 10);
    ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
    const auto id = evaluateMadeUp(store, madeUpSettings(), data, madeUpRuns(2));
    const auto runs = store.evaluation(id).runs;
    const RunPair pair = store.pair(runs[0].id, runs[1].id);
    SampleQuery query;
    query.run = runs[1].id;
    query.reference = runs[0].id;
    const std::map<Flips, std::int64_t> expected{{Flips::RightToWrong, pair.onlyA},
                                                 {Flips::WrongToRight, pair.onlyB},
                                                 {Flips::BothWrong, pair.bothWrong},
                                                 {Flips::Different, 294 - pair.samePrediction}};
    for (const auto& [flips, count] : expected) {
        query.flips = flips;
        QCOMPARE(store.sampleCount(query), count);
        QVERIFY(count > 10);
    }
    query.flips = Flips::RightToWrong;
    query.count = 7;
    std::vector<std::int64_t> seen;
    float last = 2;
    for (query.offset = 0;; query.offset += 7) {
        const auto page = store.samples(query);
        if (page.empty())
            break;
        for (const StoredSample& sample : page) {
            QCOMPARE(sample.predictions.size(), std::size_t(2));
            QCOMPARE(sample.predictions[0]->labelRank, 0);
            QVERIFY(sample.predictions[1]->labelRank != 0);
            QVERIFY(sample.predictions[1]->probabilities[0] <= last);
            last = sample.predictions[1]->probabilities[0];
            const auto made = madeUpPrediction(1, sample.sample, sample.label, 10);
            QCOMPARE(sample.predictions[1]->classes, made.classes);
            QCOMPARE(sample.predictions[1]->probabilities, made.probabilities);
            QCOMPARE(sample.predictions[1]->labelProbability, made.labelProbability);
            QCOMPARE(sample.path, data.files[static_cast<std::size_t>(sample.sample)].path);
            seen.push_back(sample.sample);
        }
    }
    QCOMPARE(static_cast<std::int64_t>(seen.size()), pair.onlyA);
    std::sort(seen.begin(), seen.end());
    QVERIFY(std::adjacent_find(seen.begin(), seen.end()) == seen.end());

    SampleQuery cell{runs[0].id};
    const Confusion worst = store.worstConfusions(runs[0].id, 1).at(0);
    cell.label = worst.label;
    cell.prediction = worst.prediction;
    QCOMPARE(store.sampleCount(cell), worst.samples);
    QCOMPARE(static_cast<std::int64_t>(store.samples(cell).size()), worst.samples);
    SampleQuery every{runs[0].id};
    every.predictions = PredictionsShown::All;
    QCOMPARE(store.sampleCount(every), 294);
}

void TestResultStore::resumedEvaluationEqualsAnUninterruptedOne()
{
    TemporaryFolder folder;
    const auto data = madeUpData(500, 10);
    ResultStore whole(folder / "whole.sqlite", ResultStore::Mode::Write);
    const auto expected = withoutTimings(whole, evaluateMadeUp(whole, madeUpSettings(), data, madeUpRuns(2)));
    std::int64_t id = 0;
    for (int part = 0; part < 4; ++part) {
        ResultStore store(folder / "parts.sqlite", ResultStore::Mode::Write);
        auto settings = madeUpSettings();
        settings.threads = part;
        settings.device = "cpu " + std::to_string(part);
        settings.environment.torch = std::to_string(part);
        id = evaluateMadeUp(store, settings, data, madeUpRuns(2), 4);
    }
    ResultStore store(folder / "parts.sqlite", ResultStore::Mode::Read);
    QCOMPARE(id, 1);
    QCOMPARE(store.evaluation(id).state, EvaluationState::Finished);
    QCOMPARE(store.parts(id).size(), std::size_t(4));
    QCOMPARE(store.parts(id)[3].settings.threads, 3);
    QVERIFY(expected.size() > 50'000);
    QVERIFY(withoutTimings(store, id) == expected);
}

void TestResultStore::finishedEvaluationIsFoundAgain()
{
    TemporaryFolder folder;
    const auto data = madeUpData(100, 10);
    ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
    const auto id = evaluateMadeUp(store, madeUpSettings(), data, madeUpRuns(1));
    QCOMPARE(store.begin(madeUpSettings(), data, madeUpRuns(1), true), id);
    QCOMPARE(store.finishedBatches(id).size(), std::size_t(4));
    store.setState(id, EvaluationState::Finished);
    QCOMPARE(store.parts(id).size(), std::size_t(1));
    QCOMPARE(store.begin(madeUpSettings(), data, madeUpRuns(1), false), id + 1);
}

void TestResultStore::otherFactsBeginAnotherEvaluation_data()
{
    QTest::addColumn<int>("what");
    const std::vector<const char*> names{"model", "weights", "dtype", "batch",     "limit",
                                         "seed",  "shard",   "views", "attention", "label"};
    for (std::size_t i = 0; i < names.size(); ++i)
        QTest::newRow(names[i]) << static_cast<int>(i);
}

void TestResultStore::otherFactsBeginAnotherEvaluation()
{
    QFETCH(int, what);
    TemporaryFolder folder;
    ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
    auto data = madeUpData(100, 10);
    auto settings = madeUpSettings();
    auto runs = madeUpRuns(2);
    const auto first = evaluateMadeUp(store, settings, data, runs, 1);
    switch (what) {
    case 0:
        settings.model = "deit_small_patch16_224";
        break;
    case 1:
        settings.weightsHash = "abd";
        break;
    case 2:
        settings.dtype = "bfloat16";
        break;
    case 3:
        settings.batch = 16;
        break;
    case 4:
        settings.limit = 64;
        break;
    case 5:
        settings.seed = 1;
        break;
    case 6:
        settings.shard = {1, 2};
        break;
    case 7:
        settings.views = "10x3";
        break;
    case 8:
        runs.pop_back();
        break;
    case 9:
        ++data.files[3].label;
        break;
    }
    QVERIFY(store.begin(settings, data, runs, true) != first);
}

void TestResultStore::dataThatMovedIsTheSameData()
{
    TemporaryFolder folder;
    ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
    const auto settings = madeUpSettings();
    const auto id = evaluateMadeUp(store, settings, madeUpData(100, 10, "/data/val"), madeUpRuns(1), 2);
    QCOMPARE(evaluateMadeUp(store, settings, madeUpData(100, 10, "/mnt/elsewhere/"), madeUpRuns(1)), id);
    QCOMPARE(store.unreadable(id, 0, 1).at(0).path, std::string("/mnt/elsewhere/c4/49.jpg"));
}

void TestResultStore::batchesAreStoredOnceAndWhereTheyBelong()
{
    TemporaryFolder folder;
    ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
    const auto data = madeUpData(200, 10);
    auto settings = madeUpSettings();
    settings.shard = {2, 2};
    const auto id = store.begin(settings, data, madeUpRuns(2), false);
    QCOMPARE(store.evaluation(id).samples, 96);  // batches 1, 3, 5 of 0…6; batch 6 has 8 samples
    store.add(id, madeUpBatch(1, settings, data, 2));
    const auto before = withoutTimings(store, id);
    const auto refuses = [&](FinishedBatch batch, const std::string& expected) {
        const std::string message = messageOf([&] { store.add(id, batch); });
        QVERIFY2(contains(message, expected), message.c_str());
    };
    refuses(madeUpBatch(1, settings, data, 2), "batch 1 is already stored");
    refuses(madeUpBatch(2, settings, data, 2), "does not belong to this shard");
    FinishedBatch batch = madeUpBatch(3, settings, data, 2);
    batch.samples[0] = 5;
    refuses(batch, "holds sample 5");
    batch = madeUpBatch(3, settings, data, 2);
    batch.samples[1] = batch.samples[0];
    refuses(batch, "not in ascending order");
    batch = madeUpBatch(3, settings, data, 2);
    batch.predictions[1].pop_back();
    refuses(batch, "a different number of samples");
    batch.predictions.pop_back();
    refuses(batch, "a different number of attentions");
    QVERIFY(withoutTimings(store, id) == before);
    batch = madeUpBatch(3, settings, data, 2);
    batch.predictions[1].clear();  // this attention could not run
    store.add(id, batch);
    QCOMPARE(store.accuracy(store.evaluation(id).runs[1].id).samples, 31);
}

void TestResultStore::finishedIsRefusedWhileSamplesAreMissing()
{
    TemporaryFolder folder;
    ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
    const auto data = madeUpData(64, 4);
    const auto id = store.begin(madeUpSettings(), data, madeUpRuns(1), false);
    store.add(id, madeUpBatch(0, madeUpSettings(), data, 1));
    const std::string message = messageOf([&] { store.setState(id, EvaluationState::Finished); });
    QVERIFY2(contains(message, "32 of 64 samples"), message.c_str());
}

void TestResultStore::notFiniteProbabilitiesAreKept()
{
    TemporaryFolder folder;
    ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
    const auto data = madeUpData(4, 2);
    const auto id = store.begin(madeUpSettings(), data, madeUpRuns(1), false);
    FinishedBatch batch = madeUpBatch(0, madeUpSettings(), data, 1);
    batch.predictions[0][2].probabilities.fill(std::numeric_limits<float>::quiet_NaN());
    store.add(id, batch);
    SampleQuery every{store.evaluation(id).runs[0].id};
    every.predictions = PredictionsShown::All;
    const auto all = store.samples(every);
    QCOMPARE(all.size(), std::size_t(4));
    QCOMPARE(all[3].sample, 2);  // the last in the order of probabilities
    QVERIFY(std::isnan(all[3].predictions[0]->probabilities[0]) && std::isnan(all[3].predictions[0]->probabilities[4]));
}

void TestResultStore::theBinGivesBackOrDeletes()
{
    TemporaryFolder folder;
    ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
    const auto kept = evaluateMadeUp(store, madeUpSettings(), madeUpData(100, 10), madeUpRuns(1));
    const auto deleted = evaluateMadeUp(store, madeUpSettings(), madeUpData(64, 4), madeUpRuns(2));
    const std::string before = withoutTimings(store, kept);
    store.setHidden(deleted, true);
    QCOMPARE(store.evaluations().size(), std::size_t(1));
    QCOMPARE(store.evaluations(true).at(0).id, deleted);
    store.setHidden(deleted, false);
    QCOMPARE(store.evaluations().size(), std::size_t(2));
    store.setHidden(deleted, true);
    store.emptyTrash();
    QVERIFY(store.evaluations(true).empty());
    QVERIFY(contains(messageOf([&] { store.evaluation(deleted); }), "has no evaluation 2"));
    QVERIFY(withoutTimings(store, kept) == before);
}

void TestResultStore::liveOwnerIsRespectedAndDeadOneIsNot()
{
    TemporaryFolder folder;
    const auto data = madeUpData(100, 10);
    int ready[2];
    QCOMPARE(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto id = store.begin(madeUpSettings(), data, madeUpRuns(1), false);
        store.add(id, madeUpBatch(0, madeUpSettings(), data, 1));
        if (write(ready[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    char byte = 0;
    QCOMPARE(read(ready[0], &byte, 1), 1);
    ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
    QCOMPARE(store.evaluation(1).state, EvaluationState::Running);
    const std::string message = messageOf([&] { store.begin(madeUpSettings(), data, madeUpRuns(1), true); });
    QVERIFY2(contains(message, "process " + std::to_string(child) + " is working on evaluation 1"),
             message.c_str());
    QVERIFY(contains(messageOf([&] { store.setHidden(1, true); }), "is working on"));
    signalProcess(child, SIGKILL);
    waitpid(child, nullptr, 0);
    QCOMPARE(store.evaluation(1).state, EvaluationState::Interrupted);
    QCOMPARE(evaluateMadeUp(store, madeUpSettings(), data, madeUpRuns(1)), 1);
    QCOMPARE(store.evaluation(1).state, EvaluationState::Finished);
}

void TestResultStore::whoeverLostTheEvaluationCannotAdd()
{
    TemporaryFolder folder;
    const auto data = madeUpData(100, 10);
    ResultStore first(folder / "runs.sqlite", ResultStore::Mode::Write),
        second(folder / "runs.sqlite", ResultStore::Mode::Write);
    const auto id = first.begin(madeUpSettings(), data, madeUpRuns(1), false);
    QVERIFY(contains(messageOf([&] { second.begin(madeUpSettings(), data, madeUpRuns(1), true); }), "is working on"));
    first.setState(id, EvaluationState::Paused);
    QCOMPARE(second.begin(madeUpSettings(), data, madeUpRuns(1), true), id);
    QVERIFY(contains(messageOf([&] { first.add(id, madeUpBatch(0, madeUpSettings(), data, 1)); }),
                     "was taken over by process"));
    QVERIFY(contains(messageOf([&] { first.heartbeat(id); }), "was taken over"));
    second.add(id, madeUpBatch(0, madeUpSettings(), data, 1));
    second.heartbeat(id);
}

namespace {

/// Three stores, one a shard.
void writeShards(const TemporaryFolder& folder, const LabelledSet& data, std::int64_t runs)
{
    for (std::int64_t shard = 1; shard <= 3; ++shard) {
        ResultStore store(folder / ("part" + std::to_string(shard)), ResultStore::Mode::Write);
        auto settings = madeUpSettings();
        settings.shard = {shard, 3};
        evaluateMadeUp(store, settings, data, madeUpRuns(runs));
    }
}

}  // namespace

void TestResultStore::drawsOfAnOlderRuleAreNotGoneOnWith()
{
    const TemporaryFolder folder;
    const LabelledSet data = madeUpData(100, 4);
    const auto runs = madeUpRuns(4);
    ResultStore store(folder / "store", ResultStore::Mode::Write);
    const EvaluationSettings older = madeUpSettings();
    EvaluationSettings settings = older;
    settings.draws = drawsByContent;
    const std::int64_t begun = evaluateMadeUp(store, older, data, runs, 2);
    const std::string said = messageOf([&] { store.begin(settings, data, runs, true); });
    QVERIFY2(contains(said, "evaluation 1 was started by a version that seeded random attentions by a sample's position"), said.c_str());
    QVERIFY(contains(said, "without --resume"));
    QCOMPARE(store.evaluations().size(), std::size_t(1));
    const std::int64_t anew = store.begin(settings, data, runs, false);
    QVERIFY(anew != begun);
    QCOMPARE(store.evaluation(anew).settings.draws, std::string(drawsByContent));
    store.setState(anew, EvaluationState::Interrupted);
    QCOMPARE(store.begin(settings, data, runs, true), anew);  // which goes on
    store.setState(anew, EvaluationState::Interrupted);
    QCOMPARE(evaluateMadeUp(store, older, data, runs), begun);  // as what draws nothing at all does
}

void TestResultStore::shardsOfTwoRulesOfDrawingAreNotMerged()
{
    const TemporaryFolder folder;
    const LabelledSet data = madeUpData(100, 4);
    for (const int older : {1, 2}) {
        for (std::int64_t index = 1; index <= 2; ++index) {
            EvaluationSettings settings = madeUpSettings();
            settings.shard = {index, 2};
            settings.draws = index == older ? "" : drawsByContent;
            ResultStore part(folder / ("part" + std::to_string(index) + std::to_string(older)), ResultStore::Mode::Write);
            evaluateMadeUp(part, settings, data, madeUpRuns(2));
        }
        ResultStore merged(folder / ("merged" + std::to_string(older)), ResultStore::Mode::Write);
        merged.merge(folder / ("part1" + std::to_string(older)));
        const std::string said = messageOf([&] { merged.merge(folder / ("part2" + std::to_string(older))); });
        QVERIFY2(contains(said, "seeded by a different rule than those of evaluation 1"), said.c_str());
        QCOMPARE(merged.evaluations().size(), std::size_t(1));
    }
}

void TestResultStore::mergedShardsEqualOneProcess()
{
    TemporaryFolder folder;
    const auto data = madeUpData(500, 10);
    writeShards(folder, data, 2);
    ResultStore whole(folder / "whole", ResultStore::Mode::Write);
    const auto expected = withoutTimings(whole, evaluateMadeUp(whole, madeUpSettings(), data, madeUpRuns(2)));
    const std::vector<std::vector<int>> orders{{1, 2, 3}, {3, 1, 2}};
    for (const auto& order : orders) {
        ResultStore merged(folder / ("merged" + std::to_string(order[0])), ResultStore::Mode::Write);
        for (std::size_t i = 0; i < order.size(); ++i) {
            QCOMPARE(merged.evaluations().size(), std::size_t(i == 0 ? 0 : 1));
            merged.merge(folder / ("part" + std::to_string(order[i])));
            QCOMPARE(merged.evaluation(1).state,
                     i == 2 ? EvaluationState::Finished : EvaluationState::Interrupted);
        }
        QVERIFY(withoutTimings(merged, 1) == expected);
        QCOMPARE(merged.parts(1).size(), std::size_t(3));
        QCOMPARE(merged.evaluation(1).runs[0].seconds, 4.0);  // sixteen batches
    }
}

void TestResultStore::mergingTwiceChangesNothing()
{
    TemporaryFolder folder;
    writeShards(folder, madeUpData(300, 10), 1);
    ResultStore merged(folder / "merged", ResultStore::Mode::Write);
    merged.merge(folder / "part1");
    merged.merge(folder / "part2");
    const auto before = withoutTimings(merged, 1);
    const auto seconds = merged.evaluation(1).runs[0].seconds;
    merged.merge(folder / "part1");
    QVERIFY(withoutTimings(merged, 1) == before);
    QCOMPARE(merged.evaluation(1).runs[0].seconds, seconds);
    QCOMPARE(merged.evaluations().size(), std::size_t(1));
    QCOMPARE(merged.parts(1).size(), std::size_t(2));
    QVERIFY(
        contains(messageOf([&] { merged.merge(folder / "merged"); }), "is the store that the parts are merged into"));
}

namespace {

/// Every attention fails in the second batch of two, of which one sample is unreadable.
std::string storeWithoutPredictions(const std::filesystem::path& file)
{
    const auto data = madeUpData(60, 10);
    const auto settings = madeUpSettings();
    ResultStore store(file, ResultStore::Mode::Write);
    const std::int64_t id = store.begin(settings, data, madeUpRuns(2), false);
    for (std::int64_t number = 0; number < 2; ++number) {
        FinishedBatch batch = madeUpBatch(number, settings, data, 2);
        if (number == 1)
            for (auto& predictions : batch.predictions)
                predictions.clear();
        store.add(id, batch);
    }
    store.setState(id, EvaluationState::Interrupted);
    return withoutTimings(store, id);
}

}  // namespace

void TestResultStore::batchWithoutAnyAnswerIsMerged()
{
    TemporaryFolder folder;
    const std::string expected = storeWithoutPredictions(folder / "part");
    ResultStore merged(folder / "merged", ResultStore::Mode::Write);
    merged.merge(folder / "part");
    QVERIFY(withoutTimings(merged, 1) == expected);
    QCOMPARE(merged.evaluation(1).done, 60);
    QCOMPARE(merged.evaluation(1).unreadable, 1);
    QCOMPARE(merged.finishedBatches(1).size(), std::size_t(2));
    merged.merge(folder / "part");  // it is there already, and equal
    QVERIFY(withoutTimings(merged, 1) == expected);
    // A list that was changed afterwards does not pass.
    TemporaryFolder other;
    storeWithoutPredictions(other / "part");
    runSql(other / "part", "UPDATE batch SET samples = substr(samples, 9) WHERE number = 1");
    ResultStore refusing(other / "merged", ResultStore::Mode::Write);
    QVERIFY(contains(messageOf([&] { refusing.merge(other / "part"); }), "was changed after it was stored"));
    runSql(other / "part", "UPDATE batch SET samples = x'0102' WHERE number = 1");
    QVERIFY(contains(messageOf([&] { refusing.merge(other / "part"); }), "contains a damaged list of samples"));
}

void TestResultStore::contradictingPartsAreRefusedWhole()
{
    TemporaryFolder folder;
    const auto data = madeUpData(300, 10);
    writeShards(folder, data, 1);
    auto settings = madeUpSettings();
    settings.shard = {1, 3};
    {
        ResultStore other(folder / "other", ResultStore::Mode::Write);
        const auto id = other.begin(settings, data, madeUpRuns(1), false);
        other.add(id, madeUpBatch(0, settings, data, 1));
        FinishedBatch batch = madeUpBatch(3, settings, data, 1);
        batch.predictions[0][5].probabilities[2] *= 1.0001F;
        other.add(id, batch);
    }
    ResultStore merged(folder / "merged", ResultStore::Mode::Write);
    merged.merge(folder / "part1");
    const auto before = withoutTimings(merged, 1);
    const std::string message = messageOf([&] { merged.merge(folder / "other"); });
    QVERIFY2(contains(message, "has predictions for batch 3"), message.c_str());
    QVERIFY(withoutTimings(merged, 1) == before);
}

void TestResultStore::wholeEvaluationsAreAddedOnce()
{
    TemporaryFolder folder;
    const auto data = madeUpData(300, 10);
    {
        ResultStore part(folder / "part", ResultStore::Mode::Write);
        evaluateMadeUp(part, madeUpSettings(), data, madeUpRuns(2), 3);
    }
    ResultStore merged(folder / "merged", ResultStore::Mode::Write);
    evaluateMadeUp(merged, madeUpSettings(), data, madeUpRuns(2));  // the same by another process: stays next to it
    merged.merge(folder / "part");
    QCOMPARE(merged.evaluations().size(), std::size_t(2));
    QCOMPARE(merged.evaluation(2).done, 96);
    {
        ResultStore part(folder / "part", ResultStore::Mode::Write);
        evaluateMadeUp(part, madeUpSettings(), data, madeUpRuns(2));  // goes on
    }
    merged.merge(folder / "part");
    QCOMPARE(merged.evaluations().size(), std::size_t(2));
    QCOMPARE(merged.evaluation(2).state, EvaluationState::Finished);
    QVERIFY(withoutTimings(merged, 1) == withoutTimings(merged, 2));
}

void TestResultStore::trainingsAreKeptEpochByEpoch()
{
    TemporaryFolder folder;
    ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
    StoredTraining training;
    training.model = "deit_tiny_patch16_224";
    training.attention = "lara:samples=49";
    training.output = "lara.safetensors";
    training.epochs = 3;
    const auto id = store.beginTraining(training, true);
    StoredEpoch epoch{1, 2.5, 1e-3, 60, 4000, Accuracy{500, 200, 400}, 1.9, true};
    store.addEpoch(id, epoch);
    QCOMPARE(store.beginTraining(training, true), id);
    epoch.epoch = 2;
    epoch.loss = std::numeric_limits<double>::quiet_NaN();
    epoch.validation.reset();
    store.addEpoch(id, epoch);
    store.addEpoch(id, epoch);
    QVERIFY(store.beginTraining(training, false) != id);
    const auto all = store.trainings();
    QCOMPARE(all.size(), std::size_t(2));
    QCOMPARE(all[0].attention, training.attention);
    QCOMPARE(all[0].history.size(), std::size_t(2));
    QCOMPARE(all[0].history[0].validation->correct1, 200);
    QCOMPARE(all[0].history[0].validationLoss, 1.9);
    QVERIFY(all[0].history[0].best && std::isnan(all[0].history[1].loss) && !all[0].history[1].validation);
    QVERIFY(contains(messageOf([&] { store.addEpoch(77, epoch); }), "has no training 77"));
}

void TestResultStore::readingLeavesNothingBesideTheStore()
{
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "runs.sqlite";
    const auto beside = [&] { return std::filesystem::exists(file.string() + "-wal") || std::filesystem::exists(file.string() + "-shm"); };
    ResultStore(file, ResultStore::Mode::Write).begin(madeUpSettings(), madeUpData(64, 4), madeUpRuns(1), false);
    QVERIFY(!beside());
    const auto before = std::filesystem::last_write_time(file);
    {
        const ResultStore store(file, ResultStore::Mode::Read);
        QCOMPARE(store.evaluations().size(), std::size_t{1});
        {
            const ResultStore other(file, ResultStore::Mode::Read);
            QCOMPARE(other.evaluations().size(), std::size_t{1});
        }
        QCOMPARE(store.evaluations().size(), std::size_t{1});
    }
    QVERIFY(!beside());
    QVERIFY2(std::filesystem::last_write_time(file) == before, "reading changes no file");
    // Next to a program that writes, the log is that program's.
    ResultStore writer(file, ResultStore::Mode::Write);
    ResultStore(file, ResultStore::Mode::Read).evaluations();
    QVERIFY(beside());
    const std::int64_t second = writer.begin(madeUpSettings(16), madeUpData(64, 4), madeUpRuns(1), false);
    ResultStore(file, ResultStore::Mode::Read).evaluations();
    QCOMPARE(writer.evaluation(second).id, second);
}

/// What version 1 wrote is what version 3 writes, without trainings and lists of samples.
void TestResultStore::olderStoresAreReadAsTheyAreAndMigratedWithABackup()
{
    TemporaryFolder folder;
    const auto file = folder / "runs.sqlite", backup = folder / "runs.sqlite.backup-v1";
    std::string expected;
    {
        ResultStore store(file, ResultStore::Mode::Write);
        expected = withoutTimings(store, evaluateMadeUp(store, madeUpSettings(), madeUpData(100, 10), madeUpRuns(2)));
    }
    runSql(file, "ALTER TABLE batch DROP COLUMN samples; DROP TABLE training; DROP TABLE epoch; PRAGMA user_version = 1");
    {
        ResultStore reader(file, ResultStore::Mode::Read);
        QVERIFY(withoutTimings(reader, 1) == expected);
        QVERIFY(reader.trainings().empty());
    }
    QCOMPARE(askSql(file, "PRAGMA user_version"), std::string("1"));
    QVERIFY(!std::filesystem::exists(backup));
    {
        ResultStore store(file, ResultStore::Mode::Write);
        QVERIFY(withoutTimings(store, 1) == expected);
        store.beginTraining({}, false);
        QCOMPARE(store.trainings().size(), std::size_t(1));
    }
    QCOMPARE(askSql(file, "PRAGMA user_version"), std::string("3"));
    QCOMPARE(askSql(backup, "PRAGMA user_version"), std::string("1"));
    QVERIFY(withoutTimings(ResultStore(backup, ResultStore::Mode::Read), 1) == expected);
}

void TestResultStore::partsOfVersion2AreMerged()
{
    TemporaryFolder folder;
    const std::string expected = storeWithoutPredictions(folder / "part");
    runSql(folder / "part", "ALTER TABLE batch DROP COLUMN samples; PRAGMA user_version = 2");
    ResultStore merged(folder / "merged", ResultStore::Mode::Write);
    merged.merge(folder / "part");
    QVERIFY(withoutTimings(merged, 1) == expected);
    QCOMPARE(askSql(folder / "part", "PRAGMA user_version"), std::string("2"));
    // Migrated, its old batches have no list, and are read as before.
    QVERIFY(withoutTimings(ResultStore(folder / "part", ResultStore::Mode::Write), 1) == expected);
    QCOMPARE(askSql(folder / "part", "PRAGMA user_version"), std::string("3"));
    QCOMPARE(askSql(folder / "part", "SELECT count(*) FROM batch WHERE samples IS NULL"), std::string("2"));
    ResultStore again(folder / "again", ResultStore::Mode::Write);
    again.merge(folder / "part");
    QVERIFY(withoutTimings(again, 1) == expected);
}

ATTNSCOPE_EVENT_TEST(TestResultStore)
#include "tst_result_store.moc"
