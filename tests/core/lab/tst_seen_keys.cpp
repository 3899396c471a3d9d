#include "core/base/error.h"
#include "core/lab/layers/layer_maps.h"
#include "core/lab/layers/seen_keys.h"
#include "tests/core/attention/attention_inputs.h"
#include "tests/support/test_class.h"

#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

constexpr double rounding = 1e-6;  // maps are float32

AttentionInput inputOf(const TokenLayout& layout)
{
    AttentionInput in = randomInput({2, 3, layout.count(), layout.count(), 8, 5}, 4, at::kDouble, 1.5);
    in.tokens = layout;
    return in;
}

/// What every query of batch element 0 sees, (H,N,M), asked for one by one.
at::Tensor seenMatrix(const std::string& spec, const AttentionInput& in)
{
    const auto backend = make(spec, in);
    SeededNoise noise(0, 0);
    auto seen = at::zeros({in.q.size(1), in.q.size(2), in.k.size(2)}, at::kDouble);
    for (int64_t query = 0; query < in.q.size(2); ++query) {
        const auto rows = seenByQuery(*backend, in, noise, query);
        for (int64_t head = 0; head < in.q.size(1); ++head)
            seen[head][query] = at::tensor(rows[size_t(head)], at::kFloat).to(at::kDouble);
    }
    return seen;
}

LayerKeys keysOf(const std::string& spec, const AttentionInput& in)
{
    SeededNoise noise(0, 0);
    return seenKeys(*make(spec, in), in, noise).value();
}

/// (H,N)
at::Tensor massOf(const LayerKeys& keys)
{
    std::vector<at::Tensor> heads;
    for (const auto& head : keys.massKept)
        heads.push_back(at::tensor(head, at::kFloat).to(at::kDouble));
    return at::stack(heads);
}

at::Tensor exactWeights(const AttentionInput& in)
{
    return (at::matmul(in.q, in.k.transpose(-1, -2)) * in.scale).softmax(-1)[0];  // (H,N,M)
}

}

/// Which keys queries see one by one, and exact softmax's weight there.
class TestSeenKeys : public QObject {
    Q_OBJECT

private slots:
    void massIsTheWeightOnTheSeenKeys_data()
    {
        rows("spec",
             {"strided", "blockwise:blocks=3", "longformer:radius=1", "longformer:radius=1,global=2",
              "etc:radius=1,samples=4", "bigbird:radius=0", "lsh:samples=1,buckets=4",
              "lsh:samples=2,form=chunks,chunk=6", "clustered:samples=4,topk=5", "span:span=1", "local:window=3",
              "local:window=2,margin=1", "eva:window=3", "topk:samples=4", "alibi:causal=true"});
    }

    void massIsTheWeightOnTheSeenKeys()
    {
        FETCH_TEXT(spec);
        for (const int64_t prefix : {0, 2}) {
            const AttentionInput in = inputOf({prefix, 1, 5, 6});
            const auto seen = seenMatrix(spec, in) > 0;
            const auto expected = exactWeights(in).masked_fill(seen.logical_not(), 0).sum(-1);  // written out
            const LayerKeys keys = keysOf(spec, in);
            QVERIFY(difference(massOf(keys), expected) < rounding);
            QCOMPARE(keys.prefix, prefix);
            QCOMPARE(keys.grid.columns, 6);
            QVERIFY(keys.mean.massKept > 0.1 && keys.mean.massKept < 0.999);
            QVERIFY(keys.mean.density < 1);
            QCOMPARE(keys.mean.emptyRows, 0.0);
            QVERIFY2(!seen.slice(1, 0, prefix).logical_not().any().item<bool>() || spec.starts_with("topk")
                         || spec.starts_with("alibi"),
                     "a token before the grid does not see all");
        }
    }

    void weightsLieOnSeenKeysAlone_data()
    {
        rows("spec", {"strided", "blockwise:blocks=3", "longformer:radius=1", "bigbird:radius=0",
                      "lsh:samples=1,buckets=4", "lsh:duplicates=true,buckets=4", "span:span=1", "local:window=3",
                      "local:window=2,margin=1", "topk:samples=4", "alibi:causal=true"});
    }

    /// What the attention itself does with values is the judge.
    void weightsLieOnSeenKeysAlone()
    {
        FETCH_TEXT(spec);
        for (const int64_t prefix : {0, 1}) {
            const AttentionInput in = inputOf({prefix, 1, 5, 6});
            const auto backend = make(spec, in);
            const auto seen = seenMatrix(spec, in) > 0;
            for (int64_t query = 0; query < in.q.size(2); ++query) {
                SeededNoise noise(0, 0);
                auto rows = at::zeros({2, 3, in.q.size(2)}, at::kDouble);
                rows.select(2, query).fill_(1);
                const auto weights = backend->impliedWeights(in, noise, rows)[0];  // (H,M)
                QVERIFY(at::equal(weights.abs() > 1e-12, seen.select(1, query)));
            }
        }
    }

    void fullSetsKeepEverything_data()
    {
        rows("spec",
             {"longformer:radius=256", "blockwise:blocks=1", "bigbird:block=8", "span:span=100",
              "lsh:form=chunks,chunk=64", "clustered:samples=2,topk=99", "local:window=16", "topk:samples=99"});
    }

