#pragma once

#include "core/nn/packed_weights.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope::packedWeights {

/// What happens to queries and keys between their projection and the attention: a norm of each head, then rotary positions.
struct QueryKeys {
    int64_t queryHeads = 0, keyHeads = 0, width = 0;       ///< width: of a head
    const Layer *queryNorm = nullptr, *keyNorm = nullptr;  ///< null: none
    double eps = 0;
    /// Of the angles of each token behind the prefix: (P,width/2), or (H,P,width/2); undefined: no positions.
    at::Tensor cosine, sine;
    bool interleaved = true;  ///< pairs are neighbours (2i, 2i + 1) instead of channels (i, i + width/2)
    int64_t prefix = 0;       ///< tokens at the beginning that are not turned
};

/// Whether there are kernels for it: qkv (B,N,C) has a token's queries first, then its keys, head after head.
bool fits(const at::Tensor& qkv, const QueryKeys& parts);
/// Does it in place, in one pass over the tokens.
void finishQueryKeys(const at::Tensor& qkv, const QueryKeys& parts);

}
