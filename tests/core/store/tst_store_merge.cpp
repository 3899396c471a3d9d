// Stores that are merged: shards of one evaluation, whole evaluations, parts of older versions and of other programs.
#include "tests/core/store/raw_database.h"
#include "tests/core/store/store_cases.h"
#include "tests/support/stored_results.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

/// Three stores, one a shard.
void writeShards(const Folder& folder, const LabelledSet& data, int64_t runs)
{
    for (int64_t shard = 1; shard <= 3; ++shard) {
        ResultStore store(folder / ("part" + std::to_string(shard)), ResultStore::Mode::Write);
        auto settings = madeUpSettings();
        settings.shard = {shard, 3};
        evaluateMadeUp(store, settings, data, madeUpRuns(runs));
    }
}

}
namespace {

/// Every attention fails in the second batch of two, of which one sample is unreadable.
std::string storeWithoutPredictions(const fs::path& file)
{
    const auto data = madeUpData(60, 10);
    const auto settings = madeUpSettings();
    ResultStore store(file, ResultStore::Mode::Write);
    const int64_t id = store.begin(settings, data, madeUpRuns(2), false);
    for (int64_t number = 0; number < 2; ++number) {
        FinishedBatch batch = madeUpBatch(number, settings, data, 2);
        if (number == 1)
            for (auto& predictions : batch.predictions)
                predictions.clear();
        store.add(id, batch);
    }
    store.setState(id, EvaluationState::Interrupted);
    return withoutTimings(store, id);
}

}
namespace {

using Change = void (*)(FinishedBatch&);

SamplePrediction& fifth(FinishedBatch& batch)
{
    return batch.predictions[1].at(5);
}

/// A store of the first of three shards with one batch, of which `change` makes another. Samples 15 and 31 are unreadable.
void writeChanged(const fs::path& file, const std::function<void(FinishedBatch&)>& change)
{
    const auto data = madeUpData(300, 10);
    auto settings = madeUpSettings();
    settings.shard = {1, 3};
    FinishedBatch batch = madeUpBatch(0, settings, data, 2, 16);
    change(batch);
    ResultStore store(file, ResultStore::Mode::Write);
    store.add(store.begin(settings, data, madeUpRuns(2), false), batch);
}

}

class TestStoreMerge : public QObject {
    Q_OBJECT

private slots:
    void mergedShardsEqualOneProcess()
    {
        Folder folder;
        const auto data = madeUpData(500, 10);
        writeShards(folder, data, 2);
        ResultStore whole(folder / "whole", ResultStore::Mode::Write);
        const auto expected = withoutTimings(whole, evaluateMadeUp(whole, madeUpSettings(), data, madeUpRuns(2)));
        const std::vector<std::vector<int>> orders{{1, 2, 3}, {3, 1, 2}};
        for (const auto& order : orders) {
            ResultStore merged(folder / ("merged" + std::to_string(order[0])), ResultStore::Mode::Write);
            for (size_t i = 0; i < order.size(); ++i) {
                QCOMPARE(merged.evaluations().size(), size_t(i == 0 ? 0 : 1));
                merged.merge(folder / ("part" + std::to_string(order[i])));
                QCOMPARE(merged.evaluation(1).state,
                         i == 2 ? EvaluationState::Finished : EvaluationState::Interrupted);
            }
            QVERIFY(withoutTimings(merged, 1) == expected);
            QCOMPARE(merged.parts(1).size(), size_t(3));
            QCOMPARE(merged.evaluation(1).runs[0].seconds, 4.0);  // sixteen batches
        }
    }

