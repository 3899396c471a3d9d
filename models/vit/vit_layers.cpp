// SPDX-License-Identifier: Apache-2.0
#include "models/vit/vit_layers.h"

namespace attnscope {

at::Tensor rmsNorm(const at::Tensor& x, const at::Tensor& weight, double eps)
{
    return at::rms_norm(x, {x.size(-1)}, weight, eps);
}

at::Tensor normed(const VitDescription& description, const at::Tensor& x, const LayerWeights& norm)
{
    return description.norm == VitNorm::Layer ? layerNorm(x, norm, description.layerNormEps)
                                              : rmsNorm(x, norm.weight, description.layerNormEps);
}

at::Tensor normedLinear(const VitDescription& description, const at::Tensor& x, const LayerWeights& norm, const LayerWeights& layer)
{
    return description.norm == VitNorm::Layer ? normedLinear(x, norm, description.layerNormEps, layer)
                                              : linear(normed(description, x, norm), layer);
}

at::Tensor activated(const at::Tensor& x, VitActivation activation)
{
    const bool own = !x.requires_grad();
    at::Tensor y = x;
    switch (activation) {
    case VitActivation::Gelu: return own ? at::gelu_(y) : at::gelu(x);
    case VitActivation::GeluTanh: return own ? at::gelu_(y, "tanh") : at::gelu(x, "tanh");
    case VitActivation::QuickGelu: return own ? y.mul_(at::sigmoid(1.702 * x)) : x * at::sigmoid(1.702 * x);
    case VitActivation::Silu: break;
    }
    return own ? at::silu_(y) : at::silu(x);
}

void packNorm(const VitDescription& description, LayerWeights& norm)
{
    if (description.norm == VitNorm::Layer)
        packNorm(norm);
}

}  // namespace attnscope
