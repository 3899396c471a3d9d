#include "core/base/error.h"
#include "core/lab/approximate.h"
#include "core/lab/leaderboard/leaderboard_candidates.h"
#include "core/lab/leaderboard/leaderboard_chart.h"
#include "core/lab/leaderboard/leaderboard_json.h"
#include "core/lab/leaderboard/leaderboard_ranking.h"
#include "core/lab/leaderboard/leaderboard_table.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"
#include "tests/support/timed_rounds.h"

#include <QFile>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>

using namespace attnscope;

namespace {

const RandomTensors smallRandom{.tokens = 64, .width = 8, .heads = 3, .seed = 2, .temperature = 1.5};

std::vector<AttentionSpec> specsOf(const std::vector<std::string>& texts)
{
    std::vector<AttentionSpec> specs;
    for (const std::string& text : texts)
        specs.push_back(AttentionSpec::parse(text));
    return specs;
}

LeaderboardRequest requestOf(const std::vector<std::string>& texts)
{
    return {.attention = specsOf(texts), .seed = 3, .seeds = 4, .seconds = 0, .minimumRepetitions = 2};
}

LeaderboardRow rowOf(const std::string& attention, double error, double milliseconds, int64_t bytes)
{
    LeaderboardRow made{.attention = attention, .backend = attention, .relative = error};
    made.latency = attnscope::testing::inRounds({.medianMs = milliseconds}),
    made.exactLatency = attnscope::testing::inRounds({.medianMs = 1});
    made.peakBytes = bytes, made.exactPeakBytes = 100;
    return made;
}

LeaderboardReport boardOf(std::vector<LeaderboardRow> rows)
{
    LeaderboardReport report;
    report.candidates = std::ssize(rows);
    report.rows = std::move(rows);
    return report;
}

std::vector<std::string> namesOf(const LeaderboardReport& report)
{
    std::vector<std::string> names;
    for (const LeaderboardRow& one : report.rows)
        names.push_back(one.attention);
    return names;
}

const LeaderboardRow& rowOf(const LeaderboardReport& report, const std::string& attention)
{
    return *std::ranges::find_if(report.rows,
                                 [&](const LeaderboardRow& one) { return one.attention == attention; });
}

}

/// The table of all attentions that need no training: what is in it, what is best in it, and how it is continued.
class TestLeaderboard : public QObject {
    Q_OBJECT

private slots:
    void frontsHoldWhatNothingBeatsInBoth()
    {
        LeaderboardReport report = boardOf({rowOf("a", 0.1, 4, 40), rowOf("b", 0.2, 2, 60), rowOf("c", 0.2, 3, 20),
                                            rowOf("d", 0.5, 1, 20), rowOf("e", 0.4, 5, 50)});
        rank(report);
        QCOMPARE(namesOf(report), (std::vector<std::string>{"a", "b", "c", "e", "d"}));
        std::set<std::string> time, memory;
        for (const LeaderboardRow& one : report.rows) {
            if (one.timeFront)
                time.insert(one.attention);
            if (one.memoryFront)
                memory.insert(one.attention);
        }
        QCOMPARE(time, (std::set<std::string>{"a", "b", "d"}));
        QCOMPARE(memory, (std::set<std::string>{"a", "c"}));
    }

    void rowsAreSortedByWhatIsAskedForAndFailedOnesLast()
    {
        LeaderboardReport report = boardOf(
            {rowOf("a", 0.1, 4, 40), rowOf("b", 0.2, 2, 60), rowOf("c", 0.3, 3, 20)});
        report.rows.insert(report.rows.begin(), {.attention = "x", .backend = "x", .failure = "no memory"});
        rank(report, LeaderboardOrder::Time);
        QCOMPARE(namesOf(report), (std::vector<std::string>{"b", "c", "a", "x"}));
        rank(report, LeaderboardOrder::Memory);
        QCOMPARE(namesOf(report), (std::vector<std::string>{"c", "a", "b", "x"}));
        QVERIFY(!report.rows.back().timeFront && !report.rows.back().memoryFront);
    }

    void aResultThatIsNotFiniteIsOnNoFront()
    {
        LeaderboardReport report = boardOf({rowOf("a", std::nan(""), 1, 1), rowOf("b", 0.2, 2, 2)});
        rank(report);
        QCOMPARE(namesOf(report), (std::vector<std::string>{"b", "a"}));
        QVERIFY(report.rows[0].timeFront && !report.rows[1].timeFront && !report.rows[1].memoryFront);
    }

