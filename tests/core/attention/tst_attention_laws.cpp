#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include "core/attention/landmarks.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/random_feature_kernel.h"

using namespace attnscope;
using namespace attnscope::test;

namespace {

constexpr double rounding = 1e-9;  // float64, sums of up to a few hundred terms

const std::vector<std::string> everyKind{"softmax",
                                         "softmax:form=explicit",
                                         "performer:samples=8",
                                         "performer:features=hyperbolic",
                                         "rfa:samples=64,norm=unit",
                                         "ra",
                                         "ra:mode=biased",
                                         "ra:mode=mean-key,samples=2,noise=unit",
                                         "ra:features=hyperbolic",
                                         "lara:samples=9",
                                         "lara:samples=9,proposal=mixed,weights=coupled,noise=unit",
                                         "lara:samples=9,proposal=attended,weights=balance,noise=library",
                                         "lara:samples=9,proposal=mixture",
                                         "lara:samples=9,alpha_floor=0,beta=0.5",
                                         "lara:samples=9,copies=2,antithetic=true,noise=unit",
                                         "lara:samples=9,weights=query"};

}

/// The identities of the fact sheet's last section: exact up to rounding, whatever the numbers.
class TestAttentionLaws : public QObject {
    Q_OBJECT

private slots:
    void constantValuesGiveThatConstant()
    {
        for (const Sizes& sizes : {Sizes{}, Sizes{1, 2, 11, 18, 8, 5}, Sizes{1, 1, 9, 9, 4, 1}}) {
            AttentionInput in = randomInput(sizes, 1);
            in.v = at::full_like(in.v, 0.37);
            for (const std::string& spec : everyKind)
                QVERIFY2(largest(attend(spec, in, 4) - 0.37) < 1e-7, spec.c_str());
        }
    }

    void fusedSoftmaxEqualsTheMatrix()
    {
        for (const Sizes& sizes : {Sizes{}, Sizes{1, 2, 17, 29, 8, 6}, Sizes{2, 1, 1, 1, 3, 2}}) {
            const AttentionInput in = randomInput(sizes, 2);
            QVERIFY(difference(attend("softmax", in), softmaxOf(in)) < rounding);
        }
    }

    void aVectorAddedToEveryKeyChangesWhatItShould()
    {
        const AttentionInput in = randomInput({}, 3);
        AttentionInput moved = in;
        moved.k = in.k + at::linspace(-1, 2, in.k.size(3), in.k.options());
        for (const char* spec :
             {"softmax", "ra", "ra:mode=biased", "ra:mode=mean-key,noise=unit", "lara:samples=9",
              "lara:samples=9,weights=coupled", "lara:samples=9,weights=balance,noise=unit",
              "lara:samples=9,proposal=attended", "lara:samples=9,proposal=mixture", "performer:center_keys=true"})
            QVERIFY2(difference(attend(spec, in, 5), attend(spec, moved, 5)) < 1e-8, spec);
        for (const char* spec : {"performer", "rfa", "lara:samples=9,proposal=mixed"})
            QVERIFY2(difference(attend(spec, in, 5), attend(spec, moved, 5)) > 1e-3, spec);
    }

    void permutingKeysAndValuesChangesNothing()
    {
        AttentionInput in = randomInput({2, 2, 12, 21, 8, 8}, 4);
        AttentionInput permuted = in;
        const auto order = at::randperm(21);
        permuted.k = in.k.index_select(2, order);
        permuted.v = in.v.index_select(2, order);
        for (const char* spec : {"softmax", "performer", "performer:features=hyperbolic,floors=library", "rfa",
                                 "ra:mode=biased", "ra:mode=mean-key,noise=unit"})
            QVERIFY2(difference(attend(spec, in, 6), attend(spec, permuted, 6)) < 1e-8, spec);
    }

    void eluAddsItsEpsilonToTheNormaliser()
    {
        const AttentionInput in = randomInput({2, 3, 11, 18, 8, 5}, 1);
        const auto weights = at::matmul(at::elu(in.q) + 1, (at::elu(in.k) + 1).transpose(-1, -2));
        const auto expected = at::matmul(weights, in.v) / (weights.sum(-1, true) + 0.5);
        QVERIFY(difference(attend("elu:scale=1,eps=0.5", in), expected) < rounding);
    }

    void laraWithZeroMeansAndBalanceIsPerformer()
    {
        AttentionInput in = randomInput({}, 5);
        in.queryLandmarks = at::zeros({2, 3, 9, 16}, in.q.options());
        in.keyLandmarks = at::zeros_like(in.queryLandmarks);
        SeededNoise drawn(7, 0);
        const auto omega = drawn.sharedNormal("omega", {3, 9, 16}, in.q.options());
        RecordedNoise forPerformer({{"omega", omega}}, drawn), forLara({{"eps", omega.unsqueeze(0)}}, drawn);
        const auto performer = make("performer:samples=9", in)->attend(in, forPerformer);
        const auto lara = make("lara:samples=9,weights=balance,noise=unit", in)->attend(in, forLara);
        QVERIFY(difference(performer, lara) < rounding);
    }

