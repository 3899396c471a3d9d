#include "core/measure/proportions.h"
#include "tests/core/store/raw_database.h"
#include "tests/core/store/store_cases.h"
#include "tests/support/signal_process.h"
#include "tests/support/stored_results.h"
#include "tests/support/test_class.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <tuple>

using namespace attnscope;
using namespace attnscope::testing;
using attnscope::test::signalProcess;

class TestResultStore : public QObject {
    Q_OBJECT

private slots:
    void whatWasStoredIsRead()
    {
        Folder folder;
        const auto data = madeUpData(100, 10);
        auto settings = madeUpSettings();
        settings.notes = {"a note"};
        settings.environment.torch = "2.11.0";
        auto runs = madeUpRuns(2);
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto begin = std::chrono::steady_clock::now();
        const int64_t id = evaluateMadeUp(store, settings, data, runs);
        const double elapsed = secondsSince(begin);
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
        QCOMPARE(all.size(), size_t(1));
        const StoredEvaluation& read = all[0];
        QCOMPARE(read.settings.model, settings.model);
        QCOMPARE(read.settings.notes, settings.notes);
        QCOMPARE(read.settings.environment.torch, settings.environment.torch);
        QCOMPARE(read.state, EvaluationState::Finished);
        QCOMPARE(read.samples, 100);
        QCOMPARE(read.done, 100);
        QCOMPARE(read.unreadable, 2);
        QCOMPARE(read.note, "the paper's setting");
        QCOMPARE(read.dataRoot, data.root);
        QCOMPARE(read.layout, FolderLayout::ImageNet);
        QVERIFY(read.started.ends_with('Z') && read.changed >= read.started);
        QVERIFY(read.seconds > 0 && read.seconds <= elapsed);
        QVERIFY(!read.hidden);
        QCOMPARE(read.runs.size(), size_t(2));
        QCOMPARE(read.runs[0].attention, "softmax");
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
        QCOMPARE(bad.size(), size_t(2));
        QCOMPARE(bad[0].path, data.files[49].path);
        QCOMPARE(bad[1].sample, 99);
        QCOMPARE(bad[1].reason, "it is empty.");
        QCOMPARE(reader.unreadable(id, 1, 5).at(0).sample, 99);
        QCOMPARE(reader.unreadable(id, 0, 1).size(), size_t(1));
        QCOMPARE(reader.parts(id).size(), size_t(1));
    }

    void countsAgreeWithTheAnswers()
    {
        Folder folder;
        const auto data = madeUpData(500, 10);
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto id = evaluateMadeUp(store, madeUpSettings(), data, madeUpRuns(2));
        for (int64_t run = 0; run < 2; ++run) {
            Accuracy all;
            std::map<int64_t, Accuracy> classes;
            std::map<std::pair<int64_t, int64_t>, int64_t> confusions;
            for (int64_t i = 0; i < 500; ++i) {
                if (i % 50 == 49)
                    continue;
                const int64_t label = data.files[size_t(i)].label;
                const auto prediction = madeUpPrediction(run, i, label, 10);
                for (Accuracy* counted : {&all, &classes[label]}) {
                    ++counted->samples;
                    counted->correct += prediction.labelRank == 0;
                    counted->correct5 += prediction.labelRank < 5;
                }
                if (prediction.labelRank != 0)
                    ++confusions[{label, prediction.classes[0]}];
            }
            const int64_t stored = store.evaluation(id).runs[size_t(run)].id;
            QCOMPARE(store.accuracy(stored).samples, 490);
            QCOMPARE(store.accuracy(stored).correct, all.correct);
            QCOMPARE(store.accuracy(stored).correct5, all.correct5);
            QVERIFY(all.correct < all.correct5 && all.correct5 < 490);
            for (const ClassAccuracy& read : store.classAccuracies(stored)) {
                QCOMPARE(read.name, "class " + std::to_string(read.label));
                QCOMPARE(read.accuracy.correct, classes[read.label].correct);
                QCOMPARE(read.accuracy.samples, classes[read.label].samples);
            }
            int64_t last = std::numeric_limits<int64_t>::max(), sum = 0;
            for (const Confusion& read : store.worstConfusions(stored, -1)) {
                QCOMPARE(read.samples, (confusions[{read.label, read.prediction}]));
                QVERIFY(read.samples <= last);
                last = read.samples;
                sum += read.samples;
            }
            QCOMPARE(sum, all.samples - all.correct);
            QCOMPARE(store.worstConfusions(stored, 3).size(), size_t(3));
        }
    }

    void accuracyOfNothingIsZero()
    {
        QCOMPARE(Accuracy().value(), 0.0);
        QCOMPARE(Accuracy().top5().value(), 0.0);
        Accuracy accuracy;
        for (const int rank : {0, 1, 4, 5})
            accuracy.count(rank);
        QCOMPARE(accuracy.value(), 0.25);
        QCOMPARE(accuracy.top5().value(), 0.75);
    }

