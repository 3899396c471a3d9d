#pragma once

#include "core/nn/layers.h"
#include "models/blocks/layers.h"
#include "models/weights/weight_loader.h"

#include <cstddef>
#include <vector>

/// Early exits: each readable block but the last may have a copy of what turns tokens into a prediction, trained for that block.
namespace attnscope {

/// What turns the tokens behind a block into a prediction.
struct ReadoutWeights {
    LayerWeights norm;                ///< the final norm, or that of what is pooled; undefined if there is none
    std::vector<LayerWeights> heads;  ///< one; two in distilled networks and in those with two predictions
};

/// The readable blocks: those of the last stage, or all.
template <typename Weights>
size_t readableCount(const Weights& weights)
{
    if constexpr (requires { weights.stages; })
        return weights.stages.back().blocks.size();
    else
        return weights.blocks.size();
}

/// "exits.3.norm.weight", "exits.3.head.weight" and so on; of two heads "exits.3.head0.weight", "exits.3.head1.weight".
void visitExits(const WeightVisitor& visit, std::vector<ReadoutWeights>& exits);

/// Those of a checkpoint with exit heads, of the shapes of the network's own; empty if it has none.
std::vector<ReadoutWeights> takeExits(WeightLoader& loader, const ReadoutWeights& own, size_t count);

/// The same values in tensors of their own.
ReadoutWeights copyOf(const ReadoutWeights& readout);

}
