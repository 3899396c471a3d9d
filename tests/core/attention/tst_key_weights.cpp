#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include "core/attention/methods/softmax.h"
#include "core/attention/training_free/tangent.h"
#include "core/base/error.h"

#include <limits>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

AttentionInput weighted(AttentionInput in, const at::Tensor& weights)
{
    in.keyLogWeights = weights.to(in.k.scalar_type()).expand({in.k.size(0), in.k.size(1), -1}).contiguous();
    return in;
}

AttentionInput with(AttentionInput in, const at::Tensor& keys)
{
    in.k = in.k.index_select(2, keys), in.v = in.v.index_select(2, keys);
    return in;
}

at::Tensor logSum(const AttentionInput& in)
{
    return withKeyWeights(in.scale * at::matmul(in.q, in.k.transpose(-1, -2)), in.keyLogWeights).logsumexp(-1);
}

void addMethods(bool (*wanted)(const BackendInfo&))
{
    columns<QString>("spec");
    for (const BackendInfo& info : backends())
        if (wanted(info))
            row(info.name, info.landmarks ? info.name + ":samples=9" : info.name);
}

}

/// Weights of keys, normalisers, and prefix tokens that are joined through them.
class TestKeyWeights : public QObject {
    Q_OBJECT

private slots:
    void aWeightOfLogNCountsAKeyNTimes_data()
    {
        rows("spec", {"softmax", "softmax:form=explicit", "performer:samples=8", "performer:features=hyperbolic",
                      "rfa:samples=64", "rfa:norm=unit", "ra:mode=biased,noise=none",
                      "ra:mode=mean-key,noise=none", "elu:eps=0", "topk:samples=100", "orthoformer:samples=5"});
    }
    void aWeightOfLogNCountsAKeyNTimes()
    {
        FETCH_TEXT(spec);
        for (const auto type : {at::kDouble, at::kFloat}) {
            const AttentionInput in = randomInput({2, 2, 21, 6, 8, 5}, 1, type);
            const auto counts = at::tensor({1, 2, 1, 3, 1, 4}, at::kLong);
            const auto copies = attend(spec, with(in, at::repeat_interleave(counts)));
            const double error = difference(attend(spec, weighted(in, counts.to(at::kDouble).log())), copies);
            QCOMPARE_LT(error, (type == at::kDouble ? 1e-9 : 2e-4));
        }
    }

    void aKeyOfWeightZeroIsRemoved_data()
    {
        addMethods([](const BackendInfo& info) { return info.takesKeyWeights && info.everyKey; });
    }
    void aKeyOfWeightZeroIsRemoved()
    {
        FETCH_TEXT(spec);
        AttentionInput in = randomInput({1, 2, 25, 25, 8, 8}, 2);
        auto weights = at::zeros({25});
        weights.slice(0, 4, 8).fill_(-infinity);
        const auto out = attend(spec, weighted(in, weights));
        QVERIFY(isFinite(out));
        in.v = in.v.clone();
        in.v.slice(2, 4, 8).fill_(100);
        const bool clips = findOption(*findBackend(AttentionSpec::parse(spec).backend()), "clip") != nullptr;
        const std::string text = spec + (clips ? ",clip=false" : "");  // bounds are those of all values
        QVERIFY(difference(attend(text, weighted(in, weights)),
                           attend(text, weighted(randomInput({1, 2, 25, 25, 8, 8}, 2), weights)))
                < 1e-6);
    }

    void zeroWeightsChangeNothingAndNoKeyGivesZero_data()
    {
        addMethods([](const BackendInfo& info) { return info.takesKeyWeights; });
    }
    void zeroWeightsChangeNothingAndNoKeyGivesZero()
    {
        FETCH_TEXT(spec);
        for (const auto type : {at::kDouble, at::kFloat, at::kBFloat16}) {
            const AttentionInput in = randomInput({2, 2, 36, 36, 16, 16}, 3, type);
            const auto plain = attend(spec, in), zeros = attend(spec, weighted(in, at::zeros({36})));
            QCOMPARE(zeros.scalar_type(), type);
            const double error = difference(plain, zeros), allowed = type == at::kDouble  ? 1e-9
                                                                     : spec == "rfa"      ? 0.2
                                                                     : type == at::kFloat ? 2e-4
                                                                                          : 0.1;
            if (type == at::kDouble
                || !spec.starts_with("lsh"))  // of two directions that are nearly as near, rounding decides
                QCOMPARE_LT(error, allowed);
            auto none = weighted(in, at::zeros({36}));
            none.keyLogWeights[1][0].fill_(-infinity);
            const auto out = attend(spec, none);
            QVERIFY(isFinite(out));
            QCOMPARE(largest(out[1][0].to(at::kDouble)), 0.0);
            QVERIFY(largest(out[1][1].to(at::kDouble)) > 0);
        }
    }

