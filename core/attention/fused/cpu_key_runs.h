#pragma once

#include "core/attention/attention_backend.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace attnscope {

/// Which blocks of keys each block of queries attends to; blocks are runs of tokens.
struct CpuKeyRuns {
    std::vector<int64_t> queryBounds, keyBounds;
    at::Tensor taken;  ///< (B,H,blocks of queries,keep) int64: which blocks of keys, −1 behind the last
    /// What stands for a block that was not taken, (B,H,blocks,D) and (B,H,blocks,Dv); undefined: nothing.
    at::Tensor restKeys, restValues;
    at::Tensor restLogMass;  ///< its log-weight, (B,H,blocks)
    /// The query at each place, (B,H,N) int64, by whose number results are written; undefined: the same.
    at::Tensor queryOrder;
};

/// Row order[n] of x for every n, contiguous: x (B,H,N,D), for which fitsCpuKernels holds, order (B,H,N) int64.
at::Tensor rowsInOrderOnCpu(const at::Tensor& x, const at::Tensor& order);

/// Softmax over the keys of the taken blocks and what stands for the others. Inputs for which fitsCpuKernels(in, KeyWeights::Taken) holds.
AttentionPart keyRunsOnCpu(const AttentionInput& in, const CpuKeyRuns& runs);

}
