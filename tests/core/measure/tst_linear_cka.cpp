// Linear CKA against vectors of the published estimators, and what it must not depend on.
#include "core/base/error.h"
#include "core/checkpoint/state_dict.h"
#include "core/measure/linear_cka.h"
#include "tests/support/tensor_file.h"
#include "tests/support/test_class.h"

#include <QTest>

#include <cmath>
#include <string>

using namespace attnscope;

namespace {

at::Tensor randomFeatures(int64_t samples, int64_t width, double offset = 0)
{
    return at::randn({samples, width}, at::kDouble) + offset;
}

/// By the n × n matrices of the definition.
double directHsic1(const at::Tensor& x, const at::Tensor& y)
{
    const auto n = double(x.size(0));
    at::Tensor k = x.mm(x.t()), l = y.mm(y.t());
    k.fill_diagonal_(0);
    l.fill_diagonal_(0);
    const double trace = k.mm(l).trace().item<double>(), sums = (k.sum() * l.sum()).item<double>(),
                 both = k.sum(0).dot(l.sum(1)).item<double>();
    return (trace + sums / ((n - 1) * (n - 2)) - 2 / (n - 2) * both) / (n * (n - 3));
}

std::vector<CkaFeatures> features(const std::vector<at::Tensor>& layers)
{
    return {layers.begin(), layers.end()};
}

double overBatches(const at::Tensor& x, const at::Tensor& y, int64_t batch)
{
    CkaMatrix matrix(1, 1);
    for (int64_t begin = 0; begin < x.size(0); begin += batch)
        matrix.add(features({x.slice(0, begin, begin + batch)}), features({y.slice(0, begin, begin + batch)}));
    return matrix.values().item<double>();
}

}

class TestLinearCka : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { at::manual_seed(5); }

    void goldensAgree_data()
    {
        QTest::addColumn<double>("plain");
        QTest::addColumn<double>("unbiased");
        QTest::addColumn<double>("batches");
        QTest::newRow("offset") << 0.9346616943921567 << 0.9185463835867229 << 0.9236024259834232;
        QTest::newRow("same") << 0.9999999999999993 << 0.9999999999999988 << 0.9999999999999983;
        QTest::newRow("square") << 0.9468846135672352 << 0.9339893883667674 << 0.9422214042126372;
        QTest::newRow("tall") << 0.9894512213063325 << 0.9891918885926574 << 0.9897586672436112;
        QTest::newRow("unrelated") << 0.20927821457150367 << -0.006071562879001261 << -0.013567139690996034;
        QTest::newRow("wide") << 0.6352746007087645 << 0.3162182515532738 << 0.3676685450934638;
    }

    void goldensAgree()
    {
        QFETCH(const double, plain);
        QFETCH(const double, unbiased);
        QFETCH(const double, batches);
        const auto golden = test::readTensors(std::string(TEST_DATA_DIR "/cka/") + QTest::currentDataTag()
                                              + ".safetensors");
        const at::Tensor &x = golden.at("x"), &y = golden.at("y");
        const auto agree = [](double found, double expected) {
            const bool good = std::abs(found - expected) < 1e-6;
            if (!good)
                qWarning("%.9f instead of %.9f", found, expected);
            return good;
        };
        QVERIFY(agree(linearCka(x, y, CkaEstimator::Plain), plain));
        QVERIFY(agree(linearCka(x, y, CkaEstimator::Unbiased), unbiased));
        QVERIFY(agree(overBatches(x, y, 16), batches));
    }

    void rotationScaleOffsetAndOrderDoNotMatter()
    {
        const at::Tensor x = randomFeatures(37, 9), y = randomFeatures(37, 60);
        const at::Tensor turned = std::get<0>(at::linalg_qr(randomFeatures(9, 9)));
        const at::Tensor moved = (3 * x.mm(turned) + 50 * x.std()).to(at::kFloat);
        const at::Tensor order = at::randperm(37);
        for (const CkaEstimator estimator : {CkaEstimator::Plain, CkaEstimator::Unbiased}) {
            QVERIFY(std::abs(linearCka(x, moved, estimator) - 1) < 1e-6);
            const double between = linearCka(x, y, estimator);
            QVERIFY(std::abs(linearCka(moved, y, estimator) - between) < 1e-6);
            QVERIFY(std::abs(linearCka(y, x, estimator) - between) < 1e-12);
            QVERIFY(std::abs(linearCka(x.index_select(0, order), y.index_select(0, order), estimator) - between)
                    < 1e-12);
        }
    }

    /// Wide features go through kernels, narrow ones through products of features.
    void bothWaysAreTheDefinition()
    {
        for (const int64_t width : {3, 90}) {
            const at::Tensor x = randomFeatures(21, width, 2),
                             y = randomFeatures(21, width + 4, -1) + x.slice(1, 0, 1);
            const double expected = directHsic1(x, y) / std::sqrt(directHsic1(x, x) * directHsic1(y, y));
            QVERIFY(std::abs(linearCka(x, y, CkaEstimator::Unbiased) - expected) < 1e-10);
        }
    }

    void theMatrixHasEveryPairOfLayers()
    {
        const std::vector<at::Tensor> first{randomFeatures(12, 5), randomFeatures(12, 40)};
        const std::vector<at::Tensor> second{first[1] * 2 + 1, randomFeatures(12, 7), first[0]};
        CkaMatrix matrix(2, 3);
        QVERIFY(matrix.values().isnan().all().item<bool>());
        matrix.add(features(first), features(second));
        const at::Tensor values = matrix.values();
        for (int64_t i = 0; i < 2; ++i)
            for (int64_t j = 0; j < 3; ++j)
                QVERIFY(std::abs(values[i][j].item<double>()
                                 - linearCka(first[size_t(i)], second[size_t(j)], CkaEstimator::Unbiased))
                        < 1e-10);
        QVERIFY(std::abs(values[1][0].item<double>() - 1) < 1e-10);
    }

    void whatCannotBeComparedIsRefusedOrNotANumber()
    {
        const at::Tensor x = randomFeatures(8, 3);
        QVERIFY(std::isnan(linearCka(x, at::ones({8, 2}), CkaEstimator::Plain)));
        QVERIFY_EXCEPTION_THROWN(linearCka(x, randomFeatures(7, 3), CkaEstimator::Plain), UsageError);
        QVERIFY_EXCEPTION_THROWN(linearCka(x.slice(0, 0, 3), x.slice(0, 0, 3), CkaEstimator::Unbiased),
                                 UsageError);
        QVERIFY_EXCEPTION_THROWN(linearCka(x[0], x[0], CkaEstimator::Plain), UsageError);
    }
};

ATTNSCOPE_TEST(TestLinearCka)
#include "tst_linear_cka.moc"
