#include "core/measure/proportions.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace attnscope;

class TestProportions : public QObject {
    Q_OBJECT

private slots:
    /// Brown, Cai, DasGupta (2001) and Newcombe (1998) print these to four digits.
    void wilsonAgreesWithPublishedValues_data()
    {
        columns<int, int, double, double>("correct", "samples", "low", "high");
        row("81 of 263", 81, 263, 0.2553, 0.3662);
        row("15 of 148", 15, 148, 0.0624, 0.1605);
        row("0 of 20", 0, 20, 0.0, 0.1611);
        row("1 of 29", 1, 29, 0.0061, 0.1718);
        row("20 of 20", 20, 20, 0.8389, 1.0);
    }

    void wilsonAgreesWithPublishedValues()
    {
        QFETCH(int, correct);
        QFETCH(int, samples);
        QFETCH(double, low);
        QFETCH(double, high);
        const Interval interval = wilson95(correct, samples);
        QVERIFY2(std::abs(interval.low - low) < 6e-5, std::to_string(interval.low).c_str());
        QVERIFY2(std::abs(interval.high - high) < 6e-5, std::to_string(interval.high).c_str());
    }

    /// Its definition: at the bounds, |p̂ − p| = z √(p(1 − p)/n).
    void wilsonIsTheSetOfProportionsThatTheScoreTestKeeps()
    {
        for (const int64_t samples : {1, 7, 500, 50'000, 10'000'000}) {
            for (const double fraction : {0.0, 0.01, 0.5, 0.798, 1.0}) {
                const auto correct = int64_t(fraction * double(samples));
                const double estimate = double(correct) / double(samples);
                const Interval interval = wilson95(correct, samples);
                QVERIFY(interval.low >= 0 && interval.high <= 1 && interval.low <= estimate
                        && estimate <= interval.high);
                for (const double bound : {interval.low, interval.high}) {
                    if (bound == 0 || bound == 1)
                        continue;
                    const double z = std::abs(estimate - bound) / std::sqrt(bound * (1 - bound) / double(samples));
                    QVERIFY2(std::abs(z - 1.959963984540054) < 1e-6, std::to_string(z).c_str());
                }
            }
        }
        QCOMPARE(wilson95(0, 0).high, 1.0);
    }

    void mcnemarIsTheExactBinomialSum()
    {
        QCOMPARE(mcnemarExact(0, 0), 1.0);
        QCOMPARE(mcnemarExact(5, 5), 1.0);
        for (int n = 1; n <= 50; ++n) {
            uint64_t choose = 1, sum = 0;  // C(n, k), exact
            for (int k = 0; 2 * k < n; ++k) {
                sum += choose;
                const double expected = std::min(1.0, 2 * double(sum) / std::pow(2.0, n));
                const double found = mcnemarExact(k, n - k);
                QVERIFY2(std::abs(found / expected - 1) < 1e-12, qPrintable(QString("%1 of %2: %3, %4")
                                                                                .arg(k)
                                                                                .arg(n)
                                                                                .arg(found, 0, 'g', 17)
                                                                                .arg(expected, 0, 'g', 17)));
                choose = choose * uint64_t(n - k) / uint64_t(k + 1);
            }
        }
    }

    /// From n = 10⁴ on, the normal distribution with Yates' correction is within a part in a hundred where p is not tiny.
    void mcnemarOfManyPairsNeitherOverflowsNorVanishes()
    {
        for (const int64_t n : {10'000LL, 1'000'000LL, 100'000'000LL}) {
            for (const double z : {0.5, 1.0, 2.0, 3.0}) {
                const auto gap = int64_t(z * std::sqrt(double(n)));
                const int64_t a = (n - gap) / 2, b = n - a;
                const double corrected = (double(b - a) - 1) / std::sqrt(double(n));
                const double expected = std::erfc(corrected / std::sqrt(2.0)), found = mcnemarExact(a, b);
                QVERIFY2(std::abs(found / expected - 1) < 0.01,
                         qPrintable(QString("%1 %2 %3 %4").arg(n).arg(z).arg(found).arg(expected)));
            }
        }
        const double tiny = mcnemarExact(0, 900);
        QVERIFY(std::abs(std::log2(tiny) + 899) < 1e-9);
        QVERIFY(mcnemarExact(0, 100'000) == 0);
    }

    void mcnemarIsSymmetric()
    {
        for (int a = 0; a < 40; ++a)
            for (int b = 0; b < 40; ++b)
                QCOMPARE(mcnemarExact(a, b), mcnemarExact(b, a));
    }

    /// Sorted 0.005, 0.01, 0.03, 0.04, times 4, 3, 2, 1, and never less than the one before.
    void holmMultipliesTheSmallestPMost()
    {
        const std::vector<HolmTest> tests = holm({0.01, 0.04, 0.03, 0.005});
        const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
        const std::vector<int64_t> factors{3, 1, 2, 4};
        for (size_t i = 0; i < tests.size(); ++i) {
            QVERIFY(std::abs(tests[i].adjusted - expected[i]) < 1e-15);
            QCOMPARE(tests[i].factor, factors[i]);
        }
        QCOMPARE(holm({0.7, 0.8})[0].adjusted, 1.0);
        QVERIFY(holm({}).empty());
    }

    /// Its ends are those of the difference's normal approximation, whose standard error is √(b + c − (b − c)²/n) / n.
    void bootstrapAgreesWithTheStandardErrorOfPairedDifferences()
    {
        for (const auto& [onlyA, onlyB, samples] :
             {std::array<int64_t, 3>{120, 60, 50'000}, {4000, 3900, 50'000}, {30, 400, 1000}}) {
            const auto n = double(samples), a = double(onlyA), b = double(onlyB);
            const double error = std::sqrt(a + b - (a - b) * (a - b) / n) / n, difference = (b - a) / n;
            const Interval interval = bootstrapDifference95(onlyA, onlyB, samples);
            QVERIFY(std::abs(interval.low - (difference - 1.96 * error)) < 0.1 * error);
            QVERIFY(std::abs(interval.high - (difference + 1.96 * error)) < 0.1 * error);
            const Interval again = bootstrapDifference95(onlyA, onlyB, samples);
            QVERIFY(again.low == interval.low && again.high == interval.high);
        }
        const Interval oneSided = bootstrapDifference95(30, 0, 100);
        QVERIFY(oneSided.low < -0.3 && oneSided.high > -0.3 && oneSided.high < 0);
        for (const auto& [onlyA, onlyB, samples] : {std::array<int64_t, 3>{0, 0, 10}, {0, 0, 0}, {5, 5, 3}}) {
            const Interval none = bootstrapDifference95(onlyA, onlyB, samples);
            QVERIFY(none.low == 0 && none.high == 0);
        }
        QCOMPARE(bootstrapDifference95(0, 10, 10).low, 1.0);
    }
};

ATTNSCOPE_EVENT_TEST(TestProportions)
#include "tst_proportions.moc"
