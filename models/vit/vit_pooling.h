#pragma once

#include "core/run/classifier.h"
#include "models/blocks/exit_heads.h"
#include "models/vit/vit_description.h"
#include "models/vit/vit_weights.h"

#include <ATen/ATen.h>

/// From the tokens behind a block to features and a prediction.
namespace attnscope {

/// Those of the tokens x (B,N,C) that pooling reads, before their norm.
at::Tensor usedByPool(const VitDescription& description, const at::Tensor& x);

/// Final norm of the tokens that pooling reads, (B,n,C), if there is one.
at::Tensor normedForPool(const VitDescription& description, const at::Tensor& used, const LayerWeights& norm);

/// Features (B,C or 2C) and, with a head, logits (B,classes) of the tokens x (B,N,C) after the final norm. `whole`: x are all tokens, not
/// only those that pooling reads.
Readout pooledReadout(const VitDescription& description, const VitPoolWeights& pool, const at::Tensor& x,
                      bool whole, const ReadoutWeights& by);

/// Packs the layers of attention pooling.
void packPool(VitPoolWeights& pool, int64_t tokens);

}