    void aPairCountsOnSharedSamples()
    {
        Folder folder;
        const auto data = madeUpData(300, 10);
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto id = evaluateMadeUp(store, madeUpSettings(), data, madeUpRuns(3));
        const auto runs = store.evaluation(id).runs;
        const RunPair pair = store.pair(runs[0].id, runs[1].id);
        RunPair expected;
        for (int64_t i = 0; i < 300; ++i) {
            if (i % 50 == 49)
                continue;
            const auto label = data.files[size_t(i)].label;
            const auto a = madeUpPrediction(0, i, label, 10), b = madeUpPrediction(1, i, label, 10);
            const bool rightA = a.labelRank == 0, rightB = b.labelRank == 0;
            ++(rightA   ? rightB ? expected.bothRight : expected.onlyA
               : rightB ? expected.onlyB
                        : expected.bothWrong);
            expected.samePrediction += a.classes[0] == b.classes[0];
        }
        QCOMPARE(pair.bothRight, expected.bothRight);
        QCOMPARE(pair.onlyA, expected.onlyA);
        QCOMPARE(pair.onlyB, expected.onlyB);
        QCOMPARE(pair.bothWrong, expected.bothWrong);
        QCOMPARE(pair.samePrediction, expected.samePrediction);
        QCOMPARE(pair.mcnemarP, mcnemarExact(expected.onlyA, expected.onlyB));
        QCOMPARE(pair.a, runs[0].id);
        QCOMPARE(pair.b, runs[1].id);
        std::vector<std::pair<int64_t, int64_t>> order;
        for (const RunPair& each : store.pairs({runs[2].id, runs[0].id, runs[1].id})) {
            order.emplace_back(each.a, each.b);
            QCOMPARE(each.bothRight, store.pair(each.a, each.b).bothRight);
        }
        QVERIFY((order
                 == std::vector{std::pair(runs[2].id, runs[0].id), std::pair(runs[2].id, runs[1].id),
                                std::pair(runs[0].id, runs[1].id)}));

        const StoredEvaluation another = store.evaluation(
            evaluateMadeUp(store, madeUpSettings(), madeUpData(64, 10), madeUpRuns(1)));
        QCOMPARE(store.evaluation(id).dataHash.size(), size_t(64));
        QVERIFY(another.dataHash != store.evaluation(id).dataHash);
        const auto other = another.runs[0].id;
        const SampleQuery flips{.run = other, .reference = runs[0].id, .label = {}, .prediction = {}};
        for (const std::function<void()>& work : std::vector<std::function<void()>>{
                 [&] { store.pair(runs[0].id, other); }, [&] { store.samples(flips); },
                 [&] { store.sampleCount(flips); }}) {
            const std::string message = refusal(work);
            SAYS(message, "runs 1 and 4 saw different data");
        }
        REFUSES(Error, store.pair(runs[0].id, 77), "has no run 77");

        // A shard has predicted only some of the samples, here those from 100 to 199.
        auto shard = madeUpSettings(100);
        shard.shard = {2, 2};
        const auto later = store.evaluation(evaluateMadeUp(store, shard, data, madeUpRuns(1))).runs[0].id;
        for (const auto& [a, b] : {std::pair(runs[0].id, later), std::pair(later, runs[0].id)}) {
            const RunPair shared = store.pair(a, b);
            QCOMPARE(shared.bothRight + shared.bothWrong, 98);
            QCOMPARE(shared.samePrediction, 98);
        }
    }

