#include "core/base/error.h"
#include "core/measure/approximation_error.h"
#include "core/measure/latency.h"
#include "core/measure/memory.h"
#include "core/measure/paired_ratio.h"
#include "core/measure/principal_components.h"
#include "core/measure/statistics.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <thread>

using namespace attnscope;

class TestMeasure : public QObject {
    Q_OBJECT

private slots:
    void memoryOfAKnownAllocationPattern()
    {
        AllocationMeter meter(at::kCPU);
        {
            const auto a = at::empty({1024}, at::kFloat);  // 4096
            QCOMPARE(meter.current(), 4096);
            {
                const auto b = at::empty({2048}, at::kFloat);  // 8192
                QCOMPARE(meter.current(), 12288);
            }
            const auto c = at::empty({100}, at::kByte);
            QCOMPARE(meter.current(), 4196);
        }
        QCOMPARE(meter.current(), 0);
        QCOMPARE(meter.peak(), 12288);
    }

    void memoryOfASectionIsCountedFromItsEntry()
    {
        AllocationMeter meter(at::kCPU);
        const auto before = at::empty({1000}, at::kByte);
        meter.beginSection();
        const auto inside = at::empty({500}, at::kByte);
        QCOMPARE(meter.sectionPeak(), 500);
        QCOMPARE(meter.peak(), 1500);
        meter.beginSection();
        QCOMPARE(meter.sectionPeak(), 0);
        at::empty({200}, at::kByte);
        at::empty({100}, at::kByte);
        QCOMPARE(meter.sectionPeak(), 200);
    }

    void memoryOfOtherDevicesDoesNotCount()
    {
        AllocationMeter meter(at::kCUDA);
        const auto tensor = at::empty({1000}, at::kByte);
        QCOMPARE(meter.current(), 0);
        QCOMPARE(meter.peak(), 0);
    }

    void allocationsOutsideTheMeterDoNotCount()
    {
        auto older = at::empty({1000}, at::kByte);
        AllocationMeter meter(at::kCPU);
        older.reset();
        QVERIFY(meter.current() <= 0);
        QCOMPARE(meter.peak(), 0);
    }

    void timerSumsItsSections()
    {
        SectionTimer timer(at::kCPU);
        for (int i = 0; i < 2; ++i) {
            timer.begin();
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            timer.end();
            std::this_thread::sleep_for(std::chrono::milliseconds(30));  // between sections: not counted
        }
        const double sum = timer.take();
        QVERIFY2(sum >= 20 && sum < 50, qPrintable(QString::number(sum)));
        QCOMPARE(timer.take(), 0.0);
    }

    void quantilesInterpolate()
    {
        QCOMPARE(quantile({3, 1, 2}, 0.5), 2.0);
        QCOMPARE(quantile({1, 2}, 0.5), 1.5);
        QCOMPARE(quantile({5}, 0.95), 5.0);
        QCOMPARE(quantile({0, 10}, 0.05), 0.5);
        QCOMPARE(quantile({4, 0, 1, 2}, 0.75), 2.5);
        QCOMPARE(quantile({4, 0, 1, 2}, 0), 0.0);
        QCOMPARE(quantile({4, 0, 1, 2}, 1), 4.0);
        QVERIFY(std::isnan(quantile({}, 0.5)));
        for (const double p : {0.0, 0.5, 1.0})  // sorted, a NaN would stand anywhere
            QVERIFY(std::isnan(quantile({3, std::nan(""), 1}, p)));
        QCOMPARE(meanAndStddev({1, 3}).stddev, std::sqrt(2.0));
        QCOMPARE(meanAndStddev({1, 3}).mean, 2.0);
        QCOMPARE(meanAndStddev({1, 2, 6}).mean, 3.0);
        QCOMPARE(meanAndStddev({1, 2, 6}).stddev, std::sqrt(7.0));
        QCOMPARE(meanAndStddev({7}).stddev, 0.0);
        QCOMPARE(meanAndStddev({}).mean, 0.0);
    }

    void latencySummaryIsMedianAndPercentiles()
    {
        TimingSamples timings;
        for (int i = 0; i <= 100; ++i) {
            timings.totalMs.push_back(i);
            timings.attentionMs.push_back(i / 2.0);
        }
        const Latency latency = timings.summary();
        QCOMPARE(latency.medianMs, 50.0);
        QCOMPARE(latency.p05Ms, 5.0);
        QCOMPARE(latency.p95Ms, 95.0);
        QCOMPARE(latency.attentionMedianMs, 25.0);
        QCOMPARE(latency.attentionP05Ms, 2.5);
        QCOMPARE(latency.attentionP95Ms, 47.5);
        QCOMPARE(latency.repetitions, 101);
    }

