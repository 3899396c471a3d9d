#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensor_file.h"
#include "tests/support/test_class.h"

#include "core/attention/fused/cpu_token_merging.h"
#include "core/attention/methods/softmax.h"
#include "core/attention/training_free/token_merging.h"
#include "core/base/error.h"
#include "core/base/json.h"

#include <limits>

using namespace attnscope;
using namespace attnscope::test;

namespace {

struct Step {
    at::Tensor x, k, sizes;
    MatchRequest request;
};

struct Merged {
    at::Tensor rows, sizes, survivors;
};

Merged merged(const Step& step)
{
    const TokenMatching matching = matchTokens(step.k.mean(1), step.request);
    const SizedRows after = mergeRows({step.x, step.sizes.unsqueeze(-1)}, matching);
    return {after.rows, after.sizes.squeeze(-1), matching.survivors};
}

Step randomStep(uint64_t seed, at::ScalarType type, const std::vector<int64_t>& sizes, const MatchRequest& request)
{
    SeededNoise noise(seed, 7);
    const int64_t batch = sizes[0], tokens = sizes[1], width = sizes[2], heads = sizes[3], channels = sizes[4];
    const auto options = at::TensorOptions(type);
    return {noise.normal("x", {batch, 1, tokens, width}, options).squeeze(1),
            noise.normal("k", {batch, heads, tokens, channels}, options),
            noise.uniform("s", {batch, 1, tokens, 1}, options).reshape({batch, tokens}).mul(4).floor().add(1),
            request};
}

std::string refusal(const std::string& text)
{
    return attnscope::refusal<UsageError>([&] { AttentionSpec::parse(text); });
}

}

/// Merging one sequence of tokens, and how it is spelled.
class TestTokenMerging : public QObject {
    Q_OBJECT

private slots:
    void stepsAreThoseOfTheReference_data()
    {
        rows("name", {"cap", "class_token", "concatenate", "no_prefix_sizes"});
    }
    void stepsAreThoseOfTheReference()
    {
        FETCH_TEXT(name);
        const std::string file = TEST_DATA_DIR "/token_merging/m_step_" + name + ".safetensors";
        const auto tensors = readTensors(file);
        const Json options = Json::parse(readCheckpoint(file).metadata.at("options").get<std::string>());
        const at::Tensor &x = tensors.at("x"), &k = tensors.at("k");
        Step step{x,
                  k,
                  tensors.at("size"),
                  {.count = std::min(options["r"].get<int64_t>(),
                                     mergeable(x.size(1), options["protected"].get<int64_t>())),
                   .protectedTokens = options["protected"].get<int64_t>(),
                   .order = options["order"].get<std::string>() == "concatenate" ? MergeOrder::Concatenate
                                                                                 : MergeOrder::Position}};
        constexpr double tolerance = 1e-5;  // the goldens' own for float32
        for (const bool own : {false, true}) {
            step.request.ownKernels = own;
            const Merged found = merged(step);
            QVERIFY(at::equal(found.survivors, tensors.at("survivors").to(at::kLong)));
            QVERIFY(difference(found.rows, tensors.at("out")) < tolerance);
            QVERIFY(difference(found.sizes, tensors.at("out_size")) < tolerance);
        }
        const MergedOnCpu fused = mergeTokensOnCpu(x, step.sizes, k, step.request);
        QVERIFY(at::equal(fused.survivors, tensors.at("survivors").to(at::kLong)));
        QVERIFY(difference(fused.rows, tensors.at("out")) < tolerance);
        QVERIFY(difference(fused.sizes, tensors.at("out_size")) < tolerance);
    }

    void fusedMergingIsTheSameAsOperators()
    {
        for (uint64_t seed = 0; seed < 20; ++seed) {
            const auto protectedTokens = int64_t(seed % 3), tokens = 7 + int64_t(seed * 11);
            const MatchRequest request{
                .count = std::min<int64_t>(1 + int64_t(seed * 3), mergeable(tokens, protectedTokens)),
                .protectedTokens = protectedTokens,
                .order = seed % 2 == 0 ? MergeOrder::Position : MergeOrder::Concatenate};
            Step step = randomStep(seed, at::kFloat, {3, tokens, 24, 3, 16}, request);
            step.k = step.k.transpose(1, 2).contiguous().transpose(1, 2);  // as networks have it
            const Merged wanted = merged(step);
            const MergedOnCpu found = mergeTokensOnCpu(step.x, step.sizes, step.k, request);
            QVERIFY2(at::equal(found.survivors, wanted.survivors), qPrintable(QString::number(seed)));
            QVERIFY2(difference(found.rows, wanted.rows) < 1e-5, qPrintable(QString::number(seed)));
            QVERIFY(difference(found.sizes, wanted.sizes) < 1e-5);
        }
    }

