#include "core/attention/noise.h"
#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/lab/lab_json.h"
#include "core/lab/layers/layer_maps.h"
#include "core/lab/layers/logit_term_tensors.h"
#include "core/lab/layers/logit_terms.h"
#include "core/run/classifier.h"
#include "models/open_model.h"
#include "tests/support/test_class.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attnscope;

namespace {

const std::string folder = TEST_DATA_DIR "/models/";

std::shared_ptr<const Classifier> modelOf(const std::string& name, bool plain = false)
{
    return openModel(
        {.model = folder + name + ".json", .weights = "untrained:3", .device = "cpu", .plain = plain});
}

InputSource ramp(const Classifier& model)
{
    return {.path = "ramp", .load = [shape = model.describe().input] {
                FloatArray array{shape, {}};
                std::int64_t count = 1;
                for (const std::int64_t size : shape)
                    count *= size;
                for (std::int64_t i = 0; i < count; ++i)
                    array.values.push_back(std::sin(0.1f * float(i)));
                return array;
            }};
}

FirstLayer randomLayer(std::int64_t tokens, std::int64_t width, std::int64_t heads)
{
    SeededNoise noise(4, 0);
    const auto draw = [&](const char* name, at::IntArrayRef sizes) {
        return noise.sharedNormal(name, sizes, at::TensorOptions(at::kDouble));
    };
    FirstLayer layer{.heads = heads};
    layer.content = draw("content", {tokens, width}), layer.position = 0.7 * draw("position", {tokens, width});
    layer.normWeight = 1 + 0.1 * draw("gamma", {width}), layer.normBias = draw("beta", {width});
    layer.queryWeight = draw("wq", {width, width}), layer.keyWeight = draw("wk", {width, width});
    layer.queryBias = draw("bq", {width}), layer.keyBias = draw("bk", {width});
    return layer;
}

at::Tensor logitsOf(const FirstLayer& layer)
{
    const auto x = at::layer_norm(layer.content + layer.position, {layer.content.size(1)}, layer.normWeight,
                                  layer.normBias, layer.eps);
    const auto split = [&](const at::Tensor& y) { return y.unflatten(-1, {layer.heads, -1}).transpose(0, 1); };
    const auto q = split(at::linear(x, layer.queryWeight, layer.queryBias)),
               k = split(at::linear(x, layer.keyWeight, layer.keyBias));
    return at::matmul(q, k.transpose(-1, -2)) / std::sqrt(double(q.size(2)));
}

double largestOf(const at::Tensor& x)
{
    return x.abs().max().item<double>();
}

}

/// Layer 0's logits as terms of content and position.
class TestLogitTerms : public QObject {
    Q_OBJECT

private slots:
    void theGoldenAgreesWithinItsTolerance()
    {
        TensorFile dump;
        dump.file = TEST_DATA_DIR "/mechanisms/x_logit_terms.safetensors";
        const LogitTermReport report = decomposeLogits(dump, {.query = TokenQuery{0, 0, 3, false}}, {});
        QCOMPARE(report.expected.size(), std::size_t{15});
        for (const ExpectedOutput& one : report.expected)
            QVERIFY2(one.within(), (one.tensor + ": " + std::to_string(one.maximumDifference)).c_str());
        QCOMPARE(report.maps->query, 3);
        QCOMPARE(report.maps->logits.size(), std::size_t{3});
    }

    void termsAddUpToTheLogitsAndFractionsToOne()
    {
        const FirstLayer layer = randomLayer(23, 12, 3);
        const LogitTerms terms(layer);
        QVERIFY(largestOf(sumOf(terms.rows(0, 23)) - logitsOf(layer)) < 1e-12);
        QVERIFY(largestOf(sumOf(terms.rows(7, 11)) - logitsOf(layer).slice(1, 7, 11)) < 1e-12);
        const auto fractions = terms.fractions();
        QVERIFY(largestOf(sumOf(fractions) - 1) < 1e-12);
        QVERIFY(largestOf(fractions[std::size_t(LogitTerm::RowConstant)]) < 1e-12);
    }

    void withoutPositionsOnlyContentIsLeft()
    {
        FirstLayer layer = randomLayer(9, 12, 2);
        layer.position = at::zeros_like(layer.position);
        const auto rows = LogitTerms(layer).rows(0, 9);
        for (const LogitTerm term : {LogitTerm::ContentPosition, LogitTerm::PositionContent,
                                     LogitTerm::PositionPosition, LogitTerm::GlobalPosition})
            QCOMPARE(largestOf(rows[std::size_t(term)]), 0.0);
    }

