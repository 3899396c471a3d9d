#include "core/attention/random_feature_kernel.h"

#include "core/attention/methods/softmax.h"

#include <vector>

namespace attnscope {

namespace {

/// logits (B,H,N,S) of signed weights → the weights, each row summing to 1.
at::Tensor signedSoftmax(const at::Tensor& logits, const at::Tensor& sign)
{
    const auto weights = sign * (logits - logits.amax(-1, true)).exp();
    return weights / weights.sum(-1, true);
}

/// logits (B,H,N,S), values (B,H,S,Dv) → (B,H,N,Dv).
at::Tensor mixed(const at::Tensor& logits, const at::Tensor& values, const at::Tensor& sign)
{
    return at::matmul(sign.defined() ? signedSoftmax(logits, sign) : logits.softmax(-1), values);
}

/// Without −½‖q̂‖²: it is the same for every sample and cancels. → (B,H,N,S)
at::Tensor queryLogits(const FeatureAttention& in)
{
    const auto logits = at::matmul(in.queryHat, in.omega.transpose(-1, -2));
    return in.logWeight.defined() ? logits + in.logWeight : logits;
}

/// log ξ(k̂_m, ω_s) with the weight of the key: (B,H,S,M).
at::Tensor keyLogits(const FeatureAttention& in)
{
    return withKeyWeights(logPositiveFeature(in.omega, in.keyHat), in.keyLogWeights);
}

}

at::Tensor logPositiveFeature(const at::Tensor& omega, const at::Tensor& hat)
{
    const auto halfNorm = hat.square().sum(-1).mul_(0.5).unsqueeze(-2);  // (…,1,N)
    return at::matmul(omega, hat.transpose(-1, -2)) - halfNorm;          // (…,S,N)
}

at::Tensor centredKeys(const at::Tensor& k, int64_t groups)
{
    const auto grouped = k.unflatten(2, {groups, -1});  // (B,H,G,M/G,D)
    return (grouped - grouped.mean(3, true)).flatten(2, 3);
}

at::Tensor selfNormalised(const FeatureAttention& in)
{
    const int64_t groups = in.keyGroups;
    const auto logKeys = keyLogits(in).unflatten(-1, {groups, -1});                 // (B,H,S,G,M/G)
    const auto logTotal = logKeys.logsumexp(-1);                                    // (B,H,S,G)
    const auto perGroup = in.v.unflatten(2, {groups, -1});                          // (B,H,G,M/G,Dv)
    const auto values = at::matmul(logKeys.softmax(-1).transpose(2, 3), perGroup);  // (B,H,G,S,Dv)
    const auto logits = queryLogits(in);                                            // (B,H,N,S)
    std::vector<at::Tensor> outputs;
    for (int64_t g = 0; g < groups; ++g)
        outputs.push_back(mixed(logits + logTotal.select(-1, g).unsqueeze(-2), values.select(2, g), in.sign));
    return groups == 1 ? outputs.front() : at::stack(outputs, 3);
}

AttentionPart selfNormalisedPart(const FeatureAttention& in)
{
    const auto logKeys = keyLogits(in);                                         // (B,H,S,M)
    const auto logits = queryLogits(in) + logKeys.logsumexp(-1).unsqueeze(-2);  // (B,H,N,S)
    const auto out = at::matmul(logits.softmax(-1), at::matmul(logKeys.softmax(-1), in.v));
    return {out, logits.logsumexp(-1) - in.queryHat.square().sum(-1) * 0.5};
}

at::Tensor sampleWeights(const FeatureAttention& in)
{
    const auto logTotal = keyLogits(in).logsumexp(-1).unsqueeze(-2);  // (B,H,1,S)
    const auto logits = queryLogits(in) + logTotal;
    return in.sign.defined() ? signedSoftmax(logits, in.sign) : logits.softmax(-1);
}

at::Tensor featureDenominators(const at::Tensor& queries, const at::Tensor& keys)
{
    return at::matmul(queries, keys.sum(3).transpose(-1, -2)).unsqueeze(-1);
}

at::Tensor featureRatio(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& v,
                        const at::Tensor& denominators)
{
    const int64_t groups = keys.size(2);
    const auto sums = at::matmul(keys.transpose(-1, -2), v.unflatten(2, {groups, -1}));  // (B,H,G,S,Dv)
    const auto out = at::matmul(queries, sums.transpose(2, 3).flatten(3)).unflatten(-1, {groups, -1})
                     / denominators;
    return groups == 1 ? out.squeeze(3) : out;
}

at::Tensor drawComponents(const at::Tensor& pi, const at::Tensor& u)
{
    const auto cumulative = pi.detach().cumsum(-1).contiguous();
    return at::searchsorted(cumulative, u.contiguous(), false, true).clamp_max(pi.size(-1) - 1);
}

}
