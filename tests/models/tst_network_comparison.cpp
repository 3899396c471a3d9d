// Two networks layer by layer.
#include "core/base/error.h"
#include "models/compared_networks.h"
#include "models/network_differences.h"
#include "tests/models/golden_models.h"
#include "tests/support/checks.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

const std::string demo = RESOURCE_DIR "/demo/models/";

NetworkComparison compared(const ModelRequest& first, const ModelRequest& second, int inputs,
                           NetworkComparisonRequest request = {})
{
    const auto networks = openNetworks({first, second}, {AttentionSpec::parse("native;checkpoint=2")}, false);
    const std::vector<int64_t> shape = networks.front().classifier->describe().input;
    std::vector<InputSource> sources;
    for (int i = 0; i < inputs; ++i)
        sources.push_back(waves(0.01f + 0.007f * float(i), shape));
    NetworkComparison comparison = compareNetworks(networks[0], networks[1], sources, request, {}, {});
    addDifferences(first, second, comparison);
    return comparison;
}

ModelRequest demoModel(const std::string& name, const std::string& dtype = "float32")
{
    return {.weights = demo + name + ".safetensors", .device = "cpu", .dtype = dtype};
}

}

class TestNetworkComparison : public QObject {
    Q_OBJECT

private slots:
    void aNetworkBesideItselfIsTheSame()
    {
        const NetworkComparison one = compared(demoModel("deit"), demoModel("deit"), 9, {.batch = 4});
        QCOMPARE(one.cka.size(), one.firstBlocks.size());
        for (size_t i = 0; i < one.cka.size(); ++i) {
            QVERIFY(std::abs(one.cka[i][i] - 1) < 1e-9);
            for (size_t j = 0; j < one.cka.size(); ++j)
                QVERIFY(std::abs(one.cka[i][j] - one.cka[j][i]) < 1e-9);
        }
        QVERIFY(std::ranges::all_of(one.drift, [](double drift) { return drift == 0; }));
        QVERIFY(std::ranges::all_of(one.weights, [](const auto& tensor) { return tensor.relative == 0; }));
        QVERIFY(!one.weights.empty() && one.onlyInFirst.empty() && one.onlyInSecond.empty());
        QVERIFY(one.description.empty());
        QCOMPARE(one.kl, 0.0);
        QCOMPARE(one.agreement, 1.0);
        QVERIFY(weightTable(one, 10).rows.empty());
    }

    void trainingWithAnotherAttentionChangesWeightsBlocksAndDescription()
    {
        const NetworkComparison one = compared(demoModel("deit"), demoModel("deit_lara"), 8);
        QCOMPARE(one.firstAttention, "softmax");
        QVERIFY(one.secondAttention.starts_with("lara"));
        QCOMPARE(one.drift.size(), one.firstBlocks.size());
        QVERIFY(one.drift.back() > 0.01);
        QVERIFY(one.cka[0][0] > 0 && one.cka[0][0] <= 1);
        QVERIFY(one.matchedClasses > 0 && one.kl > 0);
        QVERIFY(std::ranges::any_of(one.weights, [](const auto& tensor) { return tensor.relative > 1e-3; }));
        QVERIFY(std::ranges::any_of(one.description, [](const auto& key) { return key.key == "attention"; }));
        const Table blocks = blockTable(one);
        QCOMPARE(blocks.rows.size(), one.firstBlocks.size());
        const Json json = toJson(one);
        QCOMPARE(json["cka"].size(), one.firstBlocks.size());
        QCOMPARE(json["weights"].size(), one.weights.size());
    }

    void depthsAndFamiliesMayDiffer()
    {
        const NetworkComparison one = compared(demoModel("deit"), demoModel("pvt_v2"), 5);
        QCOMPARE(one.cka.size(), one.firstBlocks.size());
        QCOMPARE(one.cka.front().size(), one.secondBlocks.size());
        QVERIFY(one.drift.empty());
        QVERIFY(!one.onlyInFirst.empty() && !one.onlyInSecond.empty());
    }

    void twoPrecisionsOfOneCheckpointAreTheSameView()
    {
        const NetworkComparison one = compared(demoModel("deit"), demoModel("deit", "bfloat16"), 4);
        QVERIFY(one.drift.back() > 1e-4 && one.drift.back() < 0.05);
        QVERIFY(one.cka.back().back() > 0.99);
        QVERIFY(std::ranges::all_of(one.weights, [](const auto& tensor) { return tensor.relative == 0; }));
    }

    /// Batches do not depend on which inputs could be read, and every one of those counts.
    void inputsThatCannotBeReadAreLeftOut()
    {
        const auto networks = openNetworks({demoModel("deit"), demoModel("deit_lara")},
                                           {AttentionSpec::parse("native;checkpoint=2")}, false);
        const std::vector<int64_t> shape = networks.front().classifier->describe().input;
        std::vector<InputSource> sources, readable;
        for (int i = 0; i < 10; ++i) {
            sources.push_back(waves(0.01f + 0.007f * float(i), shape));
            if (i == 3 || i > 7)  // of a size that neither takes
                sources.back() = waves(0.01f, {3, 8, 8});
            else
                readable.push_back(sources.back());
        }
        const auto compare = [&](const std::vector<InputSource>& inputs) {
            return compareNetworks(networks[0], networks[1], inputs, {.batch = 4}, {}, {});
        };
        const NetworkComparison some = compare(sources), all = compare(readable);
        QCOMPARE(some.inputs.size(), 7);
        QCOMPARE(some.unreadable.size(), 3);
        QCOMPARE(some.cka, all.cka);
        QCOMPARE(some.kl, all.kl);
    }

    void fewInputsHaveNoCkaAndOneSentence()
    {
        const NetworkComparison one = compared(demoModel("deit"), demoModel("deit_lara"), 3);
        QVERIFY(one.cka.empty() && one.whyNoCka.find("4") != std::string::npos);
        QVERIFY(!one.drift.empty());
        QVERIFY(toJson(one)["cka"].is_null());
        const NetworkComparison none = compared(demoModel("deit"), demoModel("deit_lara"), 0);
        QVERIFY(std::isnan(none.kl) && none.drift.empty());
    }
};

ATTNSCOPE_TEST(TestNetworkComparison)
#include "tst_network_comparison.moc"
