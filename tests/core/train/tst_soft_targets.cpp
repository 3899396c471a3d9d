// Labels as distributions, mixup and CutMix, the loss, stochastic depth.
#include "core/base/error.h"
#include "core/train/soft_targets.h"
#include "core/train/stochastic_depth.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <numeric>

using namespace attnscope;

namespace {

using Samples = std::vector<int64_t>;

AugmentPlan mixing(double mixup, double cutmix)
{
    AugmentPlan plan;
    plan.mixup = mixup;
    plan.cutmix = cutmix;
    return plan;
}

/// Each image has one value everywhere, 1 more than its sample number, and a class of its own.
MixedBatch plainImages(const Samples& samples, int64_t classes, std::vector<int64_t> shape = {3, 20, 12})
{
    shape.insert(shape.begin(), int64_t(samples.size()));
    MixedBatch batch{at::empty(shape), smoothedTargets(samples, classes, 0)};
    for (size_t i = 0; i < samples.size(); ++i)
        batch.input[int64_t(i)].fill_(double(samples[i] + 1));
    return batch;
}

Samples firstSamples(int64_t count)
{
    Samples samples(static_cast<size_t>(count));
    std::iota(samples.begin(), samples.end(), 0);
    return samples;
}

double at2(const at::Tensor& matrix, int64_t row, int64_t column)
{
    return matrix[row][column].item<double>();
}

}

class TestSoftTargets : public QObject {
    Q_OBJECT

private slots:
    void smoothingSpreadsItsShareOverAllClasses()
    {
        const at::Tensor targets = smoothedTargets({2, 0}, 5, 0.1);
        for (int64_t row = 0; row < 2; ++row)
            for (int64_t column = 0; column < 5; ++column) {
                const double wanted = 0.1 / 5 + (column == (row == 0 ? 2 : 0) ? 0.9 : 0);
                QVERIFY(std::abs(at2(targets, row, column) - wanted) < 1e-7);
            }
    }

    void theLossIsThatOfALoop()
    {
        auto generator = at::make_generator<at::CPUGeneratorImpl>(3);
        const at::Tensor logits = at::randn({4, 6}, generator, at::dtype(at::kDouble)) * 5;
        const at::Tensor targets = smoothedTargets({1, 5, 0, 3}, 6, 0.2).to(at::kDouble);
        double loss = 0;
        for (int64_t i = 0; i < 4; ++i) {
            double sum = 0;
            for (int64_t j = 0; j < 6; ++j)
                sum += std::exp(at2(logits, i, j));
            for (int64_t j = 0; j < 6; ++j)
                loss -= at2(targets, i, j) * (at2(logits, i, j) - std::log(sum));
        }
        QVERIFY(std::abs(softCrossEntropy(logits, targets).item<double>() - loss) < 1e-12 * loss);
        // Far from zero, where a plain exp overflows.
        const at::Tensor far = at::tensor({1000.0, -1000.0}).reshape({1, 2});
        QCOMPARE(softCrossEntropy(far, smoothedTargets({1}, 2, 0).to(at::kDouble)).item<double>(), 2000.0);
    }

    void mixupTargetsAreTheSharesOfPixels()
    {
        const Samples samples = firstSamples(40);
        MixedBatch batch = plainImages(samples, 40);
        mixPairs(batch, samples, mixing(0.8, 0), 5, 1);
        bool anyBlended = false;
        for (int64_t i = 0; i < 40; ++i) {
            const int64_t other = i ^ 1;
            const double own = at2(batch.targets, i, i), value = batch.input[i].flatten()[0].item<double>();
            QVERIFY(
                at::allclose(batch.input[i], at::full_like(batch.input[i], value)));  // blended everywhere alike
            QVERIFY(std::abs(batch.targets[i].sum().item<double>() - 1) < 1e-6);
            QVERIFY(std::abs(at2(batch.targets, i, other) - (1 - own)) < 1e-6);
            QVERIFY(std::abs(value - (own * double(i + 1) + (1 - own) * double(other + 1))) < 1e-4);
            anyBlended = anyBlended || (own > 0.2 && own < 0.8);
        }
        QVERIFY(anyBlended);
    }