    void galleriesPageByFallingProbability()
    {
        Folder folder;
        const auto data = madeUpData(300, 10);
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto id = evaluateMadeUp(store, madeUpSettings(), data, madeUpRuns(2));
        const auto runs = store.evaluation(id).runs;
        const RunPair pair = store.pair(runs[0].id, runs[1].id);
        SampleQuery query;
        query.run = runs[1].id;
        query.reference = runs[0].id;
        const std::map<Flips, int64_t> expected{{Flips::RightToWrong, pair.onlyA},
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
        std::vector<int64_t> seen;
        float last = 2;
        for (query.offset = 0;; query.offset += 7) {
            const auto page = store.samples(query);
            if (page.empty())
                break;
            for (const StoredSample& sample : page) {
                QCOMPARE(sample.predictions.size(), size_t(2));
                QCOMPARE(sample.predictions[0]->labelRank, 0);
                QVERIFY(sample.predictions[1]->labelRank != 0);
                QVERIFY(sample.predictions[1]->probabilities[0] <= last);
                last = sample.predictions[1]->probabilities[0];
                const auto made = madeUpPrediction(1, sample.sample, sample.label, 10);
                QCOMPARE(sample.predictions[1]->classes, made.classes);
                QCOMPARE(sample.predictions[1]->probabilities, made.probabilities);
                QCOMPARE(sample.predictions[1]->labelProbability, made.labelProbability);
                QCOMPARE(sample.path, data.files[size_t(sample.sample)].path);
                seen.push_back(sample.sample);
            }
        }
        QCOMPARE(int64_t(seen.size()), pair.onlyA);
        std::sort(seen.begin(), seen.end());
        QVERIFY(std::adjacent_find(seen.begin(), seen.end()) == seen.end());

        query.offset = 0;
        const int64_t label = store.samples(query).front().label;
        query.label = label;
        query.count = -1;
        const auto ofClass = store.samples(query);
        QCOMPARE(store.sampleCount(query), std::ssize(ofClass));
        QVERIFY(!ofClass.empty() && std::ssize(ofClass) < pair.onlyA);
        for (const StoredSample& sample : ofClass)
            QCOMPARE(sample.label, label);

        SampleQuery cell{runs[0].id};
        const Confusion worst = store.worstConfusions(runs[0].id, 1).at(0);
        cell.label = worst.label;
        cell.prediction = worst.prediction;
        QCOMPARE(store.sampleCount(cell), worst.samples);
        QCOMPARE(int64_t(store.samples(cell).size()), worst.samples);
        SampleQuery every{runs[0].id};
        every.predictions = PredictionsShown::All;
        QCOMPARE(store.sampleCount(every), 294);
    }

    void resumedEvaluationEqualsAnUninterruptedOne()
    {
        Folder folder;
        const auto data = madeUpData(500, 10);
        ResultStore whole(folder / "whole.sqlite", ResultStore::Mode::Write);
        const auto expected = withoutTimings(whole, evaluateMadeUp(whole, madeUpSettings(), data, madeUpRuns(2)));
        int64_t id = 0;
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
        QCOMPARE(store.parts(id).size(), size_t(4));
        QCOMPARE(store.parts(id)[3].settings.threads, 3);
        QVERIFY(expected.size() > 50'000);
        QVERIFY(withoutTimings(store, id) == expected);
    }

    void finishedEvaluationIsFoundAgain()
    {
        Folder folder;
        const auto data = madeUpData(100, 10);
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto id = evaluateMadeUp(store, madeUpSettings(), data, madeUpRuns(1));
        QCOMPARE(store.begin(madeUpSettings(), data, madeUpRuns(1), true), id);
        QCOMPARE(store.finishedBatches(id).size(), size_t(4));
        store.setState(id, EvaluationState::Finished);
        QCOMPARE(store.parts(id).size(), size_t(1));
        QCOMPARE(store.begin(madeUpSettings(), data, madeUpRuns(1), false), id + 1);
    }

    void otherFactsBeginAnotherEvaluation_data()
    {
        columns<int>("what");
        const std::vector<const char*> names{"model", "weights", "dtype",     "batch", "limit", "seed",
                                             "shard", "views",   "attention", "label", "class"};
        for (size_t i = 0; i < names.size(); ++i)
            row(names[i], int(i));
    }

    void otherFactsBeginAnotherEvaluation()
    {
        QFETCH(int, what);
        Folder folder;
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
        case 10:
            data.classes[3] = "another name";
            break;
        }
        QVERIFY(store.begin(settings, data, runs, true) != first);
    }

    void dataThatMovedIsTheSameData()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto settings = madeUpSettings();
        const auto id = evaluateMadeUp(store, settings, madeUpData(100, 10, "/data/val"), madeUpRuns(1), 2);
        QCOMPARE(evaluateMadeUp(store, settings, madeUpData(100, 10, "/mnt/elsewhere/"), madeUpRuns(1)), id);
        QCOMPARE(store.unreadable(id, 0, 1).at(0).path, "/mnt/elsewhere/c4/49.jpg");
    }

