#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include "core/attention/methods/softmax.h"
#include "core/base/error.h"
#include "core/measure/memory.h"

#include <tuple>

using namespace attnscope;
using namespace attnscope::test;

namespace {

const BackendInfo& infoOf(const QString& spec)
{
    return *findBackend(AttentionSpec::parse(spec.toStdString()).backend());
}

}

/// What every backend of the table promises: a new one is tested by being in it.
class TestAttentionConformance : public QObject {
    Q_OBJECT

private slots:
    void shapesAndTypesAreKept_data() { addBackends(); }
    void shapesAndTypesAreKept()
    {
        QFETCH(const QString, spec);
        for (const Sizes& s :
             {Sizes{}, Sizes{1, 1, 9, 9, 3, 3}, Sizes{1, 2, 17, 29, 8, 6}, Sizes{2, 2, 13, 31, 5, 7}}) {
            if (infoOf(spec).ownKeysOnly && s.queries != s.keys) {
                THROWS(UsageError, attend(spec.toStdString(), randomInput(s, 1)));
                continue;
            }
            for (const auto type : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16}) {
                const auto out = attend(spec.toStdString(), randomInput(s, 1, type));
                QCOMPARE(out.sizes().vec(), (std::vector<int64_t>{s.batch, s.heads, s.queries, s.valueDim}));
                QCOMPARE(out.scalar_type(), type);
                QVERIFY(isFinite(out));
            }
        }
    }

    void resultsDependOnSeedAndSampleAlone_data() { addBackends(); }
    void resultsDependOnSeedAndSampleAlone()
    {
        FETCH_TEXT(spec);
        const AttentionInput in = randomInput({3, 2, 144, 144, 8, 8},
                                              2);  // enough tokens for blocks that are left out
        const auto backend = make(spec, in);
        const auto run = [&](const AttentionInput& input, uint64_t seed, std::vector<uint64_t> samples) {
            SeededNoise noise(seed, 4, std::move(samples));
            return backend->attend(input, noise);
        };
        const auto whole = run(in, 1, {10, 11, 12});
        QVERIFY(whole.equal(run(in, 1, {10, 11, 12})));
        AttentionInput one = in;
        one.q = in.q.slice(0, 2);
        one.k = in.k.slice(0, 2);
        one.v = in.v.slice(0, 2);
        const double batched = difference(run(one, 1, {12}), whole.slice(0, 2));
        QCOMPARE_LT(batched, 1e-10);
        QCOMPARE(difference(run(in, 2, {10, 11, 12}), whole) > 1e-6, !backend->deterministic());
    }

    void nonContiguousTensorsGiveTheSame_data() { addBackends(); }
    void nonContiguousTensorsGiveTheSame()
    {
        FETCH_TEXT(spec);
        const AttentionInput in = randomInput({2, 3, 16, 16, 8, 8}, 3);
        AttentionInput strided = in;
        for (at::Tensor* x : {&strided.q, &strided.k, &strided.v}) {
            *x = x->permute({3, 2, 1, 0}).contiguous().permute({3, 2, 1, 0});
            QVERIFY(!x->is_contiguous());
        }
        const double moved = difference(attend(spec, in, 3), attend(spec, strided, 3));
        QCOMPARE_LT(moved, 1e-8);  // rounding, which rfa's small denominators amplify
    }

    void largeLogitsStayFiniteAndAccurate_data() { addBackends(); }
    void largeLogitsStayFiniteAndAccurate()
    {
        FETCH_TEXT(spec);
        if (spec.compare(0, 3, "rfa") == 0)
            QSKIP("sin and cos features of long vectors are ill-conditioned by nature; rfa keeps the golden "
                  "extreme_rfa_unit");
        AttentionInput in = randomInput({1, 2, 16, 16, 8, 8}, 4, at::kFloat);
        const double logit = (at::matmul(in.q, in.k.transpose(-1, -2)) * in.scale).abs().max().item<double>();
        in.q = in.q * std::sqrt(60 / logit);
        in.k = in.k * std::sqrt(60 / logit);
        AttentionInput wide = as(in, at::kDouble);
        const auto out = attend(spec, in, 5);
        QVERIFY(isFinite(out));
        const double error = difference(out, attend(spec, wide, 5));
        QCOMPARE_LT(error, 5e-4);  // float32: 60 · 2⁻²³ in a logit moves a weight by 1e-5
    }

    void halfPrecisionIsFiniteAndNear_data() { addBackends(); }
    void halfPrecisionIsFiniteAndNear()
    {
        FETCH_TEXT(spec);
        for (const auto type : {at::kHalf, at::kBFloat16}) {
            const AttentionInput in = randomInput({1, 2, 16, 16, 8, 8}, 5, type);
            AttentionInput wide = as(in, at::kFloat);
            const auto out = attend(spec, in, 6), reference = attend(spec, wide, 6);
            // The same rounded inputs: what is left is the rounding of the output, and of fused kernels inside.
            const double bound = (type == at::kHalf ? 0.005 : 0.04) * std::max(1.0, largest(reference));
            QVERIFY(difference(out, reference) < bound);
        }
    }

    void shapesThatDoNotFitAreRefused_data() { addBackends(); }
    void shapesThatDoNotFitAreRefused()
    {
        FETCH_TEXT(spec);
        const AttentionInput good = randomInput({}, 6);
        const auto backend = make(spec, good);
        SeededNoise noise(0, 0);
        const auto refuses = [&](auto change) {
            AttentionInput in = good;
            change(in);
            try {
                backend->attend(in, noise);
            } catch (const UsageError&) {
                return true;
            }
            return false;
        };
        QVERIFY(refuses([](AttentionInput& in) { in.k = in.k.slice(3, 0, 5); }));
        QVERIFY(refuses([](AttentionInput& in) { in.v = in.v.slice(2, 0, 5); }));
        QVERIFY(refuses([](AttentionInput& in) { in.q = in.q.slice(1, 0, 1); }));
        QVERIFY(refuses([](AttentionInput& in) { in.q = in.q.slice(2, 0, 0); }));
        QVERIFY(refuses([](AttentionInput& in) { in.q = in.q[0]; }));
        QVERIFY(refuses([](AttentionInput& in) { in.k = in.k.to(at::kFloat); }));
        QVERIFY(refuses([](AttentionInput& in) {
            in.q = in.q.to(at::kLong), in.k = in.k.to(at::kLong), in.v = in.v.to(at::kLong);
        }));
    }

    void multiplyAddsArePositiveAndGrow_data() { addBackends(); }
    void multiplyAddsArePositiveAndGrow()
    {
        QFETCH(const QString, spec);
        const auto backend = make(spec.toStdString(), randomInput({}, 7));
        const double small = backend->multiplyAdds({3, 196, 196, 64, 64}),
                     large = backend->multiplyAdds({3, 784, 784, 64, 64});
        QVERIFY(small > 0 && large > 3.9 * small / 4);
        // sra is given its keys reduced: what it does with them is softmax. Sets of keys that grow with the tokens, and means of blocks, may grow
        // more slowly.
        const double growth = infoOf(spec).tokenComplexity.time;
        const bool linear = growth == 1, whole = growth == 2 && infoOf(spec).everyKey && !infoOf(spec).exactPrefix;
        QVERIFY2(linear ? large < 4.1 * small : large > (whole ? 14 : 4.1) * small,
                 qPrintable(QString("%1 and %2").arg(small).arg(large)));
        QVERIFY(large < 17 * small);
    }

    void memoryGrowsAsTheTableSays_data() { addBackends(); }
    void memoryGrowsAsTheTableSays()
    {
        QFETCH(const QString, spec);
        const auto peak = [&](int64_t tokens) {
            const AttentionInput in = randomInput({1, 1, tokens, tokens, 16, 16}, 8, at::kFloat);
            const auto backend = make(spec.toStdString(), in);
            const c10::InferenceMode guard;
            AllocationMeter meter(at::kCPU);
            SeededNoise noise(0, 0);
            backend->attend(in, noise);
            return double(meter.peak());
        };
        // Explicit softmax is the one whose form, and not whose name, decides.
        const bool quadratic = infoOf(spec).tokenComplexity.memory == 2 || spec.contains("explicit");
        const double small = peak(1024), large = peak(4096);
        const auto text = qPrintable(QString("%1 and %2 bytes at 1k and 4k tokens").arg(small).arg(large));
        QVERIFY2(quadratic ? large > 14 * small : large < 4.6 * small, text);
        QVERIFY2(quadratic || peak(8192) < 8192.0 * 8192.0 * 4 / 10, "a tenth of the matrix");
    }

    void impliedWeightsTimesValuesAreTheOutput_data() { addBackends(); }
    void impliedWeightsTimesValuesAreTheOutput()
    {
        QFETCH(const QString, spec);
        for (const Sizes& s : {Sizes{2, 2, 25, 25, 8, 8}, Sizes{1, 2, 17, 29, 8, 6}}) {
            if (infoOf(spec).ownKeysOnly && s.queries != s.keys)
                continue;
            const AttentionInput in = randomInput(s, 11);
            const auto backend = make(spec.toStdString(), in);
            SeededNoise noise(3, 0);
            const auto out = backend->attend(in, noise);
            for (const int64_t query : {int64_t{0}, s.queries - 1}) {
                const auto rows = at::zeros({s.batch, s.heads, s.queries}, in.q.options());
                rows.select(2, query).fill_(1);
                const auto weights = backend->impliedWeights(in, noise, rows);  // (B,H,M)
                QCOMPARE(weights.sizes().vec(), (std::vector<int64_t>{s.batch, s.heads, s.keys}));
                const auto row = at::matmul(weights.unsqueeze(2), in.v).squeeze(2);
                const double size = std::max(1.0, largest(out.select(2, query)));
                QCOMPARE_LT(difference(row, out.select(2, query)), 1e-4 * size);
            }
        }
    }

    void impliedWeightsOfGroupsTimesValuesAreTheOutput_data() { addBackends(); }
    void impliedWeightsOfGroupsTimesValuesAreTheOutput()
    {
        QFETCH(const QString, spec);
        AttentionInput in = randomInput({1, 2, 50, 50, 8, 8}, 12);
        in.keyGroups = 2;
        in.tokens = {0, 2, 5, 5};
        const auto backend = make(spec.toStdString(), in);
        SeededNoise noise(3, 0);
        if (infoOf(spec).ownKeysOnly) {
            THROWS(UsageError, backend->attend(in, noise));
            return;
        }
        const auto out = backend->attend(in, noise).select(2, 7);  // (B,H,G,Dv)
        const auto rows = at::zeros({1, 2, 50}, in.q.options());
        rows.select(2, 7).fill_(1);
        const auto weights = backend->impliedWeights(in, noise, rows).unflatten(2, {2, 1, 25});  // (B,H,G,1,M/G)
        const auto row = at::matmul(weights, in.v.unflatten(2, {2, 25})).squeeze(3);
        QCOMPARE_LT(difference(row, out), 1e-4 * std::max(1.0, largest(out)));
    }

    void equalKeysGiveTheMeanOfTheValues_data() { addBackends(); }
    /// Where some keys are left out by design, what is left still is a mean: of the keys that are seen.
    void equalKeysGiveTheMeanOfTheValues()
    {
        QFETCH(const QString, spec);
        AttentionInput in = randomInput({1, 2, 144, 144, 8, 8}, 13);
        in.tokens = {0, 1, 12, 12};
        in.k = in.k.slice(2, 0, 1).expand_as(in.k).contiguous() * 0.5;
        const auto backend = make(spec.toStdString(), in);
        SeededNoise noise(2, 0);
        const auto out = backend->attend(in, noise), mean = in.v.mean(2, true).expand_as(in.v);
        if (infoOf(spec).everyKey) {
            QCOMPARE_LT(difference(out, mean), 1e-4);
            return;
        }
        const auto rows = at::zeros({1, 2, 144}, in.q.options());
        rows.select(2, 14).fill_(1);
        const auto weights = backend->impliedWeights(in, noise, rows);
        QVERIFY(difference(weights.sum(-1), at::ones({1, 2}, weights.options())) < 1e-9);
        QVERIFY(weights.min().item<double>() >= 0);
    }

    void gradientsAreThoseOfFiniteDifferences_data() { addBackends(); }
    void gradientsAreThoseOfFiniteDifferences()
    {
        FETCH_TEXT(spec);
        const AttentionInput in = randomInput({1, 1, 16, 16, 6, 6}, 14);
        const auto backend = make(spec, in);
        const auto probe = randomInput({1, 1, 16, 16, 6, 6}, 15).v;
        const auto loss = [&](const AttentionInput& x) {
            SeededNoise noise(4, 0);
            return (backend->attend(x, noise) * probe).sum();
        };
        for (at::Tensor AttentionInput::*part : {&AttentionInput::q, &AttentionInput::k, &AttentionInput::v}) {
            AttentionInput tracked = in;
            tracked.*part = (in.*part).clone().requires_grad_();
            loss(tracked).backward();
            const at::Tensor gradient = (tracked.*part).grad();
            QVERIFY2(gradient.defined() && isFinite(gradient), "every input is reached");
            const auto direction = randomInput({1, 1, 16, 16, 6, 6}, 16).q;
            constexpr double step = 1e-6;
            AttentionInput ahead = in, behind = in;
            ahead.*part = in.*part + direction * step;
            behind.*part = in.*part - direction * step;
            const double measured = (loss(ahead) - loss(behind)).item<double>() / (2 * step);
            const double expected = (gradient * direction).sum().item<double>();
            QVERIFY2(std::abs(measured - expected) < 1e-3 * std::max(1.0, std::abs(expected)),
                     qPrintable(QString("%1, not %2").arg(expected).arg(measured)));
        }
    }

    void classTokensAndGridsAreTaken_data() { addBackends(); }
    void classTokensAndGridsAreTaken()
    {
        QFETCH(const QString, spec);
        for (const TokenLayout layout :
             {TokenLayout{1, 1, 5, 5}, TokenLayout{2, 1, 4, 7}, TokenLayout{0, 1, 3, 9}}) {
            const int64_t tokens = layout.count();
            AttentionInput in = randomInput({1, 2, tokens, tokens, 8, 8}, 17);
            in.tokens = layout;
            SeededNoise noise(1, 0);
            const auto out = make(spec.toStdString(), in)->attend(in, noise);
            QVERIFY(isFinite(out));
            // Whatever the method: constant values come out as they are.
            in.v = at::ones_like(in.v);
            const bool near = infoOf(spec).name == "nystrom";  // its pseudo-inverse has not converged
            const double off = difference(make(spec.toStdString(), in)->attend(in, noise), in.v);
            QCOMPARE_LT(off, (near ? 0.2 : 1e-5));
        }
    }

    void rowsOfPrefixTokensAreExact_data() { addBackends(); }
    void rowsOfPrefixTokensAreExact()
    {
        QFETCH(const QString, spec);
        if (infoOf(spec).prefixSeesAll)
            return;  // its prefix tokens see all keys as it is
        const auto with = [&](const char* option) {
            return spec.toStdString() + (spec.contains(':') ? ',' : ':') + "prefix_attention=" + option;
        };
        const std::string ordinary = with("ordinary"), rows = with("rows");
        constexpr int64_t prefix = 3;
        for (const auto type : {at::kDouble, at::kFloat, at::kBFloat16}) {
            AttentionInput in = randomInput({2, 2, 39, 39, 16, 16}, 4, type);
            for (const int64_t groups : {1, 3}) {
                in.keyGroups = groups;
                in.tokens = groups == 1 ? TokenLayout{prefix, 1, 6, 6}
                                        : TokenLayout{.prefix = prefix};  // frames have no common grid
                if (groups > 1 && infoOf(spec).ownKeysOnly)
                    continue;
                const auto out = attend(rows, in), exact = attend("softmax", in);
                QVERIFY(difference(out.slice(2, 0, prefix), exact.slice(2, 0, prefix))
                        < (type == at::kDouble  ? 1e-12
                           : type == at::kFloat ? 1e-5
                                                : 0.05));
                QVERIFY(out.slice(2, prefix).equal(attend(ordinary, in).slice(2, prefix)));
            }
        }
        AttentionInput in = randomInput({1, 2, 39, 39, 16, 8}, 5);
        in.tokens = {prefix, 1, 6, 6};
        const auto backend = make(rows, in);
        const AttentionShape shape{2, 39, 39, 16, 8};
        QCOMPARE(backend->multiplyAdds(shape),
                 make(ordinary, in)->multiplyAdds(shape) + 2.0 * prefix * 39 * (16 + 8));
        SeededNoise noise(0, 0);
        const auto wanted = at::zeros({1, 2, 39}, at::kDouble).index_fill_(2, at::tensor({prefix - 1}), 1);
        QVERIFY(difference(backend->impliedWeights(in, noise, wanted),
                           attentionMatrix(in.q, in.k, in.scale).select(2, prefix - 1))
                < 1e-12);
        QVERIFY(!backend->landmarkWeights(in, noise, 0));
        // The gradient reaches the class token's query and all keys through its exact row.
        in.q.requires_grad_(), in.k.requires_grad_();
        backend->attend(in, noise).select(2, 0).sum().backward();
        const auto gradient = in.k.grad().clone();
        in.k.mutable_grad().reset();
        attend("softmax", in).select(2, 0).sum().backward();
        QVERIFY(difference(gradient, in.k.grad()) < 1e-12);
    }

    void landmarkWeightsOfAQueryAddUp_data() { addBackends(); }
    void landmarkWeightsOfAQueryAddUp()
    {
        QFETCH(const QString, spec);
        AttentionInput in = randomInput({1, 2, 36, 36, 8, 8}, 18);
        in.tokens = {0, 1, 6, 6};
        const auto backend = make(spec.toStdString(), in);
        SeededNoise noise(1, 0);
        const auto weights = backend->landmarkWeights(in, noise, 5);
        if (!weights)
            return;
        QCOMPARE(weights->weights.size(2), 9);
        const double tolerance = infoOf(spec).name == "nystrom" ? 0.2 : 1e-6;
        QVERIFY(difference(weights->weights.sum(-1), at::ones({1, 2}, in.q.options())) < tolerance);
        if (weights->tokens.defined())
            QVERIFY(weights->tokens.sizes() == weights->weights.sizes()
                    && weights->tokens.max().item<int64_t>() < 36);
    }

    void impliedWeightsOfRandomFeaturesNeverFormTheMatrix_data()
    {
        columns<QString>("spec");
        for (const BackendInfo& info : backends())
            if (info.tokenComplexity.time == 1)
                row(info.name, info.name + (info.landmarks ? ":samples=16" : ""));
    }

    void impliedWeightsOfRandomFeaturesNeverFormTheMatrix()
    {
        FETCH_TEXT(spec);
        constexpr int64_t tokens = 4096;
        const AttentionInput in = randomInput({1, 1, tokens, tokens, 16, 16}, 19, at::kFloat);
        const auto backend = make(spec, in);
        SeededNoise noise(0, 0);
        const auto rows = at::zeros({1, 1, tokens});
        rows[0][0][100] = 1;
        AllocationMeter meter(at::kCPU);
        backend->impliedWeights(in, noise, rows);
        QCOMPARE_LT(meter.peak(), tokens * tokens * 4 / 2);
    }

    void drawsOfRandomizedAttentionDoNotMultiplyItsMemory()
    {
        const AttentionInput in = randomInput({1, 1, 2048, 2048, 16, 16}, 9, at::kFloat);
        const auto backend = make("ra:samples=32,noise=none", in);
        const c10::InferenceMode guard;
        AllocationMeter meter(at::kCPU);
        SeededNoise drawn(0, 0);
        RecordedNoise noise({}, drawn);  // as `attend` has it
        backend->attend(in, noise);
        QCOMPARE_LT(meter.peak(), 10'000'000);  // a block's maps: 128 × 2048 floats, 1 MB each
    }

    void aSourceBeforeAnotherStreamsWhatThatDraws()
    {
        SeededNoise drawn(5, 2);
        RecordedNoise recorded({{"u", at::zeros({1, 1, 1, 1})}}, drawn);
        recorded.setSamples({40, 30});
        QVERIFY(!recorded.drawn());
        QVERIFY(!recorded.stream("u", 2));
        QVERIFY(!recorded.drawn());
        const auto stream = recorded.stream("eps", 2);
        QVERIFY(stream && recorded.drawn());
        const auto tensor = recorded.normal("eps", {2, 3, 100}, at::kFloat);
        SeededNoise same(5, 2, {40, 30});
        QVERIFY(tensor.equal(same.normal("eps", {2, 3, 100}, at::kFloat)));
        std::vector<float> some(120);
        fillNormal(*stream, 1, 150, some);
        QVERIFY(at::from_blob(some.data(), {120}).equal(tensor[1].flatten().narrow(0, 150, 120)));
    }

    void denominatorsThatNearlyCancelAreCounted()
    {
        const AttentionInput in = randomInput({2, 2, 64, 64, 8, 8}, 7, at::kFloat);
        SeededNoise noise(0, 0);
        const Cancellation none = make("performer", in)->cancellation(in, noise);
        QVERIFY(none.denominators == 0 && none.cancelled == 0);
        // Long vectors have angles everywhere: the denominators scatter around 0. Short ones have none to cancel.
        AttentionInput far = in, near = in;
        far.q = in.q * 20, far.k = in.k * 20, near.q = in.q * 0.01, near.k = in.k * 0.01;
        const auto rfa = make("rfa", in);
        const Cancellation many = rfa->cancellation(far, noise);
        QCOMPARE(many.denominators, 2 * 2 * 64);
        QVERIFY2(many.cancelled > 0 && many.cancelled < many.denominators,
                 qPrintable(QString::number(many.cancelled)));
        QCOMPARE(rfa->cancellation(near, noise).cancelled, 0);
    }

    void sharedDrawsAreThoseOfEveryBatch()
    {
        // One ω for the whole evaluation, whichever images share a batch.
        SeededNoise first(3, 1, {10, 11}), second(3, 1, {12});
        const auto options = at::TensorOptions(at::kFloat);
        QVERIFY(first.sharedNormal("omega", {2, 4, 8}, options)
                    .equal(second.sharedNormal("omega", {2, 4, 8}, options)));
        QVERIFY(!first.normal("eps", {1, 4, 8}, options).equal(second.normal("eps", {1, 4, 8}, options)));
    }

private:
    static void addBackends();
};

void TestAttentionConformance::addBackends()
{
    columns<QString>("spec");
    for (const BackendInfo& info : backends())  // few landmarks: a square number that pairs up and leaves a choice
        row(info.name, info.landmarks ? info.name + ":samples=9" : info.name);
    row("biased ra", "ra:mode=biased");
    row("explicit softmax", "softmax:form=explicit");
    row("performer, centred and balanced", "performer:center=both,balance=diagonal,oprf=true");
    row("performer, fully balanced", "performer:center=both,balance=full,center_mean=attended");
    row("stretched lara", "lara:samples=9,stretch=2,noise=unit");
    row("mixed lara", "lara:samples=9,proposal=mixed,noise=unit");
    row("lara that looks at values", "lara:samples=9,proposal=vmixed");
}

ATTNSCOPE_TEST(TestAttentionConformance)
#include "tst_attention_conformance.moc"
