#pragma once

#include "core/attention/attention_backend.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// Attention of clusters of queries (Vyas et al., 2020), as core/attention/sparse/clustered.h describes it.
struct CpuClusters {
    at::Tensor starts;       ///< (B,H,C) int64, contiguous: queries behind the prefix
    int64_t prefix = 0;      ///< queries that see all keys exactly
    int64_t iterations = 0;  ///< at most: Lloyd's algorithm ends when no query changes its cluster
    int64_t topKeys = 0;
};

/// Inputs for which fitsCpuKernels holds → (B,H,N,Dv). Memory of each thread: the queries of one head, and C×M logits.
at::Tensor clusteredOnCpu(const AttentionInput& in, const CpuClusters& clusters);

}
