#pragma once

#include "core/attention/attention_backend.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// Attention expanded around landmark queries, as core/attention/training_free/tangent.h describes it.
struct CpuTangent {
    at::Tensor centres;      ///< (B,H,C,D): where k-means begins
    int64_t iterations = 0;  ///< at most: it ends when no query changes its cluster
    int64_t rank = 0;        ///< 0: all directions
    bool firstOrder = true;
    bool clip = true;
    bool normaliser = false;  ///< whether the normalisers are wanted
};

/// Inputs for which fitsCpuKernels(in, KeyWeights::Taken) holds. Memory: queries once more, C logits of each key.
AttentionPart tangentOnCpu(const AttentionInput& in, const CpuTangent& tangent);

}
