#include "core/attention/noise.h"
#include "core/base/error.h"
#include "core/figure/svg.h"
#include "core/lab/kernel_estimates.h"
#include "core/lab/kernel_plot.h"
#include "core/lab/lab_charts.h"
#include "core/lab/lab_json.h"
#include "core/run/classifier.h"
#include "tests/models/golden_models.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <numbers>

using namespace attnscope;
using namespace attnscope::test;

namespace {

at::Tensor normal(const char* name, at::IntArrayRef sizes)
{
    SeededNoise noise(5, 0);
    return noise.sharedNormal(name, sizes, at::TensorOptions(at::kDouble));
}

KernelNoise noiseOf(int64_t samples, int64_t width)
{
    SeededNoise noise(6, 0);
    const auto options = at::TensorOptions(at::kDouble);
    return {noise.sharedNormal("omega", {1, samples, width}, options)[0],
            noise.uniform("phase", {1, samples}, options)[0] * (2 * std::numbers::pi)};
}

}

/// exp(q·k) next to what random features make of it.
class TestKernelPlot : public QObject {
    Q_OBJECT

private slots:
    void theGoldenAgreesWithinItsTolerance()
    {
        TensorFile dump;
        dump.file = TEST_DATA_DIR "/mechanisms/x_kernel.safetensors";
        const KernelReport report = plotKernel(dump, {}, {});
        QCOMPARE(report.samples, 64);  // of the file
        QCOMPARE(report.pairs.size(), 9);
        QCOMPARE(report.expected.size(), 9);
        for (const ExpectedOutput& one : report.expected)
            QVERIFY2(one.within(), (one.tensor + ": " + std::to_string(one.maximumDifference)).c_str());
    }

    void estimatesAreUnbiasedAndVaryAsTheFormulaSays()
    {
        const auto x = 0.5 * normal("x", {1, 1, 6})[0], y = 0.4 * normal("y", {1, 1, 6})[0];
        constexpr int64_t samples = 200000;
        const KernelNoise noise = noiseOf(samples, 6);
        const double exact = std::exp((x * y).sum().item<double>());
        for (const KernelFeatures features : kernelFeatures) {
            const double variance = kernelVariance(x, y, features).item<double>();
            const double mean = kernelEstimate(x, y, noise, features).item<double>();
            QVERIFY2(std::abs(mean - exact) < 5 * std::sqrt(variance / samples), toText(features));
            double squares = 0;
            constexpr int64_t parts = 2000, length = samples / parts;
            for (int64_t p = 0; p < parts; ++p) {
                const KernelNoise part{noise.omega.slice(0, p * length, (p + 1) * length),
                                       noise.phase.slice(0, p * length, (p + 1) * length)};
                squares += std::pow(kernelEstimate(x, y, part, features).item<double>() - exact, 2);
            }
            // The mean square of 2,000 numbers with kurtosis near 3 has a relative standard deviation of 3 %.
            QVERIFY2(std::abs(squares / parts * length / variance - 1) < 0.2, toText(features));
        }
    }

    void positiveFeaturesAreExactForOppositeVectorsAndWavesForEqualOnes()
    {
        const auto x = normal("x", {1, 4, 5})[0];
        const KernelNoise noise = noiseOf(3, 5);
        const auto off = [&](const at::Tensor& y, KernelFeatures features) {
            return (relativeKernelEstimate(x, y, noise, features) - 1).abs().max().item<double>();
        };
        QVERIFY(off(-x, KernelFeatures::Positive) < 1e-12);
        QVERIFY(off(-x, KernelFeatures::Hyperbolic) < 1e-12);
        QVERIFY(off(x, KernelFeatures::Trigonometric) < 1e-12);
        QVERIFY(off(x, KernelFeatures::Positive) > 0.1);
        QCOMPARE(kernelVariance(x, -x, KernelFeatures::Positive).max().item<double>(), 0.0);
        QCOMPARE(kernelVariance(x, x, KernelFeatures::Trigonometric).max().item<double>(), 0.0);
    }

