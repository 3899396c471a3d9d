#include "models/vit/vit_pooling.h"

#include "core/attention/methods/softmax.h"
#include "core/nn/layers.h"

#include <cmath>

namespace attnscope {

namespace {

at::Tensor attentionPooled(const VitDescription& d, const VitPoolWeights& w, const at::Tensor& x)
{
    const int64_t batch = x.size(0), heads = d.poolHeads(), headDim = d.width / heads;
    const auto split = [&](const at::Tensor& y) { return y.unflatten(-1, {heads, headDim}).transpose(1, 2); };
    const auto q = split(linear(w.latent, w.q).expand({batch, -1, -1}));
    const auto kv = linear(x, w.kv);
    const AttentionInput in{.q = q,
                            .k = split(kv.narrow(-1, 0, d.width)),
                            .v = split(kv.narrow(-1, d.width, d.width)),
                            .scale = 1 / std::sqrt(double(headDim))};
    const auto mixed = exactAttention(in);
    const auto y = linear(mixed.transpose(1, 2).flatten(2), w.projection);  // (B,1,C)
    return linearAdded(y, normedLinear(y, w.norm, d.layerNormEps, w.fc1, d.poolActivation()), w.fc2).select(1, 0);
}

/// The tokens x are those of `usedByPool`.
at::Tensor pooled(const VitDescription& d, const VitPoolWeights& w, const at::Tensor& x)
{
    switch (d.pool) {
    case VitPool::Token:
        return d.distilled ? (x.select(1, 0) + x.select(1, 1)) / 2 : x.select(1, 0);
    case VitPool::Average:
        return x.mean(1);
    case VitPool::Max:
        return x.amax(1);
    case VitPool::AverageMax:
        return (x.amax(1) + x.mean(1)) / 2;
    case VitPool::Map:
        return attentionPooled(d, w, x);
    case VitPool::TokenAverage:
        break;
    }
    return at::cat({x.select(1, 0), x.slice(1, d.prefixTokens()).mean(1)}, 1);
}

}

at::Tensor usedByPool(const VitDescription& d, const at::Tensor& x)
{
    if (d.pool == VitPool::Token)
        return x.slice(1, 0, d.distilled ? 2 : 1);
    return d.poolPrefix || d.pool == VitPool::TokenAverage ? x : x.slice(1, d.prefixTokens());
}

at::Tensor normedForPool(const VitDescription& d, const at::Tensor& used, const LayerWeights& norm)
{
    return d.finalNorm ? normed(used, norm, d.layerNormEps) : used;
}

Readout pooledReadout(const VitDescription& d, const VitPoolWeights& pool, const at::Tensor& x, bool whole,
                      const ReadoutWeights& by)
{
    const auto used = whole ? usedByPool(d, x) : x;
    auto features = pooled(d, pool, used);
    if (d.pooledNorm)
        features = normed(features, by.norm, d.layerNormEps);
    if (d.classes == 0)
        return {features, {}};
    if (d.distilled)
        return {features,
                (linear(used.select(1, 0), by.heads.front()) + linear(used.select(1, 1), by.heads.back())) / 2};
    return {features, linear(features, by.heads.front())};
}

void packPool(VitPoolWeights& pool, int64_t tokens)
{
    for (LayerWeights* layer : {&pool.q, &pool.kv, &pool.projection})
        packLinear(*layer, tokens);
    LayerWeights none;
    packMlp(pool.fc1, none, pool.fc2, tokens);
    packNorm(pool.norm);
}

}
