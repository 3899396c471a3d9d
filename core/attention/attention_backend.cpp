// SPDX-License-Identifier: Apache-2.0
#include "core/attention/attention_backend.h"

#include "core/attention/shapes.h"
#include "core/base/error.h"

#include <cmath>

namespace attnscope {

namespace {

void checkShapes(const AttentionInput& in)
{
    const auto shapes = "q is " + describeShape(in.q.sizes()) + ", k " + describeShape(in.k.sizes()) + ", v "
                        + describeShape(in.v.sizes());
    if (in.q.dim() != 4 || in.k.dim() != 4 || in.v.dim() != 4)
        throw UsageError("", "q, k and v need four dimensions (batch, heads, tokens, channels), but " + shapes);
    const bool fits = in.q.size(0) == in.k.size(0) && in.q.size(0) == in.v.size(0) && in.q.size(1) == in.k.size(1)
                      && in.q.size(1) == in.v.size(1) && in.q.size(3) == in.k.size(3) && in.k.size(2) == in.v.size(2);
    if (!fits)
        throw UsageError("", "q, k and v do not fit each other: " + shapes,
                         "batch, heads and the head dimension of q and k must agree, and k and v need the same number of tokens");
    const bool alike = in.k.scalar_type() == in.q.scalar_type() && in.v.scalar_type() == in.q.scalar_type()
                       && in.k.device() == in.q.device() && in.v.device() == in.q.device();
    if (!alike || !in.q.is_floating_point())
        throw UsageError("", "q, k and v are not floating-point numbers of one type on one device",
                         "convert them to float32 on the device first");
    if (in.keyGroups < 1 || in.k.size(2) % in.keyGroups != 0)
        throw UsageError("", std::to_string(in.k.size(2)) + " keys cannot be split into " + std::to_string(in.keyGroups) + " frames");
    if (in.q.numel() == 0 || in.k.numel() == 0 || in.v.numel() == 0)
        throw UsageError("", "there is nothing to attend to: " + shapes);
}

at::Tensor widened(const at::Tensor& x, at::ScalarType type)
{
    return x.defined() ? x.to(type) : x;
}

}  // namespace

AttentionBackend::AttentionBackend(AttentionSpec spec)
    : m_spec(std::move(spec))
{
    eval();
}

AttentionInput AttentionBackend::checked(const AttentionInput& input) const
{
    checkShapes(input);
    const at::ScalarType type = input.q.scalar_type();
    if ((type != at::kHalf && type != at::kBFloat16) || takesHalf(input))
        return input;
    AttentionInput wide = input;
    for (at::Tensor* x : {&wide.q, &wide.k, &wide.v, &wide.queryLandmarks, &wide.keyLandmarks, &wide.valueLandmarks, &wide.gate})
        *x = widened(*x, at::kFloat);
    return wide;
}

at::Tensor AttentionBackend::attend(const AttentionInput& input, NoiseSource& noise) const
{
    const AttentionInput in = checked(input);
    return (in.keyGroups == 1 ? compute(in, noise) : computeGroups(in, noise)).to(input.q.scalar_type());
}

std::optional<LandmarkWeights> AttentionBackend::landmarkWeights(const AttentionInput& input, NoiseSource& noise,
                                                                 std::int64_t query) const
{
    return computeLandmarkWeights(checked(input), noise, query);
}

Cancellation AttentionBackend::cancellation(const AttentionInput& input, NoiseSource& noise) const
{
    return computeCancellation(checked(input), noise);
}

std::optional<LandmarkWeights> AttentionBackend::computeLandmarkWeights(const AttentionInput&, NoiseSource&, std::int64_t) const
{
    return {};
}

at::Tensor AttentionBackend::computeGroups(const AttentionInput& input, NoiseSource& noise) const
{
    const auto keys = input.k.chunk(input.keyGroups, 2), values = input.v.chunk(input.keyGroups, 2);
    std::vector<at::Tensor> outputs;
    for (std::size_t g = 0; g < keys.size(); ++g) {
        AttentionInput group = input;
        group.keyGroups = 1;
        group.k = keys[g];
        group.v = values[g];
        outputs.push_back(compute(group, noise));
    }
    return at::stack(outputs, 3);
}

std::shared_ptr<AttentionBackend> makeBackend(const AttentionSpec& spec, const BackendContext& context)
{
    const BackendInfo* info = findBackend(spec.backend());
    if (info == nullptr || info->make == nullptr)
        throw UsageError("", "`" + spec.canonical() + "` does not name a backend that can be created on its own");
    return info->make(spec, context);
}

at::Tensor scaledInput(const at::Tensor& x, double scale)
{
    return x * std::sqrt(scale);
}

}  // namespace attnscope
