#include "core/run/features/feature_drift.h"

#include "core/measure/feature_similarity.h"
#include "core/measure/linear_cka.h"
#include "core/run/predictions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope {

namespace {

/// One pixel per patch.
Clip imageOf(const at::Tensor& colours, const TokenLayout& layout)
{
    Clip image = blankClip(layout.frames, layout.rows, layout.columns);
    const at::Tensor bytes = (colours * 255).round().to(at::kByte).contiguous();
    std::copy_n(bytes.const_data_ptr<uint8_t>(), image.pixels.size(), image.pixels.begin());
    return image;
}

/// NaN: their widths differ.
double cosineOf(const at::Tensor& a, const at::Tensor& b)
{
    return a.size(-1) == b.size(-1) ? cosines(a[0], b[0]).item<double>() : std::nan("");
}

bool haveOneWidth(const at::Tensor& a, const at::Tensor& b)
{
    return a.defined() && b.defined() && a.size(-1) == b.size(-1);
}

double meanOf(std::vector<double>::const_iterator begin, std::vector<double>::const_iterator end)
{
    return std::accumulate(begin, end, 0.0) / double(end - begin);
}

void add(std::optional<double>& sum, double value)
{
    sum = sum.value_or(0) + value;
}

}

ExactFeatures exactFeatures(TokenFeatures features, bool colours)
{
    ExactFeatures exact{std::move(features), {}};
    if (colours && exact.features.patches.defined() && isFinite(exact.features.patches[0]))
        exact.basis = principalComponents(exact.features.patches[0]);
    return exact;
}

FeatureDriftCollector::FeatureDriftCollector(const ExactFeatures& exact, FeatureKind kind, bool isElsewhere)
    : m_exact(exact)
    , m_kind(kind)
    , m_isElsewhere(isElsewhere)
{
    m_sum.kind = toText(kind);
    m_sum.exact = floatsOf(exact.features.of(kind)[0]);
    const TokenLayout& layout = exact.features.layout;
    m_sum.frames = layout.frames, m_sum.rows = layout.rows, m_sum.columns = layout.columns;
    if (exact.basis) {
        m_sum.variance = exact.basis->variance;
        m_sum.exactColours = imageOf(exact.basis->colours(exact.features.patches[0]), layout);
    }
}

void FeatureDriftCollector::add(const TokenFeatures& features,
                                const std::vector<std::vector<double>>& tokenCosines)
{
    const TokenFeatures& exact = m_exact.features;
    m_sum.cosine += cosineOf(features.of(m_kind), exact.of(m_kind));
    const bool haveOneGrid = features.patches.defined() && exact.patches.defined()
                             && features.patches.size(1) == exact.patches.size(1);
    if (m_isElsewhere && haveOneGrid)
        attnscope::add(m_sum.cka, linearCka(features.patches[0], exact.patches[0], CkaEstimator::Unbiased));
    if (haveOneWidth(features.token, exact.token))
        attnscope::add(m_sum.token, cosineOf(features.token, exact.token));
    if (haveOneGrid && haveOneWidth(features.patches, exact.patches)) {
        attnscope::add(m_sum.avg, cosineOf(features.patches.mean(1), exact.patches.mean(1)));
        const std::vector<double> map = doublesOf(cosines(features.patches[0], exact.patches[0]));
        m_sum.patchCosines.resize(map.size());
        std::ranges::transform(map, m_sum.patchCosines, m_sum.patchCosines.begin(), std::plus());
    }
    m_sum.layers.resize(tokenCosines.size());
    for (size_t layer = 0; layer < tokenCosines.size(); ++layer) {
        const std::vector<double>& own = tokenCosines[layer];
        m_sum.layers[layer].patches += meanOf(own.begin() + exact.layout.prefix, own.end());
        if (exact.token.defined())
            attnscope::add(m_sum.layers[layer].token, own.front());
    }
    if (m_seeds++ > 0)
        return;
    m_sum.values = floatsOf(features.of(m_kind)[0]);
    if (m_exact.basis && haveOneGrid && haveOneWidth(features.patches, exact.patches)
        && isFinite(features.patches[0]))
        m_sum.colours = imageOf(m_exact.basis->colours(features.patches[0]), exact.layout);
}

FeatureDrift FeatureDriftCollector::result() const
{
    FeatureDrift mean = m_sum;
    const auto seeds = double(m_seeds);
    const auto divide = [&](std::optional<double>& sum) {
        if (sum)
            *sum /= seeds;
    };
    mean.cosine /= seeds;
    divide(mean.token);
    divide(mean.avg);
    divide(mean.cka);
    for (double& cosine : mean.patchCosines)
        cosine /= seeds;
    if (!mean.patchCosines.empty())
        mean.patches = summarise(mean.patchCosines);
    for (LayerCosine& layer : mean.layers) {
        layer.patches /= seeds;
        divide(layer.token);
    }
    return mean;
}

}
