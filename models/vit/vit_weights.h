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

/// What describes relative positions: a table (offsets, heads), or the two layers of an MLP.
struct VitRelativeWeights {
    at::Tensor table;
    LayerWeights fc1, fc2;
};

/// One attention with its projections, the norm on its inputs or outputs, and the scale of its branch. What the description leaves out is
/// undefined.
struct VitAttentionWeights {
    LayerWeights norm;
    /// Rows of queries, keys, values; in a parallel block those of the MLP's inner layer precede them.
    LayerWeights qkv;
    at::Tensor queryBias, valueBias;  ///< of qkv where keys have none
    LayerWeights queryNorm, keyNorm;  ///< of each head
    /// Differential: λ = exp(queries1·keys1) − exp(queries2·keys2) + λ₀.
    at::Tensor queries1, keys1, queries2, keys2;
    LayerWeights differenceNorm;  ///< differential: of each head, without bias
    VitRelativeWeights relative;
    LayerWeights innerNorm, projection;
    at::Tensor scale;     ///< (C) on the branch
    bool scaled = false;  ///< the projection's weights contain it
};

struct VitMlpWeights {
    /// Gated: the rows of fc1 are gate, value; in a parallel block fc1 may have a bias alone.
    LayerWeights norm, fc1, innerNorm, fc2;
    at::Tensor scale;
    bool scaled = false;
};

struct VitBlockWeights {
    std::vector<VitAttentionWeights> attentions;  ///< one, or one per branch
    std::vector<VitMlpWeights> mlps;
    AttentionParameters attention;  ///< other tensors of the checkpoint: landmark maps, stored projections
};

/// Attention pooling: a learned query attends to the tokens, then an MLP.
struct VitPoolWeights {
    at::Tensor latent;  ///< (1,1,C)
    LayerWeights q, kv, projection, norm, fc1, fc2;
};

/// The tensors of a plain vision transformer, under timm's names with queries, keys and values joined, and evit's under those of its own
/// code.
struct VitWeights {
    at::Tensor classToken, distillationToken, registers;  ///< (1,n,C), undefined if there are none
    at::Tensor position;                                  ///< (1, rows, C), with or without rows of the prefix
    LayerWeights patch, patchNorm, preNorm, norm, pooledNorm, head, distillationHead;
    at::Tensor frequencies;  ///< (2, depth, heads, d/2) of mixed RoPE
    VitRelativeWeights relative;
    VitPoolWeights pool;
    std::vector<VitBlockWeights> blocks;
};

/// Two heads if it is distilled, an undefined one if there is none; the norm is that of the tokens or of what was pooled, if there is one.
ReadoutWeights readoutOf(const VitWeights& weights);

/// The linear layers of all blocks, as far as there are any.
std::vector<LayerWeights*> linearLayersOfBlocks(VitWeights& weights);

/// Every weight of such a network, in a fixed order, including those of the attention.
void visitWeights(VitWeights& weights, const VitDescription& description, const WeightVisitor& visit);

/// Takes every tensor that the description names; `loader.finish` then reports what did not fit. A position embedding of another grid is
/// resized by `rule`, with a note: of the grid that the description remembers, else of a square.
VitWeights loadVitWeights(const VitDescription& description, WeightLoader& loader, PositionRule rule);

/// Truncated normal (σ 0.02) linear layers, tokens and positions, zero biases, unit norms; the patch embedding has the variance
/// of its fan-in, layer scales are 0.1 (Touvron et al., ICCV 2021), and learned RoPE begins as axial RoPE turned by a random angle in each
/// head. From (seed, tensor name): the same on every machine.
VitWeights randomVitWeights(const VitDescription& description, uint64_t seed);

}
