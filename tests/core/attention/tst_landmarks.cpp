#include "core/attention/attention_backend.h"
#include "core/attention/backend_info.h"
#include "core/attention/landmarks.h"
#include "core/base/error.h"
#include "tests/core/attention/attention_inputs.h"
#include "tests/support/test_class.h"

#include <random>

using namespace attnscope;
using namespace attnscope::test;

namespace {

constexpr double rounding = 1e-12;

at::Tensor tokens(int64_t count, uint64_t seed, int64_t width = 4)
{
    return randomInput({2, 3, count, count, width, width}, seed).q;
}

/// The definition in plain loops: C runs, the shorter ones first, lengths differ by at most one.
at::Tensor segmentsByLoop(const at::Tensor& x, int64_t count)
{
    const int64_t shortLength = x.size(2) / count, longRuns = x.size(2) % count;
    std::vector<at::Tensor> means;
    int64_t begin = 0;
    for (int64_t c = 0; c < count; ++c) {
        const int64_t end = begin + shortLength + (c >= count - longRuns ? 1 : 0);
        means.push_back(x.slice(2, begin, end).mean(2));
        begin = end;
    }
    return at::stack(means, 2);
}

/// Cell i of h covers rows ⌊iH/h⌋ … ⌈(i+1)H/h⌉ − 1.
at::Tensor cellsByLoop(const at::Tensor& x, int64_t rows, int64_t columns, int64_t side)
{
    const auto image = x.reshape({x.size(0), x.size(1), rows, columns, x.size(3)});
    const auto begin = [&](int64_t i, int64_t length) { return i * length / side; };
    const auto end = [&](int64_t i, int64_t length) { return ((i + 1) * length + side - 1) / side; };
    std::vector<at::Tensor> means;
    for (int64_t i = 0; i < side; ++i)
        for (int64_t j = 0; j < side; ++j)
            means.push_back(image.slice(2, begin(i, rows), end(i, rows))
                                .slice(3, begin(j, columns), end(j, columns))
                                .mean({2, 3}));
    return at::stack(means, 2);
}

constexpr double floatRounding = 1e-6;

/// float32 as the CPU kernels take it: tokens with all heads next to each other, seen by head.
at::Tensor inKernels(const at::Tensor& x)
{
    return x.transpose(1, 2).contiguous().to(at::kFloat).transpose(1, 2);
}

AttentionParameters landmarkMap(int64_t side, int firstIndex)
{
    SeededNoise noise(5, 0);
    AttentionParameters parameters;
    for (const std::string name : {"q_bar_gen.", "k_bar_gen."}) {
        const auto draw = [&](const std::string& what, at::IntArrayRef sizes) {
            return noise.normal(name + what, sizes, at::TensorOptions(at::kDouble));
        };
        const std::string linear = name + std::to_string(firstIndex), norm = name + std::to_string(firstIndex + 1);
        parameters[linear + ".weight"] = draw("weight", {side, side});
        parameters[linear + ".bias"] = draw("bias", {side});
        parameters[norm + ".weight"] = draw("norm", {side});
        parameters[norm + ".bias"] = draw("shift", {side});
    }
    return parameters;
}

AttentionInput onGrid(int64_t rows, int64_t columns, int64_t prefix, uint64_t seed)
{
    const int64_t count = prefix + rows * columns;
    AttentionInput in = randomInput({2, 3, count, count, 4, 4}, seed);
    in.tokens = {prefix, 1, rows, columns};
    return in;
}

std::string refusal(const std::string& spec, const BackendContext& context)
{
    return attnscope::refusal<UsageError>([&] { makeBackend(AttentionSpec::parse(spec), context); });
}

}

class TestLandmarks : public QObject {
    Q_OBJECT

private slots:
    void segmentsAreThoseOfTheDefinition()
    {
        std::mt19937 random(1);
        for (int trial = 0; trial < 60; ++trial) {
            const int64_t count = 1 + random() % 50, segments = 1 + random() % 60;
            const auto x = tokens(count, random());
            const auto expected = count <= segments ? x : segmentsByLoop(x, segments);
            const QString what = QString("%1 tokens, %2 segments").arg(count).arg(segments);
            QVERIFY2(difference(segmentMeans(x, segments), expected) < rounding, qPrintable(what));
            QVERIFY2(difference(segmentMeans(inKernels(x), segments).to(at::kDouble), expected) < floatRounding,
                     qPrintable(what));
        }
    }

