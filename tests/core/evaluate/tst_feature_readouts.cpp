// Nearest neighbours and the linear probe as an evaluation uses them.
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/evaluate/feature_readouts.h"
#include "tests/support/tensor_file.h"
#include "tests/support/test_class.h"

#include <QFile>

#include <cmath>

using namespace attnscope;

namespace {

const std::string readoutCase = TEST_DATA_DIR "/vit/features";

struct ReadoutGolden {
    std::map<std::string, at::Tensor> tensors = test::readTensors(readoutCase + ".io.safetensors");
    Json accuracy;

    ReadoutGolden()
    {
        QFile file(QString::fromStdString(readoutCase + ".json"));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("features.json cannot be read");
        accuracy = Json::parse(file.readAll().toStdString()).at("accuracy");
    }
    std::vector<int64_t> integers(const std::string& name) const
    {
        const at::Tensor values = tensors.at(name).to(at::kLong).contiguous();
        return {values.const_data_ptr<int64_t>(), values.const_data_ptr<int64_t>() + values.numel()};
    }
    LabelledFeatures training() const { return {tensors.at("train"), integers("train_labels"), 6}; }
};

double top1(const std::vector<SamplePrediction>& predictions)
{
    Accuracy accuracy;
    for (const SamplePrediction& prediction : predictions)
        accuracy.count(prediction.labelRank);
    return accuracy.value();
}

/// `count` points of four classes around the corners of a tetrahedron, `spread` wide.
LabelledFeatures tetrahedron(int64_t count, double spread, uint64_t seed)
{
    LabelledFeatures all{.classes = 4};
    at::Tensor points = at::randn({count, 8}, at::make_generator<at::CPUGeneratorImpl>(seed),
                                  at::TensorOptions(at::kFloat))
                        * spread;
    for (int64_t i = 0; i < count; ++i) {
        all.labels.push_back(i % 4);
        points[i][i % 4] += 1;
    }
    all.features = points;
    return all;
}

}

class TestFeatureReadouts : public QObject {
    Q_OBJECT

private slots:
    void neighboursAgreeWithTheGoldenCase()
    {
        const ReadoutGolden golden;
        const FeatureReadouts readouts(golden.training(), {.probe = false, .k = {1, 5, 20}}, {});
        QCOMPARE(readouts.all().size(), size_t(3));
        QVERIFY(!readouts.probe());
        const auto labels = golden.integers("test_labels");
        const auto predicted = readouts.predict(golden.tensors.at("test"), labels, {});
        for (size_t i = 0; i < predicted.size(); ++i) {
            const std::string name = "k" + std::to_string(readouts.all()[i].k);
            QCOMPARE(top1(predicted[i]), golden.accuracy.at(name).get<double>());
            const auto classes = golden.integers("knn." + name + ".class");
            const at::Tensor votes = golden.tensors.at("knn." + name + ".votes");
            for (size_t q = 0; q < classes.size(); ++q) {
                QCOMPARE(predicted[i][q].classes[0], int32_t(classes[q]));
                const auto row = int64_t(q);
                QVERIFY(std::abs(double(predicted[i][q].probabilities[0]) - votes[row].max().item<double>())
                        <= 1e-5);
            }
        }
        const auto drifted = readouts.predict(golden.tensors.at("drifted"), labels, {});
        QCOMPARE(top1(drifted[2]), golden.accuracy.at("k20_drifted").get<double>());
    }

    void theProbeSeparatesCloudsThatItDidNotSee()
    {
        const FeatureReadouts readouts(tetrahedron(200, 0.2, 1), {}, {});
        QCOMPARE(readouts.all().back().k, 0);
        QVERIFY(readouts.probe() && readouts.probe()->converged);
        QCOMPARE(readouts.probe()->trials.size(), size_t(3));
        QCOMPARE(readouts.probe()->trials.front().samples, 40);
        const LabelledFeatures others = tetrahedron(100, 0.2, 2);
        QVERIFY(top1(readouts.predict(others.features, others.labels, {}).back()) > 0.97);
        // Labels that say nothing of the features cannot be learnt.
        LabelledFeatures shuffled = tetrahedron(200, 0.2, 1);
        for (size_t i = 0; i < shuffled.labels.size(); ++i)
            shuffled.labels[i] = int64_t(i * i / 7 % 4);
        const FeatureReadouts nothing(shuffled, {.neighbours = false}, {});
        QVERIFY(top1(nothing.predict(others.features, others.labels, {}).back()) < 0.6);
    }

    void theSameFeaturesMakeTheSameProbe()
    {
        const LabelledFeatures others = tetrahedron(60, 0.8, 5);
        const FeatureReadouts first(tetrahedron(160, 0.8, 4), {}, {}), second(tetrahedron(160, 0.8, 4), {}, {});
        QCOMPARE(first.probe()->c, second.probe()->c);
        QCOMPARE(first.probe()->iterations, second.probe()->iterations);
        const auto a = first.predict(others.features, others.labels, {}),
                   b = second.predict(others.features, others.labels, {});
        for (size_t readout = 0; readout < a.size(); ++readout)
            for (size_t q = 0; q < a[readout].size(); ++q) {
                QCOMPARE(a[readout][q].classes, b[readout][q].classes);
                QCOMPARE(a[readout][q].probabilities, b[readout][q].probabilities);
            }
    }

    void featuresThatAreNotFiniteCountAsWrong()
    {
        const LabelledFeatures training = tetrahedron(40, 0.1, 6);
        const FeatureReadouts readouts(training, {.k = {3}}, {});
        at::Tensor queries = training.features.slice(0, 0, 3).clone();
        queries[1][2] = std::nan("");
        for (const auto& predictions : readouts.predict(queries, {0, 1, 2}, {})) {
            QCOMPARE(predictions[0].labelRank, 0);
            QCOMPARE(predictions[1].labelRank, 4);
            QCOMPARE(predictions[1].classes[0], -1);
            QCOMPARE(predictions[2].labelRank, 0);
        }
    }

    void neighboursFitTheTrainingSamples()
    {
        QCOMPARE(defaultVoters(5), std::vector<int64_t>{5});
        QCOMPARE(defaultVoters(20), (std::vector<int64_t>{10, 20}));
        QCOMPARE(defaultVoters(1000), (std::vector<int64_t>{10, 20, 100, 200}));
        THROWS(UsageError, FeatureReadouts(tetrahedron(12, 0.1, 7), {.k = {13}}, {}));
        THROWS(UsageError, FeatureReadouts(tetrahedron(12, 0.1, 7), {.k = {0}}, {}));
    }

    void theHeadlineIsTheProbeElseTheUsualNeighbours()
    {
        FeatureReport report;
        report.evaluations = {{{10}, 1}, {{100}, 2}, {{200}, 3}};
        QCOMPARE(report.headline().evaluation, 1);
        report.evaluations.push_back({{}, 4});
        QCOMPARE(report.headline().evaluation, 4);
        QCOMPARE(toText(FeatureReadout{1}), "1 nearest neighbour");
    }
};

ATTNSCOPE_TEST(TestFeatureReadouts)
#include "tst_feature_readouts.moc"