    void whatWasMergedIsMergedAgainAndGoneOnWith()
    {
        const Folder folder;
        const auto data = madeUpData(500, 10);
        const auto runs = madeUpRuns(2);
        writeShards(folder, data, 2);
        ResultStore whole(folder / "whole", ResultStore::Mode::Write);
        const auto expected = withoutTimings(whole, evaluateMadeUp(whole, madeUpSettings(), data, runs));
        {
            ResultStore two(folder / "two", ResultStore::Mode::Write);
            two.merge(folder / "part1");
            two.merge(folder / "part2");
        }
        for (const auto& [first, second] : {std::pair("two", "part3"), std::pair("part3", "two")}) {
            ResultStore merged(folder / (std::string("merged-") + first), ResultStore::Mode::Write);
            merged.merge(folder / first);
            merged.merge(folder / second);
            QCOMPARE(merged.evaluations().size(), size_t(1));
            QCOMPARE(merged.parts(1).size(), size_t(3));
            QVERIFY(withoutTimings(merged, 1) == expected);
        }
        // Instead of the third part, one process may do the rest.
        ResultStore two(folder / "two", ResultStore::Mode::Write);
        QCOMPARE(evaluateMadeUp(two, madeUpSettings(), data, runs), int64_t(1));
        QVERIFY(withoutTimings(two, 1) == expected);
    }

    void mergingTwiceChangesNothing()
    {
        Folder folder;
        writeShards(folder, madeUpData(300, 10), 1);
        ResultStore merged(folder / "merged", ResultStore::Mode::Write);
        merged.merge(folder / "part1");
        merged.merge(folder / "part2");
        const auto before = withoutTimings(merged, 1);
        const StoredEvaluation once = merged.evaluation(1);
        const auto seconds = once.runs[0].seconds;
        merged.merge(folder / "part1");
        QVERIFY(withoutTimings(merged, 1) == before);
        QCOMPARE(merged.evaluation(1).runs[0].seconds, seconds);
        QCOMPARE(merged.evaluation(1).seconds, once.seconds);
        QCOMPARE(merged.evaluation(1).changed, once.changed);
        QCOMPARE(merged.evaluations().size(), size_t(1));
        QCOMPARE(merged.parts(1).size(), size_t(2));
        REFUSES(Error, merged.merge(folder / "merged"), "is the store that the parts are merged into");
    }

    void samplesReadInPartAreMergedToo()
    {
        const Folder folder;
        const auto data = madeUpData(64, 4);
        EvaluationSettings settings = madeUpSettings();
        settings.issues = {{"missing", 3, {"a.mp4", "b.mp4", "c.mp4"}}};
        {
            ResultStore part(folder / "part", ResultStore::Mode::Write);
            const int64_t id = part.begin(settings, data, madeUpRuns(1), false);
            FinishedBatch batch = madeUpBatch(0, settings, data, 1);
            batch.partial = {{3, "it is damaged after frame 139"}};
            part.add(id, batch);
        }
        ResultStore merged(folder / "merged", ResultStore::Mode::Write);
        merged.merge(folder / "part");
        QCOMPARE(merged.partial(1).size(), 1);
        QCOMPARE(merged.partial(1).front().sample, 3);
        QCOMPARE(merged.partial(1).front().reason, "it is damaged after frame 139");
        QVERIFY(merged.evaluation(1).settings.issues == settings.issues);
        QCOMPARE(merged.evaluation(1).unreadable, 0);
    }

