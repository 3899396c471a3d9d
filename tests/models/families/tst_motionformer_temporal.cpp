#include "models/motionformer/motionformer_position.h"
#include "models/motionformer/motionformer_temporal.h"

#include "core/attention/noise.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include <cmath>

using namespace attnscope;

namespace {

at::Tensor drawn(const char* name, at::IntArrayRef sizes, double size = 1, at::ScalarType type = at::kDouble)
{
    SeededNoise noise(5, 0);
    return noise.sharedNormal(name, sizes, at::TensorOptions(at::kDouble)).mul(size).to(type);
}

struct Case {
    at::Tensor x;                  ///< (B,S,T',C)
    LayerWeights query, keyValue;  ///< proj_q and proj_kv
    int64_t heads = 1;

    TemporalWeights weights(bool projected) const
    {
        const auto width = x.size(3);
        return {query, projected ? keyValue : LayerWeights{keyValue.weight.slice(0, 0, width), {}}};
    }
};

Case randomCase(int64_t batch, int64_t times, int64_t places, int64_t heads, int64_t width)
{
    const double size = 1.5 / std::sqrt(double(width));
    Case c;
    c.x = drawn("x", {batch, times * places, times, width});
    c.query = {drawn("q", {width, width}, size), drawn("qb", {width})};
    c.keyValue = {drawn("kv", {2 * width, width}, size), drawn("kvb", {2 * width})};
    c.heads = heads;
    return c;
}

/// The formulation that the authors print and run: keys and values of every (query, frame).
at::Tensor published(const Case& c, bool projected)
{
    const auto batch = c.x.size(0), tokens = c.x.size(1), times = c.x.size(2), width = c.x.size(3),
               places = tokens / times;
    std::vector<at::Tensor> own;
    for (int64_t s = 0; s < tokens; ++s)
        own.push_back(c.x.select(1, s).select(1, s / places));
    const auto split = [&](const at::Tensor& y) { return y.unflatten(-1, {c.heads, width / c.heads}); };
    const auto q = split(at::linear(at::stack(own, 1), c.query.weight, c.query.bias))
                   / std::sqrt(double(width / c.heads));
    const auto keyValue = at::linear(c.x, c.keyValue.weight, c.keyValue.bias);
    const auto k = split(keyValue.slice(-1, 0, width));  // (B,S,T',H,D)
    const auto v = split(projected ? keyValue.slice(-1, width) : c.x);
    const auto weights = (q.unsqueeze(2) * k).sum(-1).softmax(2);  // (B,S,T',H)
    return (weights.unsqueeze(-1) * v).sum(2).reshape({batch, tokens, width});
}

}

/// The temporal step of trajectory attention and the position embeddings of video, by themselves.
class TestMotionformerTemporal : public QObject {
    Q_OBJECT

private slots:
    void foldedStepEqualsThePublishedFormulation_data()
    {
        columns<bool, int, int>("projected", "times", "places");
        for (const auto& [times, places] : {std::pair{1, 5}, std::pair{2, 4}, std::pair{8, 33}, std::pair{5, 27}})
            for (const bool projected : {false, true})
                addRow("%d frames of %d tokens, value %s", times, places, projected ? "W x" : "x")
                    << projected << times << places;
    }

    void foldedStepEqualsThePublishedFormulation()
    {
        QFETCH(const bool, projected);
        QFETCH(const int, times);
        QFETCH(const int, places);
        for (const int64_t heads : {1, 3, 6}) {
            const Case c = randomCase(2, times, places, heads, 24);
            const auto folded = temporalStep(c.x, c.heads, c.weights(projected));
            QCOMPARE(folded.sizes().vec(), (std::vector<int64_t>{2, times * places, 24}));
            const double moved = difference(folded, published(c, projected));
            QCOMPARE_LT(moved, 1e-12);
        }
    }

    void float32RoundsNoWorseThanThePublishedFormulation()
    {
        for (const bool projected : {false, true}) {
            const Case wide = randomCase(1, 8, 49, 12, 192);
            Case narrow = wide;
            for (at::Tensor* x : {&narrow.x, &narrow.query.weight, &narrow.query.bias, &narrow.keyValue.weight,
                                  &narrow.keyValue.bias})
                *x = x->to(at::kFloat);
            Case rounded = narrow;
            for (at::Tensor* x : {&rounded.x, &rounded.query.weight, &rounded.query.bias, &rounded.keyValue.weight,
                                  &rounded.keyValue.bias})
                *x = x->to(at::kDouble);
            const auto exact = published(rounded, projected);
            const double ours = difference(temporalStep(narrow.x, 12, narrow.weights(projected)), exact);
            const double theirs = difference(published(narrow, projected), exact);
            QVERIFY2(ours < 2 * theirs, qPrintable(QString("%1 against %2").arg(ours).arg(theirs)));
        }
    }

