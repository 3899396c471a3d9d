#pragma once

#include "core/attention/attention_backend.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>

namespace attnscope {

/// What queries and keys of a network's first attention are made of: W LN(content + position) + b.
struct FirstLayer {
    at::Tensor content, position;       ///< (N,C): patch embeddings and class tokens; position embeddings
    at::Tensor normWeight, normBias;    ///< (C)
    double eps = 1e-6;                  ///< of the norm
    at::Tensor queryWeight, keyWeight;  ///< (H·D,C)
    at::Tensor queryBias, keyBias;      ///< (H·D)
    int64_t heads = 1;
    TokenLayout tokens;
    int64_t keyGroups = 1;  ///< consecutive groups of keys, each with its own normaliser: frames
};

/// A classifier that adds a position embedding to its tokens right before the first norm implements it.
class FirstLayerSource {
public:
    virtual ~FirstLayerSource() = default;
    /// Of input 0 of a batch, as for `Classifier::logits`. Empty if this network's first queries and keys are made in another way.
    virtual std::optional<FirstLayer> firstLayer(const at::Tensor& input) const = 0;
};

}
