#include "tests/core/attention/attention_inputs.h"
#include "tests/support/tensor_file.h"
#include "tests/support/tensors.h"
#include "tests/support/test_class.h"

#include "core/attention/key_sets.h"
#include "core/attention/landmarks.h"
#include "core/attention/training_free/directions.h"
#include "core/attention/training_free/tangent.h"
#include "core/attention/training_free/token_blocks.h"
#include "core/base/error.h"

#include <numeric>

using namespace attnscope;
using namespace attnscope::test;

namespace {

at::Tensor logSum(const AttentionInput& in)
{
    return (in.scale * at::matmul(in.q, in.k.transpose(-1, -2))).logsumexp(-1);
}

}

/// Where the methods of training_free are exact, and what they promise elsewhere.
class TestTrainingFree : public QObject {
    Q_OBJECT

private slots:
    /// A square number of landmarks are means of cells where the grid has as many rows and columns, and means of segments elsewhere.
    void landmarksOfQueriesAreCellsWhereTheGridHasThem()
    {
        const std::pair<TokenLayout, bool> layouts[] = {{{1, 1, 3, 5}, true},   {{1, 1, 6, 3}, true},
                                                        {{1, 1, 2, 9}, false},  {{1, 1, 9, 2}, false},
                                                        {{1, 1, 1, 18}, false}, {{1, 2, 3, 3}, false}};
        for (const auto& [tokens, cells] : layouts) {
            AttentionInput in = randomInput({1, 2, tokens.count(), tokens.count(), 4, 4}, 5);
            in.tokens = tokens;
            const at::Tensor patches = in.q.slice(2, 1);
            const at::Tensor expected = cells ? gridMeans(patches, tokens.rows, tokens.columns, 3)
                                              : segmentMeans(patches, 9);
            QVERIFY(queryLandmarks(in, 9).equal(expected));
            QVERIFY(queryLandmarks(in, 8).equal(segmentMeans(patches, 8)));
        }
    }
    void limitsAreSoftmax_data()
    {
        rows("spec", {"tangent:samples=36,iterations=0", "monarch:block=36", "monarch:block=1",
                      "blocks:block=4,keep=9", "blocks:block=1,keep=1", "blocks:block=36,keep=1,tail=none",
                      "hyper:block=36", "scatterbrain:block=36", "scatterbrain:block=36,center=both",
                      "blocks:block=4,keep=9,order=lsh", "blocks:block=4,keep=9,tail=none,order=segments"});
    }
    void limitsAreSoftmax()
    {
        FETCH_TEXT(spec);
        for (const auto type : {at::kDouble, at::kFloat}) {
            AttentionInput in = randomInput({2, 2, 36, 36, 8, 5}, 1, type);
            in.tokens = {0, 1, 6, 6};
            const AttentionPart found = part(spec, in);
            const double allowed = type == at::kDouble ? 1e-9 : 1e-4;
            QCOMPARE_LT(difference(found.out, attend("softmax", in)), allowed);
            QVERIFY(difference(found.logNormaliser, logSum(in)) < allowed);
        }
    }

    void directionsAreThoseOfTheReference()
    {
        const auto file = [](const char* name) {
            return readTensors(TEST_DATA_DIR "/directions/d_" + std::string(name) + ".safetensors");
        };
        for (const auto& [name, make] :
             {std::pair("orthogonal", &orthogonalDirections), std::pair("simplex", &simplexDirections)}) {
            const auto tensors = file(name);
            QVERIFY2(difference(make(tensors.at("rotation"), tensors.at("lengths")), tensors.at("omega")) < 1e-5,
                     name);
        }
        const auto sobol = file("sobol");
        QVERIFY(difference(sobolDirections(30, sobol.at("shift")), sobol.at("omega")) < 1e-5);
    }