    void mergedEvaluationsKeepWhatIsKnownAboutThem()
    {
        const Folder folder;
        LabelledSet data = madeUpData(100, 10, "/data/list.txt");
        data.layout = FolderLayout::List;
        data.video = true;
        for (LabelledFile& file : data.files)
            file.path.replace(0, std::string("/data/list.txt").size(), "/data");
        {
            ResultStore part(folder / "part", ResultStore::Mode::Write);
            evaluateMadeUp(part, madeUpSettings(), data, madeUpRuns(2));
            part.setNote(1, "the paper's setting");
            const auto hidden = evaluateMadeUp(part, madeUpSettings(16), data, madeUpRuns(1));
            part.setHidden(hidden, true);
        }
        ResultStore merged(folder / "merged", ResultStore::Mode::Write);
        merged.merge(folder / "part");
        const ResultStore part(folder / "part", ResultStore::Mode::Read);
        QCOMPARE(merged.evaluations().size(), size_t(1));
        const StoredEvaluation theirs = part.evaluation(1), ours = merged.evaluation(1);
        QCOMPARE(ours.note, theirs.note);
        QCOMPARE(ours.started, theirs.started);
        QCOMPARE(ours.changed, theirs.changed);
        QCOMPARE(ours.seconds, theirs.seconds);
        QCOMPARE(ours.runs[1].seconds, 1.0);  // four batches
        QCOMPARE(ours.dataRoot, data.root);
        QCOMPARE(ours.layout, FolderLayout::List);
        QCOMPARE(askSql(folder / "merged", "SELECT video FROM data_set"), "1");
        QCOMPARE(merged.classes(1), data.classes);
        QCOMPARE(merged.unreadable(1, 0, 1).at(0).path, "/data/c4/49.jpg");
        QCOMPARE(merged.parts(1).at(0).started, part.parts(1).at(0).started);
        QVERIFY(toJson(merged.parts(1).at(0).settings) == toJson(theirs.settings));
        merged.setNote(1, "mine");
        merged.merge(folder / "part");
        QCOMPARE(merged.evaluation(1).note, "mine");
    }

    void evaluationsWithoutABatchAreMerged()
    {
        const Folder folder;
        ResultStore part(folder / "part", ResultStore::Mode::Write);
        part.setState(part.begin(madeUpSettings(), madeUpData(64, 4), madeUpRuns(2), false),
                      EvaluationState::Paused);
        part.setNote(1, "later");
        ResultStore merged(folder / "merged", ResultStore::Mode::Write);
        merged.merge(folder / "part");
        const StoredEvaluation ours = merged.evaluation(1), theirs = part.evaluation(1);
        QCOMPARE(ours.state, EvaluationState::Interrupted);
        QCOMPARE(ours.samples, 64);
        QCOMPARE(ours.done, 0);
        QCOMPARE(ours.note, theirs.note);
        QCOMPARE(ours.started, theirs.started);
        QCOMPARE(ours.changed, theirs.changed);
        QCOMPARE(ours.runs[0].seconds, 0.0);
    }

    void measurementsAreTheFirstShards()
    {
        const Folder folder;
        const LabelledSet data = madeUpData(100, 10);
        writeShards(folder, data, 2);
        const auto part = [&](int shard) { return folder / ("part" + std::to_string(shard)); };
        for (const int shard : {1, 2, 3}) {
            ResultStore store(part(shard), ResultStore::Mode::Write);
            StoredRun run = store.evaluation(1).runs[0];
            run.latency = Latency{.medianMs = double(shard)};
            run.failure = shard == 3 ? "the device was lost" : "";
            store.setMeasurements(run.id, run);
            run = store.evaluation(1).runs[1];
            if (shard == 2)
                run.latency = Latency{.medianMs = 2};
            run.failure = shard == 2 ? "no memory was left" : "";
            store.setMeasurements(run.id, run);
        }
        {
            ResultStore rest(folder / "rest", ResultStore::Mode::Write);
            rest.merge(part(2));
            rest.merge(part(3));
        }
        std::vector<fs::path> parts{part(1), part(2), part(3)};
        std::vector<std::vector<fs::path>> orders{{part(1), folder / "rest"}, {folder / "rest", part(1)}};
        do
            orders.push_back(parts);
        while (std::ranges::next_permutation(parts).found);
        for (size_t i = 0; i < orders.size(); ++i) {
            ResultStore merged(folder / ("merged" + std::to_string(i)), ResultStore::Mode::Write);
            for (const fs::path& file : orders[i])
                merged.merge(file);
            const std::vector<StoredRun> runs = merged.evaluation(1).runs;
            QCOMPARE(runs[0].latency->medianMs, 1.0);
            QCOMPARE(runs[1].latency->medianMs, 2.0);  // the only one that was measured
            QCOMPARE(runs[0].failure, "the device was lost");
            QCOMPARE(runs[1].failure, "no memory was left");
        }
    }

