#include "core/measure/principal_components.h"

#include "core/base/error.h"

#include <algorithm>
#include <tuple>

namespace attnscope {

namespace {

constexpr int64_t colourCount = 3;

}

at::Tensor PrincipalComponents::scores(const at::Tensor& tokens) const
{
    return at::matmul(tokens.to(at::kCPU, at::kDouble) - mean, components.t());
}

at::Tensor PrincipalComponents::colours(const at::Tensor& tokens) const
{
    const at::Tensor range = high - low;
    const at::Tensor stretched = (scores(tokens) - low) / range;
    return at::where(range > 0, stretched.clamp(0, 1), at::full_like(stretched, 0.5));
}

PrincipalComponents principalComponents(const at::Tensor& tokens)
{
    const at::Tensor wide = tokens.to(at::kCPU, at::kDouble);
    if (wide.dim() != 2 || wide.size(0) < 1 || !wide.isfinite().all().item<bool>())
        throw UsageError("", "there are no principal components of tokens that are not finite",
                         "choose another attention");
    PrincipalComponents result;
    result.mean = wide.mean(0);
    const auto [u, singular, vectors] = at::linalg_svd(wide - result.mean, /*full_matrices=*/false);
    const double smallest =
        singular[0].item<double>()
        * 1e-6;  // below it a vector is rounding of float32, which would be stretched to colours
    int64_t found = 0;
    while (found < std::min(colourCount, singular.size(0)) && singular[found].item<double>() > smallest)
        ++found;
    result.components = at::zeros({colourCount, wide.size(1)}, at::kDouble);
    for (int64_t i = 0; i < found; ++i) {
        const at::Tensor vector = vectors[i];
        result.components[i].copy_(vector * vector[vector.abs().argmax()].sign());
    }
    const at::Tensor squares = singular.square();
    const auto total = squares.sum().item<double>();
    result.variance = total > 0 ? squares.slice(0, 0, found).sum().item<double>() / total : 0;
    const at::Tensor scores = result.scores(wide);
    result.low = std::get<0>(scores.min(0));
    result.high = std::get<0>(scores.max(0));
    return result;
}

}
