// SPDX-License-Identifier: Apache-2.0
#include "core/attention/random_feature_kernel.h"

#include <vector>

namespace attnscope {

namespace {

/// logits (B,H,N,S), values (B,H,S,Dv) → (B,H,N,Dv).
at::Tensor mixed(const at::Tensor& logits, const at::Tensor& values, const at::Tensor& sign)
{
    if (!sign.defined())
        return at::matmul(logits.softmax(-1), values);
    const auto weights = sign * (logits - logits.amax(-1, true)).exp();
    return at::matmul(weights, values) / weights.sum(-1, true);
}

}  // namespace

at::Tensor logPositiveFeature(const at::Tensor& omega, const at::Tensor& hat)
{
    const auto halfNorm = hat.square().sum(-1).mul_(0.5).unsqueeze(-2);  // (…,1,N)
    return at::matmul(omega, hat.transpose(-1, -2)) - halfNorm;          // (…,S,N)
}

at::Tensor centredKeys(const at::Tensor& k, std::int64_t groups)
{
    const auto grouped = k.unflatten(2, {groups, -1});  // (B,H,G,M/G,D)
    return (grouped - grouped.mean(3, true)).flatten(2, 3);
}

at::Tensor selfNormalised(const FeatureAttention& in)
{
    const std::int64_t groups = in.keyGroups;
    const auto logKeys = logPositiveFeature(in.omega, in.keyHat).unflatten(-1, {groups, -1});  // (B,H,S,G,M/G)
    const auto logTotal = logKeys.logsumexp(-1);                                               // (B,H,S,G)
    const auto perGroup = in.v.unflatten(2, {groups, -1});                                     // (B,H,G,M/G,Dv)
    const auto values = at::matmul(logKeys.softmax(-1).transpose(2, 3), perGroup);             // (B,H,G,S,Dv)
    // −½‖q̂‖² is the same for every sample and cancels.
    auto logits = at::matmul(in.queryHat, in.omega.transpose(-1, -2));  // (B,H,N,S)
    if (in.logWeight.defined())
        logits = logits + in.logWeight;
    std::vector<at::Tensor> outputs;
    for (std::int64_t g = 0; g < groups; ++g)
        outputs.push_back(mixed(logits + logTotal.select(-1, g).unsqueeze(-2), values.select(2, g), in.sign));
    return groups == 1 ? outputs.front() : at::stack(outputs, 3);
}

}  // namespace attnscope