    /// Of several groups of keys one without any: 0, and the others as they are.
    void aGroupWithoutKeysGivesZero_data()
    {
        addMethods([](const BackendInfo& info) { return info.takesKeyWeights && !info.ownKeysOnly; });
    }
    void aGroupWithoutKeysGivesZero()
    {
        FETCH_TEXT(spec);
        for (const auto type : {at::kDouble, at::kFloat}) {
            AttentionInput in = weighted(randomInput({2, 2, 48, 48, 8, 6}, 13, type), at::zeros({48}));
            in.tokens = {0, 3, 4, 4};
            in.keyGroups = 3;
            const auto all = attend(spec, in);
            in.keyLogWeights[1][0].slice(0, 16, 32).fill_(-infinity);
            const auto some = attend(spec, in);
            QVERIFY(isFinite(some));
            QCOMPARE(some.sizes(), at::IntArrayRef({2, 2, 48, 3, 6}));
            QCOMPARE(largest(some[1][0].select(1, 1).to(at::kDouble)), 0.0);
            QVERIFY(largest(some[1][1].select(1, 1).to(at::kDouble)) > 0);
            QVERIFY(difference(some[0], all[0]) < (type == at::kDouble ? 1e-6 : 2e-2));
        }
    }

    /// With prefix tokens apart, what is left when no other key counts is attention to them alone.
    void prefixKeysAreLeftWhenNoOtherCounts_data()
    {
        addMethods([](const BackendInfo& info) {
            return info.takesKeyWeights && info.normaliser && findOption(info, "prefix_attention") != nullptr;
        });
    }
    void prefixKeysAreLeftWhenNoOtherCounts()
    {
        QFETCH(const QString, spec);
        AttentionInput in = randomInput({1, 2, 38, 38, 8, 8}, 14);
        in.tokens = {2, 1, 6, 6};
        auto weights = at::zeros({38});
        weights.slice(0, 2).fill_(-infinity);
        in = weighted(in, weights);
        const AttentionPart found = part(
            spec.toStdString() + (spec.contains(':') ? ",prefix_attention=exact" : ":prefix_attention=exact"), in);
        QVERIFY(difference(found.out, attend("softmax", in)) < 1e-12);
        QVERIFY(difference(found.logNormaliser, logSum(in)) < 1e-12);
    }

    /// Given landmarks, copies of keys are what their weight says: of LARA's proposals that look at keys, too.
    void copiesAreWeightsForGivenLandmarks()
    {
        for (const char* spec :
             {"lara:samples=4,weights=balance", "lara:samples=4", "lara:samples=4,proposal=attended",
              "lara:samples=4,proposal=mixture,weights=balance", "lara:samples=4,stretch=2,features=hyperbolic"}) {
            AttentionInput in = randomInput({1, 2, 21, 6, 8, 5}, 15);
            in.queryLandmarks = in.q.slice(2, 0, 4), in.keyLandmarks = in.k.slice(2, 0, 4),
            in.valueLandmarks = in.v.slice(2, 0, 4);
            const auto counts = at::tensor({1, 2, 1, 3, 1, 4}, at::kLong);
            const double error = difference(attend(spec, weighted(in, counts.to(at::kDouble).log())),
                                            attend(spec, with(in, at::repeat_interleave(counts))));
            QVERIFY2(error < 1e-9, qPrintable(u"%1: %2"_s.arg(spec).arg(error)));
        }
    }

    void methodsThatMixKeysRefuse()
    {
        const AttentionInput in = weighted(randomInput({1, 1, 16, 16, 8, 8}, 4), at::zeros({16}));
        for (const BackendInfo& info : backends())
            if (!info.takesKeyWeights)
                THROWS(UsageError, attend(info.name, in));
        THROWS(UsageError, attend("performer:floors=library", in));
        AttentionInput wrong = in;
        wrong.keyLogWeights = at::zeros({1, 1, 15}, at::kDouble);
        THROWS(UsageError, attend("softmax", wrong));
    }

    void partsJoinToTheWhole()
    {
        for (const auto type : {at::kDouble, at::kFloat}) {
            AttentionInput in = weighted(randomInput({2, 2, 9, 20, 8, 5}, 5, type), at::linspace(-2, 1, 20));
            const auto half = [&](int64_t begin, int64_t end) {
                AttentionInput some = in;
                some.k = in.k.slice(2, begin, end), some.v = in.v.slice(2, begin, end),
                some.keyLogWeights = in.keyLogWeights.slice(2, begin, end);
                return part("softmax", some);
            };
            const AttentionPart whole = part("softmax", in), both = joined(half(0, 7), half(7, 20));
            const double allowed = type == at::kDouble ? 1e-12 : 1e-5;
            QVERIFY(difference(whole.logNormaliser, logSum(in)) < allowed);
            QVERIFY(difference(both.out, whole.out) < allowed
                    && difference(both.logNormaliser, whole.logNormaliser) < allowed);
            in.keyLogWeights = at::full_like(in.keyLogWeights, -infinity);
            const AttentionPart none = part("softmax", in), still = joined(none, whole);
            QVERIFY(none.logNormaliser.isneginf().all().item<bool>() && largest(none.out) == 0);
            QVERIFY(still.out.equal(whole.out) && isFinite(joined(none, none).out));
        }
    }

