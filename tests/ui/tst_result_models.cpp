// What the Batch and Results screens show, without a window.
#include "tests/support/test_class.h"
#include "tests/support/timed_rounds.h"
#include "tests/ui/support/scripted_evaluation.h"
#include "ui/batch/evaluate_command.h"
#include "ui/batch/queue_model.h"
#include "ui/batch/samples_model.h"
#include "ui/engine/measuring_gate.h"
#include "ui/results/run_filter.h"
#include "ui/results/runs_model.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/table_text.h"

#include "core/measure/proportions.h"
#include "core/report/result_tables.h"

#include <QAbstractItemModelTester>
#include <QDateTime>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <optional>
#include <thread>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using attnscope::Accuracy;
using attnscope::AttentionSpec;
using attnscope::ClassAccuracy;
using attnscope::Compared;
using attnscope::ComparedRun;
using attnscope::Proportion;
using attnscope::RunPair;
using attnscope::StoredEvaluation;
using attnscope::StoredRun;
using attnscope::StoredSample;
using attnscope::Table;
using attnscope::WeightsKind;

namespace {

ResultRow resultRow(int64_t id, const std::string& attention, Accuracy accuracy,
                    const std::string& root = "/data/imagenet/val", double milliseconds = 60)
{
    auto evaluation = std::make_shared<StoredEvaluation>();
    evaluation->id = id;
    evaluation->settings.model = "deit_small_patch16_224";
    evaluation->settings.weights = "/models/deit_s.safetensors";
    evaluation->settings.dtype = "float32";
    evaluation->settings.seed = 3;
    evaluation->dataRoot = root;
    evaluation->dataHash = root;
    evaluation->state = attnscope::EvaluationState::Finished;
    evaluation->note = "paper setting";
    StoredRun run;
    run.id = id;
    run.attention = attention;
    run.backend = AttentionSpec::parse(attention).backend();
    run.weights = run.backend == "softmax" ? WeightsKind::Trained : WeightsKind::Swapped;
    run.latency = attnscope::testing::inRounds(
        {milliseconds, milliseconds * 0.98, milliseconds * 1.02, 5, 4.9, 5.1, 20});
    evaluation->runs = {run};
    return {evaluation, 0, accuracy};
}

QueuedEvaluation queued(quint64 id, std::initializer_list<const char*> attention)
{
    QueuedEvaluation evaluation;
    evaluation.id = id;
    evaluation.plan.folder = "/data/imagenet/val";
    for (const char* spec : attention)
        evaluation.plan.attention.push_back(AttentionSpec::parse(spec));
    evaluation.state = QueueState::Ready;
    return evaluation;
}

}