    void tokensThatAreNotFiniteMergeSomehow()
    {
        Step step = randomStep(1, at::kFloat, {1, 21, 8, 2, 16}, {.count = 6, .protectedTokens = 1});
        step.k.select(2, 4).fill_(std::numeric_limits<float>::quiet_NaN());
        step.k.select(2, 7).fill_(std::numeric_limits<float>::infinity());
        QCOMPARE(mergeTokensOnCpu(step.x, {}, step.k, step.request).rows.size(1), 15);
        QCOMPARE(merged(step).rows.size(1), 15);
    }

    void equalTokensMergeExactly()
    {
        Step step = randomStep(2, at::kDouble, {2, 21, 6, 3, 4}, {.count = 10, .protectedTokens = 1});
        step.sizes = at::ones({2, 21}, at::kDouble);
        for (int64_t t = 1; t + 1 < 21; t += 2) {  // pairs
            step.k.select(2, t + 1).copy_(step.k.select(2, t));
            step.x.select(1, t + 1).copy_(step.x.select(1, t));
        }
        const Merged left = merged(step);
        QCOMPARE(left.rows.size(1), 11);
        AttentionInput all, fewer;
        SeededNoise noise(3, 0);
        all.q = fewer.q = noise.normal("q", {2, 1, 5, 6}, at::TensorOptions(at::kDouble));
        all.k = all.v = step.x.unsqueeze(1), fewer.k = fewer.v = left.rows.unsqueeze(1);
        fewer.keyLogWeights = left.sizes.log().unsqueeze(1);
        for (const char* spec : {"softmax", "performer:samples=32", "rfa:samples=32,norm=exact"}) {
            AttentionInput whole = all;
            whole.keyLogWeights = at::zeros({2, 1, 21}, at::kDouble);
            const double error = difference(attend(spec, fewer), attend(spec, whole));
            QVERIFY2(error < 1e-9, qPrintable(QString("%1: %2").arg(spec).arg(error)));
        }
    }

    void sumsOfTokensAndSizesStay()
    {
        const Step step = randomStep(4, at::kDouble, {2, 40, 6, 2, 8}, {.count = 15, .protectedTokens = 2});
        const Merged left = merged(step);
        QVERIFY(
            difference((left.sizes.unsqueeze(-1) * left.rows).sum(1), (step.sizes.unsqueeze(-1) * step.x).sum(1))
            < 1e-9);
        QVERIFY(difference(left.sizes.sum(1), step.sizes.sum(1)) < 1e-9);
        QVERIFY(at::equal(left.rows.slice(1, 0, 2), step.x.slice(1, 0, 2)));
    }

    void aPassKnowsWhoseRowIsWhose()
    {
        QVERIFY(!MergePlan{}.merges() && !(MergePlan{{0, 0}, MergeOrder::Position}.merges())
                && (MergePlan{{0, 3}, MergeOrder::Position}.merges()));
        for (const at::ScalarType type : {at::kDouble, at::kFloat}) {
            for (const MergeOrder order : {MergeOrder::Position, MergeOrder::Concatenate}) {
                const MergePlan plan{{5, 0, 9}, order};
                TokenMerger merger(plan, {.prefix = 1, .frames = 1, .rows = 6, .columns = 6});
                Step step = randomStep(5, type, {2, 37, 8, 2, 16}, {});
                at::Tensor x = step.x, k = step.k;
                for (int64_t layer = 0; layer < 3; ++layer) {
                    x = merger.merge(layer, x, k);
                    k = step.k.slice(2, 0, x.size(1));
                    QCOMPARE(merger.layout().hasGrid(), false);
                }
                QCOMPARE(x.size(1), 23);
                // Every token is a mean of the first ones: with their own rows.
                const at::Tensor whole = merger.unmerged(x);
                const at::Tensor counts =
                    at::zeros({2, 23}, type).scatter_add(1, merger.places(), at::ones({2, 37}, type));
                QVERIFY(difference(merger.keyLogWeights(1).squeeze(1).exp(), counts) < 1e-5);
                const at::Tensor sums = at::zeros({2, 23, 8}, type)
                                            .scatter_add(1, merger.places().unsqueeze(-1).expand({2, 37, 8}),
                                                         step.x);
                QVERIFY(difference(sums / counts.unsqueeze(-1), x) < 1e-5);
                QVERIFY(difference(whole.mean(1), step.x.mean(1)) < 1e-5);
                QVERIFY(at::equal(merger.places().gather(1, merger.origins()), at::arange(23).expand({2, 23})));
            }
        }
    }

