// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_backend.h"
#include "models/blocks/exit_heads.h"
#include "models/blocks/layers.h"
#include "models/blocks/position_embedding.h"
#include "models/vit/vit_description.h"
#include "models/weights/weight_loader.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace attnscope {

struct VitBlockWeights {
    LayerWeights norm1, qkv, projection, norm2, fc1, fc2;
    AttentionParameters attention;  ///< other tensors of the checkpoint: landmark maps, stored projections
};

/// The tensors of a DeiT or evit, under the names of its original code.
struct VitWeights {
    at::Tensor classToken, distillationToken;  ///< (1,1,C), undefined if the family has none
    at::Tensor position;                       ///< (1, tokens, C)
    LayerWeights patch, norm, head, distillationHead;
    std::vector<VitBlockWeights> blocks;
};

/// Two heads if it is distilled.
[[nodiscard]] ReadoutWeights readoutOf(const VitWeights& weights);

/// Every weight of such a network, in a fixed order, including those of the attention.
void visitWeights(VitWeights& weights, const VitDescription& description, const WeightVisitor& visit);

/// Takes every tensor that the description names; `loader.finish` then reports what did not fit. A position embedding of another square
/// grid is resized by `rule`, with a note.
[[nodiscard]] VitWeights loadVitWeights(const VitDescription& description, WeightLoader& loader, PositionRule rule);

/// Truncated normal (σ 0.02) linear layers, tokens and positions, zero biases, unit norms; the patch embedding has the variance
/// of its fan-in. From (seed, tensor name): the same on every machine.
[[nodiscard]] VitWeights randomVitWeights(const VitDescription& description, std::uint64_t seed);

}  // namespace attnscope