class TestResultModels : public QObject {
    Q_OBJECT
private slots:
    void sharesCarryWilsonsInterval()
    {
        const Proportion fraction{10'000, 7982};
        QCOMPARE(percentText(fraction), u"79.82"_s);
        QCOMPARE(intervalText(fraction), u"[79.02, 80.60]"_s);
        QCOMPARE(halfWidthText(fraction), u"±0.79"_s);
        QVERIFY(percentText(Proportion()).isEmpty() && intervalText(Proportion()).isEmpty());
        QCOMPARE(fraction.interval().low, attnscope::wilson95(7982, 10'000).low);
    }

    void overlappingIntervalsHaveNoWinner()
    {
        const Proportion reference{1000, 800};
        QCOMPARE(deltaOf({1000, 790}, reference, u"softmax"_s).kind, Delta::Overlap);
        const Delta worse = deltaOf({1000, 600}, reference, u"softmax"_s);
        QCOMPARE(worse.kind, Delta::Worse);
        QCOMPARE(worse.text, u"\u221220.00 ▼"_s);
        QCOMPARE(deltaOf({1000, 900}, reference, u"softmax"_s).text, u"+10.00 ▲"_s);
        QCOMPARE(deltaOf({}, reference, u"softmax"_s).kind, Delta::None);
    }

    void titlesKeepEveryOption()
    {
        QCOMPARE(titleOfSpec(u"softmax"_s), u"softmax"_s);
        QCOMPARE(titleOfSpec(u"lara"_s),
                 u"lara 49"_s);  // the default is left out of the spelling
        QCOMPARE(titleOfSpec(u"0-3=lara;4=softmax"_s), u"0-3=lara;4=softmax"_s);
        QCOMPARE(titleOfSpec(u"lara:samples=49"_s), u"lara 49"_s);
        QCOMPARE(titleOfSpec(u"lara:beta=2"_s), u"lara 49 · beta=2"_s);
        QCOMPARE(titleOfSpec(u"lara;dtype=bfloat16;checkpoint=2"_s), u"lara 49 · bfloat16, network 2"_s);
        QCOMPARE(dataTitle(u"/data/imagenet/val/"_s), u"imagenet/val"_s);
        QCOMPARE(dataTitle(u"/data/flowers"_s), u"flowers"_s);
    }

    void queueHasARowForEachAttentionAndKeepsItsPlacesWhenReordered()
    {
        QueueModel queue;
        QAbstractItemModelTester tester(&queue, QAbstractItemModelTester::FailureReportingMode::QtTest);
        queue.add(queued(1, {"softmax", "lara:samples=49"}));
        queue.add(queued(2, {"softmax"}));
        queue.add(queued(3, {"performer", "lara"}));
        QCOMPARE(queue.rowCount(), 5);
        const QPersistentModelIndex kept = queue.index(4, 0);
        QVERIFY(queue.move(3, -2));
        QCOMPARE(kept.row(), 1);
        QCOMPARE(kept.data(QueueModel::BackendRole).toString(), u"lara"_s);
        QVERIFY(!queue.move(3, -1));
        QVERIFY(queue.move(1, 1));
        QCOMPARE(queue.rowOf(1), 3);
        queue.remove(2);
        QCOMPARE(queue.rowCount(), 4);
        queue.change(1, [](QueuedEvaluation& each) { each.plan.attention.pop_back(); });
        QCOMPARE(queue.rowCount(), 3);
    }

    void queueShowsAccuracyOnOneScaleWithItsDifference()
    {
        QueueModel queue;
        QueuedEvaluation evaluation = queued(1, {"softmax", "lara:samples=49"});
        evaluation.state = QueueState::Running;
        evaluation.progress.done = 31'200;
        evaluation.progress.total = 50'000;
        evaluation.progress.secondsLeft = 8 * 60;
        evaluation.progress.runs = {{Accuracy{31'200, 24'900, 29'000}, 1, {}},
                                    {Accuracy{31'200, 19'157, 26'000}, 1, {}}};
        queue.add(evaluation);
        QCOMPARE(queue.index(0, QueueModel::ProgressColumn).data().toString(), u"31\u202F200 of 50\u202F000"_s);
        QCOMPARE(queue.index(1, QueueModel::ProgressColumn).data(QueueModel::PartRole).toDouble(), 0.624);
        QCOMPARE(queue.index(1, QueueModel::Top1Column).data().toString(), u"61.40 so far"_s);
        QCOMPARE(queue.index(1, QueueModel::TimeColumn).data().toString(), u"about 8 min"_s);
        const auto first = queue.index(0, 2).data(QueueModel::IntervalRole).value<Interval>();
        const auto second = queue.index(1, 2).data(QueueModel::IntervalRole).value<Interval>();
        QCOMPARE(first.scaleLow, second.scaleLow);
        QVERIFY(!first.hasReference && second.hasReference && second.reference == first.mid);
        QCOMPARE(queue.index(1, 2).data(QueueModel::DeltaRole).value<Delta>().kind, Delta::Worse);
        QVERIFY(queue.index(1, 2).data(Qt::AccessibleTextRole).toString().contains("lara 49 on imagenet/val"_L1));
        queue.change(1, [](QueuedEvaluation& each) { each.state = QueueState::Finished; });
        QCOMPARE(queue.index(1, QueueModel::Top1Column).data().toString(), u"61.40 [60.86, 61.94]"_s);
        queue.change(1, [](QueuedEvaluation& each) { each.state = QueueState::Running; });
        // An attention that cannot run says why; the others have figures.
        queue.change(1, [](QueuedEvaluation& each) {
            each.progress.runs[1] = {{}, 0, "lara needs a square grid"};
        });
        QCOMPARE(queue.index(1, QueueModel::Top1Column).data().toString(), u"lara needs a square grid"_s);
        QVERIFY(queue.index(0, 2).data(QueueModel::ValueRole).isValid());
    }

    void commandSaysEverythingThatIsNotDefault()
    {
        EvaluationSetup plan = queued(1, {"softmax", "lara:samples=16"}).plan;
        plan.model.weights = "/models/my deit.safetensors";
        plan.store = "/tmp/r.sqlite";
        QCOMPARE(evaluateCommand(plan),
                 u"attnscope-cli evaluate /data/imagenet/val --weights '/models/my deit.safetensors' "
                 "--attention softmax "
                 "--attention lara:samples=16 --store /tmp/r.sqlite --device auto --dtype float32 --seed 0"_s);
        plan.layout = "imagenet";
        plan.limit = 500;
        plan.batch = 8;
        plan.threads = 2;
        plan.views = attnscope::ViewGrid{10, 3};
        plan.resume = true;
        plan.cache = "/tmp/kept crops";
        plan.cacheBytes = 5;
        QVERIFY(evaluateCommand(plan).contains(" --cache '/tmp/kept crops' --cache-bytes 5 "_L1));
        QVERIFY(evaluateCommand(plan).contains(" --layout imagenet "_L1));
        for (const char* part :
             {" --views 10x3 ", " --batch-size 8 ", " --limit 500 ", " --threads 2 ", " --resume "})
            QVERIFY(evaluateCommand(plan).contains(QLatin1String(part)));
    }

    void storedEvaluationIsContinuedAsItWasBegun()
    {
        StoredEvaluation stored = *resultRow(4, "lara:samples=16", {}).evaluation;
        stored.settings.weights = "untrained, seed 7";
        stored.settings.model = "deit_tiny_patch16_224";
        stored.settings.batch = 32;
        stored.settings.views = "10x3";
        stored.layout = attnscope::FolderLayout::ImageNet;
        const EvaluationSetup plan = planOf(stored, "s.sqlite");
        QCOMPARE(plan.model.weights, std::string("untrained:7"));
        QCOMPARE(plan.model.model, std::string("deit_tiny_patch16_224"));
        QCOMPARE(plan.seed, uint64_t(3));
        QCOMPARE(plan.batch, int64_t(32));
        QCOMPARE(plan.layout, std::string("imagenet"));
        QCOMPARE(plan.views->clips, int64_t(10));
        QVERIFY(plan.resume);
        QCOMPARE(plan.attention.front().canonical(), std::string("lara:samples=16"));
    }

    void publishedAccuraciesAreOfTheSameNetworkTrainedAlike()
    {
        const auto top1 = [](const std::string& model, const std::string& spec, attnscope::WeightsKind weights) {
            ResultRow row = resultRow(4, spec, {});
            auto evaluation = std::make_shared<StoredEvaluation>(*row.evaluation);
            evaluation->settings.model = model;
            evaluation->runs[row.run].weights = weights;
            row.evaluation = evaluation;
            return published(attnscope::measure("top1"), row);
        };
        using enum attnscope::WeightsKind;
        QCOMPARE(top1("deit_tiny_patch16_224", "lara:samples=16", Trained), std::optional(71.48));
        QCOMPARE(top1("deit_small_patch16_224", "lara:samples=49", Trained), std::optional(79.48));
        QCOMPARE(top1("pvt_v2_b1_lara", "lara:samples=49", Trained), std::optional(79.6));
        QVERIFY(!top1("deit_tiny_patch16_224", "lara:samples=16", Swapped));
        QVERIFY(!top1("demo_deit", "lara:samples=16", Trained));
        QVERIFY(!published(attnscope::measure("top5"), resultRow(4, "lara:samples=16", {})));
    }

    void filterFindsRuns_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("found");
        QTest::newRow("nothing") << QString() << true;
        QTest::newRow("field") << u"model:deit"_s << true;
        QTest::newRow("case") << u"MODEL:DeiT"_s << true;
        QTest::newRow("other model") << u"model:pvt"_s << false;
        QTest::newRow("several") << u"model:deit attention:lara folder:imagenet/val"_s << true;
        QTest::newRow("one of several fails") << u"model:deit attention:performer"_s << false;
        QTest::newRow("free word") << u"paper"_s << true;
        QTest::newRow("quoted") << u"\"paper setting\""_s << true;
        QTest::newRow("quoted field") << u"note:\"paper setting\""_s << true;
        QTest::newRow("quoted, not there") << u"\"setting paper\""_s << false;
        QTest::newRow("excluded") << u"-weights:swapped"_s << false;
        QTest::newRow("excluded, not there") << u"-weights:untrained"_s << true;
        QTest::newRow("whole number") << u"run:4"_s << false;
        QTest::newRow("run") << u"run:41"_s << true;
        QTest::newRow("seed") << u"seed:3"_s << true;
        QTest::newRow("specification as a word") << u"lara:samples=49"_s << true;
        QTest::newRow("half-typed field") << u"model:"_s << true;
        QTest::newRow("lone minus") << u"-"_s << false;
    }
    void filterFindsRuns()
    {
        QFETCH(QString, text);
        QFETCH(bool, found);
        QCOMPARE(RunFilter::parse(text).matches(resultRow(41, "lara:samples=49", Accuracy{100, 61, 80})), found);
    }

    void filterNamesItsFieldsWhereOneIsUnknown()
    {
        QVERIFY(RunFilter::parse(u"modell:deit"_s).problem().contains("run, attention, model"_L1));
        QVERIFY(RunFilter::parse(u"model:deit lara:samples=49"_s).problem().isEmpty());
    }

    void runsAreComparedWithTheirReference()
    {
        RunsModel runs;
        QAbstractItemModelTester tester(&runs, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const ResultRow softmax = resultRow(1, "softmax", Accuracy{1000, 800, 950});
        runs.setRows({softmax, resultRow(2, "lara:samples=49", Accuracy{1000, 610, 830}, "/data/imagenet/val", 30),
                      resultRow(3, "performer", Accuracy{1000, 790, 900}),
                      resultRow(4, "performer", Accuracy{10, 1, 5}, "/data/other")});
        // Alone in its evaluation, each is its own reference until one is chosen.
        QVERIFY(runs.index(1, RunsModel::Top1Column).data(RunsModel::DeltaRole).value<Delta>().kind
                == Delta::None);
        runs.setReference(1);
        const auto delta = [&](int row, int column) {
            return runs.index(row, column).data(RunsModel::DeltaRole).value<Delta>();
        };
        QCOMPARE(delta(1, RunsModel::Top1Column).kind, Delta::Worse);
        QCOMPARE(delta(2, RunsModel::Top1Column).kind, Delta::Overlap);
        QCOMPARE(delta(1, RunsModel::LatencyColumn).text, u"2.0× ▲"_s);
        QCOMPARE(delta(2, RunsModel::LatencyColumn).kind, Delta::Overlap);
        QCOMPARE(delta(3, RunsModel::Top1Column).kind, Delta::None);  // of other data: not compared
        QVERIFY(runs.index(0, RunsModel::AttentionColumn).data().toString().endsWith(u"★"_s));
        QCOMPARE(runs.index(1, RunsModel::Top1Column).data().toString(), u"61.00 ±3.02 \u221219.00 ▼"_s);
    }

    void ticksAndReferenceOutliveAReload()
    {
        RunsModel runs;
        std::vector<ResultRow> rows{resultRow(1, "softmax", {}), resultRow(2, "lara", {})};
        runs.setRows(rows);
        runs.setTicked(2, true);
        runs.setReference(2);
        runs.setRows({rows[1], rows[0], resultRow(3, "performer", {})});
        QVERIFY(runs.isTicked(2));
        QCOMPARE(runs.reference(), int64_t(2));
        runs.setRows({rows[0]});
        QVERIFY(!runs.isTicked(2) && runs.reference() == 0);
    }

    void proxySortsByNumbers()
    {
        RunsModel runs;
        runs.setRows({resultRow(1, "softmax", Accuracy{1000, 90, 95}, "/a", 9),
                      resultRow(2, "lara", Accuracy{1000, 800, 950}, "/a", 100)});
        RunProxy proxy;
        proxy.setSourceModel(&runs);
        proxy.sort(RunsModel::LatencyColumn, Qt::AscendingOrder);
        QCOMPARE(proxy.row(0).id(), int64_t(1));
        proxy.sort(RunsModel::Top1Column, Qt::DescendingOrder);
        QCOMPARE(proxy.row(0).id(), int64_t(2));
        proxy.setFilter(RunFilter::parse(u"attention:softmax"_s));
        QCOMPARE(proxy.rowCount(), 1);
    }

    void sideBySideHidesWhatIsAlike()
    {
        const std::vector<ResultRow> rows{resultRow(1, "softmax", Accuracy{1000, 800, 950}),
                                          resultRow(2, "lara", Accuracy{1000, 610, 830})};
        std::vector<ComparedRun> runs;
        for (const ResultRow& row : rows)
            runs.push_back({"", row.evaluation.get(), &row.stored(), row.accuracy});
        const Table all = comparisonTable(runs, Compared::Everything),
                    some = comparisonTable(runs, Compared::DifferencesOnly);
        const auto has = [](const Table& table, const char* name) {
            return std::ranges::count(table.rows, name, &attnscope::Row::key) > 0;
        };
        QVERIFY(has(all, "Seed") && !has(some, "Seed"));
        QVERIFY(has(some, "Attention") && has(some, "Top-1"));
        QCOMPARE(all.columns.size(), size_t{3});
        QVERIFY(comparisonTable({}, Compared::Everything).rows.empty());
    }

    void classesThatLoseMostComeFirst()
    {
        const auto each = [](int64_t label, const char* name, int64_t right) {
            return ClassAccuracy{label, name, Accuracy{50, right, 50}};
        };
        const Table table = attnscope::classTable(
            {{{"softmax"}, {each(0, "cat", 45), each(1, "moon", 45), each(2, "leaf", 48)}},
             {{"lara"}, {each(0, "cat", 40), each(1, "moon", 20), each(2, "leaf", 49)}}});
        QCOMPARE(english(table.rows[0].cells[0].text), std::string("moon"));
        QCOMPARE(english(table.rows[0].cells.back().text), std::string("+50.00"));
        QCOMPARE(english(table.rows[1].cells.back().text), std::string("+10.00 ≈"));
        QCOMPARE(table.rows[2].key, std::string("2"));
    }

    void pairsSayWhetherADifferenceIsChance()
    {
        RunPair pair{1, 2, 700, 120, 60, 120, 780, attnscope::mcnemarExact(120, 60)};
        QCOMPARE(english(pairSentence(pair, "softmax", "lara 49")),
                 std::string("lara 49 misclassifies 120 samples that softmax gets right, and gets 60 right that "
                             "softmax misclassifies: a "
                             "significant difference, McNemar p < 0.001."));
        pair.mcnemarP = 0.42;
        QVERIFY(english(pairSentence(pair, "a", "b")).find("not significant, McNemar p = 0.42")
                != std::string::npos);
        const Table table = attnscope::pairTable({pair}, {{1, {"softmax"}}, {2, {"lara 49"}}});
        QCOMPARE(english(table.rows[0].cells[3].text), std::string("120"));
        QCOMPARE(table.rows[0].cells[4].value, std::optional(60.0));
    }

    void samplesAreFetchedPageByPage()
    {
        SamplesModel samples;
        int64_t requestedAt = -1;
        samples.onWanted = [&](int64_t offset, int64_t) { requestedAt = offset; };
        samples.begin(u"softmax"_s, u"lara"_s, {"cat", "moon"}, 3);
        QVERIFY(samples.canFetchMore({}));
        const auto sample = [](int64_t number) {
            StoredSample made{number, "/d/cat/" + std::to_string(number) + ".jpg", 0, {}};
            attnscope::SamplePrediction right, wrong;
            right.classes[0] = 0;
            right.probabilities[0] = 0.9f;
            wrong.classes[0] = 1;
            wrong.labelRank = 1;
            made.predictions = {right, wrong};
            return made;
        };
        samples.take(0, {sample(4), sample(9)});
        QVERIFY(samples.canFetchMore({}));
        samples.fetchMore({});
        QCOMPARE(requestedAt, int64_t(2));
        QVERIFY(!samples.canFetchMore({}));  // asked already
        samples.take(0, {sample(4)});        // of an earlier question
        QCOMPARE(samples.rowCount(), 2);
        samples.take(2, {sample(11)});
        QCOMPARE(samples.rowCount(), 3);
        QVERIFY(!samples.canFetchMore({}));
        const QModelIndex first = samples.index(0);
        QCOMPARE(first.data(SamplesModel::ReferencePredictionRole).toString(), u"cat"_s);
        QCOMPARE(first.data(SamplesModel::PredictionRole).toString(), u"moon"_s);
        QVERIFY(first.data(SamplesModel::ReferenceRightRole).toBool()
                && !first.data(SamplesModel::RightRole).toBool());
        QCOMPARE(first.data(Qt::AccessibleTextRole).toString(),
                 u"4.jpg, true class cat, softmax predicts cat, lara predicts moon"_s);
        QVERIFY(samples.holds({sample(4), sample(9)}) && !samples.holds({sample(9)}));
    }

    void aReloadTakesOutAndPutsInRowsWithoutAReset()
    {
        RunsModel runs;
        QAbstractItemModelTester tester(&runs, QAbstractItemModelTester::FailureReportingMode::QtTest);
        RunProxy proxy;
        proxy.setSourceModel(&runs);
        QAbstractItemModelTester proxyTester(&proxy, QAbstractItemModelTester::FailureReportingMode::QtTest);
        std::vector<ResultRow> rows;
        for (const int64_t id : {9, 8, 5, 4, 2})
            rows.push_back(resultRow(id, id % 2 == 0 ? "softmax" : "lara", Accuracy{1000, 700 + id, 900}));
        runs.setRows(rows);
        const QPersistentModelIndex kept = proxy.index(2, RunsModel::NoteColumn);
        QSignalSpy resets(&runs, &QAbstractItemModel::modelReset),
            changes(&runs, &QAbstractItemModel::dataChanged);
        std::vector<ResultRow> next;
        for (const int64_t id : {12, 11, 9, 5, 3, 2})
            next.push_back(resultRow(id, "performer", Accuracy{1000, 600 + id, 900}));
        runs.setRows(next);
        QCOMPARE(resets.count(), 0);
        QCOMPARE(runs.rowCount(), 6);
        for (int row = 0; row < 6; ++row) {
            QCOMPARE(runs.rows()[size_t(row)].id(), next[size_t(row)].id());
            QCOMPARE(runs.find(next[size_t(row)].id()), &runs.rows()[size_t(row)]);
        }
        QVERIFY(kept.isValid());
        QCOMPARE(proxy.row(kept.row()).id(), int64_t(5));
        // Notes did not change, so nothing is read into an editor over one.
        for (const QList<QVariant>& change : changes)
            QVERIFY(change[1].toModelIndex().column() < RunsModel::NoteColumn);
    }

    void runsOfOneBackendHaveLooksOfTheirOwnThatStay()
    {
        RunsModel runs;
        const std::vector<ResultRow> first{resultRow(2, "lara:samples=16", {}), resultRow(1, "lara", {})};
        runs.setRows(first);
        const auto look = [&](int row) {
            return runs.index(row, RunsModel::AttentionColumn).data(RunsModel::BackendRole).toString();
        };
        QCOMPARE(look(1), u"lara"_s);
        QCOMPARE(look(0), u"lara#1"_s);
        runs.setRows({resultRow(3, "lara:samples=64", {}), first[0], first[1]});
        QCOMPARE(look(2), u"lara"_s);
        QCOMPARE(look(1), u"lara#1"_s);
        QCOMPARE(look(0), u"lara#2"_s);
        QueueModel queue;
        queue.add(queued(1, {"softmax", "lara:samples=49", "lara:samples=16"}));
        QCOMPARE(queue.index(1, 0).data(QueueModel::BackendRole).toString(), u"lara"_s);
        QCOMPARE(queue.index(2, 0).data(QueueModel::BackendRole).toString(), u"lara#1"_s);
        QCOMPARE(queue.index(2, 0).data(QueueModel::NameRole).toString(), u"lara"_s);
    }

    void galleryAndUnreadableListGrowWithoutBeginningAnew()
    {
        SamplesModel samples;
        QAbstractItemModelTester a(&samples, QAbstractItemModelTester::FailureReportingMode::QtTest);
        int64_t requestedAt = -1;
        samples.onWanted = [&](int64_t offset, int64_t) { requestedAt = offset; };
        samples.begin({}, u"lara#1"_s, {"cat"}, 1);
        samples.take(0, {{4, "/d/cat/4.jpg", 0, {attnscope::SamplePrediction{}}}});
        QVERIFY2(samples.index(0).data(Qt::AccessibleTextRole).toString().contains("lara predicts"_L1),
                 qPrintable(samples.index(0).data(Qt::AccessibleTextRole).toString()));
        QVERIFY(!samples.canFetchMore({}));
        samples.setTotal(3);
        QVERIFY(samples.canFetchMore({}));
        samples.fetchMore({});
        QCOMPARE(requestedAt, int64_t(1));

        UnreadableModel unreadable;
        QAbstractItemModelTester b(&unreadable, QAbstractItemModelTester::FailureReportingMode::QtTest);
        unreadable.onWanted = [&](int64_t offset, int64_t) { requestedAt = offset; };
        unreadable.begin(1);
        unreadable.take(0, {{7, "/d/x.jpg", "no picture"}});
        QSignalSpy resets(&unreadable, &QAbstractItemModel::modelReset);
        unreadable.setTotal(2);
        unreadable.fetchMore({});
        QCOMPARE(requestedAt, int64_t(1));
        unreadable.take(1, {{9, "/d/y.jpg", "no picture either"}});
        QCOMPARE(unreadable.rowCount(), 2);
        QCOMPARE(resets.count(), 0);

        CellTable cells;
        QAbstractItemModelTester c(&cells, QAbstractItemModelTester::FailureReportingMode::QtTest);
        Table table = attnscope::tableOf({"a", "b"});
        table.addTexts({"1", "2"});
        cells.show(table);
        cells.show({});
        QCOMPARE(cells.rowCount(), 0);
    }

    void exportsAreSafeForSpreadsheetsAndLatex()
    {
        CellTable table;
        Table shown = attnscope::tableOf({"name", ">top-1 %"});
        shown.addTexts({"=HYPERLINK(\"x\")", "-1.5"});
        shown.addTexts({"a, b_c & 5 %", "61.40 ±0.54"});
        table.show(shown);
        const QString csv = tableAsCsv(table);
        QVERIFY2(csv.contains("\"'=HYPERLINK(\"\"x\"\")\",-1.5\r\n"_L1), qPrintable(csv));
        QVERIFY(csv.contains(u"\"a, b_c & 5 %\",61.40 ±0.54"_s));
        const QString latex = tableAsLatex(table, u"runs_of #1"_s);
        QVERIFY2(latex.contains("a, b\\_c \\& 5 \\% & 61.40 $\\pm$0.54 \\\\\n"_L1), qPrintable(latex));
        QVERIFY(latex.contains("\\caption{runs\\_of \\#1}"_L1) && latex.contains("{tabular}{lr}"_L1));
    }

    void whenIsSaidAsPeopleSayIt()
    {
        const QDateTime now(QDate(2026, 11, 21), QTime(12, 0), Qt::UTC);
        QVERIFY(whenText("2026-11-21T11:30:00Z", now).startsWith("today"_L1));
        QCOMPARE(whenText("2026-11-20T10:00:00Z", now), u"yesterday"_s);
        QCOMPARE(whenText("2026-11-19T10:00:00Z", now), u"2 days ago"_s);
        QCOMPARE(whenText("never", now), u"never"_s);
    }

    /// A comparison goes before an evaluation, that before a training; nobody loses a turn.
    void gateLetsTheMoreUrgentGoFirst()
    {
        MeasuringGate gate;
        std::atomic<int> trained{0}, evaluated{0};
        std::stop_source stop;
        std::jthread training([&] {
            MeasuringGate::Turn turn(gate, MeasuringGate::Work::Training, stop.get_token());
            while (!stop.stop_requested()) {
                ++trained;
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                if (turn.wanted())
                    turn.rest(stop.get_token());
            }
        });
        QTRY_VERIFY(trained > 3);
        {
            MeasuringGate::Turn evaluating(gate, MeasuringGate::Work::Evaluating, stop.get_token());
            const int then = trained;
            QTest::qWait(30);
            QCOMPARE(trained.load(), then);
            QVERIFY(!evaluating.wanted() && gate.waits(MeasuringGate::Work::Training)
                    && !gate.waits(MeasuringGate::Work::Evaluating));
            std::jthread measuring([&] {
                MeasuringGate::Turn alone(gate, MeasuringGate::Work::Measuring, stop.get_token());
                ++evaluated;
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            });
            QTRY_VERIFY(evaluating.wanted());
            QCOMPARE(evaluated.load(), 0);  // not before the step under way is done
            evaluating.rest(stop.get_token());
            QCOMPARE(evaluated.load(), 1);
            QCOMPARE(trained.load(), then);
        }
        const int then = trained;
        QTRY_VERIFY(trained > then);
        stop.request_stop();
    }

    void whoWaitsForSomethingElseLeavesTheMachineToOthers()
    {
        MeasuringGate gate;
        MeasuringGate::Turn evaluating(gate, MeasuringGate::Work::Evaluating, {});
        QVERIFY(gate.waits(MeasuringGate::Work::Training) && gate.waits(MeasuringGate::Work::Measuring));
        evaluating.finish();
        QVERIFY(!gate.waits(MeasuringGate::Work::Training) && !gate.waits(MeasuringGate::Work::Measuring));
        std::atomic<bool> back = false;
        std::optional<MeasuringGate::Turn> training(std::in_place, gate, MeasuringGate::Work::Training,
                                                    std::stop_token());
        std::jthread returning([&] {
            evaluating.comeBack({});
            back = true;
        });
        QTRY_VERIFY(training->wanted());
        QVERIFY(!back);
        training.reset();
        QTRY_VERIFY(back);
        QVERIFY(gate.waits(MeasuringGate::Work::Training));
    }
};

ATTNSCOPE_WINDOW_TEST(TestResultModels)
#include "tst_result_models.moc"