    void gradientsAreDifferences()
    {
        const Step step = randomStep(6, at::kDouble, {2, 25, 6, 2, 8}, {});
        const MergePlan plan{{6, 4}, MergeOrder::Position};
        const auto value = [&](const at::Tensor& x) {
            TokenMerger merger(plan, {.prefix = 1, .frames = 1, .rows = 4, .columns = 6});
            at::Tensor y = merger.merge(0, x, step.k);
            const AttentionInput in{.q = y.unsqueeze(1),
                                    .k = y.unsqueeze(1),
                                    .v = y.unsqueeze(1),
                                    .scale = 0.4,
                                    .tokens = merger.layout(),
                                    .keyLogWeights = merger.keyLogWeights(1)};
            y = merger.merge(1, y + attend("softmax", in).squeeze(1), step.k.slice(2, 0, y.size(1)));
            return (y * y.sin()).sum();
        };
        const at::Tensor x = step.x.clone().requires_grad_();
        value(x).backward();
        SeededNoise noise(8, 0);
        const at::Tensor direction = noise.normal("d", {2, 1, 25, 6}, at::TensorOptions(at::kDouble)).squeeze(1);
        constexpr double h = 1e-6;
        const at::NoGradGuard none;
        const double got = (value(step.x + h * direction) - value(step.x - h * direction)).item<double>()
                           / (2 * h);
        const double wanted = (x.grad() * direction).sum().item<double>();
        QVERIFY2(std::abs(got - wanted) < 1e-6 * std::max(1.0, std::abs(wanted)),
                 qPrintable(QString("%1, %2").arg(got).arg(wanted)));
    }

    void specificationsHaveOneSpelling_data()
    {
        columns<QString>("canonical");
        row("softmax;tokens=tome:r=13", "softmax;tokens=tome:r=13");
        row(" softmax ; tokens=tome ", "softmax;tokens=tome:r=13");
        row("softmax;tokens=none", "softmax");
        row("softmax;tokens=tome:r=0", "softmax;tokens=tome:r=0");
        row("native;tokens=tome:order=concatenate,schedule=decreasing,r=4",
            "native;tokens=tome:r=4,schedule=decreasing,order=concatenate");
        row("0-3=softmax;4-11=lara;tokens=tome:r=8,schedule=constant", "0-3=softmax;4-11=lara;tokens=tome:r=8");
    }
    void specificationsHaveOneSpelling()
    {
        const std::string given = currentDataTag();
        QFETCH(const QString, canonical);
        const AttentionSpec spec = AttentionSpec::parse(given);
        QCOMPARE(QString::fromStdString(spec.canonical()), canonical);
        QVERIFY(AttentionSpec::parse(spec.canonical()) == spec);
        QCOMPARE(spec.withTokens({}).canonical().find("tokens"), std::string::npos);
        QCOMPARE(spec.layer(0).canonical().find("tokens"), std::string::npos);
        QCOMPARE(tokensOf(spec.canonical()), spec.tokens().isNone() ? std::string() : spec.tokens().canonical());
        QVERIFY(spec.resolved(AttentionSpec::reference(), 12).tokens() == spec.tokens());
    }

    void wrongSpecificationsAreRefused_data()
    {
        columns<QString>("said");
        row("tokens=tome:r=3", "no attention");
        row("softmax;tokens=tome:r=3;0=lara", "last part");
        row("softmax;tokens=pool", "none or tome");
        row("softmax;tokens=tome:r=-1", "r is an integer from 0");
        row("softmax;tokens=tome:r", "key=value");
        row("softmax;tokens=tome:k=3", "r, schedule and order");
        row("softmax;tokens=tome:r=3,r=4", "given twice");
        row("softmax;tokens=tome:schedule=fast", "constant or decreasing");
    }
    void wrongSpecificationsAreRefused()
    {
        const std::string given = currentDataTag();
        QFETCH(const QString, said);
        const std::string found = refusal(given);
        SAYS(found, said);
    }

    void schedulesMergeAsOftenAsTheyAreToldTo()
    {
        const std::vector<int64_t> constant(12, 8), falling{16, 14, 13, 11, 10, 8, 7, 5, 4, 2, 1, 0};
        QCOMPARE(TokenSpec::parse("tome:r=8").schedule(12), constant);
        QCOMPARE(TokenSpec::parse("tome:r=8,schedule=decreasing").schedule(12), falling);
        const MergePlan plan{{8, 8, 8}, MergeOrder::Position};
        QCOMPARE(plan.tokensOf(4, 21, 1), (std::vector<int64_t>{21, 13, 7, 4, 4}));  // half of the patches at most
        QVERIFY(!plan.mergesBefore(0) && plan.mergesBefore(1) && plan.only(1).mergesBefore(2)
                && !plan.only(1).mergesBefore(1));
    }

    void attentionAloneDoesNotMerge()
    {
        const AttentionInput in = randomInput({1, 1, 9, 9, 4, 4}, 1);
        THROWS(UsageError, make("softmax;tokens=tome:r=2", in));
        QVERIFY(at::equal(attend("softmax;tokens=tome:r=0", in), attend("softmax", in)));
    }
};

ATTNSCOPE_TEST(TestTokenMerging)
#include "tst_token_merging.moc"
