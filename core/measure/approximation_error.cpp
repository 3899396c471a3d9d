#include "core/measure/approximation_error.h"

#include "core/measure/statistics.h"

#include <cmath>
#include <limits>

namespace attnscope {

namespace {

double relativeError(double difference, double exact)
{
    if (difference == 0)
        return 0;
    return exact > 0 ? std::sqrt(difference / exact) : std::numeric_limits<double>::infinity();
}

}

std::vector<HeadDifference> headDifferences(const at::Tensor& out, const at::Tensor& exact)
{
    const auto wideExact = exact.to(at::kDouble);
    const auto squares = (out.to(at::kDouble) - wideExact).square();
    std::vector<int64_t> others{0, 2, 3};
    if (out.dim() == 5)
        others.push_back(4);
    const auto mean = squares.mean(others).cpu(), difference = squares.sum(others).cpu();
    const auto size = wideExact.square().sum(others).cpu();
    std::vector<HeadDifference> heads;
    for (int64_t h = 0; h < out.size(1); ++h) {
        HeadDifference head;
        head.mse = mean[h].item<double>();
        head.relative = relativeError(difference[h].item<double>(), size[h].item<double>());
        head.finite = std::isfinite(head.relative);  // which it is not where the mean is not
        heads.push_back(head);
    }
    return heads;
}

ErrorValue errorOverSeeds(const std::vector<std::vector<HeadDifference>>& seeds, std::optional<size_t> only)
{
    std::vector<double> mse, relative;
    for (const auto& heads : seeds) {
        std::vector<double> headMse, headRelative;
        for (size_t head = 0; head < heads.size(); ++head) {
            if (!heads[head].finite || (only && head != *only))
                continue;
            headMse.push_back(heads[head].mse);
            headRelative.push_back(heads[head].relative);
        }
        if (headMse.empty())
            continue;
        mse.push_back(meanAndStddev(headMse).mean);
        relative.push_back(meanAndStddev(headRelative).mean);
    }
    const auto m = meanAndStddev(mse), r = meanAndStddev(relative);
    const double none = std::numeric_limits<double>::quiet_NaN();
    return mse.empty() ? ErrorValue{none, none, none, none} : ErrorValue{m.mean, m.stddev, r.mean, r.stddev};
}

at::Tensor meanOfValues(const at::Tensor& v, const at::Tensor& exact)
{
    const auto groups = exact.dim() == 5 ? exact.size(3) : 1;
    const auto means = v.to(at::kDouble).unflatten(2, {groups, -1}).mean(3);  // (B,H,G,Dv)
    return (exact.dim() == 5 ? means.unsqueeze(2) : means).expand_as(exact);
}

ErrorCollector::ErrorCollector(int64_t layers, int64_t seeds, bool deterministic)
    : m_layers(size_t(layers))
    , m_seeds(seeds)
    , m_deterministic(deterministic)
{
    for (Layer& layer : m_layers) {
        layer.seeds.resize(size_t(seeds));
        layer.prefix.resize(size_t(seeds));
    }
}

void ErrorCollector::add(int64_t layer, int64_t seed, const at::Tensor& out, const at::Tensor& exact,
                         int64_t prefixRows)
{
    Layer& target = m_layers.at(size_t(layer));
    target.seeds.at(size_t(seed)) = headDifferences(out, exact);
    if (prefixRows > 0)
        target.prefix.at(size_t(seed)) = headDifferences(out.slice(2, 0, prefixRows),
                                                         exact.slice(2, 0, prefixRows));
}

void ErrorCollector::addBaselines(int64_t layer, const at::Tensor& v, const at::Tensor& exact)
{
    Layer& target = m_layers.at(size_t(layer));
    target.meanOfValues = headDifferences(meanOfValues(v, exact), exact);
    target.zeroMse = exact.to(at::kDouble).square().mean().item<double>();
}

LayerError ErrorCollector::layerResult(int64_t index) const
{
    const Layer& layer = m_layers.at(size_t(index));
    LayerError result;
    result.layer = index;
    result.error = errorOverSeeds(layer.seeds);
    const size_t heads = layer.seeds.empty() ? 0 : layer.seeds.front().size();
    for (size_t h = 0; h < heads; ++h)
        result.heads.push_back(errorOverSeeds(layer.seeds, h));
    if (!layer.prefix.empty() && !layer.prefix.front().empty())
        result.classToken = errorOverSeeds(layer.prefix);
    result.meanOfValues = errorOverSeeds({layer.meanOfValues});
    result.zeroMse = layer.zeroMse;
    return result;
}

ApproximationError ErrorCollector::result() const
{
    ApproximationError total;
    total.seeds = m_seeds;
    total.deterministic = m_deterministic;
    std::vector<double> relatives;
    std::vector<std::vector<HeadDifference>> bySeed(static_cast<size_t>(m_seeds)), baselines(1);
    double zero = 0;
    for (size_t i = 0; i < m_layers.size(); ++i) {
        total.layers.push_back(layerResult(int64_t(i)));
        zero += m_layers[i].zeroMse / double(m_layers.size());
        for (size_t s = 0; s < m_layers[i].seeds.size(); ++s) {
            for (const HeadDifference& head : m_layers[i].seeds[s]) {
                bySeed[s].push_back(head);
                total.notFinite += head.finite ? 0 : 1;
                if (head.finite)
                    relatives.push_back(head.relative);
            }
        }
        baselines[0].insert(baselines[0].end(), m_layers[i].meanOfValues.begin(), m_layers[i].meanOfValues.end());
    }
    // All layers have the same number of heads, so that the mean over (layer, head) is the mean over layers of the means over heads.
    total.error = errorOverSeeds(bySeed);
    total.meanOfValues = errorOverSeeds(baselines);
    total.zeroMse = zero;
    total.medianRelative = quantile(relatives, 0.5);
    return total;
}

}
