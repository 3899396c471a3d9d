#pragma once

#include "core/measure/approximation_error.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace attnscope {

/// One attention relative to the exact one on one input, over seeds, by head.
struct SeedStatistics {
    std::vector<std::vector<HeadDifference>> seeds;  ///< [seed][head]
    std::vector<double> biasSquared, variance;       ///< [head]; NaN if the output of some seed was not finite
    at::Tensor mean;                                 ///< of the outputs, float64
};

/// `attend` returns the output for seed 0, 1, …, in the shape of `exact`, (B,H,N,Dv) or (B,H,N,G,Dv). The variance is the mean over
/// elements of the sample variance; bias² that of (mean − exact)² minus variance / seeds, so that both are unbiased and add up to the mean
/// squared error. For one seed the variance is 0.
SeedStatistics overSeeds(int64_t seeds, const std::function<at::Tensor(int64_t seed)>& attend,
                         const at::Tensor& exact);

/// (B,H,…) → (1,B·H,…): if a file's batch elements are layers, every layer has its own heads.
at::Tensor layersAsHeads(const at::Tensor& x);

}
