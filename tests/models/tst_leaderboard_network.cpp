#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/lab/approximate.h"
#include "core/lab/leaderboard/leaderboard_json.h"
#include "core/lab/leaderboard/leaderboard_ranking.h"
#include "tests/models/golden_models.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

class NoObserver : public RunObserver {};

}

/// A leaderboard on a network: the same figures as the instruments for one attention.
class TestLeaderboardNetwork : public QObject {
    Q_OBJECT

private slots:
    void errorsAndEffectsAreThoseOfApproximateAndCompare()
    {
        const auto model = goldenModel();
        const std::vector<InputSource> inputs{waves(0.1f), waves(0.37f)};
        std::vector<AttentionSpec> attention;
        for (const char* text :
             {"performer:samples=16", "lara:samples=4,prefix_attention=rows", "pooled-sra:samples=4"})
            attention.push_back(AttentionSpec::parse(text));
        const LeaderboardReport board = measureLeaderboard(
            NetworkInputs{model, inputs},
            {.attention = attention, .seed = 1, .seeds = 3, .seconds = 0, .minimumRepetitions = 2}, {});
        const ApproximateReport errors = approximate(NetworkInputs{model, inputs},
                                                     {.flat = attention, .seed = 1, .seeds = 3}, {}, {});
        NoObserver observer;
        const RunReport compared = run(
            *model, inputs, {.attention = attention, .seed = 1, .seeds = 3, .latency = false, .memory = false},
            observer, {});
        QVERIFY(board.hasClasses && board.model && board.complete());
        QCOMPARE(board.inputs, 2);
        for (size_t i = 0; i < attention.size(); ++i) {
            const auto row = std::ranges::find(board.rows, attention[i].canonical(), &LeaderboardRow::attention);
            QVERIFY(row != board.rows.end());
            QVERIFY2(row->failure.empty(), row->failure.c_str());
            const CurvePoint& point = errors.curves[i].points.front();
            QCOMPARE(row->relative, point.error.relative);
            QCOMPARE(row->medianRelative, point.medianRelative);
            QCOMPARE(int64_t(row->layers.size()), board.layers);
            double kl = 0, agreement = 0;
            for (const InputRecord& input : compared.inputs) {
                kl += input.runs[i].endToEnd->kl / 2;
                agreement += input.runs[i].endToEnd->top1Agreement / 2;
            }
            QVERIFY2(std::abs(*row->effect->kl - kl) <= 1e-9 + 1e-6 * kl,
                     (row->attention + " " + std::to_string(kl)).c_str());
            QCOMPARE(*row->effect->agreement, agreement);
            QVERIFY(!row->effect->cosine);
            QVERIFY(kl > 0);
        }
    }

    void everyCandidateOfTheRegistryIsMeasuredOrSaysWhyNot()
    {
        const auto model = goldenModel();
        const LeaderboardReport board = measureLeaderboard(
            NetworkInputs{model, {waves(0.1f)}},
            {.samples = {4}, .seeds = 1, .seconds = 0, .minimumRepetitions = 1}, {});
        QVERIFY(board.complete());
        for (const BackendInfo& info : backends()) {
            const bool measured = std::ranges::any_of(
                board.rows, [&](const LeaderboardRow& row) { return row.backend == info.name; });
            const auto omitted = std::ranges::find(board.omitted, info.name, &LeaderboardOmission::attention);
            QVERIFY2(measured || info.kind == AttentionKind::Exact
                         || (omitted != board.omitted.end() && !omitted->reason.empty()),
                     info.name.c_str());
        }
        for (const LeaderboardRow& row : board.rows)
            QVERIFY2(row.failure.empty(), (row.attention + ": " + row.failure).c_str());
        // What is written can be read and continued.
        QCOMPARE(toJson(board)["rows"].size(), board.rows.size());
    }

    void inputsThatCannotBeReadAreListed()
    {
        const auto model = goldenModel();
        const InputSource broken{.path = "broken",
                                 .load = []() -> LoadedInput { throw FileError("broken", "it is not an image"); }};
        const LeaderboardRequest request{.attention = {AttentionSpec::parse("topk:samples=4")},
                                         .seeds = 1,
                                         .seconds = 0,
                                         .minimumRepetitions = 1};
        const LeaderboardReport board = measureLeaderboard(NetworkInputs{model, {broken, waves(0.1f)}}, request,
                                                           {});
        QCOMPARE(board.unreadable.size(), 1U);
        QCOMPARE(board.inputs, 1);
        THROWS(UsageError, measureLeaderboard(NetworkInputs{model, {broken}}, request, {}));
    }
};

ATTNSCOPE_TEST(TestLeaderboardNetwork)
#include "tst_leaderboard_network.moc"
