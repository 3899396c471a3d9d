#include "core/attention/methods/softmax.h"
#include "core/attention/token_distances.h"
#include "core/base/error.h"
#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include <array>
#include <cmath>
#include <functional>

using namespace attnscope;
using namespace attnscope::test;

namespace {

constexpr double rounding = 1e-10;  // float64

using Distance = std::function<double(int64_t query, int64_t key)>;

/// Rows and columns of a token, or none: written out, from the definition.
struct Place {
    bool placed = false;
    double row = 0, column = 0;
};

Place placeOf(int64_t token, int64_t prefix, int64_t columns)
{
    if (token < prefix)
        return {};
    return {true, double((token - prefix) / columns), double((token - prefix) % columns)};
}

double euclidean(const Place& a, const Place& b)
{
    return a.placed && b.placed ? std::hypot(a.row - b.row, a.column - b.column) : 0;
}

at::Tensor biasOf(int64_t queries, int64_t keys, const Distance& distance)
{
    auto bias = at::zeros({queries, keys}, at::kDouble);
    for (int64_t n = 0; n < queries; ++n)
        for (int64_t m = 0; m < keys; ++m)
            bias[n][m] = distance(n, m);
    return bias;
}

/// Softmax of the logits minus the slopes times the distances.
at::Tensor alibiByLoop(const AttentionInput& in, const std::vector<double>& slopes, const Distance& distance)
{
    const auto logits = at::matmul(in.q, in.k.transpose(-1, -2)) * in.scale;
    const auto bias = at::tensor(slopes, at::kDouble).view({-1, 1, 1})
                      * biasOf(in.q.size(2), in.k.size(2), distance);
    return at::matmul((logits - bias).softmax(-1), in.v);
}

/// softmax(ReLU(s q·k) (1 + e^b) / (1 + e^(b − a R))) v as printed.
at::Tensor distanceByLoop(const AttentionInput& in, double alpha, double beta, const Distance& distance)
{
    const auto logits = at::relu(at::matmul(in.q, in.k.transpose(-1, -2)) * in.scale);
    const auto apart = biasOf(in.q.size(2), in.k.size(2), distance) * alpha;
    return at::matmul((logits * ((1 + std::exp(beta)) / (1 + (beta - apart).exp()))).softmax(-1), in.v);
}

AttentionInput inputOf(const TokenLayout& layout, int64_t heads = 2, uint64_t seed = 1)
{
    AttentionInput in = randomInput({2, heads, layout.count(), layout.count(), 8, 6}, seed);
    in.tokens = layout;
    return in;
}

}

/// Positions as an intervention: alibi and distance.
class TestAttentionPositions : public QObject {
    Q_OBJECT

private slots:
    void slopesAreThePublishedOnes_data()
    {
        columns<QList<double>>("slopes");
        row("1 head", QList<double>{1.0 / 256});
        row("2 heads", QList<double>{1.0 / 16, 1.0 / 256});
        row("3 heads", QList<double>{1.0 / 16, 1.0 / 256, 1.0 / 4});
        row("6 heads", QList<double>{1.0 / 4, 1.0 / 16, 1.0 / 64, 1.0 / 256, 1.0 / 2, 1.0 / 8});
        row("8 heads",
            QList<double>{1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64, 1.0 / 128, 1.0 / 256});
        row("12 heads", QList<double>{1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64, 1.0 / 128,
                                      1.0 / 256, M_SQRT1_2, M_SQRT1_2 / 2.0, M_SQRT1_2 / 4.0, M_SQRT1_2 / 8.0});
    }

