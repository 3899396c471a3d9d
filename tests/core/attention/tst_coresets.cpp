#include "core/base/error.h"
#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include "core/attention/methods/softmax.h"

#include <limits>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::test;

namespace {

/// q, k, v, and now and then w, as leaves of a graph in float64 or as they are.
AttentionInput converted(AttentionInput in, at::ScalarType type)
{
    for (at::Tensor* x : {&in.q, &in.k, &in.v, &in.keyLogWeights})
        if (x->defined())
            *x = x->to(type);
    return in;
}

/// Some tokens with log-weights, of which key 5 is removed.
AttentionInput weightedInput(at::ScalarType type, uint64_t seed = 21)
{
    AttentionInput in = randomInput({2, 2, 40, 40, 12, 10}, seed, at::kDouble);
    SeededNoise noise(seed + 1, 0);
    in.keyLogWeights = noise.normal("w", {2, 2, 40}, at::TensorOptions(at::kDouble));
    in.keyLogWeights.select(2, 5).fill_(-std::numeric_limits<double>::infinity());
    return converted(in, type);
}

double relativeError(const AttentionInput& in, const std::string& spec, uint64_t seed = 0)
{
    const auto exact = attend("softmax", in);
    return ((attend(spec, in, seed) - exact).norm() / exact.norm()).item<double>();
}

}

/// The limits of methods that attend to fewer keys than there are, and what their fused kernels share with LibTorch's operators.
class TestCoresets : public QObject {
    Q_OBJECT

private slots:
    void asManyKeysAsThereAreAreExact_data()
    {
        rows("spec", {"wildcat:samples=40", "wildcat:samples=40,kernel=plain", "wildcat:samples=64,pivots=greedy",
                      "wildcat:samples=40,bins=4", "wildcat:samples=40,temperature=lambert",
                      "wildcat:samples=40,clip=false", "merge:samples=40", "merge:samples=100", "thin:rounds=0"});
    }

    void asManyKeysAsThereAreAreExact()
    {
        FETCH_TEXT(spec);
        for (const auto type : {at::kDouble, at::kFloat}) {
            const AttentionInput in = weightedInput(type);
            const AttentionPart found = part(spec, in), exact = part("softmax", in);
            const double tolerance = type == at::kDouble ? 1e-8 : 2e-5;
            QCOMPARE_LT(difference(found.out, exact.out), tolerance);
            QCOMPARE_LT(difference(found.logNormaliser, exact.logNormaliser), tolerance);
        }
    }

    void equalKeysNeedOne()
    {
        for (const auto type : {at::kDouble, at::kFloat}) {
            AttentionInput in = weightedInput(type);
            in.k = in.k.slice(2, 0, 1).expand_as(in.k).contiguous();
            const AttentionPart exact = part("softmax", in);
            for (const char* spec : {"wildcat:samples=1", "wildcat:samples=1,kernel=plain", "wildcat:samples=16",
                                     "merge:samples=1"}) {
                const AttentionPart found = part(spec, in);
                QVERIFY2(difference(found.out, exact.out) < 1e-5, spec);
                QVERIFY2(difference(found.logNormaliser, exact.logNormaliser) < 1e-5, spec);
            }
        }
    }

