// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/run/classifier.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <string>
#include <vector>

/// What the networks of all families share.
namespace attnscope {

/// A linear layer or a norm.
struct LinearWeights {
    at::Tensor weight, bias;  ///< bias may be undefined
};

/// x (…,in) → (…,out).
inline at::Tensor linear(const at::Tensor& x, const LinearWeights& w)
{
    return at::linear(x, w.weight, w.bias);
}

/// Over the last axis.
inline at::Tensor layerNorm(const at::Tensor& x, const LinearWeights& w, double eps)
{
    return at::layer_norm(x, {x.size(-1)}, w.weight, w.bias, eps);
}

inline void report(ForwardObserver* observer, const std::string& name, const at::Tensor& value)
{
    if (observer != nullptr)
        observer->onActivation(name, value);
}

inline void addOnce(std::vector<std::string>& notes, const std::string& text)
{
    if (std::find(notes.begin(), notes.end(), text) == notes.end())
        notes.push_back(text);
}

/// A specification without what changes how it is computed but not what (seed, block size, softmax's form): two that are equal
/// here are the same attention, for "trained with this attention".
std::string meaning(AttentionSpec spec);

}  // namespace attnscope