    void slopesAreThePublishedOnes()
    {
        QFETCH(const QList<double>, slopes);
        // Two keys with equal logits at distances 0 and 1: the logarithm of the ratio of their weights is the slope.
        const auto heads = int64_t(slopes.size());
        AttentionInput in = randomInput({1, heads, 2, 2, 4, 2}, 1);
        in.q = at::zeros_like(in.q);
        in.v = at::eye(2, at::kDouble).expand({1, heads, 2, 2});
        const auto weights = attend("alibi", in).select(2, 0);  // (1,H,2)
        for (int64_t h = 0; h < heads; ++h) {
            const double measured = (weights[0][h][0].log() - weights[0][h][1].log()).item<double>();
            QVERIFY2(std::abs(measured - slopes[h]) < 1e-12,
                     qPrintable(QString("head %1: %2, not %3").arg(h).arg(measured).arg(slopes[h])));
        }
    }

    void distancesFollowTheMetric_data()
    {
        columns<int, int, QList<double>>("metric", "places", "fromTheFirst");
        const auto row = [](const char* name, DistanceMetric metric, DistancePlaces places,
                            const QList<double>& expected) {
            QTest::newRow(name) << int(metric) << int(places) << expected;
        };
        row("euclidean", DistanceMetric::Euclidean, DistancePlaces::Grid,
            {0, 0, 1, 2, 1, std::sqrt(2.0), std::sqrt(5.0)});
        row("chebyshev", DistanceMetric::Chebyshev, DistancePlaces::Grid, {0, 0, 1, 2, 1, 1, 2});
        row("manhattan", DistanceMetric::Manhattan, DistancePlaces::Grid, {0, 0, 1, 2, 1, 2, 3});
        row("line", DistanceMetric::Euclidean, DistancePlaces::Line, {0, 0, 1, 2, 3, 4, 5});
        row("sequence", DistanceMetric::Chebyshev, DistancePlaces::Sequence, {1, 0, 1, 2, 3, 4, 5});
    }

    void distancesFollowTheMetric()
    {
        QFETCH(const int, metric);
        QFETCH(const int, places);
        QFETCH(const QList<double>, fromTheFirst);
        const AttentionInput in = inputOf({1, 1, 2, 3});
        const TokenDistances distances(in, static_cast<DistanceMetric>(metric),
                                       static_cast<DistancePlaces>(places));
        const auto row = distances.between(1, 2, 7)[0];  // of the first patch
        for (int m = 0; m < 7; ++m)
            QCOMPARE(row[m].item<double>(), fromTheFirst[m]);
        const bool sequence = static_cast<DistancePlaces>(places) == DistancePlaces::Sequence;
        QCOMPARE(distances.between(0, 1, 7).abs().max().item<double>(), sequence ? 6.0 : 0.0);
    }

    void alibiIsTheFormulaForAnyPrefix_data()
    {
        columns<int>("prefix");
        for (const int prefix : {0, 1, 2, 5})
            addRow("prefix %d", prefix) << prefix;
    }

    void alibiIsTheFormulaForAnyPrefix()
    {
        QFETCH(const int, prefix);
        const AttentionInput in = inputOf({prefix, 1, 4, 5}, 3);
        const auto apart = [&](int64_t n, int64_t m) {
            return euclidean(placeOf(n, prefix, 5), placeOf(m, prefix, 5));
        };
        const auto expected = alibiByLoop(in, {1.5 / 16, 1.5 / 256, 1.5 / 4}, apart);
        QVERIFY(difference(attend("alibi:slope=1.5", in), expected) < rounding);
    }

    void distanceIsTheFormulaAsPrinted()
    {
        const AttentionInput in = inputOf({1, 1, 4, 5});
        const auto apart = [](int64_t n, int64_t m) { return euclidean(placeOf(n, 1, 5), placeOf(m, 1, 5)); };
        for (const auto& [alpha, beta] : {std::pair(-0.5, 1.0), std::pair(0.7, -2.0), std::pair(3.0, 4.0)}) {
            const std::string spec = "distance:alpha=" + toText(OptionValue(alpha))
                                     + ",beta=" + toText(OptionValue(beta));
            QVERIFY2(difference(attend(spec, in), distanceByLoop(in, alpha, beta, apart)) < rounding,
                     spec.c_str());
        }
    }