    void relativeNumbersStayFiniteWhereTheKernelOverflows()
    {
        const auto x = at::full({1, 4}, 15.0, at::kDouble);  // exp(900)
        QVERIFY(std::isinf(std::exp((x * x).sum().item<double>())));
        QVERIFY(isFinite(relativeKernelEstimate(x, x, noiseOf(8, 4), KernelFeatures::Trigonometric)));
        QCOMPARE(relativeKernelVariance(x, x, KernelFeatures::Cosine).item<double>(), 0.5);
        QCOMPARE(kernelVariance(x, x, KernelFeatures::Trigonometric).item<double>(), 0.0);
    }

    void curvesGrowWithTheNormAndHeadsOfAModelAreMeasured()
    {
        const std::string folder = TEST_DATA_DIR "/models/";
        const auto model = goldenModel();
        const KernelReport report = plotKernel(NetworkInputs{model, {waves()}}, {.samples = 16}, {});
        const ModelSummary& summary = model->describe();
        QCOMPARE(report.heads.size(), size_t(summary.layers * summary.heads));
        QCOMPARE(report.curves.size(), 3);
        for (const KernelCurve& curve : report.curves)
            for (size_t f = 0; f < kernelFeatures.size(); ++f)
                for (size_t i = 1; i < curve.points.size(); ++i) {
                    QVERIFY(curve.points[i].normX > curve.points[i - 1].normX);
                    QVERIFY(curve.points[i].estimates[f].relativeStddev
                            >= curve.points[i - 1].estimates[f].relativeStddev - 1e-12);
                }
        for (const KernelHead& head : report.heads) {
            QVERIFY(head.normQuery > 0 && head.normKey > 0 && head.pairs == summary.tokens);
            QVERIFY(std::abs(head.relativeStddev[0] - std::sqrt(2.0) * head.relativeStddev[1])
                    < head.relativeStddev[0]);
        }
    }

    void seedsDecideAndSamplesHalveTheVariance()
    {
        const RandomTensors random{.tokens = 20, .width = 8};
        const auto plotted = [&](int64_t samples, uint64_t seed) {
            return plotKernel(random, {.samples = samples, .seed = seed}, {});
        };
        const KernelReport one = plotted(16, 1), same = plotted(16, 1), other = plotted(16, 2),
                           twice = plotted(32, 1);
        const auto estimate = [](const KernelReport& report) {
            return report.heads[0].points[3].estimates[0].estimate;
        };
        QCOMPARE(estimate(one), estimate(same));
        QVERIFY(estimate(one) != estimate(other));
        const double ratio = one.heads[0].relativeStddev[2] / twice.heads[0].relativeStddev[2];
        QVERIFY2(std::abs(ratio - std::numbers::sqrt2) < 1e-9, qPrintable(QString::number(ratio)));
    }

    void figureAndJsonHoldEveryKindOfFeatures()
    {
        const KernelReport report = plotKernel(RandomTensors{.tokens = 20, .width = 8}, {.samples = 16}, {});
        const Chart chart = kernelChart(report);
        // Nothing where features are exact: 2 + 2 + 2 + 3 curves, and the measured heads of 4.
        QCOMPARE(chart.series.size(), 13);
        for (const ChartSeries& series : chart.series)
            for (const ChartPoint& point : series.points)
                QVERIFY(point.y > 0);
        SAYS(svg(chart, {}), "hyperbolic");
        const Json json = toJson(report);
        QVERIFY(json["samples"] == 16);
        for (const char* name : {"positive", "hyperbolic", "trigonometric", "cosine"}) {
            QVERIFY(json["curves"][0]["points"][3]["features"][name]["relative_stddev"].is_number());
            QVERIFY(json["heads"][0]["features"][name]["median_relative_error"].is_number());
        }
    }

    void sizesThatDoNotFitAreRefused()
    {
        const auto x = normal("x", {1, 4, 5})[0];
        THROWS(UsageError, kernelVariance(x, x.slice(0, 0, 3), KernelFeatures::Positive));
        THROWS(UsageError, kernelEstimate(x, x, noiseOf(8, 4), KernelFeatures::Positive));
        THROWS(UsageError, kernelEstimate(x, x, {normal("omega", {1, 8, 5})[0], {}}, KernelFeatures::Cosine));
        THROWS(UsageError, plotKernel(RandomTensors{.tokens = 4, .width = 4}, {.samples = 0}, {}));
    }
};

ATTNSCOPE_TEST(TestKernelPlot)
#include "tst_kernel_plot.moc"
