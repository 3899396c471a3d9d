// The CUDA kernels as backends call them, against LibTorch's operators. Where no GPU is: this program takes core/attention/fused/cuda_attention*.cpp with
// tensors on the CPU, and emulated_cuda.cpp for the device; `cudaAttention` below stands in the place of the library's.
#include "core/attention/fused/cuda_attention.h"
#include "core/attention/numerics/fallbacks.h"
#include "core/attention/numerics/implementation.h"
#include "core/device/torch_problem.h"
#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include <limits>
#include <tuple>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::test;

namespace {

bool emulating = false;
int calls = 0;

}

namespace attnscope::kernels::cuda {

extern int64_t sharedLimit;  // of the emulated device
extern int nextError;        // of a launch
extern int launchesBefore;   // that one
extern int launches;
const char* errorText(int error);

}

namespace attnscope {

const CudaAttention* cudaAttention(const AttentionInput& in)
{
    if (!emulating || !fitsCudaKernels(in))
        return nullptr;
    ++calls;
    return &cudaKernels();
}

void* currentStream(const at::Device&)
{
    return nullptr;
}

}

class TestCudaAttention : public QObject {
    Q_OBJECT

private slots:
    void init() { calls = kernels::cuda::launches = 0; }
    void cleanup()
    {
        emulating = false;
        kernels::cuda::sharedLimit = 227 * 1024;
        fail(0);
    }

    void kernelsGiveWhatOperatorsGive_data() { addSpecs(); }
    void kernelsGiveWhatOperatorsGive()
    {
        QFETCH(const QString, spec);
        for (const Sizes& s : {Sizes{}, Sizes{1, 2, 70, 130, 64, 64}, Sizes{1, 1, 33, 300, 39, 5}}) {
            const AttentionInput input = packedInput(s, 3);
            const auto own = emulated(spec, input), operators = attend(plain(spec), input);
            QVERIFY(calls > 0);
            QCOMPARE(own.sizes(), operators.sizes());
            const double error = relative(own, operators);
            // Sums of sines and cosines may nearly vanish; both ways then lose digits.
            QCOMPARE_LT(error, (spec.startsWith("rfa") ? 1e-2 : 2e-5));
        }
    }

    void brainFloatsGiveWhatOperatorsGive_data() { addSpecs(); }
    void brainFloatsGiveWhatOperatorsGive()
    {
        QFETCH(const QString, spec);
        AttentionInput input = packedInput({1, 2, 50, 70, 32, 32}, 4);
        input = as(input, at::kBFloat16);
        const c10::InferenceMode inference;
        const auto own = emulated(spec, input);
        QVERIFY(calls > 0);
        QCOMPARE(own.scalar_type(), at::kBFloat16);
        AttentionInput wide = as(input, at::kFloat);
        const double error = relative(own.to(at::kFloat), attend(plain(spec), wide));
        QCOMPARE_LT(error, 0.03);
    }

    void groupsOfKeysAreAnsweredOneByOne_data() { addSpecs(); }
    void groupsOfKeysAreAnsweredOneByOne()
    {
        QFETCH(const QString, spec);
        AttentionInput input = packedInput({2, 2, 48, 48, 16, 16}, 5);
        input.keyGroups = 4;
        const auto own = emulated(spec, input), operators = attend(plain(spec), input);
        QVERIFY(calls > 0);
        QCOMPARE(own.sizes(), operators.sizes());
        const double error = relative(own, operators);
        QCOMPARE_LT(error, (spec.startsWith("rfa") ? 1e-2 : 2e-5));
    }

    void keysHaveTheirWeights_data() { addSpecs(); }
    /// Log-weights of keys, some of them removed: in every group, all of one group, all of one head.
    void keysHaveTheirWeights()
    {
        QFETCH(const QString, spec);
        const double none = -std::numeric_limits<double>::infinity();
        for (const int64_t groups : {1, 3})
            for (const auto type : {at::kFloat, at::kBFloat16}) {
                const bool half = type == at::kBFloat16;
                if (half && spec.startsWith("rfa"))
                    continue;
                AttentionInput input = packedInput({2, 2, 20, 520, 16, 8}, 9);
                if (groups > 1)
                    input = packedInput({2, 2, 48, 48, 16, 16}, 9);
                input.keyGroups = groups;
                input = as(input, type);
                const int64_t keys = input.k.size(2);
                SeededNoise noise(4, 4);
                input.keyLogWeights = noise.normal("w", {2, 2, keys}, at::kFloat);
                input.keyLogWeights.slice(2, keys - 5).fill_(none);  // the last of the last group
                input.keyLogWeights.select(2, 2).fill_(none);
                if (groups > 1)
                    input.keyLogWeights[1][0].slice(0, 0, keys / groups).fill_(none);
                input.keyLogWeights[0][1].fill_(none);
                const c10::InferenceMode inference;
                calls = 0;
                const auto own = emulated(spec, input);
                QVERIFY(calls > 0);
                AttentionInput wide = as(input, at::kFloat);
                const auto operators = attend(plain(spec), wide);
                QCOMPARE(own.sizes(), operators.sizes());
                QVERIFY(isFinite(own));
                QCOMPARE(largest(own[0][1].to(at::kDouble)), 0.0);
                const double error = relative(own.to(at::kFloat), operators);
                QCOMPARE_LT(error, (spec.startsWith("rfa") ? 2e-2 : half ? 0.05 : 2e-5));
                wide.keyLogWeights = at::Tensor();
                QVERIFY(relative(own.to(at::kFloat), attend(plain(spec), wide)) > 0.05);
            }
    }

