// Where rounding leaves a method's numbers no meaning it uses others instead, and says so.
#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include "core/attention/numerics/fallbacks.h"
#include "core/attention/numerics/symmetric_eigen.h"

#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace attnscope;
using namespace attnscope::test;

namespace {

struct Provoked {
    const char* name;
    const char* spec;
    const char* note;  ///< its end
    at::ScalarType type;
    std::function<void(AttentionInput&)> spoil;
};

/// The same in heads 1 and 2 of the second element alone.
at::Tensor inTwoHeads(const at::Tensor& x, const at::Tensor& spoiled)
{
    at::Tensor mixed = x.clone();
    mixed.select(0, 1).slice(0, 1, 3).copy_(spoiled.select(0, 1).slice(0, 1, 3));
    return mixed;
}

/// Few keys, many times each, but for a rounding error.
at::Tensor nearlyEqual(const at::Tensor& x)
{
    return x.slice(2, 0, 3).repeat({1, 1, x.size(2), 1}).slice(2, 0, x.size(2)) + 1e-5 * x;
}

const std::vector<Provoked>& provoked()
{
    static const std::vector<Provoked> all{
        {"steep similarities", "wildcat:temperature=fixed,tau=1", "computed in float64", at::kFloat,
         [](AttentionInput& in) { in.k = inTwoHeads(in.k, in.k * 6); }},
        {"cancelled weights, fused", "wildcat:samples=16,temperature=fixed,tau=5",
         "the middle of the values' range", at::kFloat,
         [](AttentionInput& in) { in.q = inTwoHeads(in.q, in.q * 6), in.k = inTwoHeads(in.k, in.k * 0.3); }},
        {"cancelled weights", "wildcat:samples=16,temperature=fixed,tau=5", "the middle of the values' range",
         at::kDouble,
         [](AttentionInput& in) { in.q = inTwoHeads(in.q, in.q * 6), in.k = inTwoHeads(in.k, in.k * 0.3); }},
        {"a constant channel", "performer:balance=diagonal,center=both", "its stretch was bounded", at::kFloat,
         [](AttentionInput& in) {
             auto k = in.k.clone();
             k.select(3, 2).fill_(1);
             in.k = inTwoHeads(in.k, k);
         }},
        {"keys along a line", "performer:balance=full", "to a millionth of the largest", at::kFloat,
         [](AttentionInput& in) {
             auto k = in.k.clone();
             k.slice(3, 1).zero_();
             in.k = inTwoHeads(in.k, k);
         }},
        {"no variance at all", "performer:balance=full,center=both", "to a millionth of the largest", at::kDouble,
         [](AttentionInput& in) { in.k = inTwoHeads(in.k, in.k.slice(2, 0, 1).expand_as(in.k)); }},
        {"residuals beyond float32, fused", "tangent:rank=4,samples=4", "the place of its directions", at::kFloat,
         [](AttentionInput& in) { in.q = inTwoHeads(in.q, in.q * 1e20), in.k = inTwoHeads(in.k, in.k * 1e-20); }},
        {"residuals beyond float32", "tangent:rank=4,samples=4,kernel=plain", "the place of its directions",
         at::kFloat,
         [](AttentionInput& in) { in.q = inTwoHeads(in.q, in.q * 1e20), in.k = inTwoHeads(in.k, in.k * 1e-20); }},
        {"nearly equal landmarks", "nystrom:iterations=100", "the last good step was used", at::kFloat,
         [](AttentionInput& in) { in.q = inTwoHeads(in.q, in.q * 0.05), in.k = inTwoHeads(in.k, in.k * 0.05); }},
        {"equal landmarks, iterated", "nystrom:iterations=100", "the last good step was used", at::kDouble,
         [](AttentionInput& in) {
             in.q = inTwoHeads(in.q, nearlyEqual(in.q)), in.k = inTwoHeads(in.k, nearlyEqual(in.k));
         }},
        {"equal landmarks", "nystrom:exact_pinv=true", "was left out of its inverse", at::kFloat,
         [](AttentionInput& in) {
             in.q = inTwoHeads(in.q, nearlyEqual(in.q)), in.k = inTwoHeads(in.k, nearlyEqual(in.k));
         }},
    };
    return all;
}

struct Outcome {
    at::Tensor out;
    std::vector<std::string> notes;
};

Outcome counted(const std::string& spec, const AttentionInput& in)
{
    FallbackTally tally;
    Outcome outcome;
    {
        const at::NoGradGuard constants;
        const CountFallbacks counting(tally);
        outcome.out = attend(spec, in);
    }
    tally.addTo(outcome.notes);
    return outcome;
}

}

