#include "core/lab/seed_statistics.h"

namespace attnscope {

namespace {

/// Mean over all dimensions but heads.
std::vector<double> headRows(const at::Tensor& x)
{
    const auto means = x.transpose(0, 1).flatten(1).mean(1).cpu().contiguous();
    return {means.data_ptr<double>(), means.data_ptr<double>() + means.numel()};
}

}

SeedStatistics overSeeds(int64_t seeds, const std::function<at::Tensor(int64_t)>& attend, const at::Tensor& exact)
{
    SeedStatistics result;
    at::Tensor mean, squares;  // Welford's running mean and sum of squared differences from it
    for (int64_t seed = 0; seed < seeds; ++seed) {
        const auto out = attend(seed);
        result.seeds.push_back(headDifferences(out, exact));
        const auto wide = out.to(at::kDouble);
        if (seed == 0) {
            mean = wide.clone();
            squares = at::zeros_like(mean);
            continue;
        }
        const auto change = wide - mean;
        mean = mean + change / double(seed + 1);
        squares = squares + change * (wide - mean);
    }
    const auto variance = seeds > 1 ? squares / double(seeds - 1) : squares;
    result.variance = headRows(variance);
    result.biasSquared = headRows((mean - exact.to(at::kDouble)).square() - variance / double(seeds));
    result.mean = std::move(mean);
    return result;
}

at::Tensor layersAsHeads(const at::Tensor& x)
{
    return x.flatten(0, 1).unsqueeze(0);
}

}
