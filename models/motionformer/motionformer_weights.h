#pragma once

#include "core/attention/attention_backend.h"
#include "models/blocks/exit_heads.h"
#include "models/blocks/layers.h"
#include "models/motionformer/motionformer_description.h"
#include "models/motionformer/motionformer_position.h"
#include "models/motionformer/motionformer_temporal.h"
#include "models/weights/weight_loader.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace attnscope {

struct MotionformerBlockWeights {
    LayerWeights norm1, qkv, projection, norm2, fc1, fc2;
    TemporalWeights temporal;                     ///< trajectory
    LayerWeights norm3, timeQkv, timeProjection;  ///< divided
    AttentionParameters attention;  ///< other tensors of the checkpoint: landmark maps, stored projections
};

/// The used tensors of a Motionformer, under the names of its original code.
struct MotionformerWeights {
    at::Tensor classToken;  ///< (1,1,C)
    MotionformerPosition position;
    LayerWeights patch;            ///< (C, 3·tubelet·patch·patch): a linear map of tubelets
    LayerWeights norm, preLogits;  ///< preLogits undefined if there is none
    std::vector<LayerWeights> heads;
    std::vector<MotionformerBlockWeights> blocks;
};

/// Without the tanh layer between them.
ReadoutWeights readoutOf(const MotionformerWeights& weights);

/// The linear layers of all blocks, as far as there are any.
std::vector<LayerWeights*> linearLayersOfBlocks(MotionformerWeights& weights);

/// Every weight of such a network, in a fixed order, including those of the attention.
void visitWeights(MotionformerWeights& weights, const MotionformerDescription& description,
                  const WeightVisitor& visit);

/// Takes every tensor that the description names; `loader.finish` then reports what did not fit. The unused 2-D patch embedding is ignored,
/// as is the half of `proj_kv` that the temporal value does not need. A temporal embedding of another length is interpolated, with a note.
MotionformerWeights loadMotionformerWeights(const MotionformerDescription& description, WeightLoader& loader);

/// Truncated normal linear layers, tokens and positions (σ 0.02 √(768 / width)), zero biases, unit norms; the patch embedding has the
/// variance of its fan-in. From (seed, tensor name): the same on every machine.
MotionformerWeights randomMotionformerWeights(const MotionformerDescription& description, uint64_t seed);

}
