#pragma once

#include "core/attention/training_free/token_merging.h"

#include <ATen/ATen.h>

/// Token merging in one pass over the tokens, where no gradient is needed.
namespace attnscope {

struct MergedOnCpu {
    at::Tensor rows;       ///< (B,T−r,C)
    at::Tensor sizes;      ///< (B,T−r)
    at::Tensor survivors;  ///< (B,T−r), indices before merging
    at::Tensor places;     ///< (B,T): the row that each has become part of
};

/// float32 on the CPU, without gradients.
bool fitsMergingOnCpu(const at::Tensor& x, const at::Tensor& k);

/// Tokens x (B,T,C) by the means over heads of the keys k (B,H,T,D); sizes (B,T), undefined: 1. matchTokens and mergeRows, up to rounding.
MergedOnCpu mergeTokensOnCpu(const at::Tensor& x, const at::Tensor& sizes, const at::Tensor& k,
                             const MatchRequest& request);

}