    void oneSampleGivesOneOutputForAllQueries()
    {
        const AttentionInput in = randomInput({}, 6);
        for (const char* spec : {"performer:samples=1", "lara:samples=1,noise=unit"}) {
            const auto out = attend(spec, in, 8);
            QVERIFY2(difference(out, out.slice(2, 0, 1).expand_as(out)) < rounding, spec);
        }
    }

    void hyperbolicPerformerIsPerformerWithMirroredSamples()
    {
        const AttentionInput in = randomInput({}, 7);
        SeededNoise drawn(9, 0);
        const auto omega = drawn.sharedNormal("omega", {3, 6, 16}, in.q.options());
        RecordedNoise half({{"omega", omega}}, drawn), both({{"omega", at::cat({omega, -omega}, 1)}}, drawn);
        QVERIFY(difference(make("performer:samples=6,features=hyperbolic", in)->attend(in, half),
                           make("performer:samples=12", in)->attend(in, both))
                < rounding);
    }

    void causalRfaEndsLikeTheFullOneAndAnOpenGateChangesNothing()
    {
        AttentionInput in = randomInput({1, 2, 11, 11, 8, 8}, 8);
        const auto full = attend("rfa:samples=128,norm=unit", in, 10);
        const auto causal = attend("rfa:samples=128,norm=unit,causal=true", in, 10);
        QVERIFY(difference(full.select(2, 10), causal.select(2, 10)) < rounding);
        QVERIFY(difference(full.select(2, 3), causal.select(2, 3)) > 1e-6);
        in.gate = at::ones({1, 2, 11}, in.q.options());
        QVERIFY(difference(attend("rfa:samples=128,norm=unit,gate_form=sum", in, 10), causal) < rounding);
    }

    void blocksOfRandomizedAttentionDoNotChangeIt()
    {
        const AttentionInput in = randomInput({2, 2, 37, 21, 8, 8}, 9);
        for (const std::string mode : {"unbiased", "biased", "mean-key"}) {
            const std::string spec = "ra:mode=" + mode + ",samples=3,noise=unit,block=";
            QVERIFY(difference(attend(spec + "5", in, 11), attend(spec + "64", in, 11)) < rounding);
        }
    }

    void meanOfUnbiasedRandomizedAttentionIsSoftmaxOnlyWithUnitNoise()
    {
        // 1 × 1 × 4 × 6 tokens, 40 000 draws: the standard error is known from the draws themselves.
        const AttentionInput in = randomInput({1, 1, 4, 6, 16, 3}, 10, at::kDouble, 0.5);
        const auto exact = softmaxOf(in);
        const auto worst = [&](const std::string& spec) {
            constexpr int64_t rounds = 40, samples = 1000;
            at::Tensor sum = at::zeros_like(exact), squares = at::zeros_like(exact);
            for (int64_t seed = 0; seed < rounds; ++seed) {
                const auto out = attend(spec + ",samples=" + std::to_string(samples), in, uint64_t(seed));
                sum += out / rounds;
                squares += out.square() / rounds;
            }
            const auto error = ((squares - sum.square()).clamp_min(1e-20) / (rounds - 1)).sqrt();
            return largest((sum - exact) / error);
        };
        const double unit = worst("ra:noise=unit"), library = worst("ra:noise=library");
        QCOMPARE_LT(unit, 5);      // 12 numbers within 5 standard errors: by chance once in 10⁴ (t, 39 degrees)
        QCOMPARE_GT(library, 10);  // the published code's noise is biased
    }

    void errorOfUnbiasedRandomizedAttentionFallsWithItsSamples()
    {
        const AttentionInput in = randomInput({1, 2, 16, 16, 16, 8}, 11);
        const auto exact = softmaxOf(in);
        const auto error = [&](int samples) {
            double sum = 0;
            for (uint64_t seed = 0; seed < 20; ++seed)
                sum += (attend("ra:samples=" + std::to_string(samples), in, seed) - exact)
                           .square()
                           .mean()
                           .item<double>()
                       / 20;
            return sum;
        };
        const double ratio = error(2) / error(32);
        QVERIFY2(ratio > 11 && ratio < 23, qPrintable(QString::number(ratio)));  // 16 in expectation
    }

    void manySamplesBringPerformerAndLaraToSoftmax()
    {
        const AttentionInput in = randomInput({1, 1, 16, 16, 4, 4}, 12, at::kDouble, 0.4);
        const auto exact = softmaxOf(in);
        const auto error = [&](const std::string& spec) {
            double sum = 0;
            for (uint64_t seed = 0; seed < 20; ++seed)
                sum += (attend(spec, in, seed) - exact).square().mean().item<double>() / 20;
            return sum;
        };
        const auto gain = [&](const std::string& few, const std::string& many) {
            return error(few) / error(many);
        };
        // A consistent ratio's squared error falls as 1/S; half of that is asked for, because few samples are not asymptotic.
        const double performer = gain("performer:samples=64", "performer:samples=4096");
        QCOMPARE_GT(performer, 32);
        for (const std::string weights : {"balance", "coupled"}) {
            const std::string spec = "lara:samples=16,weights=" + weights;
            const double unit = gain(spec + ",noise=unit", spec + ",noise=unit,copies=64");
            QCOMPARE_GT(unit, 32);
            // The published code's noise leaves a bias that no number of samples removes.
            const double library = gain(spec + ",noise=library", spec + ",noise=library,copies=64");
            QCOMPARE_LT(library, 16);
        }
    }

