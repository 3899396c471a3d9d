#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/methods/spatial_reduction.h"
#include "models/blocks/exit_heads.h"
#include "models/blocks/layers.h"
#include "models/pvt/pvt_description.h"
#include "models/weights/weight_loader.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace attnscope {

struct PvtBlockWeights {
    LayerWeights norm1, norm2, projection, fc1, convolution, fc2;  ///< convolution: depthwise 3×3, (hidden,1,3,3)
    LayerWeights query, keyValue;                                  ///< Reduced form: (C,C) and (2C,C)
    LayerWeights joint;                                            ///< Joint form: (3C,C), rows q, then k, then v
    SpatialReduction reduction;                                    ///< undefined if the stage has none
    AttentionParameters attention;  ///< other tensors of the checkpoint: landmark maps, stored projections
};

struct PvtStageWeights {
    LayerWeights embedding, embeddingNorm;  ///< embedding: (C,in,k,k)
    std::vector<PvtBlockWeights> blocks;
    LayerWeights norm;
};

/// The tensors of a PVTv2, under the names of its original code.
struct PvtWeights {
    std::vector<PvtStageWeights> stages;
    LayerWeights head;
};

/// The norm of the last stage, and the head.
ReadoutWeights readoutOf(const PvtWeights& weights);

/// The linear layers of all blocks, as far as there are any.
std::vector<LayerWeights*> linearLayersOfBlocks(PvtWeights& weights);

/// Every weight of such a network, in a fixed order, including those of the attention.
void visitWeights(PvtWeights& weights, const PvtDescription& description, const WeightVisitor& visit);

/// Takes every tensor that the description names, and others that the attention of a layer may own; `loader.finish` then reports what did
/// not fit. Names are the original repository's (the LARA authors' for the Joint form): see `pvtOriginalName` for timm's.
PvtWeights loadPvtWeights(const PvtDescription& description, WeightLoader& loader);

/// Initialised as in the original code: truncated normal (σ 0.02) linear layers, normal convolutions with variance 2 / (k²·out / groups),
/// zero biases, unit norms. From (seed, tensor name): the same on every machine.
PvtWeights randomPvtWeights(const PvtDescription& description, uint64_t seed);

}
