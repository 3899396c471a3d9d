#pragma once

#include "models/blocks/layers.h"
#include "models/vit/vit_description.h"
#include "models/vit/vit_rope.h"
#include "models/vit/vit_weights.h"

#include <ATen/ATen.h>

#include <cstdint>

/// One block of a plain vision transformer.
namespace attnscope {

/// A pass through a network, and what its blocks share.
struct VitPass {
    const VitDescription& description;
    const PreparedAttention& prepared;
    Pass pass;
    TokenLayout tokens;
    VitTurns turns;                 ///< undefined without RoPE
    at::Tensor offsets;             ///< offsetRows of the grid; undefined without relative positions
    at::Tensor sharedBias;          ///< (H,N,N); undefined unless layers share their biases
    TokenMerger* merger = nullptr;  ///< of the tokens of this pass; null if none merge
};

/// Tokens x (B,N,C) → (B,N,C). Several attentions of a layer draw the same random numbers, and are reported as one with the heads of all.
at::Tensor runBlock(const VitPass& pass, const VitBlockWeights& block, const at::Tensor& x, int64_t layer);

/// The projection to queries, keys and values with the bias of all its rows.
LayerWeights joinedQkv(const VitAttentionWeights& attention);

/// Packs the layers of a block for about `tokens` tokens. Layer scales become part of the layers before them.
void packBlock(const VitDescription& description, VitBlockWeights& block, int64_t tokens);

}
