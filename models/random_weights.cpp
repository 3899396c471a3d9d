// SPDX-License-Identifier: Apache-2.0
#include "models/random_weights.h"

#include "core/base/random.h"

#include <cmath>
#include <numbers>

namespace attnscope {

at::Tensor truncatedNormal(const std::string& name, const std::vector<std::int64_t>& shape, double deviation,
                           std::uint64_t seed)
{
    at::Tensor values = at::empty(shape);
    fillUniform({seed, 0, 0, streamPurpose(name)}, 0,
                {values.data_ptr<float>(), static_cast<std::size_t>(values.numel())});
    // By the inverse of the distribution function; its values between −2 and 2 are a share erf(√2) of all.
    const double reach = std::erf(std::numbers::sqrt2);
    return values.mul_(2 * reach).sub_(reach).erfinv_().mul_(deviation * std::numbers::sqrt2);
}

}  // namespace attnscope