    void normalisersAreThoseOfTheOutput_data()
    {
        addMethods([](const BackendInfo& info) { return info.normaliser; });
    }
    void normalisersAreThoseOfTheOutput()
    {
        FETCH_TEXT(spec);
        const AttentionInput in = randomInput({2, 2, 36, 36, 8, 8}, 6, at::kDouble, 0.3), narrow = [&] {
            AttentionInput x = in;
            x.q = in.q.to(at::kFloat), x.k = in.k.to(at::kFloat), x.v = in.v.to(at::kFloat);
            return x;
        }();
        const AttentionPart wide = part(spec, in), own = part(spec, narrow);
        QVERIFY(difference(wide.out, attend(spec, in)) < 1e-9);
        QVERIFY(difference(own.out, attend(spec, narrow)) < 1e-5);
        QCOMPARE_LT(difference(wide.logNormaliser, own.logNormaliser), 1e-4);
        // Small logits: any estimate is near.
        QCOMPARE_LT(difference(wide.logNormaliser, logSum(in)), 0.4);
        // Prefix and centring leave it the normaliser of the same keys.
        AttentionInput shifted = in;
        shifted.k = in.k + 0.7;
        QVERIFY(difference(part("performer:center=both", shifted).logNormaliser, logSum(shifted)) < 0.4);
        QVERIFY(difference(part("performer:center_keys=true", shifted).logNormaliser, logSum(shifted)) < 0.4);
        QVERIFY(difference(part("lara:samples=9,center=both", shifted).logNormaliser, logSum(shifted)) < 0.4);
    }

    void tangentsNeverExceedTheNormaliser()
    {
        const AttentionInput in = weighted(randomInput({2, 2, 30, 17, 6, 4}, 7), at::linspace(-1, 1, 17));
        const auto bound = tangentNormaliser(in, queryLandmarks(in, 5)), exact = logSum(in);
        QVERIFY((bound - exact).max().item<double>() < 1e-10);
        QVERIFY(difference(tangentNormaliser(in, in.q), exact) < 1e-10);
        QVERIFY(difference(part("nystrom:samples=9,logz=tangent", in).logNormaliser,
                           tangentNormaliser(in, queryLandmarks(in, tangentNormaliserLandmarks)))
                < 1e-12);
        THROWS(UsageError, part("rfa:logz=tangent,prefix_attention=exact,gate_form=sum,causal=true", in));
    }

    void exactPrefixTokensAreExactAsQueriesAndKeys_data()
    {
        addMethods([](const BackendInfo& info) { return !info.prefixSeesAll && !info.ownKeysOnly; });
    }
    void exactPrefixTokensAreExactAsQueriesAndKeys()
    {
        QFETCH(const QString, spec);
        const std::string exact = spec.toStdString() + (spec.contains(':') ? "," : ":") + "prefix_attention=exact";
        constexpr int64_t prefix = 3;
        for (const auto type : {at::kDouble, at::kFloat, at::kBFloat16}) {
            AttentionInput in = randomInput({2, 2, 39, 39, 16, 16}, 8, type);
            in.tokens = {prefix, 1, 6, 6};
            const auto out = attend(exact, in), softmax = attend("softmax", in);
            const double allowed = type == at::kDouble ? 1e-12 : type == at::kFloat ? 1e-5 : 0.05;
            QVERIFY(difference(out.slice(2, 0, prefix), softmax.slice(2, 0, prefix)) < allowed);
            QVERIFY(isFinite(out));
            // A prefix key that outweighs all others takes every query with it.
            in.k = in.k.clone();
            in.k.select(2, 1).copy_(20 * in.q.select(2, 5));
            in.q = in.q.slice(2, 5, 6).expand_as(in.q).contiguous();
            const auto taken = attend(exact, in);
            QVERIFY(difference(taken, in.v.select(2, 1).unsqueeze(2)) < (type == at::kBFloat16 ? 0.1 : 0.02));
        }
        AttentionInput all = randomInput({1, 2, 3, 3, 8, 8}, 9);
        all.tokens = {.prefix = 3};
        QVERIFY(difference(attend(exact, all), attend("softmax", all)) < 1e-12);
    }
};

ATTNSCOPE_TEST(TestKeyWeights)
#include "tst_key_weights.moc"