    void batchesAreStoredOnceAndWhereTheyBelong()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto data = madeUpData(200, 10);
        auto settings = madeUpSettings();
        settings.shard = {2, 2};
        const auto id = store.begin(settings, data, madeUpRuns(2), false);
        QCOMPARE(store.evaluation(id).samples, 96);  // batches 1, 3, 5 of 0…6; batch 6 has 8 samples
        store.add(id, madeUpBatch(1, settings, data, 2));
        const auto before = withoutTimings(store, id);
        const auto refuses = [&](FinishedBatch batch, const std::string& expected) {
            REFUSES(Error, store.add(id, batch), expected);
        };
        refuses(madeUpBatch(1, settings, data, 2), "batch 1 is already stored");
        refuses(madeUpBatch(2, settings, data, 2), "does not belong to this shard");
        FinishedBatch batch = madeUpBatch(3, settings, data, 2);
        batch.samples[0] = 5;
        refuses(batch, "holds sample 5, which is not between 96 and 127");
        batch = madeUpBatch(3, settings, data, 2);
        batch.samples.back() = 128;
        refuses(batch, "holds sample 128, which is not between 96 and 127");
        batch = madeUpBatch(3, settings, data, 2);
        batch.samples[1] = batch.samples[0];
        refuses(batch, "not in ascending order");
        batch = madeUpBatch(3, settings, data, 2);
        batch.predictions[1].pop_back();
        refuses(batch, "a different number of samples");
        batch.predictions.pop_back();
        refuses(batch, "a different number of attentions");
        QVERIFY(withoutTimings(store, id) == before);
        batch = madeUpBatch(0, settings, data, 2);
        batch.number = -1;
        for (const int64_t shards : {1, 0}) {  // 0: as a file of others may say
            ResultStore whole(folder / "whole.sqlite", ResultStore::Mode::Write);
            auto unsharded = madeUpSettings();
            unsharded.shard.count = shards;
            const auto all = whole.begin(unsharded, data, madeUpRuns(2), false);
            REFUSES(Error, whole.add(all, batch), "does not belong to this shard");
            whole.add(all, madeUpBatch(1, unsharded, data, 2));
        }
        batch = madeUpBatch(3, settings, data, 2);
        batch.predictions[1].clear();  // this attention could not run
        store.add(id, batch);
        QCOMPARE(store.accuracy(store.evaluation(id).runs[1].id).samples, 31);
    }

    void finishedIsRefusedWhileSamplesAreMissing()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto data = madeUpData(64, 4);
        const auto id = store.begin(madeUpSettings(), data, madeUpRuns(1), false);
        store.add(id, madeUpBatch(0, madeUpSettings(), data, 1));
        REFUSES(Error, store.setState(id, EvaluationState::Finished), "32 of 64 samples");
        store.setState(id, EvaluationState::Paused);
        REFUSES(Error, store.setState(id, EvaluationState::Paused), "belongs to another process");
    }

    void notFiniteProbabilitiesAreKept()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto data = madeUpData(4, 2);
        const auto id = store.begin(madeUpSettings(), data, madeUpRuns(1), false);
        FinishedBatch batch = madeUpBatch(0, madeUpSettings(), data, 1);
        batch.predictions[0][2].probabilities.fill(std::numeric_limits<float>::quiet_NaN());
        store.add(id, batch);
        SampleQuery every{store.evaluation(id).runs[0].id};
        every.predictions = PredictionsShown::All;
        const auto all = store.samples(every);
        QCOMPARE(all.size(), size_t(4));
        QCOMPARE(all[3].sample, 2);  // the last in the order of probabilities
        QVERIFY(std::isnan(all[3].predictions[0]->probabilities[0])
                && std::isnan(all[3].predictions[0]->probabilities[4]));
    }

    void theBinGivesBackOrDeletes()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto kept = evaluateMadeUp(store, madeUpSettings(), madeUpData(100, 10), madeUpRuns(1));
        const auto rows = [&] {
            std::string counts;
            for (const char* table : {"data_set", "class", "file", "evaluation", "part", "run", "batch", "answer",
                                      "unreadable", "class_count", "confusion"})
                counts += askSql(folder / "runs.sqlite", "SELECT count(*) FROM " + std::string(table)) + " ";
            return counts;
        };
        const std::string rowsBefore = rows();
        const auto deleted = evaluateMadeUp(store, madeUpSettings(), madeUpData(64, 4), madeUpRuns(2));
        const std::string before = withoutTimings(store, kept);
        store.setHidden(deleted, true);
        QCOMPARE(store.evaluations().size(), size_t(1));
        QCOMPARE(store.evaluations(true).at(0).id, deleted);
        QVERIFY(store.evaluation(deleted).hidden);
        store.setHidden(deleted, false);
        QCOMPARE(store.evaluations().size(), size_t(2));
        store.setHidden(deleted, true);
        store.emptyTrash();
        QVERIFY(store.evaluations(true).empty());
        REFUSES(Error, store.evaluation(deleted), "has no evaluation 2");
        QVERIFY(withoutTimings(store, kept) == before);
        QCOMPARE(rows(), rowsBefore);
    }

    void liveOwnerIsRespectedAndDeadOneIsNot()
    {
        Folder folder;
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
        REFUSES(Error, store.begin(madeUpSettings(), data, madeUpRuns(1), true),
                "process " + std::to_string(child) + " is working on evaluation 1");
        REFUSES(Error, store.setHidden(1, true), "is working on");
        signalProcess(child, SIGKILL);
        waitpid(child, nullptr, 0);
        QCOMPARE(store.evaluation(1).state, EvaluationState::Interrupted);
        QCOMPARE(evaluateMadeUp(store, madeUpSettings(), data, madeUpRuns(1)), 1);
        QCOMPARE(store.evaluation(1).state, EvaluationState::Finished);
    }

    void whoeverLostTheEvaluationCannotAdd()
    {
        Folder folder;
        const auto data = madeUpData(100, 10);
        ResultStore first(folder / "runs.sqlite", ResultStore::Mode::Write),
            second(folder / "runs.sqlite", ResultStore::Mode::Write);
        const auto id = first.begin(madeUpSettings(), data, madeUpRuns(1), false);
        REFUSES(Error, second.begin(madeUpSettings(), data, madeUpRuns(1), true), "is working on");
        first.setState(id, EvaluationState::Paused);
        QCOMPARE(second.begin(madeUpSettings(), data, madeUpRuns(1), true), id);
        REFUSES(Error, first.add(id, madeUpBatch(0, madeUpSettings(), data, 1)), "was taken over by process");
        REFUSES(Error, first.heartbeat(id), "was taken over");
        second.add(id, madeUpBatch(0, madeUpSettings(), data, 1));
        second.heartbeat(id);
    }

    /// Also of a process that lives on.
    void closedStoresOwnNothing()
    {
        const Folder folder;
        const auto data = madeUpData(64, 4);
        {
            ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
            store.begin(madeUpSettings(), data, madeUpRuns(1), false);
            ResultStore moved(std::move(store));
            QCOMPARE(moved.evaluation(1).state, EvaluationState::Running);
            moved.begin(madeUpSettings(), data, madeUpRuns(1), false);
            QCOMPARE(moved.evaluation(1).state, EvaluationState::Interrupted);
            QCOMPARE(moved.evaluation(2).state, EvaluationState::Running);
        }
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        QCOMPARE(store.evaluation(2).state, EvaluationState::Interrupted);
        REFUSES(Error, store.begin(madeUpSettings(), data, {}, false), "an evaluation needs an attention");
    }

    void drawsOfAnOlderRuleAreNotGoneOnWith()
    {
        const Folder folder;
        const LabelledSet data = madeUpData(100, 4);
        const auto runs = madeUpRuns(4);
        ResultStore store(folder / "store", ResultStore::Mode::Write);
        const EvaluationSettings older = madeUpSettings();
        EvaluationSettings settings = older;
        settings.draws = drawsByContent;
        const int64_t begun = evaluateMadeUp(store, older, data, runs, 2);
        const std::string said = refusal([&] { store.begin(settings, data, runs, true); });
        SAYS(said, "evaluation 1 was started by a version that seeded random attentions by a sample's position");
        SAYS(said, "without --resume");
        QCOMPARE(store.evaluations().size(), size_t(1));
        const int64_t anew = store.begin(settings, data, runs, false);
        QVERIFY(anew != begun);
        QCOMPARE(store.evaluation(anew).settings.draws, std::string(drawsByContent));
        store.setState(anew, EvaluationState::Interrupted);
        QCOMPARE(store.begin(settings, data, runs, true), anew);  // which goes on
        store.setState(anew, EvaluationState::Interrupted);
        QCOMPARE(evaluateMadeUp(store, older, data, runs), begun);  // as what draws nothing at all does
        ResultStore newer(folder / "newer", ResultStore::Mode::Write);
        evaluateMadeUp(newer, settings, data, runs, 2);
        QCOMPARE(newer.begin(older, data, runs, true),
                 int64_t(2));  // what draws nothing is no older version's
    }

    void resumingWithAnotherOptionIsRefused()
    {
        const Folder folder;
        const LabelledSet data = madeUpData(100, 4), other = madeUpData(50, 4),
                          elsewhere = madeUpData(50, 4, "/data/other");
        ResultStore store(folder / "store", ResultStore::Mode::Write);
        const EvaluationSettings first = madeUpSettings();
        const auto said = [&](const EvaluationSettings& settings, const LabelledSet& files,
                              const std::vector<StoredRun>& runs) {
            return refusal([&] { store.requireNothingSimilar(settings, files, runs); });
        };
        const auto changed = [&](auto change) {
            EvaluationSettings settings = first;
            change(settings);
            return settings;
        };
        QCOMPARE(said(first, data, madeUpRuns(2)), std::string());
        evaluateMadeUp(store, first, data, madeUpRuns(2), 1);
        QCOMPARE(said(first, data, madeUpRuns(2)), std::string());
        const auto differs = [](const std::string& text, const std::string& in) {
            return contains(text, "evaluation 1 differs in: " + in + "; give the same");
        };
        const EvaluationSettings seed = changed([](EvaluationSettings& each) { each.seed = 7; });
        QVERIFY(differs(said(seed, data, madeUpRuns(2)), "seed (0 and 7)"));
        THROWS(UsageError, store.requireNothingSimilar(seed, data, madeUpRuns(2)));
        QVERIFY(differs(
            said(changed([](EvaluationSettings& each) { each.reading = "--orientation apply", each.batch = 8; }),
                 data, madeUpRuns(2)),
            "batch (32 and 8), reading (none and --orientation apply)"));
        QVERIFY(differs(said(first, data, madeUpRuns(1)), "attentions"));
        QVERIFY(differs(said(first, other, madeUpRuns(2)), "files, labels or class names"));
        QVERIFY(
            differs(said(changed([](EvaluationSettings& each) { each.weightsHash = "def"; }), data, madeUpRuns(2)),
                    "weights (abc and def)"));
        QCOMPARE(said(first, elsewhere, madeUpRuns(2)), std::string());
        QCOMPARE(said(changed([](EvaluationSettings& each) { each.model = "pvt_v2_b1"; }), data, madeUpRuns(2)),
                 std::string());
        // Of a finished one: neither other weights nor other attentions alone.
        evaluateMadeUp(store, first, data, madeUpRuns(2));
        QVERIFY(differs(said(seed, data, madeUpRuns(2)), "seed (0 and 7)"));
        QCOMPARE(said(changed([](EvaluationSettings& each) { each.weightsHash = "def"; }), data, madeUpRuns(2)),
                 std::string());
        std::vector<StoredRun> third = madeUpRuns(3);
        third.erase(third.begin(), third.begin() + 2);
        QCOMPARE(said(first, data, third), std::string());
        // Another part of the same shards is begun as it is; parts of another number are not.
        ResultStore parts(folder / "parts", ResultStore::Mode::Write);
        evaluateMadeUp(parts, changed([](EvaluationSettings& each) {
                           each.shard = {1, 2};
                       }),
                       data, madeUpRuns(1), 1);
        QCOMPARE(refusal([&] {
                     parts.requireNothingSimilar(changed([](EvaluationSettings& each) {
                                                     each.shard = {2, 2};
                                                 }),
                                                 data, madeUpRuns(1));
                 }),
                 std::string());
        REFUSES(Error,
                parts.requireNothingSimilar(changed([](EvaluationSettings& each) {
                                                each.shard = {1, 3};
                                            }),
                                            data, madeUpRuns(1)),
                "shard (1/2 and 1/3)");
    }

    void samplesWithoutAPredictionAreCounted()
    {
        const Folder folder;
        const LabelledSet data = madeUpData(32, 4);
        const EvaluationSettings settings = madeUpSettings();
        ResultStore store(folder / "store", ResultStore::Mode::Write);
        const int64_t id = store.begin(settings, data, madeUpRuns(2), false);
        FinishedBatch batch = madeUpBatch(0, settings, data, 2, 0);
        for (const size_t sample : {3, 7, 31})
            batch.predictions[1][sample] = SamplePrediction{.labelRank = 4};
        store.add(id, batch);
        const auto runs = store.evaluation(id).runs;
        QCOMPARE(store.notFinite(runs[0].id), 0);
        QCOMPARE(store.notFinite(runs[1].id), 3);
    }

    void trainingsAreKeptEpochByEpoch()
    {
        Folder folder;
        ResultStore store(folder / "runs.sqlite", ResultStore::Mode::Write);
        StoredTraining training;
        training.model = "deit_tiny_patch16_224";
        training.attention = "lara:samples=49";
        training.weights = "deit.safetensors";
        training.teacher = "teacher.safetensors";
        training.device = "cpu";
        training.command = "attnscope-cli train";
        training.output = "lara.safetensors";
        training.epochs = 3;
        training.classes = 10;
        training.trainingSamples = 4000;
        training.validationSamples = 500;
        const auto id = store.beginTraining(training, true);
        StoredEpoch epoch{1, 2.5, 1e-3, 60, 4000, Accuracy{500, 200, 400}, 1.9, true};
        store.addEpoch(id, epoch);
        QCOMPARE(store.beginTraining(training, true), id);
        epoch.epoch = 2;
        epoch.loss = std::numeric_limits<double>::quiet_NaN();
        epoch.validation.reset();
        store.addEpoch(id, epoch);
        store.addEpoch(id, epoch);
        epoch.epoch = 3;
        epoch.validation = Accuracy{500, 201, 401};
        epoch.validationLoss = std::numeric_limits<double>::infinity();
        epoch.best = false;
        store.addEpoch(id, epoch);
        QVERIFY(store.beginTraining(training, false) != id);
        const auto all = store.trainings();
        QCOMPARE(all.size(), size_t(2));
        const auto facts = [](const StoredTraining& each) {
            return std::tie(each.model, each.attention, each.weights, each.teacher, each.device, each.command,
                            each.output, each.epochs, each.classes, each.trainingSamples, each.validationSamples);
        };
        QVERIFY(facts(all[0]) == facts(training));
        QCOMPARE(all[0].id, id);
        QVERIFY(all[0].started.ends_with('Z') && all[0].changed >= all[0].started);
        const std::vector<StoredEpoch>& history = all[0].history;
        QCOMPARE(history.size(), size_t(3));
        QCOMPARE(history[0].epoch, int64_t(1));
        QCOMPARE(history[0].loss, 2.5);
        QCOMPARE(history[0].learningRate, 1e-3);
        QCOMPARE(history[0].seconds, 60.0);
        QCOMPARE(history[0].samples, int64_t(4000));
        QCOMPARE(history[0].validation->samples, 500);
        QCOMPARE(history[0].validation->correct, 200);
        QCOMPARE(history[0].validation->correct5, 400);
        QCOMPARE(history[0].validationLoss, 1.9);
        QVERIFY(history[0].best && std::isnan(history[1].loss) && !history[1].validation);
        QVERIFY(!history[2].best && history[2].validation && std::isnan(history[2].validationLoss));
        REFUSES(Error, store.addEpoch(77, epoch), "has no training 77");
        // As files of others, and of version 2, may have them.
        const auto file = folder / "runs.sqlite";
        runSql(file, R"(UPDATE epoch SET facts = '{"validation": [1]}' WHERE number = 1)");
        runSql(file, R"(UPDATE epoch SET facts = '{"validation": {"samples": 5}}' WHERE number = 2)");
        const std::vector<StoredEpoch> others = store.trainings()[0].history;
        QVERIFY(!others[0].validation && std::isnan(others[0].loss) && std::isnan(others[0].learningRate)
                && std::isnan(others[0].seconds));
        QCOMPARE(others[1].validation->samples, 5);
        QVERIFY(std::isnan(others[1].validationLoss));
        runSql(file, "DROP TABLE logits; DROP TABLE partial; ALTER TABLE batch DROP COLUMN samples; PRAGMA "
                     "user_version = 2");
        QCOMPARE(ResultStore(file, ResultStore::Mode::Read).trainings().size(), size_t(2));
    }

    void readingLeavesNothingBesideTheStore()
    {
        const Folder folder;
        const fs::path file = folder / "runs.sqlite";
        const auto beside = [&] {
            return fs::exists(file.string() + "-wal") || fs::exists(file.string() + "-shm");
        };
        ResultStore(file, ResultStore::Mode::Write)
            .begin(madeUpSettings(), madeUpData(64, 4), madeUpRuns(1), false);
        QVERIFY(!beside());
        const auto before = fs::last_write_time(file);
        {
            const ResultStore store(file, ResultStore::Mode::Read);
            QCOMPARE(store.evaluations().size(), 1);
            {
                const ResultStore other(file, ResultStore::Mode::Read);
                QCOMPARE(other.evaluations().size(), 1);
            }
            QCOMPARE(store.evaluations().size(), 1);
        }
        QVERIFY(!beside());
        QVERIFY2(fs::last_write_time(file) == before, "reading changes no file");
        // Next to a program that writes, the log is that program's.
        ResultStore writer(file, ResultStore::Mode::Write);
        ResultStore(file, ResultStore::Mode::Read).evaluations();
        QVERIFY(beside());
        const int64_t second = writer.begin(madeUpSettings(16), madeUpData(64, 4), madeUpRuns(1), false);
        ResultStore(file, ResultStore::Mode::Read).evaluations();
        QCOMPARE(writer.evaluation(second).id, second);
    }

    /// So that a copy of the one file is a copy of all results.
    void theFileAloneHasEverythingOnceItIsClosed()
    {
        const Folder folder;
        const fs::path file = folder / "runs.sqlite", copy = folder / "copy.sqlite",
                       killed = folder / "killed.sqlite";
        const auto copied = [&](const fs::path& from) {
            fs::copy_file(from, copy, fs::copy_options::overwrite_existing);
            return withoutTimings(ResultStore(copy, ResultStore::Mode::Read), 1);
        };
        const auto logOf = [](const fs::path& store) { return fs::path(store.string() + "-wal"); };
        std::string expected;
        // The window has the store open for reading while evaluations come and go.
        auto reader = std::optional<ResultStore>();
        {
            ResultStore writer(file, ResultStore::Mode::Write);
            evaluateMadeUp(writer, madeUpSettings(), madeUpData(100, 10), madeUpRuns(2));
            reader.emplace(file, ResultStore::Mode::Read);
            expected = withoutTimings(*reader, 1);
            // What a program leaves behind that is killed now.
            fs::copy_file(file, killed);
            fs::copy_file(logOf(file), logOf(killed));
        }
        QVERIFY(copied(file) == expected);
        reader.reset();
        QVERIFY(!fs::exists(logOf(file)));
        QVERIFY(copied(file) == expected);
        QVERIFY(withoutTimings(ResultStore(killed, ResultStore::Mode::Read), 1) == expected);
        QVERIFY(!fs::exists(logOf(killed)));
        QVERIFY(copied(killed) == expected);
    }

    void predictionsOfEarlierVersionsHaveNoSumOfSquares()
    {
        const Folder folder;
        const fs::path file = folder / "runs.sqlite", part = folder / "part.sqlite";
        const auto made = [](const fs::path& store) {
            ResultStore written(store, ResultStore::Mode::Write);
            return withoutTimings(written,
                                  evaluateMadeUp(written, madeUpSettings(), madeUpData(100, 10), madeUpRuns(2)));
        };
        const std::string whole = made(part);
        Calibration expected;
        {
            const ResultStore store(part, ResultStore::Mode::Read);
            const int64_t run = store.evaluation(1).runs.front().id;
            store.eachPrediction(run, [&](const StoredSample& sample) {
                const SamplePrediction& prediction = *sample.predictions.front();
                expected.add(sample.label, prediction.labelRank == 0,
                             PredictedProbabilities{prediction.probabilities[0], prediction.labelProbability,
                                                    prediction.squaredProbabilities});
            });
            const Calibration found = store.calibration(run);
            QCOMPARE(found.samples(), 98);
            QVERIFY(found.nll() == expected.nll() && found.ece() == expected.ece()
                    && found.brier() == expected.brier() && found.macroTop1() == expected.macroTop1());
        }
        runSql(part, "UPDATE answer SET rest = substr(rest, 1, 36); DROP TABLE logits; PRAGMA user_version = 4");
        ResultStore merged(file, ResultStore::Mode::Write);
        merged.merge(part);
        const Calibration older = merged.calibration(merged.evaluation(1).runs.front().id);
        QVERIFY2(!older.brier(), "it is not known");
        QVERIFY(older.nll() == expected.nll() && older.ece() == expected.ece());
        QCOMPARE(askSql(file, "SELECT max(length(rest)) FROM answer"), "36");
        // The same batches by this version: they do not contradict the earlier ones.
        QVERIFY(made(folder / "again.sqlite") == whole);
        merged.merge(folder / "again.sqlite");
        QCOMPARE(merged.evaluations().size(), size_t(2));
    }

    void logitsAreKeptBitForBitAndGoWithTheirEvaluation()
    {
        const Folder folder;
        const fs::path file = folder / "runs.sqlite";
        ResultStore store(file, ResultStore::Mode::Write);
        const auto data = madeUpData(64, 4);
        auto settings = madeUpSettings();
        settings.keep = "logits";
        const int64_t id = store.begin(settings, data, madeUpRuns(2), false);
        const auto logitsOf = [](size_t run, int64_t sample) {
            return std::vector<float>{float(run), float(sample) / 7, -1e-45F, std::nanf("")};
        };
        FinishedBatch batch = madeUpBatch(0, settings, data, 2);
        batch.logits.resize(2);
        for (const int64_t sample : batch.samples)
            batch.logits[1].push_back(logitsOf(1, sample));
        FinishedBatch fewer = batch;
        fewer.logits[1].pop_back();
        REFUSES(Error, store.add(id, fewer), "has logits without predictions");
        fewer = batch;
        fewer.logits.resize(3);
        REFUSES(Error, store.add(id, fewer), "has logits without predictions");
        store.add(id, batch);
        const auto runs = store.evaluation(id).runs;
        QCOMPARE(store.evaluation(id).settings.keep, "logits");
        std::vector<int64_t> samples;
        store.eachLogits(runs[1].id, [&](int64_t sample, const std::vector<float>& logits) {
            const std::vector<float> expected = logitsOf(1, sample);
            QVERIFY(std::memcmp(logits.data(), expected.data(), 4 * sizeof(float)) == 0 && logits.size() == 4);
            samples.push_back(sample);
        });
        QCOMPARE(samples, batch.samples);
        store.eachLogits(runs[0].id, [&](int64_t, const std::vector<float>&) { QFAIL("it has none"); });
        settings.keep.clear();
        REFUSES(UsageError, store.requireNothingSimilar(settings, data, madeUpRuns(2)), "differs in: keep");
        runSql(file, "UPDATE logits SET value = x'000000' WHERE sample = 3");
        REFUSES(Error, store.eachLogits(runs[1].id, [](int64_t, const auto&) {}), "damaged logits");
        store.setState(id, EvaluationState::Interrupted);
        store.setHidden(id, true);
        store.emptyTrash();
        QCOMPARE(askSql(file, "SELECT count(*) FROM logits"), "0");
    }

    /// What version 1 wrote is what version 3 writes, without trainings and lists of samples.
    void olderStoresAreReadAsTheyAreAndMigratedWithABackup()
    {
        Folder folder;
        const auto file = folder / "runs.sqlite", backup = folder / "runs.sqlite.backup-v1";
        std::string expected;
        {
            ResultStore store(file, ResultStore::Mode::Write);
            expected = withoutTimings(store,
                                      evaluateMadeUp(store, madeUpSettings(), madeUpData(100, 10), madeUpRuns(2)));
        }
        runSql(file, "DROP TABLE logits; DROP TABLE partial; ALTER TABLE batch DROP COLUMN samples; DROP TABLE "
                     "training; DROP TABLE "
                     "epoch; PRAGMA user_version = 1");
        {
            ResultStore reader(file, ResultStore::Mode::Read);
            QVERIFY(withoutTimings(reader, 1) == expected);
            QVERIFY(reader.trainings().empty());
        }
        QCOMPARE(askSql(file, "PRAGMA user_version"), "1");
        QVERIFY(!fs::exists(backup));
        const auto another = folder / "another.sqlite";
        fs::copy_file(file, another);
        {
            std::ofstream(backup.string() + ".part") << "left behind by an attempt that was killed";
            ResultStore store(file, ResultStore::Mode::Write);
            QVERIFY(withoutTimings(store, 1) == expected);
            store.beginTraining({}, false);
            QCOMPARE(store.trainings().size(), size_t(1));
        }
        QCOMPARE(askSql(file, "PRAGMA user_version"), "5");
        QCOMPARE(askSql(backup, "PRAGMA user_version"), "1");
        QVERIFY(withoutTimings(ResultStore(backup, ResultStore::Mode::Read), 1) == expected);
        QVERIFY(!fs::exists(backup.string() + ".part"));
        // A copy of an earlier attempt stays.
        std::ofstream(another.string() + ".backup-v1") << "earlier";
        QVERIFY(withoutTimings(ResultStore(another, ResultStore::Mode::Write), 1) == expected);
        QCOMPARE(fs::file_size(another.string() + ".backup-v1"), std::uintmax_t(7));
    }
};

ATTNSCOPE_EVENT_TEST(TestResultStore)
#include "tst_result_store.moc"