    void aCausalBiasIsThePublishedTrick()
    {
        // Their code adds slope · m instead of −slope · (n − m): equal under a causal softmax. A grid and class tokens change nothing.
        const AttentionInput in = inputOf({1, 1, 3, 4}, 4);
        auto logits = at::matmul(in.q, in.k.transpose(-1, -2)) * in.scale;
        const auto slopes = at::tensor({0.25, 0.0625, 0.015625, 0.00390625}, at::kDouble).view({4, 1, 1});
        const auto later = at::ones({13, 13}, at::kBool).triu(1);
        logits = (logits + slopes * at::arange(13, at::kDouble))
                     .masked_fill(later, -std::numeric_limits<double>::infinity());
        QVERIFY(difference(attend("alibi:causal=true", in), at::matmul(logits.softmax(-1), in.v)) < rounding);
        QVERIFY(difference(attend("alibi:causal=true", in).select(2, 0), in.v.select(2, 0)) < rounding);
    }

    void causalCountsOnlyWhatItSees()
    {
        const AttentionInput in = inputOf({0, 1, 4, 5}, 8);
        QCOMPARE(make("alibi:causal=true", in)->multiplyAdds({8, 20, 20, 6, 6}),
                 20160.0);  // as the golden's header
        QCOMPARE(make("alibi", in)->multiplyAdds({8, 20, 20, 6, 6}), 8.0 * 400 * 12);
        QCOMPARE(make("distance", in)->multiplyAdds({8, 20, 20, 6, 6}), 8.0 * 400 * 12);
    }

    void causalRefusesFramesAndOtherKeys()
    {
        AttentionInput frames = inputOf({0, 2, 2, 3});
        frames.keyGroups = 2;
        REFUSES(UsageError, attend("alibi:causal=true", frames), "frames");
        const AttentionInput cross = randomInput({1, 2, 9, 5, 8, 8}, 1);
        REFUSES(UsageError, attend("alibi:causal=true", cross), "as many queries as keys");
    }

    void withoutPositionsItIsSoftmax_data()
    {
        rows("spec", {"alibi:slope=0", "alibi:slope=0,metric=manhattan", "distance:relu=false,alpha=0",
                      "distance:relu=false,alpha=0,beta=-3,places=line"});
    }

    void withoutPositionsItIsSoftmax()
    {
        FETCH_TEXT(spec);
        for (const TokenLayout& layout :
             {TokenLayout{1, 1, 4, 5}, TokenLayout{0, 1, 3, 7}, TokenLayout{5, 1, 2, 2}}) {
            const AttentionInput in = inputOf(layout);
            QVERIFY(difference(attend(spec, in), softmaxOf(in)) < rounding);
        }
    }

    void reluWithoutDistancesIsNotSoftmax()
    {
        const AttentionInput in = inputOf({1, 1, 4, 5});
        QVERIFY(difference(attend("distance:alpha=0", in), softmaxOf(in)) > 1e-3);
        QCOMPARE(AttentionSpec::parse("distance:relu=true").canonical(), "distance");
        QCOMPARE(AttentionSpec::parse("distance:relu=false").canonical(), "distance:relu=false");
    }

    void distancesThatOverflowStayFinite()
    {
        for (const auto type : {at::kDouble, at::kFloat, at::kHalf}) {
            AttentionInput in = randomInput({1, 2, 65, 65, 8, 8}, 3, type);
            in.tokens = {1, 1, 8, 8};
            for (const char* spec : {"distance:alpha=-900", "distance:alpha=1024,beta=20",
                                     "distance:alpha=-1024,beta=-20", "alibi:slope=1024"})
                QVERIFY2(isFinite(attend(spec, in)), spec);
        }
    }