    void shardsOfTwoRulesOfDrawingAreNotMerged()
    {
        const Folder folder;
        const LabelledSet data = madeUpData(100, 4);
        for (const int older : {1, 2}) {
            for (int64_t index = 1; index <= 2; ++index) {
                EvaluationSettings settings = madeUpSettings();
                settings.shard = {index, 2};
                settings.draws = index == older ? "" : drawsByContent;
                ResultStore part(folder / ("part" + std::to_string(index) + std::to_string(older)),
                                 ResultStore::Mode::Write);
                evaluateMadeUp(part, settings, data, madeUpRuns(2));
            }
            ResultStore merged(folder / ("merged" + std::to_string(older)), ResultStore::Mode::Write);
            merged.merge(folder / ("part1" + std::to_string(older)));
            REFUSES(Error, merged.merge(folder / ("part2" + std::to_string(older))),
                    "seeded by a different rule than those of evaluation 1");
            QCOMPARE(merged.evaluations().size(), size_t(1));
        }
    }

    void nothingIsMergedIntoAnEvaluationThatRuns()
    {
        const Folder folder;
        const LabelledSet data = madeUpData(100, 10);
        ResultStore store(folder / "runs", ResultStore::Mode::Write);
        const auto id = store.begin(madeUpSettings(), data, madeUpRuns(1), false);
        store.add(id, madeUpBatch(0, madeUpSettings(), data, 1));
        runSql(folder / "runs", "VACUUM INTO '" + (folder / "copy").string() + "'");
        REFUSES(Error, store.merge(folder / "copy"), "is working on evaluation 1; merge once it has finished");
        store.setState(id, EvaluationState::Paused);
        store.merge(folder / "copy");
        QCOMPARE(store.evaluations().size(), size_t(1));
    }

    void batchWithoutAnyAnswerIsMerged()
    {
        Folder folder;
        const std::string expected = storeWithoutPredictions(folder / "part");
        ResultStore merged(folder / "merged", ResultStore::Mode::Write);
        merged.merge(folder / "part");
        QVERIFY(withoutTimings(merged, 1) == expected);
        QCOMPARE(merged.evaluation(1).done, 60);
        QCOMPARE(merged.evaluation(1).unreadable, 1);
        QCOMPARE(merged.finishedBatches(1).size(), size_t(2));
        merged.merge(folder / "part");  // it is there already, and equal
        QVERIFY(withoutTimings(merged, 1) == expected);
        // A list that was changed afterwards does not pass.
        Folder other;
        storeWithoutPredictions(other / "part");
        runSql(other / "part", "UPDATE batch SET samples = substr(samples, 9) WHERE number = 1");
        ResultStore refusing(other / "merged", ResultStore::Mode::Write);
        REFUSES(Error, refusing.merge(other / "part"), "was changed after it was stored");
        runSql(other / "part", "UPDATE batch SET samples = x'0102' WHERE number = 1");
        REFUSES(Error, refusing.merge(other / "part"), "contains a damaged list of samples");
    }

    void contradictingPartsAreRefusedWhole()
    {
        Folder folder;
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
        REFUSES(Error, merged.merge(folder / "other"), "has predictions for batch 3");
        QVERIFY(withoutTimings(merged, 1) == before);
    }

