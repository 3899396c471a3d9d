// Sparse attentions by the CPU kernel next to LibTorch's operators.
#include "core/measure/memory.h"
#include "tests/core/attention/attention_inputs.h"
#include "tests/support/test_class.h"

#include <ATen/Parallel.h>

#include <c10/core/InferenceMode.h>

#include <functional>

using namespace attnscope;
using namespace attnscope::test;

namespace {

std::string plain(const std::string& spec)
{
    return spec + (spec.find(':') == std::string::npos ? ":" : ",") + "kernel=plain";
}

/// As a model hands them over: heads of q, k and v lie between a token and the next one.
AttentionInput interleaved(AttentionInput in)
{
    for (at::Tensor* x : {&in.q, &in.k, &in.v})
        *x = x->transpose(1, 2).contiguous().transpose(1, 2);
    return in;
}

struct Layout {
    const char* title;
    Sizes sizes;
    TokenLayout tokens, keyTokens;
    int64_t keyGroups = 1;
};

const Layout layouts[] = {
    {"grid", {2, 2, 126, 126, 32, 32}, {0, 1, 9, 14}, {}},
    {"grid behind a class token", {1, 3, 121, 121, 24, 24}, {1, 1, 20, 6}, {}},
    {"grid behind five tokens", {2, 2, 35, 35, 8, 5}, {5, 1, 5, 6}, {}},
    {"tokens before nothing", {1, 2, 3, 3, 16, 16}, {3, 1, 0, 0}, {}},
    {"line", {1, 3, 130, 130, 33, 7}, {1, 1, 0, 0}, {}},
    {"one token", {2, 1, 1, 1, 16, 16}, {0, 1, 1, 1}, {}},
    {"fewer keys on a grid of their own", {2, 2, 101, 26, 16, 24}, {1, 1, 10, 10}, {1, 1, 5, 5}},
    {"more keys on a grid of their own", {1, 2, 65, 154, 16, 16}, {1, 1, 8, 8}, {0, 1, 14, 11}},
    {"few keys, so that queries see none", {2, 2, 100, 6, 16, 16}, {0, 1, 10, 10}, {0, 1, 1, 6}},
    {"keys without a grid", {1, 2, 100, 13, 16, 16}, {0, 1, 10, 10}, {}},
    {"frames with one normaliser", {1, 2, 61, 61, 16, 16}, {1, 3, 4, 5}, {}},
    {"frames one by one", {2, 2, 60, 60, 16, 16}, {0, 3, 4, 5}, {}, 3},
};

const char* const specs[] = {
    "strided",
    "strided:stride=7",
    "strided:pattern=strided,stride=5",
    "strided:pattern=fixed,stride=6,summary=2,distinct=true",
    "strided:use=alternate",
    "strided:use=second",
    "strided:pattern=strided,use=first",
    "blockwise",
    "blockwise:blocks=5,identity=0.25",
    "blockwise:blocks=9,tiles=true,permutation=random",
    "longformer",
    "longformer:radius=1,dilation=2,dilated=odd",
    "longformer:radius=2,global=3",
    "longformer:radius=0",
    "longformer:radius=256",
    "longformer:radius=9,places=line",
    "longformer:radius=2,dilation=3,places=line",
    "etc",
    "etc:samples=9,radius=2,counted=true",
    "etc:samples=9,values=attended,segments=own",
    "etc:samples=0,radius=2,places=line",
    "bigbird",
    "bigbird:block=3,radius=0,random=1,ends=true",
    "bigbird:block=5,places=line",
    "bigbird:block=1,radius=1,random=2",
    "lsh",
    "lsh:buckets=4,samples=3,duplicates=true",
    "lsh:form=chunks,chunk=9",
    "lsh:form=chunks,chunk=5,duplicates=true,center=false",
    "clustered",
    "clustered:samples=9,topk=5",
    "clustered:samples=5,topk=0,start=random",
    "clustered:samples=4,topk=300,iterations=0",
    "span",
    "span:span=1,span_to=4",
    "span:span=0.5,ramp=1.5,metric=manhattan",
    "span:span=2.5,ramp=0.001,metric=chebyshev,places=line",
};

AttentionInput inputOf(const Layout& layout, at::ScalarType type)
{
    AttentionInput in = randomInput(layout.sizes, 8, at::kFloat);
    in = as(in, type);
    in.tokens = layout.tokens, in.keyTokens = layout.keyTokens, in.keyGroups = layout.keyGroups;
    return in;
}

/// While it lives: teams of threads cost more than they save where tensors are small.
class OneThread {
public:
    OneThread() { at::set_num_threads(1); }
    ~OneThread() { at::set_num_threads(m_before); }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;

private:
    int m_before = at::get_num_threads();
};

/// Whether the method takes the layout: `etc` refuses other keys and frames, and 4 buckets need as many keys.
bool takes(const std::string& spec, const Layout& layout)
{
    const bool otherKeys = layout.sizes.queries != layout.sizes.keys || layout.keyGroups > 1;
    const int64_t patches = layout.sizes.keys / layout.keyGroups
                            - (otherKeys ? layout.keyTokens.prefix : layout.tokens.prefix);
    return !(otherKeys && spec.starts_with("etc"))
           && !(patches > 0 && patches < 4 && spec.find("buckets=4") != std::string::npos);
}

}

