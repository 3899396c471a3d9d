#include "core/attention/landmarks.h"
#include "core/attention/methods/nystrom.h"
#include "core/attention/methods/orthoformer.h"
#include "core/attention/methods/softmax.h"
#include "core/base/error.h"
#include "core/measure/memory.h"
#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensor_file.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include <c10/core/InferenceMode.h>

using namespace attnscope;
using namespace attnscope::test;

namespace {

constexpr double rounding = 1e-9;  // float64; rfa's small denominators and pseudo-inverses amplify more than that

/// q, k, v of a video: `frames` frames of `places` tokens.
AttentionInput video(int64_t frames, int64_t places, uint64_t seed, at::ScalarType type = at::kDouble)
{
    AttentionInput in = randomInput({2, 2, frames * places, frames * places, 8, 6}, seed, type);
    in.tokens = {0, frames, 1, places};
    in.keyGroups = frames;
    return in;
}

/// Frame by frame, with the landmarks that all frames share.
at::Tensor byLoop(const AttentionBackend& backend, AttentionInput in, int64_t samples)
{
    const auto shared = [&](const at::Tensor& x) { return segmentMeans(positionMajor(x, in.keyGroups), samples); };
    in.queryLandmarks = shared(in.q);
    in.keyLandmarks = shared(in.k);
    in.valueLandmarks = shared(in.v);
    std::vector<at::Tensor> outputs;
    const auto keys = in.k.chunk(in.keyGroups, 2), values = in.v.chunk(in.keyGroups, 2);
    in.keyGroups = 1;
    for (size_t f = 0; f < keys.size(); ++f) {
        in.k = keys[f];
        in.v = values[f];
        SeededNoise noise(3, 1);
        outputs.push_back(backend.attend(in, noise));
    }
    return at::stack(outputs, 3);
}

at::Tensor golden(const std::string& name)
{
    static const auto tensors = readTensors(TEST_DATA_DIR "/models/trajectory_spatial_approx.io.safetensors");
    return tensors.at(name).unsqueeze(0);  // batch·heads become heads of one sample
}

AttentionInput goldenVideo()
{
    AttentionInput in{.q = golden("q"), .k = golden("k"), .v = golden("v"), .scale = 1 / std::sqrt(12.0)};
    in.tokens = {0, 4, 3, 4};
    in.keyGroups = 4;
    return in;
}

constexpr double goldenTolerance = 3e-5;  // suggested_atol of the case

double distanceTo(const std::string& name, const std::string& spec, NoiseSource& noise)
{
    const AttentionInput in = goldenVideo();
    return difference(make(spec, in)->attend(in, noise), golden(name));
}

/// The definition, word by word.
std::vector<int64_t> greedyByLoop(const at::Tensor& x, int64_t first, int64_t count)
{
    const auto cosine = [&](int64_t a, int64_t b) {
        return std::abs(((x[a] * x[b]).sum() / (x[a].norm() * x[b].norm())).item<double>());
    };
    std::vector<int64_t> chosen{first};
    while (int64_t(chosen.size()) < count) {
        int64_t best = -1;
        double least = 2;
        for (int64_t n = 0; n < x.size(0); ++n) {
            if (std::find(chosen.begin(), chosen.end(), n) != chosen.end())
                continue;
            double largest = 0;
            for (const int64_t c : chosen)
                largest = std::max(largest, cosine(n, c));
            if (largest < least)
                least = largest, best = n;
        }
        chosen.push_back(best);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

}

/// Groups of keys with a normaliser each (the frames of trajectory attention), and the two backends that came with video.
class TestAttentionGroups : public QObject {
    Q_OBJECT

private slots:
    void groupsAreFramesAttendedToOneByOne_data()
    {
        columns<QString, int>("spec", "samples");
        const auto row = [](const char* spec, int samples = 5) { attnscope::row(spec, spec, samples); };
        row("softmax");
        row("softmax:form=explicit");
        row("performer:samples=7");
        row("performer:samples=7,features=hyperbolic,center_keys=true");
        row("rfa:samples=40,norm=unit");
        row("rfa:samples=40,center_keys=true");
        row("ra");
        row("ra:mode=biased,noise=none");
        row("ra:mode=mean-key,noise=unit");
        row("lara:samples=5");
        row("lara:samples=5,proposal=mixed,weights=coupled,noise=unit");
        row("lara:samples=5,proposal=vmixed,weights=balance,noise=unit");
        row("lara:samples=5,proposal=attended,beta=2");
        row("lara:samples=5,proposal=mixture");
        row("lara:samples=5,copies=2,antithetic=true,noise=unit,alpha_floor=0,beta=0.5,features=hyperbolic");
        row("lara:samples=100", 100);
        row("nystrom:samples=5");
        row("orthoformer:samples=5");
    }

    void groupsAreFramesAttendedToOneByOne()
    {
        FETCH_TEXT(spec);
        QFETCH(const int, samples);
        for (const auto& [frames, places] : {std::pair{3, 7}, std::pair{4, 4}, std::pair{2, 12}}) {
            const AttentionInput in = video(frames, places, 11);
            const auto backend = make(spec, in);
            SeededNoise noise(3, 1);
            const auto out = backend->attend(in, noise);
            QCOMPARE(out.sizes().vec(), (std::vector<int64_t>{2, 2, frames * places, frames, 6}));
            const double moved = difference(out, byLoop(*backend, in, samples)) / std::max(1.0, largest(out));
            QCOMPARE_LT(moved, rounding);
        }
    }

    void oneGroupIsPlainAttention()
    {
        AttentionInput in = video(1, 9, 12);
        QCOMPARE(attend("softmax", in).dim(), 4);
        QVERIFY(difference(attend("softmax", in), at::matmul(attentionMatrix(in.q, in.k, in.scale), in.v))
                < rounding);
    }

    void fusedSoftmaxOverFramesEqualsTheMatrix()
    {
        for (const auto type : {at::kFloat, at::kBFloat16}) {
            const AttentionInput in = video(4, 9, 13, type);
            const double bound = type == at::kFloat ? 1e-5 : 0.03;  // the rounding of the output's type
            QVERIFY(difference(attend("softmax", in), attend("softmax:form=explicit", in)) < bound);
        }
    }

    void elementsOfABatchDoNotSeeEachOther()
    {
        const AttentionInput in = video(3, 6, 14);
        for (const char* spec : {"softmax", "performer", "rfa:norm=unit", "lara:samples=4", "nystrom:samples=4"}) {
            AttentionInput one = in;
            for (at::Tensor* x : {&one.q, &one.k, &one.v})
                *x = x->slice(0, 0, 1);
            QVERIFY2(difference(attend(spec, one), attend(spec, in).slice(0, 0, 1)) < rounding, spec);
        }
    }

    void causalAttentionRefusesFrames() { THROWS(UsageError, attend("rfa:causal=true", video(2, 4, 15))); }

    void keysThatDoNotSplitAreRefused()
    {
        AttentionInput in = video(2, 5, 16);
        in.keyGroups = 3;
        THROWS(UsageError, attend("softmax", in));
        in.keyGroups = 0;
        THROWS(UsageError, attend("softmax", in));
    }

    void multiplyAddsCountSharedWorkOnce()
    {
        // One layer of the 16×224 network and head, in millions: 128 samples, 8 frames of 196 tokens (sizes from the design study).
        const AttentionShape shape{1, 1568, 1568, 64, 64, 8};
        const auto count = [&](const char* spec) {
            return make(spec, video(8, 2, 17))->multiplyAdds(shape) / 1e6;
        };
        QVERIFY(std::abs(count("softmax") - 315) < 0.5);
        QVERIFY(std::abs(count("performer:samples=128") - 141.3 - 1.6) < 0.1);  // 1.6: the normaliser
        QVERIFY(std::abs(count("lara:samples=128") - 154.1 - 1.0) < 0.1);       // 1.0: densities
        QVERIFY(count("lara:samples=128,proposal=attended") > 330);  // proposals of each frame: nothing saved
        QVERIFY(std::abs(count("orthoformer:samples=128") - 141.3 - 12.8) < 0.1);  // 12.8: the choice
        QVERIFY(std::abs(count("nystrom:samples=128") - 141.3 - 9.4 - 50.3)
                < 0.1);  // C²·(D + G·Dv) and six steps of 4·C³
    }

    void memoryOfGroupsIsLinearInTheTokensOfAFrame_data()
    {
        rows("spec", {"softmax", "performer:samples=16", "rfa:samples=16", "lara:samples=16", "nystrom:samples=16",
                      "orthoformer:samples=16"});
    }

    void memoryOfGroupsIsLinearInTheTokensOfAFrame()
    {
        FETCH_TEXT(spec);
        const auto peak = [&](int64_t places) {
            AttentionInput in = video(8, places, 18, at::kFloat);
            in.v = in.k;  // fused kernels want values as wide as keys
            const auto backend = make(spec, in);
            const c10::InferenceMode guard;
            AllocationMeter meter(at::kCPU);
            SeededNoise noise(0, 0);
            backend->attend(in, noise);
            return double(meter.peak());
        };
        const double small = peak(64), large = peak(512);
        QVERIFY2(large < 10 * small, qPrintable(QString("%1 and %2 bytes").arg(small).arg(large)));
    }

    void spatialStepsEqualThePublishedHelpers()
    {
        SeededNoise drawn(0, 0);
        QVERIFY(distanceTo("exact.out", "softmax", drawn) < goldenTolerance);
        for (const std::string count : {"8", "12"}) {
            QVERIFY(distanceTo("nystrom.l" + count + ".spatial", "nystrom:samples=" + count, drawn)
                    < goldenTolerance);
            QVERIFY(distanceTo("nystrom.l" + count + ".plain", "nystrom:order=frame-major,samples=" + count, drawn)
                    < goldenTolerance);
        }
        RecordedNoise first({{"first", at::tensor({2, 7}).unsqueeze(0)}}, drawn);
        QVERIFY(distanceTo("orthoformer.l8", "orthoformer:samples=8", first) < goldenTolerance);
        const AttentionInput few = randomInput({1, 2, 9, 9, 8, 8}, 8);
        for (const auto& [index, isValid] : {std::pair(0, true), {8, true}, {9, false}, {-1, false}}) {
            RecordedNoise chosen({{"first", at::full({1, 2}, index, at::kLong)}}, drawn);
            try {
                QVERIFY(isFinite(make("orthoformer:samples=3", few)->attend(few, chosen)) && isValid);
            } catch (const UsageError& error) {
                QVERIFY2(!isValid, error.what());
            }
        }
        RecordedNoise omega({{"omega", golden("performer.projection")}}, drawn);
        QVERIFY(distanceTo("performer.out", "performer:samples=32,floors=motionformer", omega) < goldenTolerance);
        QVERIFY(distanceTo("performer.out", "performer:samples=32", omega)
                > goldenTolerance);  // the floor does show
    }

    void positionMajorOrderGoesThroughFramesFirst()
    {
        const auto x = at::arange(6, at::kDouble).reshape({1, 1, 6, 1});  // two frames of three places
        QVERIFY(positionMajor(x, 2).flatten().equal(at::tensor({0.0, 3.0, 1.0, 4.0, 2.0, 5.0}, at::kDouble)));
        THROWS(UsageError, positionMajor(x, 4));
    }

    void nystromWithEveryTokenALandmarkIsSoftmax()
    {
        const AttentionInput in = randomInput({2, 2, 12, 12, 8, 5}, 19);
        QVERIFY(difference(attend("nystrom:samples=12,exact_pinv=true", in), attend("softmax", in)) < 1e-7);
        QVERIFY(difference(attend("nystrom:samples=12,iterations=40", in), attend("softmax", in)) < 1e-6);
        QVERIFY(difference(attend("nystrom:samples=12", in), attend("softmax", in))
                > 1e-6);  // six steps have not converged
    }

    void pseudoInverseConvergesAndDoesNotSeeItsBatch()
    {
        const auto a = randomInput({3, 2, 7, 7, 7, 7}, 20).q.softmax(-1);
        const auto inverse = iterativePseudoInverse(a, 30);
        QVERIFY(difference(inverse, at::linalg_pinv(a)) / largest(inverse) < 1e-6);
        QVERIFY(
            difference(iterativePseudoInverse(a.slice(0, 1, 2), 6), iterativePseudoInverse(a, 6).slice(0, 1, 2))
            < rounding);
    }

    void orthoformerChoosesAsTheDefinitionSays()
    {
        const auto x = randomInput({2, 3, 23, 23, 5, 5}, 21).q;
        const auto first = at::tensor({0, 22, 7, 3, 11, 1}).reshape({2, 3});
        for (const int64_t count : {1, 2, 9, 23}) {
            const auto chosen = selectOrthogonal(x, first, count);
            for (int64_t b = 0; b < 2; ++b) {
                for (int64_t h = 0; h < 3; ++h) {
                    const auto expected = greedyByLoop(x[b][h], first[b][h].item<int64_t>(), count);
                    QVERIFY(chosen[b][h].equal(at::tensor(expected)));
                }
            }
        }
        const auto alike = at::ones({1, 1, 6, 4},
                                    at::kDouble);  // no choice is better than another: the lowest are left
        QVERIFY(selectOrthogonal(alike, at::full({1, 1}, 4, at::kLong), 3)
                    .flatten()
                    .equal(at::tensor({0, 1, 4}, at::kLong)));
    }

    void orthoformerWithAllQueriesAndEqualKeysIsTwoSoftmaxes()
    {
        const AttentionInput in = randomInput({2, 2, 9, 14, 8, 5}, 22);
        const auto twice = at::matmul(attentionMatrix(in.q, in.q, in.scale),
                                      at::matmul(attentionMatrix(in.q, in.k, in.scale), in.v));
        QVERIFY(difference(attend("orthoformer:samples=9", in), twice) < rounding);
    }

    void recordedFirstLandmarksOutsideTheQueriesAreRefused()
    {
        const AttentionInput in = randomInput({1, 2, 9, 9, 8, 5}, 23);
        SeededNoise drawn(0, 0);
        RecordedNoise noise({{"first", at::tensor({2, 9}).unsqueeze(0)}}, drawn);
        THROWS(UsageError, make("orthoformer:samples=4", in)->attend(in, noise));
    }
};

ATTNSCOPE_TEST(TestAttentionGroups)
#include "tst_attention_groups.moc"