    void recordedNoiseIsUsed_data()
    {
        columns<QString>("spec");
        row("unbiased", "ra:samples=2");
        row("biased", "ra:mode=biased,noise=unit,samples=2");
        row("lara", "lara:samples=9,noise=unit");
    }

    void recordedNoiseIsUsed()
    {
        QFETCH(const QString, spec);
        const AttentionInput input = packedInput({2, 2, 20, 30, 16, 16}, 6);
        SeededNoise drawn(77, 3), unused(0, 0);
        std::map<std::string, at::Tensor> tensors{{"u", drawn.uniform("u", {2, 2, 20, 2}, at::kFloat)}};
        tensors["eps"] = spec.startsWith("ra") ? drawn.normal("eps", {2, 2, 20, 2, 16}, at::kFloat)
                                               : drawn.normal("eps", {2, 2, 9, 16}, at::kFloat);
        RecordedNoise noise(tensors, unused);
        const auto own = emulated(spec, input, noise);
        const auto operators = make(plain(spec), input)->attend(input, noise);
        QVERIFY(calls > 0);
        QCOMPARE_LT(relative(own, operators), 2e-5);
    }

    /// Numbers belong to a sample's identity, be the identities in a row or not.
    void samplesKeepTheirNoiseInAnyBatch()
    {
        const AttentionInput input = packedInput({3, 2, 20, 30, 16, 16}, 7);
        SeededNoise scattered(1, 2, {900, 17, 4}), single(1, 2, {17});
        const auto whole = emulated("ra", input, scattered);
        AttentionInput second = input;
        for (at::Tensor* x : {&second.q, &second.k, &second.v})
            *x = x->narrow(0, 1, 1);
        QVERIFY(whole.narrow(0, 1, 1).equal(emulated("ra", second, single)));
        SeededNoise again(1, 2, {900, 17, 4});
        QVERIFY(relative(whole, make("ra:kernel=plain", input)->attend(input, again)) < 2e-5);
    }

    void whatDoesNotFitStaysWithTheOperators()
    {
        const auto taken = [](const QString& spec, const AttentionInput& in) {
            calls = 0;
            emulated(spec, in);
            return calls > 0;
        };
        AttentionInput input = packedInput({1, 2, 20, 30, 16, 16}, 8);
        QVERIFY(taken("performer", input));
        QVERIFY(!taken("performer:floors=library", input));
        QVERIFY(!taken("performer", packedInput({1, 1, 20, 30, 136, 16}, 8)));
        QVERIFY(!taken("performer", randomInput({1, 2, 20, 30, 16, 16}, 8)));  // float64
        input.q = input.q.detach().requires_grad_();
        QVERIFY(!taken("performer", input));
        QVERIFY(!taken("ra", input));
        QVERIFY(!taken("lara:samples=9", input));
        input.q = input.q.detach();
        input.keyLogWeights = at::zeros({1, 2, 30});
        QVERIFY(taken("performer", input) && taken("ra", input) && taken("rfa", input));
        input.keyLogWeights.requires_grad_();
        QVERIFY(!taken("performer", input));
    }

    void exactPrefixTokensAreJoined_data()
    {
        rows("spec",
             {"performer:samples=50,prefix_attention=exact", "performer:samples=50,prefix_attention=rows",
              "performer:samples=50,features=hyperbolic,center_keys=true,prefix_attention=exact",
              "performer:samples=50,prefix_attention=exact,logz=tangent",
              "performer:samples=50,center=both,prefix_attention=exact", "lara:samples=9,prefix_attention=exact",
              "lara:samples=9,weights=balance,stretch=2,center=both,prefix_attention=exact",
              "lara:samples=70,beta=2,noise=unit,prefix_attention=exact",
              "lara:samples=9,prefix_attention=exact,logz=tangent", "lara:samples=9,prefix_attention=rows",
              "ra:prefix_attention=rows", "ra:mode=biased,prefix_attention=exact,logz=tangent"});
    }

