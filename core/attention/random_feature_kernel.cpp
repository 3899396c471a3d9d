// SPDX-License-Identifier: Apache-2.0
#include "core/attention/random_feature_kernel.h"

namespace attnscope {

at::Tensor logPositiveFeature(const at::Tensor& omega, const at::Tensor& hat)
{
    const auto halfNorm = hat.square().sum(-1).mul_(0.5).unsqueeze(-2);  // (…,1,N)
    return at::matmul(omega, hat.transpose(-1, -2)) - halfNorm;          // (…,S,N)
}

at::Tensor selfNormalised(const at::Tensor& omega, const at::Tensor& queryHat, const at::Tensor& keyHat, const at::Tensor& v,
                          const at::Tensor& logWeight, const at::Tensor& sign)
{
    const auto logKeys = logPositiveFeature(omega, keyHat);             // (B,H,S,M)
    const auto logTotal = logKeys.logsumexp(-1);                        // (B,H,S)
    const auto mixedValues = at::matmul(logKeys.softmax(-1), v);        // (B,H,S,Dv)
    // −½‖q̂‖² is the same for every sample and cancels.
    auto logits = at::matmul(queryHat, omega.transpose(-1, -2)) + logTotal.unsqueeze(-2);  // (B,H,N,S)
    if (logWeight.defined())
        logits = logits + logWeight;
    if (!sign.defined())
        return at::matmul(logits.softmax(-1), mixedValues);             // (B,H,N,Dv)
    const auto weights = sign * (logits - logits.amax(-1, true)).exp();
    return at::matmul(weights, mixedValues) / weights.sum(-1, true);
}

}  // namespace attnscope
