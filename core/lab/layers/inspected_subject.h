// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/layers/inspect.h"
#include "core/lab/layers/inspection_memory.h"
#include "core/run/classifier.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

/// What layers are inspected in: a network on an input, or the q, k, v of a file.
namespace attnscope {

/// What is kept of a layer in the exact pass.
struct ExactLayer {
    AttentionInput input;
    at::Tensor output;
};

/// The exact pass that is the reference of an attention: a network may have two kinds of keys.
struct ExactPass {
    PreparedAttention prepared;
    std::vector<ExactLayer> layers;
    std::vector<at::Tensor> blocks;  ///< outputs; like `logits` empty if nothing about the whole network is requested
    at::Tensor logits;
};

using ExactPasses = std::map<std::string, ExactPass>;  ///< by the canonical exact attention

class InspectedSubject {
public:
    virtual ~InspectedSubject() = default;

    /// Its description in the report: model, device, environment, the input.
    virtual RunReport begin(std::uint64_t seed) = 0;
    [[nodiscard]] virtual PreparedAttention prepare(const AttentionSpec& spec, std::uint64_t seed) const = 0;
    /// `whole`: including the outputs of blocks and the logits.
    [[nodiscard]]
    virtual ExactPass exactPass(PreparedAttention exact, bool whole, const std::stop_token& stop) const = 0;
    /// The network on its input; null if there are only tensors, on which no pass can be run.
    [[nodiscard]] virtual const Classifier* network() const { return nullptr; }
    [[nodiscard]] virtual const at::Tensor& input() const = 0;
    [[nodiscard]] virtual std::string layerName(std::size_t layer) const = 0;
};

struct InspectionMemory::Contents {
    std::unique_ptr<InspectedSubject> subject;
    ExactPasses passes;
};

}  // namespace attnscope