    /// Every row for itself is standard normal, rows of a block are orthogonal, and elements of a batch have rows of their own.
    void jointNoiseIsNormal_data()
    {
        columns<Directions>("directions");
        row("orthogonal", Directions::Orthogonal);
        row("simplex", Directions::Simplex);
        row("sobol", Directions::Sobol);
    }
    void jointNoiseIsNormal()
    {
        QFETCH(Directions, directions);
        constexpr int64_t width = 6, samples = 15;
        SeededNoise noise(5, 1, [] {
            std::vector<uint64_t> many(4000);
            std::iota(many.begin(), many.end(), 0u);
            return many;
        }());
        const auto rows = ownSamples(noise, directions, {4000, 2, samples, width}, at::TensorOptions(at::kDouble));
        QVERIFY(!rows[0].equal(rows[1]) && !rows[0][0].equal(rows[0][1]));
        for (int64_t s = 0; s < samples; ++s) {
            const auto one = rows.select(2, s).flatten(0, 1);  // (8000,D)
            QVERIFY(largest(one.mean(0)) < 0.06);
            QVERIFY(difference(at::matmul(one.t(), one) / one.size(0), at::eye(width, at::kDouble)) < 0.1);
            QVERIFY(difference(one.pow(4).mean(0), at::full({width}, 3)) < 0.5);
        }
        if (directions == Directions::Sobol)
            return;
        const auto block = rows.slice(2, 0, width), unit = block / block.norm(2, -1, true);
        const double between = directions == Directions::Simplex ? -1.0 / (width - 1) : 0;
        const auto expected = at::full({width, width}, between, at::kDouble).fill_diagonal_(1);
        QVERIFY(difference(at::matmul(unit, unit.transpose(-1, -2)), expected) < 1e-9);
    }

    /// Consistent whatever the joint distribution: many copies come near softmax, and near what independent noise gives.
    void laraWithJointNoiseStaysConsistent()
    {
        const AttentionInput in = randomInput({1, 2, 16, 16, 4, 4}, 3, at::kDouble, 0.5);
        const auto softmax = attend("softmax", in);
        const auto error = [&](const std::string& directions) {
            return difference(
                attend("lara:samples=4,noise=unit,copies=64,weights=balance,landmarks=segments,directions="
                           + directions,
                       in),
                softmax);
        };
        for (const char* directions : {"independent", "orthogonal", "simplex", "sobol"})
            QCOMPARE_LT(error(directions), 0.25);
        const auto of = [&](const std::string& spec) { return attend(spec, in); };
        QVERIFY(of("lara:samples=4,noise=unit").equal(of("lara:samples=4,noise=unit,directions=independent")));
        QVERIFY(difference(of("lara:samples=4,noise=unit,landmarks=segments,directions=orthogonal"),
                           of("lara:samples=4,noise=unit,landmarks=segments,directions=orthogonal,kernel=plain"))
                < 1e-9);
        QVERIFY(of("lara:samples=4,noise=none").equal(of("lara:samples=4,noise=none,directions=sobol")));
    }

    void errorOfTangentsIsOfSecondOrder()
    {
        const AttentionInput in = randomInput({1, 2, 9, 40, 8, 5}, 2);
        const auto errorAt = [&](double step, const char* spec) {
            AttentionInput pairs = in;  // queries in pairs around their landmark
            pairs.q = at::stack({in.q - step * in.q.flip({2}), in.q + step * in.q.flip({2})}, 3).flatten(2, 3);
            return difference(attend(spec, pairs), attend("softmax", pairs));
        };
        for (const auto& [spec, slope] : {std::pair("tangent:samples=9,iterations=0,clip=false", 4.0),
                                          std::pair("tangent:samples=9,iterations=0,order=0", 2.0)}) {
            const double ratio = errorAt(0.02, spec) / errorAt(0.01, spec);
            QVERIFY2(std::abs(ratio - slope) < 0.25 * slope, qPrintable(QString("%1: %2").arg(spec).arg(ratio)));
        }
    }

    void normalisersOfTangentsAndMonarchAreLowerBounds()
    {
        const AttentionInput in = randomInput({2, 2, 30, 30, 8, 5}, 3);
        for (const char* spec :
             {"tangent:samples=5", "tangent:samples=5,order=0", "monarch:block=5", "monarch:block=7,steps=3"})
            QVERIFY((part(spec, in).logNormaliser - logSum(in)).max().item<double>() < 1e-9);
        double last = -1e30;
        for (const char* spec :
             {"monarch:block=5,steps=1", "monarch:block=5,steps=2", "monarch:block=5,steps=6"}) {
            const double bound = part(spec, in).logNormaliser.sum().item<double>();
            QVERIFY(bound > last);
            last = bound;
        }
    }