    void roundsAreTheMediansOfTheirPasses()
    {
        TimingSamples timings;
        timings.endRound();  // without passes
        for (const double pass : {3.0, 1.0, 8.0, 6.0, 4.0}) {
            timings.totalMs.push_back(pass);
            timings.attentionMs.push_back(pass / 2);
            if (pass == 8 || pass == 4)
                timings.endRound();
        }
        const Latency latency = timings.summary();
        QCOMPARE(latency.roundsMs, (std::vector<double>{3, 5}));
        QCOMPARE(latency.attentionRoundsMs, (std::vector<double>{1.5, 2.5}));
    }

    /// The interval's ends are the order statistics of the sign test: of 6 to 8 values the extremes, of 20 the 6th and 15th, of 100 the 40th and 61st.
    void pairedRatiosHaveTheIntervalOfTheSignTest()
    {
        for (const auto& [count, place] :
             std::vector<std::pair<int, int>>{{6, 1}, {8, 1}, {9, 2}, {12, 3}, {20, 6}, {100, 40}, {1000, 469}}) {
            std::vector<double> ours, theirs;
            for (int i = 0; i < count; ++i) {
                const double drift = 1 + i % 7;  // that both share
                ours.push_back(drift
                               * (1 + (i * 37) % count));  // 37 is prime to all of them: each of 1 … count once
                theirs.push_back(drift);
            }
            const auto ratio = pairedRatio(ours, theirs);
            QVERIFY(ratio);
            QCOMPARE(ratio->rounds, int64_t{count});
            QCOMPARE(ratio->low, static_cast<double>(place));
            QCOMPARE(ratio->high, double(count + 1 - place));
            QCOMPARE(ratio->median, (count + 1) / 2.0);
        }
        const std::vector<double> five(5, 1.0), six(6, 1.0);
        QVERIFY(!pairedRatio(five, six) && !pairedRatio({}, {}) && pairedRatio(six, std::vector<double>(9, 2.0)));
        const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
        QVERIFY(!pairedRatio({1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 0, nan, infinity}));
        QCOMPARE(pairedRatio(std::vector<double>(5000, 2.0), std::vector<double>(5000, 1.0))->rounds, 1000);
    }

    /// A slowdown of the machine that all share neither makes a difference nor hides one.
    void fasterIsWhatIsFasterInTheSameRounds()
    {
        const auto rounds = [](double own) {
            Latency latency;
            for (int i = 0; i < 20; ++i) {
                const double machine = i < 10 ? 1 : 3, noise = 1 + 0.01 * ((i * 7) % 5 - 2) * (own < 1 ? -1 : 1);
                latency.roundsMs.push_back(own * machine * noise);
                latency.attentionRoundsMs.push_back(machine * noise);
            }
            return latency;
        };
        const Latency exact = rounds(1);
        QCOMPARE(compareSpeed(rounds(0.9), exact).speed, Speed::Faster);
        QCOMPARE(compareSpeed(exact, rounds(0.9)).speed, Speed::Slower);
        QCOMPARE(compareSpeed(rounds(0.9), exact, TimedPart::Attention).speed, Speed::Unclear);
        QCOMPARE(compareSpeed(rounds(0.999), exact).speed, Speed::Unclear);
        QCOMPARE(compareSpeed(exact, exact).speed, Speed::Unclear);
        Latency other = rounds(0.5);
        other.session = 1;
        QCOMPARE(compareSpeed(other, exact).speed, Speed::NotPaired);
        QCOMPARE(compareSpeed(Latency{.medianMs = 1, .p05Ms = 1, .p95Ms = 1}, exact).speed, Speed::NotPaired);
        QCOMPARE(compareSpeed({}, {}).speed, Speed::NotPaired);
        // Always faster, but by less than is worth a word.
        Latency hardly = exact;
        for (double& round : hardly.roundsMs)
            round *= 0.998;
        QCOMPARE(compareSpeed(hardly, exact).speed, Speed::Unclear);
    }

    void enoughIsRepetitionsAndSeconds()
    {
        const TimingSamples timings{{500, 1500}, {}};
        QCOMPARE(timings.seconds(), 2.0);
        QVERIFY(timings.enough(2, 2));
        QVERIFY(timings.enough(1, 1));
        QVERIFY(!timings.enough(3, 2));
        QVERIFY(!timings.enough(2, 2.001));
        QVERIFY(TimingSamples().enough(0, 0));
    }

