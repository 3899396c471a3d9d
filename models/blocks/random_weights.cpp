#include "models/blocks/random_weights.h"

#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/random.h"

#include <cmath>
#include <numbers>
#include <string_view>

namespace attnscope {

at::Tensor uniformNumbers(const std::string& name, const std::vector<int64_t>& shape, uint64_t seed)
{
    at::Tensor values = at::empty(shape);
    fillUniform({seed, 0, 0, streamPurpose(name)}, 0, {values.data_ptr<float>(), size_t(values.numel())});
    return values;
}

at::Tensor truncatedNormal(const std::string& name, const std::vector<int64_t>& shape, double stddev,
                           uint64_t seed)
{
    const at::Tensor values = uniformNumbers(name, shape, seed);
    // By the inverse of the distribution function; values between −2 and 2 are a fraction erf(√2) of all.
    const double reach = std::erf(std::numbers::sqrt2);
    return values.mul_(2 * reach).sub_(reach).erfinv_().mul_(stddev * std::numbers::sqrt2);
}

at::Tensor initialWeight(const std::string& name, const std::vector<int64_t>& shape, double stddev, uint64_t seed)
{
    if (name.ends_with(".bias"))
        return at::zeros(shape);
    if (name.find("norm") != std::string::npos)
        return at::ones(shape);
    if (!name.starts_with("patch_embed"))
        return truncatedNormal(name, shape, stddev, seed);
    const auto fanIn = double(c10::multiply_integers(shape.begin() + 1, shape.end()));
    return truncatedNormal(name, shape, 1 / std::sqrt(fanIn), seed);
}

std::optional<uint64_t> untrainedSeed(const std::string& weights)
{
    constexpr std::string_view word = "untrained";
    if (weights == word)
        return 0;
    if (weights.compare(0, word.size() + 1, std::string(word) + ":") != 0)
        return std::nullopt;
    const auto seed = parseNumber<uint64_t>(std::string_view(weights).substr(word.size() + 1));
    if (!seed)
        throw UsageError(weights, "the seed is not a number", "write untrained or untrained:SEED");
    return seed;
}

}