    void biasOfTheKeysChangesNothing()
    {
        const Case c = randomCase(1, 4, 6, 3, 18);
        Case moved = c;
        moved.keyValue.bias = c.keyValue.bias.clone();
        moved.keyValue.bias.slice(0, 0, 18) += drawn("move", {18}, 10);
        QVERIFY(difference(published(c, true), published(moved, true)) < 1e-12);
    }

    void oneFrameGivesItsOwnValue()
    {
        const Case c = randomCase(2, 1, 7, 3, 18);
        QVERIFY(difference(temporalStep(c.x, 3, c.weights(false)), c.x.squeeze(2)) < 1e-12);
    }

    void gradientsReachEveryWeight()
    {
        Case c = randomCase(1, 3, 30, 3, 12);
        const auto gradients = [&](auto step) {
            for (at::Tensor* x : {&c.x, &c.query.weight, &c.query.bias, &c.keyValue.weight, &c.keyValue.bias})
                *x = x->detach().clone().set_requires_grad(true);
            (step() * drawn("direction", {1, 90, 12})).sum().backward();
            return std::vector{c.x.grad(), c.query.weight.grad(), c.keyValue.weight.grad()};
        };
        const auto ours = gradients([&] { return temporalStep(c.x, 3, c.weights(true)); });
        const auto theirs = gradients([&] { return published(c, true); });
        for (size_t i = 0; i < ours.size(); ++i)
            QVERIFY(difference(ours[i], theirs[i]) < 1e-11);
    }

    void positionsOfTheSameGridAreTheirSum()
    {
        const MotionformerPosition position{drawn("space", {1, 13, 4}), drawn("time", {1, 5, 4}), {5, 3, 4}};
        const auto all = position.of({5, 3, 4});
        QCOMPARE(all.sizes().vec(), (std::vector<int64_t>{1, 61, 4}));
        QVERIFY(all[0][0].equal(position.space[0][0]));  // no time for the class token
        QVERIFY(difference(all[0][1 + 2 * 12 + 7], position.space[0][8] + position.time[0][2]) < 1e-15);
    }

    void timeIsInterpolatedLinearly()
    {
        const auto line = at::tensor({0.0, 1.0, 2.0, 3.0}).reshape({1, 4, 1}).to(at::kFloat);
        const auto twice = resizeTime(line, 8).flatten();
        const auto expected =
            at::tensor({0.0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.0}).to(at::kFloat);  // centres at (i + ½)/2 − ½
        QVERIFY(difference(twice, expected) < 1e-6);
        QVERIFY(difference(resizeTime(line, 2).flatten(), at::tensor({0.5, 2.5})) < 1e-6);
    }

    void spaceOfAnotherCropKeepsItsMeanAndEdges()
    {
        MotionformerPosition position{at::ones({1, 197, 3}), at::zeros({1, 2, 3}), {2, 14, 14}};
        QVERIFY(difference(position.of({2, 21, 21}), at::ones({1, 1 + 2 * 441, 3})) < 1e-6);
        // The convolution itself, away from the edges, on a slope over the columns.
        const auto cubic = [](double t) {
            constexpr double a = -0.75;
            t = std::abs(t);
            return t < 1 ? ((a + 2) * t - (a + 3)) * t * t + 1 : t < 2 ? a * (((t - 5) * t + 8) * t - 4) : 0;
        };
        position.space = at::cat(
            {at::zeros({1, 1, 3}),
             at::arange(14, at::kFloat).repeat({14}).reshape({1, 196, 1}).expand({1, 196, 3})},
            1);
        const auto row = position.of({1, 21, 21}).slice(1, 1).select(2, 0).reshape({21, 21})[10];
        for (int i = 4; i < 17; ++i) {
            double expected = 0;
            for (int j = 0; j < 14; ++j)
                expected += j * cubic((i + 0.5) / 1.5 - 0.5 - j);
            QVERIFY(std::abs(row[i].item<double>() - expected) < 1e-4);
        }
    }

    void jointPositionsGoThroughSpaceAndTime()
    {
        const auto space = drawn("space", {1, 1 + 4 * 9, 5}, 1, at::kFloat);
        const MotionformerPosition position{space, {}, {4, 3, 3}};
        QVERIFY(position.of({4, 3, 3}).equal(space));
        const MotionformerPosition constant{at::full({1, 37, 5}, 0.25), {}, {4, 3, 3}};
        QVERIFY(difference(constant.of({8, 6, 5}), at::full({1, 241, 5}, 0.25)) < 1e-6);
        // Twice the times alone: each place by itself is a line over time.
        const auto longer = position.of({8, 3, 3}).slice(1, 1).reshape({8, 9, 5});
        const auto line = resizeTime(space.slice(1, 1).reshape({4, 9, 5}).select(1, 6).unsqueeze(0), 8);
        QVERIFY(difference(longer.select(1, 6), line[0]) < 1e-6);
    }
};

ATTNSCOPE_TEST(TestMotionformerTemporal)
#include "tst_motionformer_temporal.moc"