    void framesAreCentredOneByOne()
    {
        FirstLayer layer = randomLayer(12, 8, 2);
        layer.keyGroups = 3;
        const LogitTerms terms(layer);
        const auto rows = terms.rows(0, 12);
        const auto centred = [](const at::Tensor& x) {
            std::vector<at::Tensor> frames;
            for (const at::Tensor& frame : x.chunk(3, 2))
                frames.push_back(frame - frame.mean(2, true));
            return at::cat(frames, 2);
        };
        const auto whole = centred(sumOf(rows));
        const auto expected = (centred(rows[0]) * whole).sum({1, 2}) / whole.square().sum({1, 2});
        QVERIFY(largestOf(terms.fractions()[0] - expected) < 1e-12);
    }

    void theirSumIsWhatANetworkComputes_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("plain");
        QTest::addColumn<int>("prefix");
        for (const bool plain : {false, true}) {
            QTest::addRow("deit%s", plain ? ", plain" : "") << "deit_tiny_cfg" << plain << 1;
            QTest::addRow("distilled%s", plain ? ", plain" : "") << "deit_distilled_tiny_cfg" << plain << 2;
            QTest::addRow("evit%s", plain ? ", plain" : "") << "evit_softmax_tiny_cfg" << plain << 0;
            QTest::addRow("joint%s", plain ? ", plain" : "") << "motionformer_joint_tiny_cfg" << plain << 1;
            QTest::addRow("trajectory%s", plain ? ", plain" : "")
                << "motionformer_trajectory_tiny_cfg" << plain << 0;
        }
    }

    void theirSumIsWhatANetworkComputes()
    {
        QFETCH(const QString, model);
        QFETCH(const bool, plain);
        QFETCH(const int, prefix);
        const auto network = modelOf(model.toStdString(), plain);
        const LogitTermReport report = decomposeLogits(NetworkInputs{network, {ramp(*network)}},
                                                       {.query = TokenQuery{0, 1, 1, false}}, {});
        QCOMPARE(report.prefix, prefix);
        QCOMPARE(report.tokens, report.prefix + report.frames * report.grid.rows * report.grid.columns);
        QVERIFY2(report.largestResidual < 2e-5,
                 qPrintable(QString::number(report.largestResidual)));  // float32 in the network
        for (std::size_t head = 0; head < std::size_t(report.heads); ++head) {
            double sum = 0;
            for (const auto& fractions : report.fractions)
                sum += fractions[head];
            QVERIFY(std::abs(sum - 1) < 1e-9);
        }
        QCOMPARE(report.maps->query, report.prefix + report.grid.columns + 1);
        const HeatMap fractions = termFractions(report), maps = termMaps(report);
        QCOMPARE(fractions.values.size(), std::size_t(report.heads) * 6);
        QCOMPARE(maps.values.size(), maps.rows.size() * maps.columns.size());
        QCOMPARE(toJson(report)["logit_terms"]["terms"].size(), std::size_t{7});
    }

    void networksWithoutSuchALayerSaySo_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* name : {"pvtv2_sra_tiny_cfg", "motionformer_divided_tiny_cfg"})
            QTest::newRow(name) << name;
    }

    void networksWithoutSuchALayerSaySo()
    {
        QFETCH(const QString, model);
        const auto network = modelOf(model.toStdString());
        QVERIFY_THROWS_EXCEPTION(UsageError, decomposeLogits(NetworkInputs{network, {ramp(*network)}}, {}, {}));
    }

    void queriesThatDoNotExistAreRefused()
    {
        const auto network = modelOf("deit_tiny_cfg");
        QVERIFY_THROWS_EXCEPTION(UsageError, decomposeLogits(NetworkInputs{network, {ramp(*network)}},
                                                             {.query = TokenQuery{0, 99, 0, false}}, {}));
        const LogitTermReport none = decomposeLogits(NetworkInputs{network, {ramp(*network)}}, {}, {});
        QVERIFY(!none.maps);
        QVERIFY_THROWS_EXCEPTION(UsageError, termMaps(none));
    }

    void mapsAreWrittenAsTensors()
    {
        const auto network = modelOf("deit_tiny_cfg");
        const LogitTermReport report = decomposeLogits(NetworkInputs{network, {ramp(*network)}},
                                                       {.query = TokenQuery{0, 0, 0, true}}, {});
        const QTemporaryDir temporary;
        const std::filesystem::path file = temporary.filePath("terms.safetensors").toStdString();
        writeTerms(report, file);
        const StateDict state = readSafetensors(openFile(file), {});
        QCOMPARE(state.tensors.size(), std::size_t{8});
        QCOMPARE(state.tensors.at("terms.content-position").shape,
                 (std::vector<std::int64_t>{report.heads, report.tokens}));
    }

    void sizesThatDoNotFitAreRefused()
    {
        FirstLayer layer = randomLayer(9, 12, 5);  // 12 is not divided by 5
        QVERIFY_THROWS_EXCEPTION(UsageError, LogitTerms{layer});
        layer = randomLayer(9, 12, 3);
        layer.position = layer.position.slice(0, 0, 8);
        QVERIFY_THROWS_EXCEPTION(UsageError, LogitTerms{layer});
    }
};

ATTNSCOPE_TEST(TestLogitTerms)
#include "tst_logit_terms.moc"