    void keysOfAnotherGridStandForTheQueriesAtTheirCentres()
    {
        // A 2 × 3 grid of keys behind one token without a place, for queries on 6 × 6: rows 1 and 4, columns 1, 3 and 5.
        AttentionInput in = randomInput({1, 2, 36, 7, 8, 5}, 4);
        in.tokens = {0, 1, 6, 6};
        in.keyTokens = {1, 1, 2, 3};
        constexpr std::array<double, 2> rows{1, 4};
        constexpr std::array<double, 3> columns{1, 3, 5};
        const auto keyPlace = [&](int64_t m) {
            const Place own = placeOf(m, 1, 3);
            return own.placed ? Place{true, rows[size_t(own.row)], columns[size_t(own.column)]} : own;
        };
        const auto apart = [&](int64_t n, int64_t m) { return euclidean(placeOf(n, 0, 6), keyPlace(m)); };
        QVERIFY(difference(attend("alibi", in), alibiByLoop(in, {1.0 / 16, 1.0 / 256}, apart)) < rounding);
        // Of equal grids every key stands for itself.
        AttentionInput same = inputOf({0, 1, 4, 5});
        const auto plain = attend("alibi", same);
        same.keyTokens = same.tokens;
        QVERIFY(attend("alibi", same).equal(plain));
    }

    void keysWithoutAGridStandForTheQueriesLine()
    {
        // Five keys for ten queries in 2 rows of 5: places 1, 3, 5, 7, 9 of the row-major line.
        AttentionInput in = randomInput({1, 2, 10, 5, 8, 5}, 5);
        in.tokens = {0, 1, 2, 5};
        const auto apart = [](int64_t n, int64_t m) {
            return euclidean(placeOf(n, 0, 5), placeOf(2 * m + 1, 0, 5));
        };
        QVERIFY(difference(attend("alibi", in), alibiByLoop(in, {1.0 / 16, 1.0 / 256}, apart)) < rounding);
        in.tokens = {};
        const auto lined = [](int64_t n, int64_t m) { return std::abs(double(n - 2 * m - 1)); };
        QVERIFY(difference(attend("alibi", in), alibiByLoop(in, {1.0 / 16, 1.0 / 256}, lined)) < rounding);
    }

    void keysWithTokensBeforeAnUnknownGridKeepThemGlobal()
    {
        AttentionInput in = randomInput({1, 2, 10, 7, 8, 5}, 6);
        in.tokens = {0, 1, 2, 5};
        in.keyTokens.prefix = 2;
        const auto apart = [](int64_t n, int64_t m) {
            return m < 2 ? 0 : euclidean(placeOf(n, 0, 5), placeOf(2 * (m - 2) + 1, 0, 5));
        };
        QVERIFY(difference(attend("alibi", in), alibiByLoop(in, {1.0 / 16, 1.0 / 256}, apart)) < rounding);
    }

    void framesHaveThePlacesOfAFrame()
    {
        AttentionInput in = inputOf({0, 3, 2, 4});
        in.keyGroups = 3;
        const auto out = attend("alibi", in);  // (B,H,N,3,Dv)
        QCOMPARE(out.sizes().vec(), (std::vector<int64_t>{2, 2, 24, 3, 6}));
        const auto apart = [](int64_t n, int64_t m) { return euclidean(placeOf(n % 8, 0, 4), placeOf(m, 0, 4)); };
        for (int64_t frame = 0; frame < 3; ++frame) {
            AttentionInput one = in;
            one.keyGroups = 1;
            one.k = in.k.slice(2, 8 * frame, 8 * frame + 8);
            one.v = in.v.slice(2, 8 * frame, 8 * frame + 8);
            QVERIFY(difference(out.select(3, frame), alibiByLoop(one, {1.0 / 16, 1.0 / 256}, apart)) < rounding);
            QVERIFY(difference(attend("alibi", one), out.select(3, frame)) < rounding);  // a frame's keys alone
        }
    }

    void framesWithOneNormaliserAreOneLine()
    {
        const AttentionInput in = inputOf({1, 3, 2, 4});
        const auto apart = [](int64_t n, int64_t m) { return n == 0 || m == 0 ? 0 : std::abs(double(n - m)); };
        QVERIFY(difference(attend("alibi", in), alibiByLoop(in, {1.0 / 16, 1.0 / 256}, apart)) < rounding);
    }

