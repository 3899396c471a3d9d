// Our own kernels against LibTorch's operators, backend by backend.
#include "core/attention/fused/cpu_attention.h"
#include "tests/core/attention/attention_inputs.h"
#include "tests/support/test_class.h"

#include <ATen/Parallel.h>

using namespace attnscope;
using namespace attnscope::test;

class TestCpuAttention : public QObject {
    Q_OBJECT

private slots:
    void kernelsGiveWhatOperatorsGive_data() { addSpecs(); }
    void kernelsGiveWhatOperatorsGive()
    {
        QFETCH(const QString, spec);
        for (const Sizes& s : {Sizes{}, Sizes{2, 3, 197, 197, 64, 64}, Sizes{1, 2, 70, 1300, 16, 24},
                               Sizes{1, 1, 500, 30, 33, 5}}) {
            const AttentionInput input = randomInput(s, 3, at::kFloat);
            const auto own = attend(spec.toStdString(), input), operators = attend(plain(spec), input);
            const double error = ((own - operators).norm() / operators.norm()).item<double>();
            // Sums of sines and cosines may nearly vanish; both ways then lose digits.
            QCOMPARE_LT(error, (spec.startsWith("rfa") ? 1e-2 : 2e-5));
        }
    }

    void resultsDoNotDependOnThreads_data() { addSpecs(); }
    void resultsDoNotDependOnThreads()
    {
        FETCH_TEXT(spec);
        const AttentionInput input = randomInput({1, 3, 2100, 2100, 32, 32}, 4, at::kFloat);
        const int before = at::get_num_threads();
        at::set_num_threads(1);
        const auto one = attend(spec, input);
        at::set_num_threads(2);
        const auto two = attend(spec, input);
        at::set_num_threads(before);
        QVERIFY(one.equal(two) || spec.starts_with("lara")
                || contains(spec, "mean-key"));  // pooling is LibTorch's
        QVERIFY((one - two).abs().max().item<double>() < 1e-5);
    }

    void groupsOfKeysAreAnsweredOneByOne_data() { addSpecs(); }
    void groupsOfKeysAreAnsweredOneByOne()
    {
        QFETCH(const QString, spec);
        AttentionInput input = randomInput({2, 2, 48, 48, 16, 16}, 5, at::kFloat);
        input.keyGroups = 4;
        const auto own = attend(spec.toStdString(), input), operators = attend(plain(spec), input);
        QCOMPARE(own.sizes(), operators.sizes());
        const double error = ((own - operators).norm() / operators.norm()).item<double>();
        QCOMPARE_LT(error, (spec.startsWith("rfa") ? 1e-2 : 2e-5));
    }

    /// As in a packed projection of 1,100 tokens: rows of a head are pages apart, and each thread copies them together.
    void keysThatAreSpreadOverMemoryAreTheSame()
    {
        const AttentionInput together = randomInput({1, 2, 1100, 1100, 16, 16}, 6, at::kFloat);
        AttentionInput spread = together;
        const at::Tensor memory = at::empty({1, 1100, 2, 2048});
        for (at::Tensor* part : {&spread.k, &spread.v}) {
            const int64_t at = part == &spread.k ? 0 : 1024;
            at::Tensor rows = memory.slice(3, at, at + 16).transpose(1, 2);
            *part = rows.copy_(*part);
        }
        QVERIFY(attend("softmax", spread).equal(attend("softmax", together)));
    }

    /// Only where every row begins at a pair, and its numbers lie side by side.
    void numbersOfTwoBytesAreReadInPairs()
    {
        const auto fits = [](int64_t offset, int64_t stride, int64_t width) {
            const at::Tensor x =
                at::zeros({1 << 16}, at::kBFloat16).as_strided({2, 3, 5, width}, {5000, 1000, stride, 1}, offset);
            return fitsPairKernels({.q = x, .k = x, .v = x, .scale = 1});
        };
        QVERIFY(fits(0, 64, 32) && fits(2, 66, 48));
        QVERIFY(!fits(1, 64, 32));
        QVERIFY(!fits(0, 65, 32));
        QVERIFY(!fits(0, 64, 24));
        const at::Tensor x = at::zeros({2, 3, 5, 32}, at::kBFloat16);
        for (const auto& other :
             {x.to(at::kFloat), x.transpose(2, 3).contiguous().transpose(2, 3), x.clone().requires_grad_()}) {
            QVERIFY(!fitsPairKernels({.q = other, .k = x, .v = x, .scale = 1}));
            QVERIFY(!fitsPairKernels({.q = x, .k = other, .v = x, .scale = 1}));
            QVERIFY(!fitsPairKernels({.q = x, .k = x, .v = other, .scale = 1}));
        }
        QVERIFY(!fitsPairKernels({.q = x, .k = x, .v = x, .scale = 1, .keyLogWeights = at::zeros({2, 1, 5})}));
    }

private:
    static void addSpecs()
    {
        rows("spec", {"performer",
                      "performer:samples=50,features=hyperbolic",
                      "performer:center_keys=true",
                      "performer:center=both,balance=diagonal",
                      "performer:center=both,balance=diagonal,oprf=true",
                      "lara:samples=9,stretch=2",
                      "rfa:samples=33",
                      "ra",
                      "ra:samples=3",
                      "ra:mode=biased",
                      "ra:mode=biased,noise=unit,samples=2",
                      "ra:mode=mean-key",
                      "lara:samples=9",
                      "lara:samples=9,proposal=mixed,beta=2,noise=unit",
                      "lara:samples=9,weights=balance",
                      "lara:samples=9,alpha_floor=0",
                      "lara:samples=4,proposal=attended",
                      "tangent",
                      "tangent:samples=5,rank=3",
                      "tangent:order=0",
                      "monarch",
                      "monarch:block=7,steps=3",
                      "blocks",
                      "blocks:block=6,keep=2,tail=none,order=lsh",
                      "blocks:block=3,coverage=0.5"});
    }
    static std::string plain(const QString& spec)
    {
        return (spec + (spec.contains(':') ? ",kernel=plain" : ":kernel=plain")).toStdString();
    }
};

ATTNSCOPE_TEST(TestCpuAttention)
#include "tst_cpu_attention.moc"