    void theVerdictNamesTheMostAccurateThatIsFaster()
    {
        LeaderboardReport report = boardOf(
            {rowOf("slow", 0.01, 1.5, 1), rowOf("good", 0.1, 0.8, 1), rowOf("bad", 0.9, 0.1, 1)});
        rank(report);
        QCOMPARE(bestFaster(report)->attention, "good");
        QCOMPARE(english(verdict(report)),
                 "good: error 0.10 at 0.80× the time, the most accurate of those faster than exact attention");
        SAYS(english(conditions(report)), "2 of 3 are faster than exact attention.");
        LeaderboardReport none = boardOf({rowOf("slow", 0.01, 1.5, 1)});
        none.tokens = 64;
        QCOMPARE(bestFaster(none), nullptr);
        QCOMPARE(english(verdict(none)), "None is clearly faster than exact attention at 64 tokens");
        LeaderboardRow noise = rowOf("noise", 0.01, 0.95, 1);
        noise.exactLatency = attnscope::testing::inRounds({.medianMs = 1}, -0.2);
        QVERIFY(rowOf("alike", 0.01, 0.95, 1).isFaster() && !noise.isFaster());
    }

    void endToEndErrorsAreOfClassesOrOfFeatures()
    {
        LeaderboardRow classes = rowOf("a", 0.5, 1, 1), features = classes;
        classes.effect = LeaderboardEffect{.kl = 0.02, .agreement = 1};
        features.effect = LeaderboardEffect{.cosine = 0.75};
        QCOMPARE(errorOf(classes, LeaderboardError::EndToEnd), 0.02);
        QCOMPARE(errorOf(features, LeaderboardError::EndToEnd), 0.25);
        QCOMPARE(errorOf(features, LeaderboardError::TeacherForced), 0.5);
        QVERIFY(std::isnan(errorOf(rowOf("a", 0.5, 1, 1), LeaderboardError::EndToEnd)));
    }

    void methodsThatCanReplaceSoftmaxAreCandidates()
    {
        std::vector<LeaderboardOmission> omitted;
        std::set<std::string> measured;
        for (const AttentionSpec& spec : leaderboardCandidates({16}, true, omitted))
            measured.insert(spec.backend());
        for (const BackendInfo& info : backends()) {
            const bool isOmitted = std::ranges::any_of(omitted, [&](const LeaderboardOmission& one) {
                return one.attention == info.name && !one.reason.empty();
            });
            const bool isMeasured = measured.contains(info.name);
            if (info.kind == AttentionKind::Approximation && !info.needsReduction)
                QVERIFY2(isMeasured, info.name.c_str());
            if (info.kind == AttentionKind::OtherKernel || info.kind == AttentionKind::Exact
                || info.needsReduction)
                QVERIFY2(!isMeasured, info.name.c_str());
            QVERIFY2(isMeasured != isOmitted || info.kind == AttentionKind::Exact, info.name.c_str());
        }
    }

    void samplesAreSquaresNearFractionsOfTheTokens()
    {
        QCOMPARE(leaderboardSamples(196), (std::vector<int64_t>{4, 16, 25, 49}));
        QCOMPARE(leaderboardSamples(4096), (std::vector<int64_t>{121, 256, 529, 1024}));
        QCOMPARE(leaderboardSamples(1), (std::vector<int64_t>{4}));
    }

    void candidatesHaveExactRowsWhereThereAreTokensForThem()
    {
        for (const BackendInfo& info : backends()) {
            const auto textsOf = [&](bool hasPrefix) {
                std::multiset<std::string> texts;
                for (const AttentionSpec& spec : methodCandidates(info, {16, 25}, hasPrefix))
                    texts.insert(spec.canonical());
                return texts;
            };
            std::multiset<std::string> expected;
            for (const std::string& text : textsOf(false)) {
                expected.insert(text);
                const AttentionSpec spec = AttentionSpec::parse(text);
                if (findOption(info, "prefix_attention") != nullptr
                    && spec.choice("prefix_attention") == "ordinary")
                    expected.insert(spec.with("prefix_attention", std::string("rows")).canonical());
            }
            // A form with exact rows may be a candidate already.
            const std::set<std::string> unique(expected.begin(), expected.end());
            QVERIFY2(textsOf(true) == std::multiset<std::string>(unique.begin(), unique.end()), info.name.c_str());
        }
    }

