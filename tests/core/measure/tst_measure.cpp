// SPDX-License-Identifier: Apache-2.0
#include "core/measure/approximation_error.h"
#include "core/measure/latency.h"
#include "core/measure/memory.h"
#include "core/measure/statistics.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <chrono>
#include <cmath>
#include <thread>

using namespace attnscope;

class TestMeasure : public QObject {
    Q_OBJECT

private slots:
    void memoryOfAKnownAllocationPattern();
    void memoryOfASectionIsCountedFromItsEntry();
    void allocationsOutsideTheMeterDoNotCount();
    void timerSumsItsSections();
    void quantilesInterpolate();
    void latencySummaryIsMedianAndPercentiles();
    void collectorAveragesHeadsThenLayersThenSeeds();
    void resultsThatAreNotFiniteAreCountedAndLeftOut();
};

void TestMeasure::memoryOfAKnownAllocationPattern()
{
    AllocationMeter meter(at::kCPU);
    {
        const auto a = at::empty({1024}, at::kFloat);  // 4096
        QCOMPARE(meter.current(), std::int64_t{4096});
        {
            const auto b = at::empty({2048}, at::kFloat);  // 8192
            QCOMPARE(meter.current(), std::int64_t{12288});
        }
        const auto c = at::empty({100}, at::kByte);
        QCOMPARE(meter.current(), std::int64_t{4196});
    }
    QCOMPARE(meter.current(), std::int64_t{0});
    QCOMPARE(meter.peak(), std::int64_t{12288});
}

void TestMeasure::memoryOfASectionIsCountedFromItsEntry()
{
    AllocationMeter meter(at::kCPU);
    const auto before = at::empty({1000}, at::kByte);
    meter.beginSection();
    const auto inside = at::empty({500}, at::kByte);
    QCOMPARE(meter.sectionPeak(), std::int64_t{500});
    QCOMPARE(meter.peak(), std::int64_t{1500});
}

void TestMeasure::allocationsOutsideTheMeterDoNotCount()
{
    auto older = at::empty({1000}, at::kByte);
    AllocationMeter meter(at::kCPU);
    older.reset();
    QVERIFY(meter.current() <= 0);
    QCOMPARE(meter.peak(), std::int64_t{0});
}

void TestMeasure::timerSumsItsSections()
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

void TestMeasure::quantilesInterpolate()
{
    QCOMPARE(quantile({3, 1, 2}, 0.5), 2.0);
    QCOMPARE(quantile({1, 2}, 0.5), 1.5);
    QCOMPARE(quantile({5}, 0.95), 5.0);
    QCOMPARE(quantile({0, 10}, 0.05), 0.5);
    QVERIFY(std::isnan(quantile({}, 0.5)));
    for (const double p : {0.0, 0.5, 1.0})  // sorted, a NaN would stand anywhere
        QVERIFY(std::isnan(quantile({3, std::nan(""), 1}, p)));
    QCOMPARE(meanAndStddev({1, 3}).stddev, std::sqrt(2.0));
    QCOMPARE(meanAndStddev({7}).stddev, 0.0);
}

void TestMeasure::latencySummaryIsMedianAndPercentiles()
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
    QCOMPARE(latency.repetitions, std::int64_t{101});
}

void TestMeasure::collectorAveragesHeadsThenLayersThenSeeds()
{
    const auto exact = at::ones({1, 2, 3, 4}, at::kDouble);
    ErrorCollector collector(2, 2, false);
    for (std::int64_t layer = 0; layer < 2; ++layer) {
        collector.addBaselines(layer, exact, exact);
        for (std::int64_t seed = 0; seed < 2; ++seed)
            collector.add(layer, seed, exact + static_cast<double>(layer + seed + 1), exact, 1);
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
}

void TestMeasure::resultsThatAreNotFiniteAreCountedAndLeftOut()
{
    const auto exact = at::ones({1, 2, 3, 4});
    auto out = exact + 1;
    out.select(1, 0).fill_(INFINITY);
    ErrorCollector collector(1, 1, true);
    collector.addBaselines(0, exact, exact);
    collector.add(0, 0, out, exact, 0);
    const ApproximationError result = collector.result();
    QCOMPARE(result.notFinite, std::int64_t{1});
    QCOMPARE(result.error.mse, 1.0);
    QVERIFY(std::isnan(result.layers[0].heads[0].mse));
}

ATTNSCOPE_TEST(TestMeasure)
#include "tst_measure.moc"
