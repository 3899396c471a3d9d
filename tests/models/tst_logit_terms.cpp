#include "core/attention/noise.h"
#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/lab/lab_json.h"
#include "core/lab/layers/layer_maps.h"
#include "core/lab/layers/logit_term_tensors.h"
#include "core/lab/layers/logit_terms.h"
#include "core/run/classifier.h"
#include "tests/models/golden_models.h"
#include "tests/support/folder.h"
#include "tests/support/test_class.h"

#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

std::shared_ptr<const Classifier> modelOf(const std::string& name, bool plain = false)
{
    return goldenModel(name, {.weights = "untrained:3", .plain = plain});
}

InputSource ramp(const Classifier& model)
{
    return waves(0.1f, model.describe().input);
}

FirstLayer randomLayer(int64_t tokens, int64_t width, int64_t heads)
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
        QCOMPARE(report.expected.size(), 15);
        for (const ExpectedOutput& one : report.expected)
            QVERIFY2(one.within(), (one.tensor + ": " + std::to_string(one.maximumDifference)).c_str());
        QCOMPARE(report.maps->query, 3);
        QCOMPARE(report.maps->logits.size(), 3);
    }

    void termsAddUpToTheLogitsAndFractionsToOne()
    {
        const FirstLayer layer = randomLayer(23, 12, 3);
        const LogitTerms terms(layer);
        QVERIFY(largest(sumOf(terms.rows(0, 23)) - logitsOf(layer)) < 1e-12);
        QVERIFY(largest(sumOf(terms.rows(7, 11)) - logitsOf(layer).slice(1, 7, 11)) < 1e-12);
        const auto fractions = terms.fractions();
        QVERIFY(largest(sumOf(fractions) - 1) < 1e-12);
        QVERIFY(largest(fractions[size_t(LogitTerm::RowConstant)]) < 1e-12);
    }

    void withoutPositionsOnlyContentIsLeft()
    {
        FirstLayer layer = randomLayer(9, 12, 2);
        layer.position = at::zeros_like(layer.position);
        const auto rows = LogitTerms(layer).rows(0, 9);
        for (const LogitTerm term : {LogitTerm::ContentPosition, LogitTerm::PositionContent,
                                     LogitTerm::PositionPosition, LogitTerm::GlobalPosition})
            QCOMPARE(largest(rows[size_t(term)]), 0.0);
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
        QVERIFY(largest(terms.fractions()[0] - expected) < 1e-12);
    }

    void theirSumIsWhatANetworkComputes_data()
    {
        columns<QString, bool, int>("model", "plain", "prefix");
        for (const bool plain : {false, true}) {
            addRow("deit%s", plain ? ", plain" : "") << "deit_tiny_cfg" << plain << 1;
            addRow("distilled%s", plain ? ", plain" : "") << "deit_distilled_tiny_cfg" << plain << 2;
            addRow("evit%s", plain ? ", plain" : "") << "evit_softmax_tiny_cfg" << plain << 0;
            addRow("joint%s", plain ? ", plain" : "") << "motionformer_joint_tiny_cfg" << plain << 1;
            addRow("trajectory%s", plain ? ", plain" : "") << "motionformer_trajectory_tiny_cfg" << plain << 0;
        }
    }

    void theirSumIsWhatANetworkComputes()
    {
        FETCH_TEXT(model);
        QFETCH(const bool, plain);
        QFETCH(const int, prefix);
        const auto network = modelOf(model, plain);
        const LogitTermReport report = decomposeLogits(NetworkInputs{network, {ramp(*network)}},
                                                       {.query = TokenQuery{0, 1, 1, false}}, {});
        QCOMPARE(report.prefix, prefix);
        QCOMPARE(report.tokens, report.prefix + report.frames * report.grid.rows * report.grid.columns);
        QCOMPARE_LT(report.largestResidual, 2e-5);  // float32 in the network
        for (size_t head = 0; head < size_t(report.heads); ++head) {
            double sum = 0;
            for (const auto& fractions : report.fractions)
                sum += fractions[head];
            QVERIFY(std::abs(sum - 1) < 1e-9);
        }
        QCOMPARE(report.maps->query, report.prefix + report.grid.columns + 1);
        const HeatMap fractions = termFractions(report), maps = termMaps(report);
        QCOMPARE(fractions.values.size(), size_t(report.heads) * 6);
        QCOMPARE(maps.values.size(), maps.rows.size() * maps.columns.size());
        QCOMPARE(toJson(report)["logit_terms"]["terms"].size(), 7);
    }

    void networksWithoutSuchALayerSaySo_data()
    {
        rows("model", {"pvtv2_sra_tiny_cfg", "motionformer_divided_tiny_cfg"});
    }

    void networksWithoutSuchALayerSaySo()
    {
        FETCH_TEXT(model);
        const auto network = modelOf(model);
        THROWS(UsageError, decomposeLogits(NetworkInputs{network, {ramp(*network)}}, {}, {}));
    }

    void queriesThatDoNotExistAreRefused()
    {
        const auto network = modelOf("deit_tiny_cfg");
        THROWS(UsageError, decomposeLogits(NetworkInputs{network, {ramp(*network)}},
                                           {.query = TokenQuery{0, 99, 0, false}}, {}));
        const LogitTermReport none = decomposeLogits(NetworkInputs{network, {ramp(*network)}}, {}, {});
        QVERIFY(!none.maps);
        THROWS(UsageError, termMaps(none));
    }

    void mapsAreWrittenAsTensors()
    {
        const auto network = modelOf("deit_tiny_cfg");
        const LogitTermReport report = decomposeLogits(NetworkInputs{network, {ramp(*network)}},
                                                       {.query = TokenQuery{0, 0, 0, true}}, {});
        const Folder temporary;
        const fs::path file = temporary / "terms.safetensors";
        writeTerms(report, file);
        const StateDict state = readSafetensors(openFile(file), {});
        QCOMPARE(state.tensors.size(), 8);
        QCOMPARE(state.tensors.at("terms.content-position").shape,
                 (std::vector<int64_t>{report.heads, report.tokens}));
    }

    void sizesThatDoNotFitAreRefused()
    {
        FirstLayer layer = randomLayer(9, 12, 5);  // 12 is not divided by 5
        THROWS(UsageError, LogitTerms{layer});
        layer = randomLayer(9, 12, 3);
        layer.position = layer.position.slice(0, 0, 8);
        THROWS(UsageError, LogitTerms{layer});
    }
};

ATTNSCOPE_TEST(TestLogitTerms)
#include "tst_logit_terms.moc"