    void theFirstCandidatesAreOneOfEachMethod()
    {
        std::vector<LeaderboardOmission> omitted;
        const auto candidates = leaderboardCandidates({16, 25}, true, omitted);
        std::set<std::string> all, first;
        for (const AttentionSpec& spec : candidates)
            all.insert(spec.backend());
        for (size_t i = 0; i < all.size(); ++i)
            first.insert(candidates[i].backend());
        QCOMPARE(first, all);
        for (const AttentionSpec& spec : candidates)
            QCOMPARE(std::ranges::count(candidates, spec), 1);
    }

    void errorsAreThoseOfApproximate_data()
    {
        rows("spec", {"performer:samples=16", "lara:samples=16", "nystrom:samples=16", "topk:samples=8", "ra"});
    }

    void errorsAreThoseOfApproximate()
    {
        FETCH_TEXT(spec);
        const LeaderboardReport board = measureLeaderboard(smallRandom, requestOf({spec}), {});
        const ApproximateReport reference = approximate(smallRandom,
                                                        {.flat = specsOf({spec}), .seed = 3, .seeds = 4}, {}, {});
        const LeaderboardRow& one = board.rows.front();
        const CurvePoint& point = reference.curves.front().points.front();
        QVERIFY2(one.failure.empty(), one.failure.c_str());
        QCOMPARE(one.seeds, point.seeds);
        QCOMPARE(one.relative, point.error.relative);
        QCOMPARE(one.relativeStddev, point.error.relativeStddev);
        QCOMPARE(one.medianRelative, point.medianRelative);
        QCOMPARE(one.layers.size(), 1U);
        QCOMPARE(one.layers.front(), one.relative);
        QVERIFY(!one.effect);
        QVERIFY(one.relative > 0);
        QVERIFY(one.latency.medianMs > 0 && one.exactLatency.medianMs > 0 && one.latency.repetitions >= 2);
        QVERIFY(one.peakBytes > 0 && one.exactPeakBytes > 0);
        QVERIFY(one.macs > 0 && one.exactMacs > 0);
    }

    void allRowsOfRandomTensorsAreMeasured()
    {
        LeaderboardRequest request = requestOf({});
        request.seeds = 1;
        request.samples = {16};
        const LeaderboardReport board = measureLeaderboard(smallRandom, request, {});
        QVERIFY(board.complete());
        QVERIFY(board.candidates > 20);
        QCOMPARE(board.tokens, 64);
        QCOMPARE(board.heads, 3);
        for (const LeaderboardRow& one : board.rows)
            QVERIFY2(one.failure.empty() && std::isfinite(one.relative) && one.latency.medianMs > 0,
                     (one.attention + ": " + one.failure).c_str());
        for (size_t i = 1; i < board.rows.size(); ++i)
            QVERIFY(board.rows[i - 1].relative <= board.rows[i].relative);
        // Several may have the smallest error to the bit: the fastest of them is on the front.
        QVERIFY(std::ranges::any_of(board.rows, [&](const LeaderboardRow& one) {
            return one.timeFront && one.relative == board.rows.front().relative;
        }));
    }

    void everyRowIsReportedWhenItIsThere()
    {
        std::vector<size_t> counts;
        std::vector<std::string> announced;
        const LeaderboardCalls calls{
            .progress = [&](const Progress& progress) { announced.push_back(progress.what); },
            .measured = [&](const LeaderboardReport& soFar) { counts.push_back(soFar.rows.size()); }};
        const LeaderboardReport board = measureLeaderboard(
            smallRandom, requestOf({"lara:samples=16", "topk:samples=8"}), calls);
        QCOMPARE(counts, (std::vector<size_t>{1, 2}));
        QCOMPARE(announced.front(),
                 board.rows[0].attention == "lara:samples=16" ? board.rows[0].attention : board.rows[1].attention);
    }