    void cutmixTargetsAreTheSharesOfPixels()
    {
        const Samples samples = firstSamples(60);
        MixedBatch batch = plainImages(samples, 60);
        mixPairs(batch, samples, mixing(0, 1), 5, 1);
        bool anyCut = false;
        for (int64_t i = 0; i < 60; ++i) {
            const int64_t other = i ^ 1;
            const at::Tensor own = batch.input[i] == double(i + 1), taken = batch.input[i] == double(other + 1);
            QCOMPARE((own | taken).all().item<bool>(), true);
            QVERIFY(at::equal(own[0], own[1]) && at::equal(own[0], own[2]));  // the same place in all channels
            const double fraction = own.to(at::kDouble).mean().item<double>();
            QVERIFY(std::abs(at2(batch.targets, i, i) - fraction) < 1e-6);
            QVERIFY(std::abs(at2(batch.targets, i, other) - (1 - fraction)) < 1e-6);
            // What is taken is a rectangle: as many pixels as rows times columns that have some.
            const at::Tensor hole = taken[0];
            QCOMPARE(hole.sum().item<int64_t>(),
                     hole.any(0).sum().item<int64_t>() * hole.any(1).sum().item<int64_t>());
            anyCut = anyCut || (fraction > 0.2 && fraction < 0.8);
        }
        QVERIFY(anyCut);
    }

    void sharesAreBetaDistributed_data()
    {
        columns<double>("alpha");
        for (const double alpha : {0.2, 0.8, 1.0, 3.0})
            addRow("alpha %g", alpha) << alpha;
    }

    void sharesAreBetaDistributed()
    {
        QFETCH(double, alpha);
        constexpr int64_t pairs = 4000;
        const Samples samples = firstSamples(2 * pairs);
        MixedBatch batch{at::zeros({2 * pairs, 1, 1, 1}), at::zeros({2 * pairs, 2})};
        for (int64_t i = 0; i < 2 * pairs; ++i)
            batch.targets[i][i % 2] = 1;
        mixPairs(batch, samples, mixing(alpha, 0), 9, 1);
        const at::Tensor own = batch.targets.slice(0, 0, {}, 2).select(1, 0).to(at::kDouble);
        const double variance = 1 / (4 * (2 * alpha + 1));
        const double mean = own.mean().item<double>(), spread = (own - 0.5).square().mean().item<double>();
        // Five standard errors; (λ − ½)² is at most ¼, so its standard deviation is at most ⅛.
        QVERIFY2(std::abs(mean - 0.5) < 5 * std::sqrt(variance / pairs), qPrintable(QString::number(mean)));
        QVERIFY2(std::abs(spread - variance) < 5 * 0.125 / std::sqrt(pairs),
                 qPrintable(QString("%1 for %2").arg(spread).arg(variance)));
    }

    void bothOnTakesEachForHalfOfThePairs()
    {
        constexpr int64_t pairs = 1000;
        const Samples samples = firstSamples(2 * pairs);
        MixedBatch batch{at::zeros({2 * pairs, 1, 16, 16}), at::zeros({2 * pairs, 2})};
        batch.input.slice(0, 1, {}, 2).fill_(1);
        batch.targets.slice(0, 0, {}, 2).select(1, 0).fill_(1);
        batch.targets.slice(0, 1, {}, 2).select(1, 1).fill_(1);
        mixPairs(batch, samples, mixing(1, 1), 2, 1);
        const auto blended =
            ((batch.input > 0) & (batch.input < 1)).flatten(1).all(1).slice(0, 0, {}, 2).sum().item<int64_t>();
        QVERIFY2(std::abs(double(blended) - 500) < 5 * std::sqrt(250.0), qPrintable(QString::number(blended)));
    }

    void aPairIsMixedWhateverElseIsInTheBatch()
    {
        const Samples samples = firstSamples(12);
        MixedBatch whole = plainImages(samples, 12);
        mixPairs(whole, samples, mixing(0.8, 1), 1, 3);
        for (int64_t from = 0; from < 12; from += 2) {
            const Samples two{from, from + 1};
            MixedBatch pair = plainImages(two, 12);
            mixPairs(pair, two, mixing(0.8, 1), 1, 3);
            QVERIFY(at::equal(pair.input, whole.input.slice(0, from, from + 2)));
            QVERIFY(at::equal(pair.targets, whole.targets.slice(0, from, from + 2)));
        }
    }

    void mixingDependsOnSeedEpochAndSample()
    {
        const auto targets = [](uint64_t seed, uint64_t epoch, int64_t first) {
            MixedBatch batch = plainImages({first, first + 1}, 8);
            mixPairs(batch, {first, first + 1}, mixing(0.8, 0), seed, epoch);
            return batch.targets[0].max().item<double>();
        };
        QCOMPARE(targets(1, 2, 4), targets(1, 2, 4));
        QVERIFY(targets(1, 2, 4) != targets(2, 2, 4));
        QVERIFY(targets(1, 2, 4) != targets(1, 3, 4));
        QVERIFY(targets(1, 2, 4) != targets(1, 2, 2));
    }