    /// To what float64 gives. In 16 bits logarithms of 50 would be off by a fifth.
    void exactPrefixTokensAreJoined()
    {
        QFETCH(const QString, spec);
        AttentionInput given = packedInput({1, 2, 80, 80, 32, 32}, 4);
        given.q = given.q * 3;  // logarithms far from 0
        given.tokens.prefix = given.keyTokens.prefix = 1;
        for (const auto type : {at::kFloat, at::kBFloat16}) {
            const AttentionInput input = as(given, type);
            const c10::InferenceMode inference;
            calls = 0;
            const auto [own, notes] = notedEmulated(spec, input);
            QCOMPARE(notes.empty(), spec.contains("center=both") && spec.startsWith("performer"));
            QCOMPARE(own.scalar_type(), type);
            const double error = relative(own.to(at::kDouble), attend(plain(spec), as(input, at::kDouble)));
            QCOMPARE_LT(error, (type == at::kFloat ? 2e-5 : 0.05));
        }
    }

    void partsHaveTheirNormalisers_data()
    {
        rows("spec", {"performer:samples=50", "performer:samples=16,features=hyperbolic,center_keys=true",
                      "lara:samples=9", "lara:samples=70,beta=2,noise=unit",
                      "lara:samples=9,weights=balance,stretch=2", "lara:samples=9,center=keys"});
    }

    void partsHaveTheirNormalisers()
    {
        QFETCH(const QString, spec);
        const AttentionInput input = packedInput({2, 2, 80, 70, 24, 16}, 11);
        emulating = true;
        const AttentionPart own = part(spec.toStdString(), input);
        emulating = false;
        QVERIFY(kernels::cuda::launches > 1);
        const AttentionPart wide = part(plain(spec), as(input, at::kDouble));
        QCOMPARE_LT(relative(own.out, wide.out), 2e-5);
        QCOMPARE_LT(largest(own.logNormaliser - wide.logNormaliser), 1e-4);
    }

    void everyHeadIsComputedWithAnySharedMemory_data()
    {
        columns<int, int>("width", "limit");
        for (const int width : {72, 80, 96, 128})
            for (const int limit : {99, 163, 227})
                addRow("%d with %d KiB", width, limit) << width << limit;
    }

    /// An RTX 4090's 99 KiB, an A100's 163 and an H200's 227.
    void everyHeadIsComputedWithAnySharedMemory()
    {
        QFETCH(const int, width);
        QFETCH(const int, limit);
        kernels::cuda::sharedLimit = limit * 1024;
        for (const auto type : {at::kFloat, at::kBFloat16})
            for (const QString spec : {"lara:samples=9", "lara:samples=70", "lara:samples=9,weights=balance",
                                       "performer:samples=50", "rfa:samples=66", "ra", "ra:mode=biased"}) {
                AttentionInput input = packedInput({1, 2, 80, 70, width, width}, 4);
                input = as(input, type);
                const c10::InferenceMode inference;
                const auto [own, notes] = notedEmulated(spec, input);
                const bool tooHeavy = type == at::kFloat && width > 96 && limit < 100 && spec.startsWith("lara")
                                      && !spec.contains("balance");
                const bool halfWaves = type == at::kBFloat16 && spec.startsWith("rfa");  // float32 inside
                QCOMPARE(notes, std::vector<std::string>{tooHeavy ? refused : byKernels});
                QVERIFY(own.scalar_type() == type || halfWaves);
                AttentionInput wide = as(input, at::kFloat);
                const double error = relative(own.to(at::kFloat), attend(plain(spec), wide));
                QVERIFY2(error < (type == at::kBFloat16    ? 0.05
                                  : spec.startsWith("rfa") ? 1e-2
                                                           : 2e-5),
                         qPrintable(spec + QString::number(error)));
            }
    }

    void whatAGpuDoesNotLaunchIsForTheOperators_data()
    {
        addSpecs();
        row("performer joined", "performer:samples=50,prefix_attention=exact");
        row("lara joined", "lara:samples=9,prefix_attention=exact");
    }

    /// Whichever launch it is: keys are drawn, proposals weighed, sums taken.
    void whatAGpuDoesNotLaunchIsForTheOperators()
    {
        QFETCH(const QString, spec);
        for (const auto type : {at::kFloat, at::kBFloat16})
            for (const int before : {0, 1, 2}) {
                AttentionInput input = packedInput({1, 2, 20, 20, 16, 16}, 8);
                input.tokens.prefix = spec.contains("prefix") ? 1 : 0;
                input = as(input, type);
                const c10::InferenceMode inference;
                fail(9, before);
                const auto [own, notes] = notedEmulated(spec, input);
                const bool launchedMore = kernels::cuda::nextError == 0;
                QVERIFY(before > 0 || launchedMore);
                QCOMPARE(notes, std::vector<std::string>{launchedMore ? refused : byKernels});
                AttentionInput wide = as(input, at::kFloat);
                const double error = relative(own.to(at::kFloat), attend(plain(spec), wide));
                QCOMPARE_LT(error, (type == at::kBFloat16 ? 0.05 : spec.startsWith("rfa") ? 1e-2 : 2e-5));
                fail(0);
            }
    }