    void aRunGoesOnFromItsFile()
    {
        const Folder folder;
        const fs::path file = folder / "rows.json";
        const LeaderboardRequest request = requestOf(
            {"lara:samples=16", "topk:samples=8", "performer:samples=16"});
        std::stop_source stop;
        LeaderboardReport partial;
        const LeaderboardCalls stopping{.measured =
                                            [&](const LeaderboardReport& soFar) {
                                                partial = soFar;
                                                stop.request_stop();
                                            },
                                        .stop = stop.get_token()};
        QCOMPARE(measureLeaderboard(smallRandom, request, stopping).rows.size(), 1U);
        QCOMPARE(partial.rows.size(), 1U);
        QVERIFY(!partial.complete());
        QFile written(QString::fromStdString(file.string()));
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(QByteArray::fromStdString(toJson(partial).dump(2)));
        written.close();

        const LeaderboardReport earlier = readLeaderboard(file);
        size_t measured = 0;
        const LeaderboardReport board = measureLeaderboard(
            smallRandom, request,
            {.measured = [&](const LeaderboardReport&) { ++measured; }, .earlier = &earlier});
        QCOMPARE(measured, 2U);
        QVERIFY(board.complete());
        const LeaderboardRow &kept = rowOf(board, partial.rows.front().attention), &old = partial.rows.front();
        QCOMPARE(kept.latency.medianMs, old.latency.medianMs);  // taken over, not measured again
        QCOMPARE(kept.latency.repetitions, old.latency.repetitions);
        QCOMPARE(kept.relative, old.relative);
        QCOMPARE(kept.layers, old.layers);
        QCOMPARE(kept.peakBytes, old.peakBytes);
        QCOMPARE(kept.exactMacs, old.exactMacs);
    }

    void aFileMadeInAnotherWayIsRefused()
    {
        const Folder folder;
        const fs::path file = folder / "rows.json";
        const LeaderboardReport earlier = measureLeaderboard(smallRandom, requestOf({"topk:samples=8"}), {});
        LeaderboardRequest other = requestOf({"topk:samples=8"});
        other.seeds = 2;
        THROWS(UsageError, measureLeaderboard(smallRandom, other, {.earlier = &earlier}));
        LeaderboardReport changed = earlier;
        changed.seed = 4;
        QCOMPARE(differentSetup(earlier, changed), "seed");
        QCOMPARE(differentSetup(earlier, earlier), "");
        Json unlimited = toJson(earlier);
        unlimited["leaderboard"]["tokens"] = 1e300;  // no whole number is that large
        for (const std::string& damaged : {std::string(R"({"rows": 3})"), unlimited.dump()}) {
            std::ofstream(file, std::ios::trunc) << damaged;
            THROWS(FileError, readLeaderboard(file));
        }
        std::ofstream(file, std::ios::trunc) << toJson(earlier).dump();
        QCOMPARE(readLeaderboard(file).tokens, earlier.tokens);
    }

    void theChartHasASeriesForEachMethodAndTheFront()
    {
        LeaderboardReport report = boardOf({rowOf("lara", 0.1, 4, 40), rowOf("ra", 0.2, 2, 60),
                                            rowOf("topk", 0.5, 3, 20), rowOf("rfa", 0, 9, 20)});
        report.rows.push_back(rowOf("lara", 0.3, 1, 10));
        report.rows.push_back({.attention = "x", .backend = "x", .failure = "no memory"});
        rank(report);
        const Chart chart = leaderboardChart(report);
        QCOMPARE(chart.series.size(), 4U);
        QCOMPARE(chart.front.size(), 4U);
        QVERIFY(chart.x.scale == AxisScale::Log && chart.y.scale == AxisScale::Log);
        for (const ChartSeries& series : chart.series)
            for (const ChartPoint& point : series.points) {
                const LeaderboardRow& one = report.rows[size_t(point.key)];
                QCOMPARE(one.backend, series.backend);
                QCOMPARE(point.x, one.timeRatio());
                QVERIFY(point.y > 0);
                QVERIFY(point.title.find(one.attention) == 0);
            }
        QCOMPARE(leaderboardChart(report, LeaderboardCost::Memory).series.front().points.front().x,
                 report.rows.front().memoryRatio());
    }

    void aNamedAttentionThatDoesNotFitIsRefused()
    {
        THROWS(UsageError, measureLeaderboard(smallRandom, requestOf({"lara:samples=50"}), {}));
        THROWS(UsageError, measureLeaderboard(smallRandom, requestOf({"native"}), {}));
    }
};

ATTNSCOPE_TEST(TestLeaderboard)
#include "tst_leaderboard.moc"