    void cellsAreThoseOfTheDefinition()
    {
        std::mt19937 random(2);
        for (int trial = 0; trial < 60; ++trial) {
            const int64_t rows = 1 + random() % 9, columns = 1 + random() % 9, side = 1 + random() % 10;
            const auto x = tokens(rows * columns, random());
            const auto expected = cellsByLoop(x, rows, columns, side);
            const QString what = QString("%1×%2 pooled to side %3").arg(rows).arg(columns).arg(side);
            QVERIFY2(difference(gridMeans(x, rows, columns, side), expected) < rounding, qPrintable(what));
            QVERIFY2(difference(gridMeans(inKernels(x), rows, columns, side).to(at::kDouble), expected)
                         < floatRounding,
                     qPrintable(what));
        }
    }

    void squareRootsAreExact()
    {
        for (int64_t root = 1; root < 200; ++root) {
            QCOMPARE(squareRoot(root * root), root);
            QCOMPARE(squareRoot(root * root + 1), 0);
        }
    }

    void sharedMapWorksOnEveryHeadAlike()
    {
        const auto p = landmarkMap(4, 2);
        const LandmarkMap map{p.at("q_bar_gen.2.weight"), p.at("q_bar_gen.2.bias"), p.at("q_bar_gen.3.weight"),
                              p.at("q_bar_gen.3.bias")};
        const auto x = tokens(9, 3);
        const auto all = map.apply(x);
        for (int64_t head = 0; head < 3; ++head)
            QVERIFY(difference(map.apply(x.slice(1, head, head + 1)), all.slice(1, head, head + 1)) < rounding);
        const auto plain = (all - map.normBias) / map.normWeight;  // what LayerNorm leaves: mean 0, variance 1
        QVERIFY(largest(plain.mean(-1)) < 1e-9);
        QVERIFY(largest(plain.square().mean(-1) - 1) < 1e-2);  // ε = 1e-5 against small variances
    }

    void denseMapMixesHeads()
    {
        const auto p = landmarkMap(12, 2);
        const LandmarkMap map{p.at("q_bar_gen.2.weight"), p.at("q_bar_gen.2.bias"), p.at("q_bar_gen.3.weight"),
                              p.at("q_bar_gen.3.bias")};
        const auto x = tokens(9, 4);
        const auto merged = x.transpose(1, 2).reshape({2, 9, 12});
        const auto linear = at::matmul(merged, map.weight.t()) + map.bias;
        const auto centred = linear - linear.mean(-1, true);
        const auto normalised = centred / (centred.square().mean(-1, true) + 1e-5).sqrt() * map.normWeight
                                + map.normBias;
        const auto applied = map.apply(x).transpose(1, 2).reshape({2, 9, 12});  // channel h·D + d is head h
        QVERIFY(difference(applied, normalised) < 1e-9);
    }

    void classTokensAreLeftOut()
    {
        const AttentionInput in = onGrid(4, 5, 1, 5);
        AttentionInput given = in;
        given.queryLandmarks = gridMeans(in.q.slice(2, 1), 4, 5, 2);
        given.keyLandmarks = gridMeans(in.k.slice(2, 1), 4, 5, 2);
        QVERIFY(difference(attend("lara:samples=4", in), attend("lara:samples=4", given)) < rounding);
        given.queryLandmarks = segmentMeans(in.q.slice(2, 1), 4);
        given.keyLandmarks = segmentMeans(in.k.slice(2, 1), 4);
        QVERIFY(difference(attend("lara:samples=4,landmarks=segments", in), attend("lara:samples=4", given))
                < rounding);
    }

    void orderOfFramesIsNoneWithoutFrames()
    {
        const AttentionInput in = onGrid(4, 5, 1, 5);
        QVERIFY(difference(attend("nystrom:samples=4,order=frame-major", in), attend("nystrom:samples=4", in))
                < rounding);
    }

    void gridIsUsedWhereThereIsOne()
    {
        AttentionInput in = onGrid(4, 4, 0, 6);
        const auto grid = attend("lara:samples=4", in), segments = attend("lara:samples=4,landmarks=segments", in);
        QVERIFY(difference(grid, segments) > 1e-6);
        QVERIFY(difference(attend("lara:samples=4,landmarks=grid", in), grid) < rounding);
        in.tokens = {};
        QVERIFY(difference(attend("lara:samples=4", in), segments) < rounding);
    }