    void aKeyOfWeightLogNCountsAsNCopies()
    {
        // Copies add nothing to what a pivot explains: they share its weight. The most probable pivots are the same where copies do not change
        // the mean: one key each of a pair k, −k is copied.
        AttentionInput once = randomInput({1, 2, 20, 20, 8, 8}, 31);
        once.k = at::cat({once.k.slice(2, 0, 10), -once.k.slice(2, 0, 10)}, 2);
        AttentionInput copied = once;
        const auto twice = [](const at::Tensor& x) {
            return at::cat({x, x.slice(2, 3, 4), x.slice(2, 13, 14)}, 2);
        };
        copied.k = twice(once.k), copied.v = twice(once.v);
        once.keyLogWeights = at::zeros({1, 2, 20}, at::kDouble);
        for (const int64_t m : {3, 13})
            once.keyLogWeights.select(2, m).fill_(std::log(2.0));
        for (const char* spec : {"wildcat:samples=22", "thin:rounds=0", "merge:samples=22"}) {
            const AttentionPart a = part(spec, once), b = part(spec, copied);
            QVERIFY2(difference(a.out, b.out) < 1e-7, spec);
            QVERIFY2(difference(a.logNormaliser, b.logNormaliser) < 1e-7, spec);
        }
        AttentionInput narrow = converted(once, at::kFloat);
        QVERIFY(difference(part("wildcat:samples=20", narrow).out, part("softmax", copied).out) < 2e-5);
    }

    void removedKeysLeaveNoTrace_data() { addAll(); }
    void removedKeysLeaveNoTrace()
    {
        FETCH_TEXT(spec);
        // What a removed key's value is does not matter (within the range of the others, which clipping looks at).
        for (const auto type : {at::kDouble, at::kFloat}) {
            const AttentionInput in = weightedInput(type);
            AttentionInput other = in;
            other.v = in.v.clone();
            other.v.select(2, 5).copy_(in.v.select(2, 6));
            AttentionInput same = in;
            same.v = in.v.clone();
            same.v.select(2, 5).copy_(in.v.select(2, 7));
            const auto a = part(spec, other), b = part(spec, same);
            if (spec.starts_with("thin"))
                continue;  // its kernel compares values of removed keys too
            QCOMPARE_LT(difference(a.out, b.out), 1e-6);
            QVERIFY(difference(a.logNormaliser, b.logNormaliser) < 1e-6);
        }
    }

    void noKeyAtAllGivesZero_data() { addAll(); }
    void noKeyAtAllGivesZero()
    {
        FETCH_TEXT(spec);
        for (const auto type : {at::kDouble, at::kFloat}) {
            AttentionInput in = weightedInput(type);
            in.keyLogWeights.select(1, 1).fill_(-std::numeric_limits<double>::infinity());
            const AttentionPart found = part(spec, in);
            QVERIFY(isFinite(found.out));
            QCOMPARE(largest(found.out.select(1, 1)), 0.0);
            QVERIFY(found.logNormaliser.select(1, 1).isneginf().all().item<bool>());
            QVERIFY(largest(found.out.select(1, 0)) > 0);
        }
    }

    void kernelsAgreeWithOperators_data()
    {
        rows("spec", {"wildcat:samples=16", "wildcat:samples=32", "wildcat:samples=16,pivots=greedy",
                      "wildcat:samples=17,bins=3", "wildcat:samples=16,temperature=lambert",
                      "wildcat:samples=16,temperature=fixed,tau=1.2,clip=false", "merge:samples=16"});
    }

    void kernelsAgreeWithOperators()
    {
        FETCH_TEXT(spec);
        const std::string own = spec, plain = own + ",kernel=plain";
        for (const Sizes& s :
             {Sizes{1, 3, 200, 200, 64, 64}, Sizes{2, 2, 50, 131, 20, 7}, Sizes{1, 1, 3, 70, 5, 33}})
            for (const bool weighted : {false, true}) {
                AttentionInput in = randomInput(s, 41, at::kFloat);
                if (weighted) {
                    SeededNoise noise(42, 0);
                    in.keyLogWeights = noise.normal("w", {s.batch, s.heads, s.keys},
                                                    at::TensorOptions(at::kFloat));
                    in.keyLogWeights.select(2, 2).fill_(-std::numeric_limits<double>::infinity());
                }
                const AttentionPart a = part(own, in, 3), b = part(plain, in, 3);
                const double out = difference(a.out, b.out),
                             normaliser = difference(a.logNormaliser, b.logNormaliser);
                QCOMPARE_LT(out, 5e-5);
                QCOMPARE_LT(normaliser, 5e-5);
                QVERIFY(difference(a.out, attend(own, in, 3)) < 1e-6);
            }
    }