    void theLastOfAnOddNumberStays()
    {
        const Samples samples = firstSamples(5);
        MixedBatch batch = plainImages(samples, 5);
        mixPairs(batch, samples, mixing(0.8, 1), 1, 3);
        QVERIFY((batch.input[4] == 5).all().item<bool>());
        QCOMPARE(at2(batch.targets, 4, 4), 1.0);
        MixedBatch untouched = plainImages(samples, 5);
        mixPairs(untouched, samples, mixing(0, 0), 1, 3);
        QVERIFY(at::equal(untouched.input, plainImages(samples, 5).input));
    }

    void framesOfAClipAreMixedAlike()
    {
        const Samples samples = firstSamples(10);
        MixedBatch batch = plainImages(samples, 10, {3, 4, 12, 12});
        mixPairs(batch, samples, mixing(0, 1), 8, 3);
        for (int64_t i = 0; i < 10; ++i)
            for (int64_t frame = 1; frame < 4; ++frame)
                QVERIFY(at::equal(batch.input[i].select(1, 0), batch.input[i].select(1, frame)));
    }

    void depthKeepsTheExpectation()
    {
        constexpr int64_t count = 20000;
        std::vector<uint64_t> samples(count);
        std::iota(samples.begin(), samples.end(), 0);
        const StochasticDepth depth(0.3, 5, 1, 7, samples);
        const at::Tensor kept = depth.apply(at::ones({count, 2}), 4, StochasticDepth::Branch::Attention);
        const double factor = 1 / 0.7;
        QVERIFY(((kept == 0) | ((kept - factor).abs() < 1e-5)).all().item<bool>());
        QVERIFY(at::equal(kept.select(1, 0), kept.select(1, 1)));  // a sample's branch goes as a whole
        const double mean = kept.to(at::kDouble).mean().item<double>();
        QVERIFY2(std::abs(mean - 1) < 5 * std::sqrt(0.3 / 0.7 / count), qPrintable(QString::number(mean)));
        const at::Tensor mlp = depth.apply(at::ones({count, 2}), 4, StochasticDepth::Branch::Mlp);
        const double both = ((kept == 0) & (mlp == 0)).select(1, 0).to(at::kDouble).mean().item<double>();
        QVERIFY2(std::abs(both - 0.09) < 5 * std::sqrt(0.09 * 0.91 / count),
                 qPrintable(QString::number(both)));  // independent
    }

    void depthGrowsLinearlyFromNothing()
    {
        constexpr int64_t count = 20000;
        std::vector<uint64_t> samples(count);
        std::iota(samples.begin(), samples.end(), 0);
        const StochasticDepth depth(0.4, 5, 1, 7, samples);
        const at::Tensor ones = at::ones({count});
        QVERIFY(depth.apply(ones, 0, StochasticDepth::Branch::Mlp).is_same(ones));
        for (int64_t block = 1; block < 5; ++block) {
            const double wanted = 0.1 * double(block);
            const double dropped = (depth.apply(ones, block, StochasticDepth::Branch::Mlp) == 0)
                                       .to(at::kDouble)
                                       .mean()
                                       .item<double>();
            QVERIFY(std::abs(dropped - wanted) < 5 * std::sqrt(wanted * (1 - wanted) / count));
        }
    }

    void depthOfASampleDoesNotDependOnTheBatch()
    {
        std::vector<uint64_t> samples(64);
        std::iota(samples.begin(), samples.end(), 100);
        const auto factors = [](uint64_t step, const std::vector<uint64_t>& of) {
            return StochasticDepth(0.5, 2, 3, step, of)
                .apply(at::ones({int64_t(of.size())}), 1, StochasticDepth::Branch::Mlp);
        };
        const at::Tensor whole = factors(9, samples);
        for (size_t i = 0; i < samples.size(); ++i)
            QVERIFY(at::equal(factors(9, {samples[i]})[0], whole[int64_t(i)]));
        QVERIFY(!at::equal(factors(10, samples), whole));
    }

    void depthRefusesAnotherBatch()
    {
        const StochasticDepth depth(0.5, 2, 3, 0, {1, 2, 3});
        THROWS(UsageError, depth.apply(at::ones({4, 2}), 1, StochasticDepth::Branch::Mlp));
    }
};

ATTNSCOPE_EVENT_TEST(TestSoftTargets)
#include "tst_soft_targets.moc"