    void batchesThatDifferAnywhereAreRefused_data()
    {
        columns<Change>("change");
        const auto row = [](const char* name, Change change) { attnscope::row(name, change); };
        row("rank", [](FinishedBatch& batch) { fifth(batch).labelRank += 1; });
        row("first class", [](FinishedBatch& batch) { fifth(batch).classes[0] += 1; });
        row("last class", [](FinishedBatch& batch) { fifth(batch).classes[4] += 1; });
        row("first probability", [](FinishedBatch& batch) { fifth(batch).probabilities[0] = 2; });
        row("first probability is none",
            [](FinishedBatch& batch) { fifth(batch).probabilities[0] = std::nanf(""); });
        row("last probability", [](FinishedBatch& batch) { fifth(batch).probabilities[4] = 2; });
        row("true class's probability", [](FinishedBatch& batch) { fifth(batch).labelProbability = 2; });
        row("kept logits", [](FinishedBatch& batch) {
            batch.logits = {{}, std::vector(batch.predictions[1].size(), std::vector{0.5F, 1.5F})};
        });
        row("order of predictions",
            [](FinishedBatch& batch) { std::swap(batch.predictions[1][4], batch.predictions[1][5]); });
        row("which attention failed",
            [](FinishedBatch& batch) { batch.predictions[0] = std::exchange(batch.predictions[1], {}); });
        row("both ran", [](FinishedBatch& batch) { batch.predictions[0] = batch.predictions[1]; });
        row("samples", [](FinishedBatch& batch) { batch.samples[15] = 15, batch.unreadable[0].sample = 16; });
        row("unreadable samples", [](FinishedBatch& batch) { batch.unreadable.pop_back(); });
        row("reason", [](FinishedBatch& batch) { batch.unreadable[1].reason = "it is no image."; });
        row("where a reason ends", [](FinishedBatch& batch) {
            batch.unreadable[0].reason += 'i';
            batch.unreadable[1].reason.erase(0, 1);
        });
    }

    /// In each of the two orders; each is also merged alone, bit by bit.
    void batchesThatDifferAnywhereAreRefused()
    {
        QFETCH(Change, change);
        const Folder folder;
        const auto firstFailed = [](FinishedBatch& batch) { batch.predictions[0].clear(); };
        writeChanged(folder / "0", firstFailed);
        writeChanged(folder / "1", [&](FinishedBatch& batch) {
            firstFailed(batch);
            change(batch);
        });
        for (const int first : {0, 1}) {
            ResultStore merged(folder / ("merged" + std::to_string(first)), ResultStore::Mode::Write);
            merged.merge(folder / std::to_string(first));
            const std::string before = withoutTimings(merged, 1);
            REFUSES(Error, merged.merge(folder / std::to_string(1 - first)),
                    "has predictions for batch 0 of deit_tiny_patch16_224 that differ");
            QVERIFY(withoutTimings(merged, 1) == before);
            const ResultStore part(folder / std::to_string(first), ResultStore::Mode::Read);
            const SampleQuery every{
                .run = 2, .reference = {}, .predictions = PredictionsShown::All, .label = {}, .prediction = {}};
            const auto theirs = part.samples(every), ours = merged.samples(every);
            QCOMPARE(theirs.size(), size_t(first == 1 && part.accuracy(2).samples == 0 ? 0 : 30));
            QVERIFY(std::ranges::equal(theirs, ours, {}, canonicalPrediction, canonicalPrediction));
        }
    }

    /// How long it took; and the bits of a NaN, which SQLite does not keep.
    void whatBatchesNeedNotShareIsNotCompared()
    {
        const Folder folder;
        writeChanged(folder / "0", [](FinishedBatch& batch) { fifth(batch).probabilities[0] = std::nanf(""); });
        writeChanged(folder / "1", [](FinishedBatch& batch) {
            fifth(batch).probabilities[0] = std::bit_cast<float>(0xffc12345U);
            batch.seconds = {1, 2};
        });
        for (const int first : {0, 1}) {
            ResultStore merged(folder / ("merged" + std::to_string(first)), ResultStore::Mode::Write);
            merged.merge(folder / std::to_string(first));
            const std::string before = withoutTimings(merged, 1);
            merged.merge(folder / std::to_string(1 - first));
            QVERIFY(withoutTimings(merged, 1) == before);
        }
    }