    void normalisersOfTheCoresetAreNearTheTruth()
    {
        const AttentionInput in = randomInput({1, 2, 100, 100, 8, 8}, 51, at::kDouble, 0.6);
        const auto exact = part("softmax", in).logNormaliser;
        QVERIFY(difference(part("wildcat:samples=48", in).logNormaliser, exact) < 0.05);
        QVERIFY(difference(part("merge:samples=48", in).logNormaliser, exact) < 0.1);
    }

    void moreKeysAreNearer_data()
    {
        columns<QString, QString>("few", "many");
        row("wildcat", "wildcat:samples=8", "wildcat:samples=64");
        row("greedy", "wildcat:samples=8,pivots=greedy", "wildcat:samples=64,pivots=greedy");
        row("merge", "merge:samples=8", "merge:samples=100");
        row("thin", "thin:rounds=4,bucket=16", "thin:rounds=1");
        row("sample", "sample:samples=8", "sample:samples=4096");
        row("hyper", "hyper:block=8,samples=8", "hyper:block=8,samples=4096");
        row("hyper by value", "hyper:block=8,samples=8,sampling=value",
            "hyper:block=8,samples=4096,sampling=value");
        row("scatterbrain", "scatterbrain:block=8,samples=4,center=both",
            "scatterbrain:block=8,samples=4096,center=both");
        row("leverage", "sample:samples=8,sampling=leverage", "sample:samples=4096,sampling=leverage");
    }

    void moreKeysAreNearer()
    {
        FETCH_TEXT(few);
        QFETCH(const QString, many);
        const AttentionInput in = randomInput({1, 4, 128, 128, 8, 8}, 61, at::kFloat, 0.7);
        const double less = relativeError(in, few, 1), more = relativeError(in, many.toStdString(), 1);
        QVERIFY2(more < 0.7 * less, qPrintable(u"%1 and %2"_s.arg(less).arg(more)));
    }

    void gradientsReachKeyWeights_data() { addAll(); }
    void gradientsReachKeyWeights()
    {
        FETCH_TEXT(spec);
        AttentionInput in = randomInput({1, 1, 20, 20, 6, 6}, 71);
        SeededNoise noise(72, 0);
        in.keyLogWeights = noise.normal("w", {1, 1, 20}, at::TensorOptions(at::kDouble));
        const auto direction = noise.normal("direction", {1, 1, 20}, at::TensorOptions(at::kDouble));
        const auto probe = noise.normal("probe", {1, 1, 20, 6}, at::TensorOptions(at::kDouble));
        const auto loss = [&](const at::Tensor& w) {
            AttentionInput own = in;
            own.keyLogWeights = w;
            const AttentionPart found = part(spec, own, 5);
            return (found.out * probe).sum() + found.logNormaliser.sum();
        };
        const auto w = in.keyLogWeights.clone().requires_grad_();
        loss(w).backward();
        constexpr double step = 1e-6;
        const double measured =
            (loss(in.keyLogWeights + step * direction) - loss(in.keyLogWeights - step * direction)).item<double>()
            / (2 * step);
        const double expected = (w.grad() * direction).sum().item<double>();
        QVERIFY2(std::abs(measured - expected) < 1e-4 * (1 + std::abs(measured)),
                 qPrintable(u"%1, not %2"_s.arg(expected).arg(measured)));
    }