    void permutingPatchesWithTheirKeysPermutesTheOutputOfALine()
    {
        // Distances are symmetric: a line read backwards is the same line.
        AttentionInput in = randomInput({1, 2, 12, 12, 8, 6}, 8), reversed = in;
        for (at::Tensor* x : {&reversed.q, &reversed.k, &reversed.v})
            *x = x->flip(2);
        for (const char* spec : {"alibi", "distance"})
            QVERIFY2(difference(attend(spec, reversed).flip(2), attend(spec, in)) < rounding, spec);
    }

    void aVectorAddedToEveryKeyChangesDistanceAlone()
    {
        const AttentionInput in = inputOf({1, 1, 4, 5});
        AttentionInput moved = in;
        moved.k = in.k + at::linspace(-1, 2, 8, in.k.options());
        QVERIFY(difference(attend("alibi", in), attend("alibi", moved)) < rounding);
        QVERIFY(difference(attend("distance", in), attend("distance", moved)) > 1e-3);
    }

    void recordedHeadsOverrideTheOptions()
    {
        const AttentionInput in = inputOf({1, 1, 4, 5});
        const AttentionParameters recorded{{"alpha", at::tensor({-0.7, 0.4})}, {"beta", at::tensor({0.5, -1.0})}};
        SeededNoise none(0, 0);
        const auto out = make("distance:alpha=3,beta=3", in, recorded)->attend(in, none);
        const auto head = [&](const char* spec, int64_t h) {
            return difference(attend(spec, in).select(1, h), out.select(1, h));
        };
        QVERIFY(head("distance:alpha=-0.7,beta=0.5", 0) < 1e-6);  // they are recorded as float32
        QVERIFY(head("distance:alpha=0.4,beta=-1", 1) < 1e-6);
        QVERIFY(head("distance:alpha=-0.7,beta=0.5", 1) > 1e-3);
    }

    void recordedHeadsOfAnotherNumberAreRefused()
    {
        const AttentionInput in = inputOf({0, 1, 2, 3});
        const auto sentence = refusal([&] { make("distance", in, {{"alpha", at::zeros({3})}}); });
        SAYS(sentence, "one number for each of 2 heads");
        THROWS(UsageError, make("distance", in, {{"beta", at::full({2}, 200.0)}}));
    }

    void blocksOfQueriesDoNotChangeIt()
    {
        // 2,000 keys in 4 heads: blocks of 32 queries.
        AttentionInput in = randomInput({1, 4, 2000, 2000, 4, 4}, 9);
        in.tokens = {0, 1, 40, 50};
        for (const char* spec : {"alibi", "alibi:causal=true", "distance"}) {
            const auto whole = attend(spec, in).slice(2, 990, 1000);
            AttentionInput few = in;
            if (std::string(spec) == "alibi:causal=true") {
                for (at::Tensor* x : {&few.q, &few.k, &few.v})
                    *x = x->slice(2, 0, 1000);
                few.tokens = {0, 1, 20, 50};
                QVERIFY2(difference(attend(spec, few).slice(2, 990, 1000), whole) < rounding, spec);
                continue;
            }
            // The same queries as rows 0 … of a batch of their own: the whole matrix at once.
            const TokenDistances distances(in, DistanceMetric::Euclidean, DistancePlaces::Grid);
            const auto apart = distances.between(990, 1000, 2000);
            const auto logits = at::matmul(in.q.slice(2, 990, 1000), in.k.transpose(-1, -2)) * in.scale;
            const auto slopes = at::tensor({0.25, 0.0625, 0.015625, 0.00390625}, at::kDouble).view({4, 1, 1});
            const auto factor = (1 + std::exp(1.0)) * (apart * -0.5 - 1).sigmoid();
            const auto changed = std::string(spec) == "alibi" ? logits - slopes * apart : logits.relu() * factor;
            QVERIFY2(difference(at::matmul(changed.softmax(-1), in.v), whole) < rounding, spec);
        }
    }
};

ATTNSCOPE_TEST(TestAttentionPositions)
#include "tst_attention_positions.moc"
