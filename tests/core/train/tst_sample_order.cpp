// Which samples a step sees, on how many processes, at which learning rate.
#include "core/train/adamw.h"
#include "core/train/sample_order.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

using namespace attnscope;

namespace {

using Samples = std::vector<int64_t>;

bool isPermutation(Samples order)
{
    std::sort(order.begin(), order.end());
    for (size_t i = 0; i < order.size(); ++i)
        if (order[i] != int64_t(i))
            return false;
    return true;
}

}

class TestSampleOrder : public QObject {
    Q_OBJECT

private slots:
    void anOrderVisitsEverySampleOnce()
    {
        for (const int64_t count : {0, 1, 2, 3, 96, 1000})
            for (uint64_t epoch = 0; epoch < 4; ++epoch) {
                const Samples order = epochOrder(count, 7, epoch);
                QCOMPARE(int64_t(order.size()), count);
                QVERIFY(isPermutation(order));
            }
    }

    void anOrderDependsOnSeedAndEpochAlone()
    {
        QVERIFY(epochOrder(100, 3, 5) == epochOrder(100, 3, 5));
        std::set<Samples> orders;
        for (uint64_t seed = 0; seed < 5; ++seed)
            for (uint64_t epoch = 1; epoch < 9; ++epoch)
                orders.insert(epochOrder(100, seed, epoch));
        QCOMPARE(orders.size(), 40);
    }

    void aSampleIsEquallyLikelyInEachPlace()
    {
        constexpr int64_t count = 10, epochs = 5000;
        std::vector<std::vector<int>> seen(count, std::vector<int>(count));
        for (uint64_t epoch = 0; epoch < epochs; ++epoch) {
            const Samples order = epochOrder(count, 11, epoch);
            for (size_t place = 0; place < order.size(); ++place)
                ++seen[place][size_t(order[place])];
        }
        // χ² of a 10×10 table with fixed sums has 81 degrees of freedom: mean 81, standard deviation √162 = 12.7; six of these above the mean.
        double chi = 0;
        for (const auto& place : seen)
            for (const int times : place)
                chi += std::pow(times - epochs / 10.0, 2) / (epochs / 10.0);
        QCOMPARE_LT(chi, 81 + 6 * 12.7);
    }

    void theLastIncompleteBatchIsLeftOut()
    {
        QCOMPARE(batchesOf(0, 8), 0);
        QCOMPARE(batchesOf(5, 8), 1);
        QCOMPARE(batchesOf(8, 8), 1);
        QCOMPARE(batchesOf(15, 8), 1);
        QCOMPARE(batchesOf(16, 8), 2);
        // The only one, though incomplete, is not left out.
        QCOMPARE(batchPart(epochOrder(5, 0, 1), 8, 0, 0, 1).size(), 5);
    }

    void sharesOfProcessesUniteToTheBatch_data()
    {
        columns<int, int>("count", "batch");
        for (const int batch : {1, 2, 3, 7, 8, 64})
            for (const int count : {1, 5, 64, 100})
                addRow("%d samples, batches of %d", count, batch) << count << batch;
    }

    void sharesOfProcessesUniteToTheBatch()
    {
        QFETCH(int, count);
        QFETCH(int, batch);
        const Samples order = epochOrder(count, 1, 2);
        for (int64_t index = 0; index < batchesOf(count, batch); ++index) {
            const Samples whole = batchPart(order, batch, index, 0, 1);
            const auto begin = order.begin() + index * batch;
            QVERIFY(whole == Samples(begin, begin + std::min<int64_t>(batch, count - index * batch)));
            for (int64_t size = 2; size <= 5; ++size) {
                Samples united;
                for (int64_t rank = 0; rank < size; ++rank) {
                    const Samples fraction = batchPart(order, batch, index, rank, size);
                    // As even as pairs allow.
                    QVERIFY(double(fraction.size()) < double(whole.size()) / double(size) + 2);
                    united.insert(united.end(), fraction.begin(), fraction.end());
                }
                QVERIFY2(united == whole, qPrintable(QString("%1 processes").arg(size)));
            }
        }
    }

    void pairsStayInOneProcess()
    {
        const Samples order = epochOrder(50, 4, 4);
        for (int64_t size = 1; size <= 7; ++size)
            for (const int64_t batch : {9, 10, 25})
                for (int64_t rank = 0; rank < size; ++rank) {
                    const Samples fraction = batchPart(order, batch, 0, rank, size);
                    if (fraction.empty())
                        continue;
                    const auto place = std::find(order.begin(), order.end(), fraction.front()) - order.begin();
                    QCOMPARE(place % 2, ptrdiff_t{0});
                }
    }

    void theRateRisesThenFallsAsACosine()
    {
        OptimizerPlan plan;
        plan.learningRate = 1e-3;
        plan.finalRate = 1e-5;
        plan.warmupEpochs = 5;
        const auto near = [](double a, double b) { return std::abs(a - b) < 1e-15; };
        QVERIFY(near(learningRateAt(plan, 0, 30), 1e-5));        // 1 % of the top
        QVERIFY(near(learningRateAt(plan, 2.5, 30), 5.05e-4));   // linear
        QVERIFY(near(learningRateAt(plan, 5, 30), 1e-3));        // the top
        QVERIFY(near(learningRateAt(plan, 17.5, 30), 5.05e-4));  // half of the way down
        QVERIFY(near(learningRateAt(plan, 30, 30), 1e-5));       // the end
        QVERIFY(near(learningRateAt(plan, 40, 30), 1e-5));       // and not up again
        for (double epoch = 0; epoch <= 30; epoch += 0.01) {
            const double wanted =
                epoch < 5 ? 1e-5 + (1e-3 - 1e-5) * epoch / 5
                          : 1e-5 + (1e-3 - 1e-5) * (1 + std::cos(std::numbers::pi * (epoch - 5) / 25)) / 2;
            QVERIFY(near(learningRateAt(plan, epoch, 30), wanted));
        }
    }

    void warmUpLongerThanTheTrainingOnlyRises()
    {
        OptimizerPlan plan;
        plan.warmupEpochs = 10;
        double last = 0;
        for (double epoch = 0; epoch < 3; epoch += 0.1) {
            const double rate = learningRateAt(plan, epoch, 3);
            QVERIFY(rate > last && rate < plan.learningRate);
            last = rate;
        }
    }

    void withoutWarmUpTheTopComesFirst()
    {
        OptimizerPlan plan;
        plan.warmupEpochs = 0;
        QCOMPARE(learningRateAt(plan, 0, 3), plan.learningRate);
    }
};

ATTNSCOPE_EVENT_TEST(TestSampleOrder)
#include "tst_sample_order.moc"