    void wholeEvaluationsAreAddedOnce()
    {
        Folder folder;
        const auto data = madeUpData(300, 10);
        {
            ResultStore part(folder / "part", ResultStore::Mode::Write);
            evaluateMadeUp(part, madeUpSettings(), data, madeUpRuns(2), 3);
        }
        ResultStore merged(folder / "merged", ResultStore::Mode::Write);
        evaluateMadeUp(merged, madeUpSettings(), data,
                       madeUpRuns(2));  // the same by another process: stays next to it
        merged.merge(folder / "part");
        QCOMPARE(merged.evaluations().size(), size_t(2));
        QCOMPARE(merged.evaluation(2).done, 96);
        {
            ResultStore part(folder / "part", ResultStore::Mode::Write);
            evaluateMadeUp(part, madeUpSettings(), data, madeUpRuns(2));  // goes on
        }
        merged.merge(folder / "part");
        QCOMPARE(merged.evaluations().size(), size_t(2));
        QCOMPARE(merged.evaluation(2).state, EvaluationState::Finished);
        QVERIFY(withoutTimings(merged, 1) == withoutTimings(merged, 2));
    }

    void partsOfVersion2AreMerged()
    {
        Folder folder;
        const std::string expected = storeWithoutPredictions(folder / "part");
        runSql(folder / "part", "DROP TABLE logits; DROP TABLE partial; ALTER TABLE batch DROP COLUMN samples; "
                                "PRAGMA user_version = 2");
        ResultStore merged(folder / "merged", ResultStore::Mode::Write);
        merged.merge(folder / "part");
        QVERIFY(withoutTimings(merged, 1) == expected);
        QCOMPARE(askSql(folder / "part", "PRAGMA user_version"), "2");
        // Migrated, its old batches have no list, and are read as before.
        QVERIFY(withoutTimings(ResultStore(folder / "part", ResultStore::Mode::Write), 1) == expected);
        QCOMPARE(askSql(folder / "part", "PRAGMA user_version"), "5");
        QCOMPARE(askSql(folder / "part", "SELECT count(*) FROM batch WHERE samples IS NULL"), "2");
        ResultStore again(folder / "again", ResultStore::Mode::Write);
        again.merge(folder / "part");
        QVERIFY(withoutTimings(again, 1) == expected);
    }

    void listsOfAttentionsOfOthersMayBeShorterOrLonger()
    {
        const Folder folder;
        {
            ResultStore part(folder / "part", ResultStore::Mode::Write);
            evaluateMadeUp(part, madeUpSettings(), madeUpData(64, 4), madeUpRuns(2));
        }
        ResultStore merged(folder / "merged", ResultStore::Mode::Write);
        merged.merge(folder / "part");
        const std::string before = withoutTimings(merged, 1);
        for (const char* change :
             {"INSERT INTO run SELECT NULL, evaluation, position + 2, attention, facts, 0, 0, 0, 0 FROM run",
              "DELETE FROM run WHERE position > 0"}) {
            runSql(folder / "part", change);
            merged.merge(folder / "part");
            QVERIFY(withoutTimings(merged, 1) == before);
        }
    }

    /// Claims about batches and data sets in a file of others: a sentence, however large they are.
    void numbersOfOthersTakeNoMemory()
    {
        const Folder folder;
        storeWithoutPredictions(folder / "part");
        runSql(folder / "part", "UPDATE batch SET samples = NULL; UPDATE data_set SET files = 1 << 60;"
                                "UPDATE evaluation SET facts = json_set(facts, '$.batch', 1 << 50)");
        ResultStore merged(folder / "merged", ResultStore::Mode::Write);
        REFUSES(Error, merged.merge(folder / "part"), "was changed after it was stored");
        for (const char* number : {"9223372036854775807", "-9223372036854775807"}) {
            runSql(folder / "part", "UPDATE batch SET number = " + std::string(number) + " WHERE number <> 0");
            runSql(folder / "part", "DELETE FROM batch WHERE number = 0");
            REFUSES(Error, merged.merge(folder / "part"), "contains a damaged batch");
        }
        QVERIFY(merged.evaluations().empty());
    }
};

ATTNSCOPE_EVENT_TEST(TestStoreMerge)
#include "tst_store_merge.moc"
