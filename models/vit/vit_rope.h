#pragma once

#include "core/attention/attention_backend.h"
#include "models/vit/vit_description.h"

#include <ATen/ATen.h>

#include <cstdint>

/// Rotary position embedding in two dimensions: docs/models.md.
namespace attnscope {

/// Cosine and sine of each patch's angles, in float32 (float64 for a network in float64): (P,d/2) for all layers, or (depth,H,P,d/2).
struct VitTurns {
    at::Tensor cosine, sine;
    bool half = false;  ///< pairs are channels (i, i + d/2) instead of neighbours

    bool defined() const { return cosine.defined(); }
    /// Those of a layer.
    VitTurns at(int64_t layer) const;
    /// Of a layer's, those of patches (B,P'), sample by sample: (B,1,P',d/2), or (B,H,P',d/2).
    VitTurns of(const at::Tensor& patches) const;
};

/// The angles of a grid are computed in float64. `frequencies` (2,depth,H,d/2) are those of mixed RoPE, else undefined; `like` has the
/// device and type of the network's weights.
VitTurns turnsOf(const VitDescription& description, const at::Tensor& frequencies, int64_t rows, int64_t columns,
                 const at::Tensor& like);

/// x (B,H,prefix + P,d) with its patches turned: a pair (a, b) becomes (a cos − b sin, b cos + a sin). In place unless x has a gradient.
at::Tensor turned(const at::Tensor& x, int64_t prefix, const VitTurns& turns);

}