    void orthogonalFeaturesConvergeAndBeatIndependentOnes()
    {
        // Directions orthogonal in blocks of D, lengths those of normal vectors: lengths all √D or 1 would converge to another kernel.
        const AttentionInput in = randomInput({1, 1, 16, 16, 4, 4}, 12, at::kDouble, 0.4);
        const auto exact = softmaxOf(in);
        const auto error = [&](const std::string& spec) {
            double sum = 0;
            for (uint64_t seed = 0; seed < 40; ++seed)
                sum += (attend(spec, in, seed) - exact).square().mean().item<double>() / 40;
            return sum;
        };
        const double few = error("performer:samples=64,orthogonal=true"),
                     many = error("performer:samples=4096,orthogonal=true");
        QCOMPARE_GT(few / many, 32);
        const double independent = error("performer:samples=64");
        QVERIFY2(few < 0.9 * independent, qPrintable(QString("%1 against %2").arg(few).arg(independent)));
    }

    void normalNumbersAreNormal()
    {
        SeededNoise noise(21, 3);
        constexpr double count = 1e6;
        const auto x = noise.normal("eps", {4, 250'000}, at::TensorOptions(at::kFloat)).to(at::kDouble);
        QVERIFY(isFinite(x));
        const auto moment = [&](int power) { return x.pow(power).mean().item<double>(); };
        // Variances of x, x², x³ and x⁴ are 1, 2, 15 and 96.
        QVERIFY(std::abs(moment(1)) < 5 * std::sqrt(1 / count));
        QVERIFY(std::abs(moment(2) - 1) < 5 * std::sqrt(2 / count));
        QVERIFY(std::abs(moment(3)) < 5 * std::sqrt(15 / count));
        QVERIFY(std::abs(moment(4) - 3) < 5 * std::sqrt(96 / count));
        QVERIFY(std::abs((x[0] * x[1]).mean().item<double>()) < 5 * std::sqrt(4 / count));
    }

    void segmentsAndCellsCoverTheirTokens()
    {
        const auto x = at::arange(11, at::kDouble).reshape({1, 1, 11, 1});
        const auto means = segmentMeans(x, 4).reshape({-1});  // lengths 2, 3, 3, 3: the shorter first
        QVERIFY(difference(means, at::tensor({0.5, 3.0, 6.0, 9.0}, at::kDouble)) == 0);
        QCOMPARE(segmentMeans(x, 20).size(2), 11);
        const auto grid = at::arange(12, at::kDouble).reshape({1, 1, 12, 1});  // 3 rows × 4 columns
        const auto cells = gridMeans(grid, 3, 4, 2).reshape({-1});             // rows 0–1 and 1–2 overlap
        QVERIFY(difference(cells, at::tensor({2.5, 4.5, 6.5, 8.5}, at::kDouble)) < rounding);
        QCOMPARE(squareRoot(49), 7);
        QCOMPARE(squareRoot(50), 0);
    }

    void gradientsAreThoseOfFiniteDifferences_data()
    {
        columns<QString>("spec");
        for (const std::string& spec : everyKind)
            if (spec.find("form=") == std::string::npos)
                row(spec, spec);
        row("floors", "performer:floors=library");
        row("exact rfa", "rfa:samples=256");
    }

    void gradientsAreThoseOfFiniteDifferences()
    {
        FETCH_TEXT(spec);
        const AttentionInput base = randomInput({1, 2, 9, 9, 6, 4}, 14, at::kDouble, 0.7);
        const auto direction = randomInput({1, 2, 9, 9, 6, 4}, 15);
        const auto weight = direction.v;
        const auto value = [&](double step) {
            AttentionInput in = base;
            in.q = base.q + step * direction.q;
            in.k = base.k + step * direction.k;
            in.v = base.v + step * direction.v.flip(2);
            return (attend(spec, in, 16) * weight).sum();
        };
        AttentionInput in = base;
        for (at::Tensor* x : {&in.q, &in.k, &in.v})
            *x = x->detach().clone().set_requires_grad(true);
        (attend(spec, in, 16) * weight).sum().backward();
        const double analytic = (in.q.grad() * direction.q).sum().item<double>()
                                + (in.k.grad() * direction.k).sum().item<double>()
                                + (in.v.grad() * direction.v.flip(2)).sum().item<double>();
        constexpr double h = 1e-5;
        const double numeric = ((value(h) - value(-h)) / (2 * h)).item<double>();
        QVERIFY2(std::abs(analytic - numeric) < 1e-5 * (1 + std::abs(numeric)),
                 qPrintable(QString("%1 against %2").arg(analytic).arg(numeric)));
    }
};

ATTNSCOPE_TEST(TestAttentionLaws)
#include "tst_attention_laws.moc"