    void brokenNumbersNeverAppear()
    {
        // Nearly equal keys, keys far apart, all queries 0: singular matrices, and exponentials out of range.
        for (const auto type : {at::kDouble, at::kFloat})
            for (const double size : {0.0, 1e-6, 1e-3, 1.0, 30.0})
                for (const char* spec : {"wildcat:samples=40", "wildcat:samples=40,kernel=plain",
                                         "wildcat:samples=40,temperature=fixed,tau=100",
                                         "wildcat:samples=12,temperature=fixed,tau=0.1,clip=false",
                                         "wildcat:samples=40,temperature=lambert", "merge:samples=3",
                                         "thin:rounds=3", "sample:sampling=leverage"}) {
                    AttentionInput in = weightedInput(type);
                    in.k = in.k * size;
                    const AttentionPart spread = part(spec, in);
                    QVERIFY2(isFinite(spread.out) && isFinite(spread.logNormaliser), spec);
                    in.q = in.q * size * 0.1;
                    const AttentionPart found = part(spec, in);
                    QVERIFY2(isFinite(found.out) && isFinite(found.logNormaliser), spec);
                }
    }

    void clippedOutputsStayInTheRangeOfTheValues()
    {
        for (const auto type : {at::kDouble, at::kFloat}) {
            AttentionInput in = randomInput({1, 4, 64, 64, 8, 8}, 81, type, 2);
            in.v = at::eye(64, in.v.options())
                       .expand({1, 4, 64, 64});  // outputs are weights, some of which are negative
            const auto low = in.v.amin(2, true), high = in.v.amax(2, true);
            const auto outside = [&](const std::string& spec) {
                const auto out = attend(spec, in, 1);
                return ((out < low) | (out > high)).sum().item<int64_t>();
            };
            QCOMPARE(outside("wildcat:samples=8"), 0);
            QVERIFY(outside("wildcat:samples=8,clip=false") > 0);  // which is why it is clipped
            SeededNoise noise(1, 0);
            const Cancellation cancelled = make("wildcat:samples=8", in)->cancellation(in, noise);
            QCOMPARE(cancelled.denominators, 4 * 64);
            QVERIFY(cancelled.cancelled < cancelled.denominators);
        }
    }

    void binsWithoutKeysAreRefused()
    {
        const AttentionInput in = randomInput({}, 91);
        THROWS(UsageError, make("wildcat:samples=4,bins=5", in));
        THROWS(UsageError, AttentionSpec::parse("wildcat:samples=0"));
        THROWS(UsageError, AttentionSpec::parse("merge:samples=0"));
        THROWS(UsageError, AttentionSpec::parse("thin:bucket=1"));
        QVERIFY(isFinite(attend("wildcat:samples=64,bins=64", in)));  // more bins than keys: each its own
    }

    void landmarksAreKeysOfTheImage()
    {
        AttentionInput in = randomInput({1, 2, 38, 38, 8, 8}, 95);
        in.tokens = {2, 1, 6, 6};
        SeededNoise noise(1, 0);
        const auto found = make("wildcat:samples=9", in)->landmarkWeights(in, noise, 7);
        QVERIFY(found && found->tokens.defined());
        QVERIFY(found->tokens.min().item<int64_t>() >= 2
                && found->tokens.max().item<int64_t>() < 38);  // not among the prefix tokens
        QVERIFY(difference(found->weights.sum(-1), at::ones({1, 2}, at::kDouble)) < 1e-9);
    }

    void sampledKeysAreUnbiasedInTheLimit()
    {
        AttentionInput in = randomInput({1, 1, 12, 16, 6, 6}, 97, at::kDouble, 0.5);
        in.keyLogWeights = at::linspace(-1, 1, 16, at::kDouble).view({1, 1, 16});
        for (const char* spec : {"sample:samples=16384", "sample:samples=16384,sampling=leverage,ridge=0.1"})
            QVERIFY2(relativeError(in, spec) < 0.05, spec);
    }

private:
    static void addAll()
    {
        rows("spec", {"wildcat:samples=9", "wildcat:samples=9,kernel=plain",
                      "wildcat:samples=9,pivots=greedy,bins=2", "merge:samples=9", "merge:samples=9,kernel=plain",
                      "thin:rounds=2,bucket=8", "sample:samples=9", "sample:samples=9,sampling=leverage"});
    }
};

ATTNSCOPE_TEST(TestCoresets)
#include "tst_coresets.moc"