    void outputsStayAmongTheValues()
    {
        AttentionInput in = randomInput({1, 2, 40, 40, 8, 5}, 4, at::kFloat, 3);
        for (const char* spec : {"tangent:samples=4", "monarch:block=6", "blocks:block=5,keep=2"}) {
            const auto out = attend(spec, in);
            QVERIFY((out <= in.v.amax(2, true) + 1e-5).all().item<bool>()
                    && (out >= in.v.amin(2, true) - 1e-5).all().item<bool>());
        }
        in.v = at::full_like(in.v, 0.37);
        for (const char* spec : {"tangent:samples=4", "tangent:samples=4,rank=3,clip=false",
                                 "monarch:block=6,steps=2", "blocks:block=5,keep=2,tail=none"})
            QVERIFY(difference(attend(spec, in), in.v.slice(2, 0, 1).expand({1, 2, 40, 5})) < 1e-4);
    }

    void blocksCoverEveryToken_data()
    {
        columns<int>("order");
        row("windows", int(BlockOrder::Windows));
        row("segments", int(BlockOrder::Segments));
        row("hashes", int(BlockOrder::Hashes));
    }
    void blocksCoverEveryToken()
    {
        QFETCH(const int, order);
        for (const auto& [rows, columns, block] :
             {std::tuple(6, 6, 4), std::tuple(7, 5, 9), std::tuple(1, 1, 4), std::tuple(3, 11, 100)}) {
            AttentionInput in = randomInput({2, 2, rows * columns, rows * columns, 8, 5}, 5);
            in.tokens = {0, 1, rows, columns};
            if (static_cast<BlockOrder>(order) == BlockOrder::Windows && rows == 1)
                continue;
            const TokenBlocks blocks = tokenBlocks(in, block, static_cast<BlockOrder>(order),
                                                   at::ones({2, 5, 8}, at::kDouble) - at::eye(5, 8, at::kDouble));
            QCOMPARE(blocks.keyBounds.back(), rows * columns);
            QCOMPARE(blocks.queryBounds.back(), rows * columns);
            QVERIFY(std::ranges::is_sorted(blocks.keyBounds)
                    && std::ranges::adjacent_find(blocks.keyBounds) == blocks.keyBounds.end());
            QVERIFY(blocks.unsorted(blocks.sortedQueries(in.q)).equal(in.q));
            QVERIFY(
                std::get<0>(blocks.sortedKeys(in.k).sum(-1).sort(-1)).equal(std::get<0>(in.k.sum(-1).sort(-1))));
        }
    }

    void keptBlocksAreSets()
    {
        AttentionInput in = randomInput({1, 2, 38, 38, 8, 5}, 6);
        in.tokens = {2, 1, 6, 6};
        AttentionInput patches = in;
        patches.q = in.q.slice(2, 2), patches.k = in.k.slice(2, 2), patches.v = in.v.slice(2, 2),
        patches.tokens.prefix = 0;
        SeededNoise noise(0, 0);
        const auto sets = make("blocks:block=4,keep=3", patches)->keySets(patches, noise);
        QCOMPARE(sets.size(), 1);
        const auto rows = sets.front()->rows(sets.front()->setOf(0, 1), 0, 36);
        QVERIFY(rows.sum(1).eq(12).all().item<bool>());             // three cells of four
        QVERIFY(rows[0].equal(rows[1]) && rows[0].equal(rows[6]));  // one cell
    }

    void windowsNeedAGrid()
    {
        const AttentionInput in = randomInput({1, 1, 36, 36, 8, 5}, 7);
        THROWS(UsageError, attend("blocks:order=windows", in));
        QVERIFY(isFinite(attend("blocks", in)));
    }
};

ATTNSCOPE_TEST(TestTrainingFree)
#include "tst_training_free.moc"
