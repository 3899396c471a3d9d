#include "core/measure/linear_cka.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <cmath>

namespace attnscope {

namespace {

/// Neither estimator depends on the offset, which in float32 would swallow what the features differ in.
at::Tensor centred(const at::Tensor& features, int64_t fewest)
{
    if (features.dim() != 2 || features.size(0) < fewest || features.size(1) < 1)
        throw UsageError("CKA", "features are to be (samples, width) with at least " + counted(fewest, "sample"),
                         "give more inputs");
    const at::Tensor wide = features.to(at::kDouble);
    return wide - wide.mean(0, true);
}

double squaredProduct(const at::Tensor& x, const at::Tensor& y)
{
    return y.t().mm(x).square().sum().item<double>();
}

void requireSameSamples(int64_t first, int64_t second)
{
    if (first != second)
        throw UsageError("CKA",
                         "features of " + counted(first, "sample") + " are compared with those of "
                             + std::to_string(second),
                         "give both networks the same inputs");
}

}

CkaFeatures::CkaFeatures(const at::Tensor& features)
    : m_features(centred(features, 4))
    , m_squares(m_features.square().sum(1))
{
    if (m_features.size(0) < m_features.size(1)) {
        m_kernel = kernel();
        m_features.reset();
    }
}

at::Tensor CkaFeatures::kernel() const
{
    if (m_kernel.defined())
        return m_kernel;
    at::Tensor kernel = m_features.mm(m_features.t());
    kernel.fill_diagonal_(0);
    return kernel;
}

/// Row sums of a kernel without its diagonal are minus the squares, since centred features sum to 0.
double CkaFeatures::hsic(const CkaFeatures& other) const
{
    requireSameSamples(samples(), other.samples());
    const auto n = double(samples());
    const double trace = m_features.defined() && other.m_features.defined()
                             ? squaredProduct(m_features, other.m_features)
                                   - m_squares.dot(other.m_squares).item<double>()
                             : kernel().mul(other.kernel()).sum().item<double>();
    const double sums = m_squares.sum().item<double>() * other.m_squares.sum().item<double>();
    const auto both = m_squares.dot(other.m_squares).item<double>();
    return (trace + sums / ((n - 1) * (n - 2)) - 2 / (n - 2) * both) / (n * (n - 3));
}

double linearCka(const at::Tensor& x, const at::Tensor& y, CkaEstimator estimator)
{
    if (estimator == CkaEstimator::Plain) {
        const at::Tensor first = centred(x, 2), second = centred(y, 2);
        requireSameSamples(first.size(0), second.size(0));
        return squaredProduct(first, second)
               / std::sqrt(squaredProduct(first, first) * squaredProduct(second, second));
    }
    const CkaFeatures first(x), second(y);
    return first.hsic(second) / std::sqrt(first.hsic(first) * second.hsic(second));
}

CkaMatrix::CkaMatrix(int64_t rows, int64_t columns)
    : m_between(at::zeros({rows, columns}, at::kDouble))
    , m_first(at::zeros({rows}, at::kDouble))
    , m_second(at::zeros({columns}, at::kDouble))
{}

void CkaMatrix::add(const std::vector<CkaFeatures>& first, const std::vector<CkaFeatures>& second)
{
    auto between = m_between.accessor<double, 2>();
    auto ofFirst = m_first.accessor<double, 1>(), ofSecond = m_second.accessor<double, 1>();
    for (int64_t i = 0; i < std::ssize(first); ++i) {
        ofFirst[i] += first[size_t(i)].hsic(first[size_t(i)]);
        for (int64_t j = 0; j < std::ssize(second); ++j)
            between[i][j] += first[size_t(i)].hsic(second[size_t(j)]);
    }
    for (int64_t j = 0; j < std::ssize(second); ++j)
        ofSecond[j] += second[size_t(j)].hsic(second[size_t(j)]);
}

at::Tensor CkaMatrix::values() const
{
    return m_between / m_first.unsqueeze(1).mul(m_second.unsqueeze(0)).sqrt();
}

}
