#include "core/nn/int8.h"

#include "core/kernels/cpu/cpu_kernels.h"

#include <vector>

namespace attnscope {

namespace {

constexpr double levels = 127;  // on each side of 0

at::Tensor wide(const at::Tensor& x)
{
    return x.scalar_type() == at::kDouble ? x : x.to(at::kFloat);
}

/// levels / largest, or 0 where all are 0.
at::Tensor inverseOf(const at::Tensor& largest)
{
    return at::where(largest > 0, levels / largest, at::zeros_like(largest));
}

}

Int8Weight toInt8(const at::Tensor& weight)
{
    const auto given = weight.to(at::kFloat);
    const auto largest = at::amax(given.abs(), 1, true);
    return {at::round(given * inverseOf(largest)).to(at::kChar), (largest / levels).flatten()};
}

at::Tensor fromInt8(const Int8Weight& weight, at::ScalarType type)
{
    return (weight.integers.to(at::kFloat) * weight.scales.unsqueeze(1)).to(type);
}

at::Tensor roundedInputs(const at::Tensor& x)
{
    std::vector<at::Tensor> parts;
    for (const at::Tensor& group : wide(x).split(kernels::int8Group, -1)) {
        const auto largest = at::amax(group.abs(), -1, true);
        parts.push_back(at::round(group * inverseOf(largest)) * (largest / levels));
    }
    return (parts.size() == 1 ? parts.front() : at::cat(parts, -1)).to(x.scalar_type());
}

}
