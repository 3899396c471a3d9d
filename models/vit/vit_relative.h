#pragma once

#include "core/attention/attention_backend.h"
#include "models/vit/vit_description.h"
#include "models/vit/vit_weights.h"

#include <ATen/ATen.h>

/// Biases by relative position: docs/models.md.
namespace attnscope {

/// The row of a table of offsets for each pair of patches, row-major, query minus key: (P,P).
at::Tensor offsetRows(int64_t rows, int64_t columns, at::Device device);

/// What is added to the scaled logits of a layer, (H,N,N). `offsets` are those of the grid's pairs.
at::Tensor relativeBias(const VitDescription& description, const VitRelativeWeights& weights,
                        const TokenLayout& tokens, const at::Tensor& offsets);

}