class TestFallbacks : public QObject {
    Q_OBJECT
private slots:
    void breakdownIsNotedAndFinite_data()
    {
        columns<int>("which");
        for (size_t i = 0; i < provoked().size(); ++i)
            row(provoked()[i].name, int(i));
    }
    void breakdownIsNotedAndFinite()
    {
        QFETCH(const int, which);
        const Provoked& one = provoked()[size_t(which)];
        const AttentionInput ordinary = randomInput({2, 4, 60, 60, 16, 16}, 5, one.type);
        QVERIFY(counted(one.spec, ordinary).notes.empty());
        AttentionInput in = ordinary;
        one.spoil(in);
        const Outcome found = counted(one.spec, in);
        QVERIFY(isFinite(found.out));
        QCOMPARE(found.notes.size(), 1);
        const std::string& note = found.notes.front();
        QVERIFY2(note.starts_with("in 2 of 8 heads ") && note.ends_with(one.note), note.c_str());
        const at::NoGradGuard constants;
        QVERIFY(at::equal(attend(one.spec, in), found.out));  // whoever counts
        // The other heads are what they are without.
        const at::Tensor plain = attend(one.spec, ordinary);
        QVERIFY(difference(found.out.select(0, 0), plain.select(0, 0)) <= 1e-4 * largest(plain));
    }

    void ordinaryInputHasNoNotes_data()
    {
        rows("spec", {"softmax", "wildcat", "wildcat:bins=4,samples=16", "tangent:rank=4",
                      "performer:center=both,balance=full,oprf=true", "performer:balance=diagonal",
                      "rfa:center=both", "scatterbrain:center=both", "nystrom:samples=16",
                      "nystrom:samples=8,iterations=30", "nystrom:samples=8,exact_pinv=true"});
    }
    void ordinaryInputHasNoNotes()
    {
        FETCH_TEXT(spec);
        for (const auto type : {at::kFloat, at::kDouble, at::kBFloat16})
            QCOMPARE(counted(spec, randomInput({2, 4, 120, 120, 16, 16}, 6, type)).notes.size(), 0);
    }

    /// The queries' have no directions left, either.
    void covariancesBeyondFloat32()
    {
        AttentionInput in = randomInput({1, 2, 60, 60, 16, 16}, 5, at::kFloat);
        in.k = in.k * 1e20, in.q = in.q * 1e-20;
        const Outcome found = counted("performer:balance=full", in);
        QVERIFY(isFinite(found.out));
        const auto said = [&](const char* clause) {
            return std::ranges::any_of(found.notes,
                                       [&](const std::string& note) { return note.ends_with(clause); });
        };
        QVERIFY(said(covarianceNotFinite.clause) && said("to a millionth of the largest"));
    }

    void talliesAreNestedAndOfOneThread()
    {
        QVERIFY(FallbackTally::current() == nullptr);
        FallbackTally outer, inner;
        constexpr Fallback something{"something happened"};
        {
            const CountFallbacks counting(outer);
            {
                const CountFallbacks own(inner);
                QCOMPARE(FallbackTally::current(), &inner);
                const FallbackTally* seen = &inner;
                std::thread([&] { seen = FallbackTally::current(); }).join();
                QVERIFY(seen == nullptr);
            }
            QCOMPARE(FallbackTally::current(), &outer);
            FallbackTally::current()->add(something, 1, 6);
            FallbackTally::current()->add(something, at::tensor({1, 1, 0}).to(at::kBool));
            FallbackTally::current()->add(covarianceNotFinite, 0, 6);
        }
        QVERIFY(FallbackTally::current() == nullptr);
        std::vector<std::string> notes{"before"};
        outer.addTo(notes);
        outer.addTo(notes);  // nothing twice
        QCOMPARE(notes, (std::vector<std::string>{"before", "in 3 of 9 heads something happened"}));
        QVERIFY(inner.counts().empty());
        FallbackCount{"something happened", 5, 5}.addTo(notes, "heads of a batch");
        QCOMPARE(notes.size(), 2);
        FallbackCount{"another thing happened", 1, 1200}.addTo(notes, "heads of a batch");
        QVERIFY(notes.back().ends_with("heads of a batch another thing happened"));
    }
};

ATTNSCOPE_TEST(TestFallbacks)
#include "tst_fallbacks.moc"