    void fullSetsKeepEverything()
    {
        FETCH_TEXT(spec);
        const AttentionInput in = inputOf({1, 1, 5, 6});
        const LayerKeys keys = keysOf(spec, in);
        QVERIFY(difference(massOf(keys), at::ones({3, 31}, at::kDouble)) < rounding);
        QCOMPARE(keys.mean.density, 1.0);
    }

    void queriesWithoutKeysAreCountedAndHaveNoMass()
    {
        AttentionInput in = randomInput({1, 2, 30, 6, 8, 5}, 3);
        in.tokens = {0, 1, 5, 6};
        in.keyTokens = {0, 1, 1, 6};
        const LayerKeys keys = keysOf("longformer:radius=1", in);
        QCOMPARE(keys.mean.emptyRows, 12.0 / 30);  // the first and the last row of the grid
        for (const auto& head : keys.massKept)
            for (size_t query = 0; query < head.size(); ++query)
                QCOMPARE(std::isnan(head[query]), query < 6 || query >= 24);
        QVERIFY(std::isfinite(keys.mean.massKept));
        SeededNoise noise(0, 0);
        QCOMPARE(seenByQuery(*make("longformer:radius=1", in), in, noise, 0).front(), std::vector<float>(6, 0));
        const HeatMap map = massMap(keys, std::nullopt);
        QVERIFY(std::isnan(map.values.front()) && std::isfinite(map.values[6]));
    }

    void everyFrameHasItsOwnMass()
    {
        AttentionInput in = inputOf({0, 3, 3, 4});
        in.keyGroups = 3;
        const LayerKeys keys = keysOf("longformer:radius=1", in);
        const auto weights = (at::matmul(in.q, in.k.transpose(-1, -2)) * in.scale)
                                 .unflatten(-1, {3, -1})
                                 .softmax(-1)[0];  // (H,N,F,M)
        const auto seen = (seenMatrix("longformer:radius=1", in) > 0).unflatten(-1, {3, -1});
        QVERIFY(difference(massOf(keys), weights.masked_fill(seen.logical_not(), 0).sum(-1).mean(-1)) < rounding);
        QCOMPARE(keys.frames, 3);
        QCOMPARE(massMap(keys, 0, 2).values.size(), 12);
    }

    void softMasksAreSeenByTheirValue()
    {
        const AttentionInput in = inputOf({0, 1, 1, 9});
        const auto seen = seenMatrix("span:span=1,ramp=4", in)[0][4];
        for (int64_t key = 0; key < 9; ++key) {
            const double value = std::clamp((4.0 + 1 - std::abs(double(key) - 4)) / 4, 0.0, 1.0);
            QVERIFY(std::abs(seen[key].item<double>() - value) < rounding);
        }
        QVERIFY(largest(seenMatrix("lsh:samples=3,duplicates=true,buckets=2", in)) > 1.5);
    }

    void attentionsThatSeeAllHaveNoSets_data()
    {
        rows("spec", {"softmax", "performer:samples=8", "lara:samples=4", "nystrom:samples=4", "alibi",
                      "clustered:topk=0"});
    }

    void attentionsThatSeeAllHaveNoSets()
    {
        FETCH_TEXT(spec);
        const AttentionInput in = inputOf({0, 1, 4, 4});
        SeededNoise noise(0, 0);
        const auto backend = make(spec, in);
        QVERIFY(!seenKeys(*backend, in, noise));
        QVERIFY(seenByQuery(*backend, in, noise, 3).empty());
    }

    void mapsHaveATileForEveryHead()
    {
        const AttentionInput in = inputOf({1, 1, 5, 6});
        InspectedAttention attention;
        attention.attention = "longformer:radius=1";
        for (int64_t layer = 0; layer < 2; ++layer) {
            SeededNoise noise(0, 0);
            attention.maps.push_back({.layer = layer, .grid = {5, 6}, .prefix = 1, .query = 9});
            attention.maps.back().seen = seenByQuery(*make(attention.attention, in), in, noise, 9);
            attention.teacherForced.push_back({.layer = layer});
            attention.teacherForced.back().keys = keysOf(attention.attention, in);
        }
        for (const HeatMap& map : {seenMaps(attention), massMaps(attention)}) {
            QCOMPARE(map.rows.size(), size_t{2 * 6 - 1});
            QCOMPARE(map.columns.size(), size_t{3 * 7 - 1});
            QCOMPARE(map.low.value(), 0.0);
            QCOMPARE(map.high.value(), 1.0);
        }
        // Token 9 is the patch at row 1, column 2; its window has nine patches.
        const HeatMap map = seenMaps(attention);
        for (size_t row = 0; row < 5; ++row)
            for (size_t column = 0; column < 6; ++column)
                QCOMPARE(map.values[row * map.columns.size() + column],
                         row < 3 && column > 0 && column < 4 ? 1.0 : 0.0);
        attention.maps.front().seen.clear(), attention.maps.back().seen.clear();
        THROWS(UsageError, seenMaps(attention));
    }
};

ATTNSCOPE_TEST(TestSeenKeys)
#include "tst_seen_keys.moc"