    void fastAlternativesTakeMoreTurns()
    {
        QCOMPARE(timingsPerRound(100, 10, 2), 2);
        QCOMPARE(timingsPerRound(10, 10, 2), 20);
        QCOMPARE(timingsPerRound(100, 3, 1), 4);        // 10 passes in 3 rounds
        QCOMPARE(timingsPerRound(1000, 10, 2), 1);      // its repetitions take longer than that
        QCOMPARE(timingsPerRound(100, 0, 2), 20);       // all in one round
        QCOMPARE(timingsPerRound(0, 10, 0.1), 10'000);  // shorter than a clock can tell
    }

    void alternativesTakeTurnsUntilAllAreDone()
    {
        std::vector<size_t> passes;
        std::vector<size_t> finished;
        std::minstd_rand order(1);
        const auto counted = [&](size_t i) { return size_t(std::ranges::count(passes, i)); };
        takeTurns(
            {0, 1, 2, 3}, order, [&](size_t i) { passes.push_back(i); },
            [&](size_t i) { return counted(i) > 8 * i; }, [&](size_t ended) { finished.push_back(ended); });
        for (size_t i = 0; i < 4; ++i)
            QCOMPARE(counted(i), 8 * i + 1);
        QCOMPARE(finished.size(), 25);
        QCOMPARE(std::ranges::count(finished, size_t{1}), 4);
        // Number 3 follows 2 in some rounds, and precedes it in others.
        std::vector<size_t> both;
        std::ranges::copy_if(passes.begin(), passes.begin() + 40, std::back_inserter(both),
                             [](size_t i) { return i >= 2; });
        int before = 0, after = 0;
        for (size_t i = 0; i + 1 < both.size(); i += 2)
            ++(both[i] == 2 ? before : after);
        QVERIFY(before > 0 && after > 0);
    }

    /// Every head its own error, by the definition; also where keys are in groups, and in a batch of several.
    void differencesAreTakenHeadByHead()
    {
        at::manual_seed(1);
        for (const std::vector<int64_t>& shape :
             std::vector<std::vector<int64_t>>{{2, 3, 5, 4}, {2, 3, 5, 2, 4}}) {
            const auto exact = at::randn(shape, at::kDouble), out = exact + at::randn(shape, at::kDouble);
            const auto heads = headDifferences(out, exact);
            QCOMPARE(heads.size(), 3);
            for (size_t h = 0; h < 3; ++h) {
                const auto own = exact.select(1, int64_t(h)).flatten();
                const auto difference = out.select(1, int64_t(h)).flatten() - own;
                QVERIFY(heads[h].finite);
                QVERIFY(std::abs(heads[h].mse / difference.square().mean().item<double>() - 1) < 1e-12);
                QVERIFY(std::abs(heads[h].relative / (difference.norm() / own.norm()).item<double>() - 1) < 1e-12);
            }
        }
    }

    void differencesFromZeroAreZeroOrInfinite()
    {
        const auto zero = at::zeros({1, 2, 3, 4});
        for (const HeadDifference& head : headDifferences(zero, zero))
            QVERIFY(head.finite && head.mse == 0 && head.relative == 0);
        for (const HeadDifference& head : headDifferences(zero + 2, zero))
            QVERIFY(!head.finite && head.mse == 4 && std::isinf(head.relative));
    }

    void meansOfValuesAreOverKeysOrTheirGroups()
    {
        const auto v = at::arange(12, at::kDouble).reshape({1, 1, 6, 2});  // keys 0 … 5 with values (2m, 2m + 1)
        const auto all = meanOfValues(v, at::zeros({1, 1, 3, 2}));
        QVERIFY(at::equal(all, at::tensor({5.0, 6.0}, at::kDouble).expand({1, 1, 3, 2})));
        const auto groups = meanOfValues(v, at::zeros({1, 1, 3, 2, 2}));
        QVERIFY(at::equal(groups,
                          at::tensor({2.0, 3.0, 8.0, 9.0}, at::kDouble).reshape({2, 2}).expand({1, 1, 3, 2, 2})));
    }

    void collectorAveragesHeadsThenLayersThenSeeds()
    {
        const auto exact = at::ones({1, 2, 3, 4}, at::kDouble);
        ErrorCollector collector(2, 2, false);
        for (int64_t layer = 0; layer < 2; ++layer) {
            collector.addBaselines(layer, exact, exact);
            for (int64_t seed = 0; seed < 2; ++seed)
                collector.add(layer, seed, exact + double(layer + seed + 1), exact, 1);
        }
        // Errors by (layer, seed): 1, 4; 4, 9. Means by seed: 2.5 and 6.5.
        const ApproximationError result = collector.result();
        QCOMPARE(result.error.mse, 4.5);
        QCOMPARE(result.error.mseStddev, std::sqrt(8.0));
        QCOMPARE(result.error.relative, 2.0);
        QCOMPARE(result.layers[0].error.mse, 2.5);
        QCOMPARE(result.layers[1].heads[1].relative, 2.5);
        QCOMPARE(result.layers[0].classToken->mse, 2.5);
        QCOMPARE(result.meanOfValues.mse, 0.0);
        QCOMPARE(result.zeroMse, 1.0);
        QCOMPARE(result.medianRelative, 2.0);
        QCOMPARE(result.seeds, 2);
        QVERIFY(!result.deterministic);
        QCOMPARE(result.layers[1].layer, 1);
        QCOMPARE(result.layers[1].heads.size(), 2);
        QCOMPARE(result.layers[1].zeroMse, 1.0);
    }

    /// Their rows alone; and none where there are none.
    void classTokensAreTheFirstRows()
    {
        const auto exact = at::ones({1, 2, 5, 4}, at::kDouble);
        auto out = exact.clone();
        out.slice(2, 0, 2) += 3;
        ErrorCollector collector(2, 1, true);
        for (const int64_t layer : {0, 1}) {
            const auto values = at::arange(10, at::kDouble).reshape({1, 1, 10, 1}).expand({1, 2, 10, 4});
            collector.addBaselines(layer, values, exact * double(layer + 1));
            collector.add(layer, 0, out, exact, layer == 0 ? 2 : 0);
        }
        const ApproximationError result = collector.result();
        QCOMPARE(result.layers[0].classToken->mse, 9.0);
        QCOMPARE(result.layers[0].classToken->relative, 3.0);
        QVERIFY(!result.layers[1].classToken);
        QCOMPARE(result.layers[0].error.mse, 3.6);
        QVERIFY(result.deterministic);
        // Baselines: the mean of the values is 4.5, of exact outputs 1 and 2.
        QCOMPARE(result.layers[0].meanOfValues.mse, 12.25);
        QCOMPARE(result.layers[1].meanOfValues.mse, 6.25);
        QCOMPARE(result.meanOfValues.mse, 9.25);
        QCOMPARE(result.zeroMse, 2.5);
    }

    void resultsThatAreNotFiniteAreCountedAndLeftOut()
    {
        const auto exact = at::ones({1, 2, 3, 4});
        auto out = exact + 1;
        out.select(1, 0).fill_(INFINITY);
        ErrorCollector collector(1, 1, true);
        collector.addBaselines(0, exact, exact);
        collector.add(0, 0, out, exact, 0);
        const ApproximationError result = collector.result();
        QCOMPARE(result.notFinite, 1);
        QCOMPARE(result.error.mse, 1.0);
        QVERIFY(std::isnan(result.layers[0].heads[0].mse));
    }

    void withoutAnyResultEveryErrorIsNone()
    {
        const ApproximationError result = ErrorCollector(1, 2, false).result();
        for (const double value : {result.error.mse, result.error.mseStddev, result.error.relative,
                                   result.error.relativeStddev, result.medianRelative})
            QVERIFY(std::isnan(value));
        QVERIFY(result.layers[0].heads.empty() && !result.layers[0].classToken);
        // Of one seed that is finite, and one that is not, the former counts.
        const HeadDifference one{2, 1, true}, bad{INFINITY, INFINITY, false};
        const ErrorValue mixed = errorOverSeeds({{bad, bad}, {one, bad}});
        QVERIFY(mixed.mse == 2 && mixed.relative == 1 && mixed.mseStddev == 0 && mixed.relativeStddev == 0);
        QVERIFY(std::isnan(errorOverSeeds({{bad, bad}, {one, bad}}, 1).mse));
        QCOMPARE(errorOverSeeds({{{1, 0.5, true}, one}, {{3, 1.5, true}, one}}, 0).mseStddev, std::sqrt(2.0));
    }

    void componentsAreOfRowsOfFiniteTokens()
    {
        for (const auto& tokens : {at::zeros({0, 4}), at::zeros({2, 3, 4}), at::zeros({4}), at::full({3, 4}, NAN),
                                   at::full({3, 4}, INFINITY)})
            THROWS(UsageError, principalComponents(tokens));
        const PrincipalComponents one = principalComponents(at::ones({1, 4}));
        QCOMPARE(one.variance, 0.0);
        QVERIFY(at::equal(one.colours(at::randn({2, 4})), at::full({2, 3}, 0.5, at::kDouble)));  // nothing varies
    }
};

ATTNSCOPE_TEST(TestMeasure)
#include "tst_measure.moc"
