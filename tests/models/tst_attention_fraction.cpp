// How much of a network's arithmetic its attention is, against the count of exact attention's products.
#include "core/run/attention_fraction.h"
#include "core/run/classifier.h"
#include "models/open_model.h"
#include "models/weights/inspection.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>

using namespace attnscope;

namespace {

const std::string fractionModels = TEST_DATA_DIR "/models/";

std::shared_ptr<const Classifier> untrained(const std::string& name)
{
    return openModel({.model = fractionModels + name + ".json", .weights = "untrained", .device = "cpu"});
}

/// q kᵀ and the weighted sum of v in every layer.
double exactProducts(const Classifier& classifier)
{
    double products = 0;
    const auto layers = std::int64_t(classifier.prepare(AttentionSpec::native(), 0).layers.size());
    for (std::int64_t layer = 0; layer < layers; ++layer) {
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
        QTest::addColumn<QString>("model");
        QTest::newRow("deit") << "deit_tiny_cfg";
        QTest::newRow("pvt") << "pvtv2_sra_tiny_cfg";
        QTest::newRow("motionformer, joint") << "motionformer_joint_tiny_cfg";
        QTest::newRow("motionformer, trajectory") << "motionformer_trajectory_tiny_cfg";
    }
    void isThatOfTheExactProducts()
    {
        QFETCH(QString, model);
        const auto classifier = untrained(model.toStdString());
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
        QCOMPARE(fraction.gainText(), std::string("1.59×"));
    }

    void anInspectionSaysItWithoutReadingTheWeights()
    {
        const Inspection inspection = inspectCheckpoint(
            {.model = fractionModels + "deit_tiny_cfg.json",
             .weights = fractionModels + "deit_tiny_cfg.weights.official.safetensors"});
        const auto known = attentionFraction(*untrained("deit_tiny_cfg"));
        QVERIFY(inspection.model.has_value() && inspection.arithmetic.has_value() && known.has_value());
        QCOMPARE(inspection.arithmetic->attention, known->attention);
        QCOMPARE(inspection.arithmetic->macs, known->macs);
        QCOMPARE(inspection.model->tokens, summary(*untrained("deit_tiny_cfg")).tokens);
    }
};

ATTNSCOPE_TEST(TestAttentionFraction)
#include "tst_attention_fraction.moc"