class TestSparseKernel : public QObject {
    Q_OBJECT

private slots:
    void agreesWithOperators_data() { addCases(); }
    void agreesWithOperators()
    {
        FETCH_TEXT(spec);
        QFETCH(const int, layout);
        const AttentionInput in = interleaved(inputOf(layouts[layout], at::kFloat)),
                             wide = inputOf(layouts[layout], at::kDouble);
        const auto own = attend(spec, in);
        const OneThread operatorsOfFewNumbers;
        const auto operators = attend(plain(spec), in), exact = attend(spec, wide);
        QCOMPARE(own.sizes(), operators.sizes());
        QVERIFY2(
            difference(own, exact) < 2e-6 + 2 * difference(operators, exact),
            qPrintable(QString("%1, operators %2").arg(difference(own, exact)).arg(difference(operators, exact))));
    }

    void takesBfloat16_data() { addCases(); }
    void takesBfloat16()
    {
        FETCH_TEXT(spec);
        QFETCH(const int, layout);
        const AttentionInput in = inputOf(layouts[layout], at::kBFloat16);
        AttentionInput widened = as(in, at::kFloat);
        const auto own = attend(spec, interleaved(in)), exact = attend(spec, widened);
        QCOMPARE(own.scalar_type(), at::kBFloat16);
        QCOMPARE_LT(difference(own, exact), 0.04);  // 2⁻⁸ of values up to 4, and of their weights
    }

    void doesNotDependOnThreads_data() { addSpecs(); }
    void doesNotDependOnThreads()
    {
        FETCH_TEXT(spec);
        AttentionInput in = randomInput({1, 3, 1025, 1025, 32, 32}, 4, at::kFloat);
        in.tokens = {1, 1, 32, 32};
        const int before = at::get_num_threads();
        at::set_num_threads(1);
        const auto one = attend(spec, in);
        at::set_num_threads(3);
        const auto three = attend(spec, in);
        at::set_num_threads(before);
        QVERIFY(one.equal(three));
    }

    void memoryGrowsWithTokensAlone_data()
    {
        rows("spec", {"strided", "blockwise:blocks=32", "longformer", "etc", "bigbird", "lsh", "clustered",
                      "span:span=3"});
    }

    void memoryGrowsWithTokensAlone()
    {
        FETCH_TEXT(spec);
        const c10::InferenceMode guard;
        const auto peakOf = [&](int64_t side) {
            AttentionInput in = randomInput({1, 2, side * side, side * side, 16, 16}, 5, at::kFloat);
            in.tokens = {0, 1, side, side};
            const AllocationMeter meter(at::kCPU);
            attend(spec, in);
            return double(meter.peak());
        };
        const double one = peakOf(48), four = peakOf(96);
        QVERIFY2(four < 4.5 * one, qPrintable(QString("%1, %2").arg(one).arg(four)));
        QVERIFY(four < 0.1 * 2 * 4 * std::pow(96.0, 4));  // of two N×M matrices
    }

    void keysThatAreNotSeenDoNotCountHoweverLargeTheyAre()
    {
        AttentionInput in = randomInput({1, 1, 100, 100, 16, 16}, 6, at::kFloat);
        in.tokens = {0, 1, 10, 10};
        const auto before = attend("longformer:radius=1", in).slice(2, 0, 88);
        in.k.slice(2, 99).fill_(1e18f);
        in.v.slice(2, 99).fill_(1e18f);
        QVERIFY(
            attend("longformer:radius=1", in).slice(2, 0, 88).equal(before));  // 88 is next to 99, and 87 is not
    }

    void gradientsAreThoseOfTheOperators()
    {
        const auto gradientOf = [](const std::string& spec) {
            AttentionInput in = inputOf(layouts[1], at::kFloat);
            in.q.requires_grad_();
            attend(spec, in).square().sum().backward();
            return in.q.grad();
        };
        QVERIFY(gradientOf("longformer").equal(gradientOf("longformer:kernel=plain")));
    }

private:
    static void addSpecs() { rows("spec", specs); }
    static void addCases()
    {
        columns<QString, int>("spec", "layout");
        for (const char* spec : specs)
            for (size_t i = 0; i < std::size(layouts); ++i)
                if (takes(spec, layouts[i]))
                    addRow("%s, %s", spec, layouts[i].title) << QString(spec) << int(i);
    }
};

ATTNSCOPE_TEST(TestSparseKernel)
#include "tst_sparse_kernel.moc"
