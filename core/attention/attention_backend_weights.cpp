// SPDX-License-Identifier: Apache-2.0
#include "core/attention/attention_backend.h"
#include "core/base/error.h"

#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>

namespace attnscope {

namespace {

/// A tensor that autograd can save, which it can't if it was created in inference mode.
at::Tensor kept(const at::Tensor& x, at::ScalarType type)
{
    return x.defined() ? x.detach().to(type).clone() : x;
}

at::ScalarType gradientType(const at::Tensor& x)
{
    return x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

}  // namespace

/// The output is linear in v, so that its gradient with respect to v gives the weights for every method: values of one channel are enough,
/// and the backward pass costs as much as the forward pass.
at::Tensor AttentionBackend::impliedWeights(const AttentionInput& input, NoiseSource& noise,
                                            const at::Tensor& rows) const
{
    if (rows.sizes() != input.q.sizes().slice(0, 3))
        throw UsageError("", "the requested rows do not match q",
                         "give batch, heads and queries of q");
    const c10::InferenceMode normal(false);
    const at::AutoGradMode gradients(true);
    const at::ScalarType type = gradientType(input.q);
    AttentionInput in = input;
    for (at::Tensor* x : {&in.q, &in.k, &in.v, &in.queryLandmarks, &in.keyLandmarks, &in.valueLandmarks, &in.gate})
        *x = kept(*x, type);
    in = withFixedWeights(std::move(in));
    in.v = at::zeros({in.k.size(0), in.k.size(1), in.k.size(2), 1}, in.k.options()).requires_grad_();
    auto out = attend(in, noise).squeeze(-1);  // (B,H,N) or (B,H,N,G)
    if (out.dim() == 4)
        out = out.sum(-1);  // a key belongs to one group
    return torch::autograd::grad({out}, {in.v}, {kept(rows, type)}).front().squeeze(-1);  // (B,H,M)
}

}  // namespace attnscope
