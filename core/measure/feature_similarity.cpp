#include "core/measure/feature_similarity.h"

#include "core/measure/statistics.h"

#include <limits>
#include <numeric>

namespace attnscope {

namespace {

at::Tensor ofLengthOne(const at::Tensor& rows)
{
    const at::Tensor wide = rows.to(at::kCPU, at::kDouble);
    return wide / wide.norm(2, -1, true).clamp_min(1e-12);
}

}

at::Tensor cosines(const at::Tensor& a, const at::Tensor& b)
{
    return (ofLengthOne(a) * ofLengthOne(b)).sum(-1);
}

CosineSummary summarise(const std::vector<double>& cosines)
{
    if (cosines.empty())
        return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    return {std::accumulate(cosines.begin(), cosines.end(), 0.0) / double(cosines.size()),
            quantile(cosines, 0.05)};
}

std::vector<double> doublesOf(const at::Tensor& values)
{
    const at::Tensor flat = values.to(at::kCPU, at::kDouble).contiguous();
    return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
}

}
