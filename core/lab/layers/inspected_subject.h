// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/layers/inspect.h"
#include "core/run/classifier.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

/// What layers are inspected of: a network on an input, or the q, k, v of a file.
namespace attnscope {

/// What is kept of a layer of the exact pass.
struct ExactLayer {
    AttentionInput input;
    at::Tensor output;
};

/// The exact pass that an attention is held against: a network may have two kinds of keys.
struct ExactPass {
    PreparedAttention prepared;
    std::vector<ExactLayer> layers;
    std::vector<at::Tensor> blocks;  ///< outputs; with `logits` empty where nothing is asked of the whole network
    at::Tensor logits;
};

using ExactPasses = std::map<std::string, ExactPass>;  ///< by the canonical exact attention

class InspectedSubject {
public:
    virtual ~InspectedSubject() = default;

    /// What the report says of it: model, device, environment, the input.
    virtual RunReport begin(std::uint64_t seed) = 0;
    virtual PreparedAttention prepare(const AttentionSpec& spec, std::uint64_t seed) const = 0;
    /// `whole`: with the outputs of blocks and the logits.
    virtual ExactPass exactPass(PreparedAttention exact, bool whole, const std::stop_token& stop) const = 0;
    /// The network on its input; null where there are tensors alone, of which no pass can be made.
    virtual const Classifier* network() const { return nullptr; }
    virtual const at::Tensor& input() const = 0;
    virtual std::string layerName(std::size_t layer) const = 0;
};

}  // namespace attnscope