    void whatEndsTheGpuIsNoMatterOfOneAttention_data()
    {
        columns<int>("code");
        for (const int code : {700, 702, 714, 715, 716, 717, 718, 719})
            addRow("%d", code) << code;
    }

    void whatEndsTheGpuIsNoMatterOfOneAttention()
    {
        QFETCH(const int, code);
        const AttentionInput input = packedInput({1, 2, 20, 30, 16, 16}, 8);
        for (const QString spec : {"performer", "ra", "lara:samples=9"}) {
            fail(code);
            THROWS(GpuLost, failureOf("this", "", [&] { emulated(spec, input); }));
        }
        THROWS(GpuLost,
               failureOf("lara", "", [&] { TORCH_CHECK(false, "CUDA error: ", kernels::cuda::errorText(code)); }));
        QVERIFY(failureOf("lara", "", [&] { emulated("lara:samples=9", input); }).empty());
    }

    void notesNameTheImplementation()
    {
        const auto operators = [](at::ScalarType type, bool kernels) {
            return QString(clauseOf(Implementation::Operators, type, kernels));
        };
        QVERIFY(operators(at::kHalf, true).contains("float32 and bfloat16"));
        QVERIFY(operators(at::kHalf, false).contains("no CUDA kernels"));
        QCOMPARE(operators(at::kFloat, true), u"LibTorch's operators computed the attention"_s);
        QVERIFY(QString(clauseOf(Implementation::FusedSoftmax, at::kHalf, false)).contains("fused softmax"));
        // On a CPU nothing is noted.
        const AttentionInput input = packedInput({1, 2, 20, 30, 16, 16}, 8);
        FallbackTally tally;
        const CountFallbacks counting(tally);
        attend("performer", input);
        attend("softmax", input);
        QVERIFY(tally.counts().empty());
    }

private:
    static constexpr const char *byKernels = "in 2 of 2 heads Attnscope's CUDA kernels computed the attention",
                                *refused = "in 2 of 2 heads LibTorch's operators computed the attention, as the "
                                           "GPU could not launch Attnscope's kernels";

    /// Launch number `before` from now on fails.
    static void fail(int code, int before = 0)
    {
        kernels::cuda::nextError = code;
        kernels::cuda::launchesBefore = before;
    }
    static std::pair<at::Tensor, std::vector<std::string>> notedEmulated(const QString& spec,
                                                                         const AttentionInput& in)
    {
        FallbackTally tally;
        const CountFallbacks counting(tally);
        const at::Tensor out = emulated(spec, in);
        std::vector<std::string> notes;
        tally.addTo(notes);
        return {out, notes};
    }
    static void addSpecs()
    {
        rows("spec", {"performer:samples=50,features=hyperbolic", "performer:center_keys=true,samples=16",
                      "rfa:samples=66", "ra", "ra:samples=3", "ra:mode=biased",
                      "ra:mode=biased,noise=unit,samples=2", "ra:mode=mean-key", "lara:samples=9",
                      "lara:samples=9,proposal=mixed,beta=2,noise=unit", "lara:samples=9,weights=balance",
                      "lara:samples=9,alpha_floor=0", "lara:samples=4,proposal=attended"});
    }
    static std::string plain(const QString& spec)
    {
        return (spec + (spec.contains(':') ? ",kernel=plain" : ":kernel=plain")).toStdString();
    }
    static at::Tensor emulated(const QString& spec, const AttentionInput& in, NoiseSource& noise)
    {
        emulating = true;
        const auto out = make(spec.toStdString(), in)->attend(in, noise);
        emulating = false;
        return out;
    }
    static at::Tensor emulated(const QString& spec, const AttentionInput& in)
    {
        SeededNoise noise(0, 0);
        return emulated(spec, in, noise);
    }
    static double relative(const at::Tensor& a, const at::Tensor& b)
    {
        return ((a - b).norm() / b.norm()).item<double>();
    }
    /// q, k and v as views of one projection, token by token.
    static AttentionInput packedInput(const Sizes& s, uint64_t seed)
    {
        AttentionInput in = randomInput(s, seed, at::kFloat);
        for (at::Tensor* x : {&in.q, &in.k, &in.v})
            *x = at::cat({*x, *x}, 3)
                     .transpose(1, 2)
                     .contiguous()
                     .transpose(1, 2)
                     .narrow(3, x->size(3), x->size(3));
        return in;
    }
};

ATTNSCOPE_TEST(TestCudaAttention)
#include "tst_cuda_attention.moc"
