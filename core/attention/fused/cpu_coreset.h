#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/numerics/fallbacks.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// Keys of every head around their mean, in float32.
struct CpuCentredKeys {
    at::Tensor mean;         ///< (B,H,D)
    at::Tensor squares;      ///< (B,H,M): ‖k_m − mean‖²
    at::Tensor keyRadius;    ///< (B,H): the largest ‖k_m − mean‖
    at::Tensor queryRadius;  ///< (B,H): the largest ‖q_n‖
};
/// Of inputs for which fitsCpuKernels holds.
CpuCentredKeys centredKeysOnCpu(const AttentionInput& in);

inline constexpr Fallback coresetCancelled{
    "the weights of a coreset cancelled for some queries, whose outputs are the middle of the values' range"};

/// A weighted coreset of keys, as core/attention/training_free/wildcat.h describes it.
struct CpuCoreset {
    CpuCentredKeys centred;
    at::Tensor temperature;  ///< τ, (B,H) in float32
    at::Tensor uniform;  ///< (B,H,samples) in float32, for the choice of pivots; undefined: the most probable ones
    int64_t samples = 0, bins = 1;
    bool clip = true;
    bool normaliser = false;  ///< also of the result
};
/// Memory of each thread: M·(samples + D) numbers.
AttentionPart coresetOnCpu(const AttentionInput& in, const CpuCoreset& coreset);

}