    void mapOfTheCheckpointIsUsedUnlessRefused()
    {
        const AttentionInput in = onGrid(4, 4, 0, 7);
        SeededNoise noise(0, 0);
        const auto plain = attend("lara:samples=4", in);
        for (const int index : {0, 2}) {
            for (const int64_t side : {4, 12}) {
                const auto with = make("lara:samples=4", in, landmarkMap(side, index));
                QVERIFY(with->notes().empty());
                QVERIFY(difference(with->attend(in, noise), plain) > 1e-6);
                const auto without = make("lara:samples=4,map=none", in, landmarkMap(side, index));
                QCOMPARE(without->notes().size(), 1);
                QVERIFY(difference(without->attend(in, noise), plain) < rounding);
            }
        }
        auto half = landmarkMap(4, 2);
        half.erase("k_bar_gen.3.bias");
        QVERIFY2(!make("lara:samples=4", in, half)->notes().empty(),
                 "an incomplete map is not used, and that is said");
    }

    void tokensThatAreAllLandmarksNeedNoPooling()
    {
        const AttentionInput in = randomInput({1, 2, 6, 6, 4, 4}, 8);
        AttentionInput given = in;
        given.queryLandmarks = in.q;
        given.keyLandmarks = in.k;
        QVERIFY(difference(attend("lara:samples=49", in), attend("lara:samples=6", given)) < rounding);
    }

    void whatDoesNotFitIsRefusedByName()
    {
        const auto says = [](const std::string& spec, const BackendContext& context, const char* word) {
            return QString::fromStdString(refusal(spec, context)).contains(QString(word));
        };
        const TokenLayout grid{0, 1, 14, 14};
        QVERIFY(says("lara:samples=50", {3, 4, grid, {}}, "49 and 64"));
        QVERIFY(says("lara:landmarks=grid", {3, 4, {}, {}}, "landmarks=segments"));
        QVERIFY(says("lara:landmarks=grid", {3, 4, {0, 8, 14, 14}, {}}, "8 frames"));
        QVERIFY(says("lara", {3, 4, grid, landmarkMap(5, 2)}, "5×5"));
        QVERIFY(refusal("lara", {3, 4, {0, 8, 14, 14}, {}}).empty());  // segments over the frames

        // A stored projection of another number of heads is no projection for this layer.
        const auto backend = makeBackend(AttentionSpec::parse("performer:samples=8"),
                                         {3, 4, {}, {{"eval_proj", at::zeros({2, 8, 4})}}});
        QCOMPARE(backend->notes().size(), 1);
        QVERIFY(!backend->deterministic());
    }

    void otherNumbersOfLandmarksAreSegmentsWhereNoGridFits()
    {
        const auto with = [](const char* spec, int64_t samples) {
            return findBackend("lara")->withSamples(AttentionSpec::parse(spec), samples).canonical();
        };
        QCOMPARE(with("lara", 25), "lara:samples=25");
        QCOMPARE(with("lara", 26), "lara:samples=26,landmarks=segments");
        QCOMPARE(with("lara:landmarks=grid", 26),
                 AttentionSpec::parse("lara:samples=26,landmarks=grid").canonical());
    }

    void recordedLandmarksHaveTheNumberThatIsAskedFor()
    {
        const auto fits = [](const char* spec, int64_t queries, int64_t landmarks) {
            AttentionInput in{
                .q = at::zeros({1, 2, queries, 4}), .k = at::zeros({1, 2, 7, 4}), .v = at::zeros({1, 2, 7, 4})};
            in.queryLandmarks = in.keyLandmarks = at::zeros({1, 2, landmarks, 4});
            std::vector<std::string> notes;
            try {
                static_cast<void>(findBackend("lara")->fitRecorded(AttentionSpec::parse(spec), in, notes));
                return notes == std::vector<std::string>{"landmarks are those of the file"};
            } catch (const UsageError& error) {
                return !QString(error.what()).contains("landmarks, not");
            }
        };
        QVERIFY(fits("lara:samples=9", 20, 9) && fits("lara:samples=9", 4, 9));
        QVERIFY(fits("lara:samples=16", 12, 12));  // of fewer tokens all are landmarks
        QVERIFY(!fits("lara:samples=9", 20, 8) && !fits("lara:samples=9", 4, 5));
    }
};

ATTNSCOPE_TEST(TestLandmarks)
#include "tst_landmarks.moc"
