// How much of a network's arithmetic its attention is, against the count of exact attention's products.
#include "core/run/attention_fraction.h"
#include "core/run/classifier.h"
#include "models/weights/inspection.h"
#include "tests/models/golden_models.h"
#include "tests/support/test_class.h"

#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

std::shared_ptr<const Classifier> untrained(const std::string& name)
{
    return goldenModel(name, {.weights = "untrained"});
}

/// q kᵀ and the weighted sum of v in every layer.
double exactProducts(const Classifier& classifier)
{
    double products = 0;
    const auto layers = int64_t(prepare(classifier).layers.size());
    for (int64_t layer = 0; layer < layers; ++layer) {
        const AttentionShape shape = classifier.attentionShape(layer);
        products += double(shape.heads * shape.queries * shape.keys * (shape.width + shape.valueDim));
    }
    return products;
}

}

class TestAttentionFraction : public QObject {
    Q_OBJECT
private slots:
    void isThatOfTheExactProducts_data()
    {
        columns<QString>("model");
        row("deit", "deit_tiny_cfg");
        row("pvt", "pvtv2_sra_tiny_cfg");
        row("motionformer, joint", "motionformer_joint_tiny_cfg");
        row("motionformer, trajectory", "motionformer_trajectory_tiny_cfg");
    }
    void isThatOfTheExactProducts()
    {
        FETCH_TEXT(model);
        const auto classifier = untrained(model);
        const auto known = attentionFraction(*classifier);
        QVERIFY(known.has_value());
        QCOMPARE(known->macs, summary(*classifier).macs);
        QVERIFY(std::abs(known->attention - exactProducts(*classifier)) <= 1e-9 * known->macs);
    }

    void gainIsThatOfAnAttentionForNothing()
    {
        const AttentionFraction fraction{.macs = 100, .attention = 37};
        QCOMPARE(fraction.fraction(), 0.37);
        QCOMPARE(fraction.highestGain(), 100.0 / 63);
        QCOMPARE(fraction.gainText(), "1.59×");
    }

    void anInspectionSaysItWithoutReadingTheWeights()
    {
        const Inspection inspection = inspectCheckpoint(
            {.model = modelFolder + "deit_tiny_cfg.json",
             .weights = modelFolder + "deit_tiny_cfg.weights.official.safetensors"});
        const auto known = attentionFraction(*untrained("deit_tiny_cfg"));
        QVERIFY(inspection.model.has_value() && inspection.arithmetic.has_value() && known.has_value());
        QCOMPARE(inspection.arithmetic->attention, known->attention);
        QCOMPARE(inspection.arithmetic->macs, known->macs);
        QCOMPARE(inspection.model->tokens, summary(*untrained("deit_tiny_cfg")).tokens);
    }
};

ATTNSCOPE_TEST(TestAttentionFraction)
#include "tst_attention_fraction.moc"
