#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// Creates a tensor for a name and a shape: from a file, or random.
using TensorMaker = std::function<at::Tensor(const std::string& name, const std::vector<int64_t>& shape)>;

/// Uniform numbers in (0, 1), from (seed, name): the same on every machine.
at::Tensor uniformNumbers(const std::string& name, const std::vector<int64_t>& shape, uint64_t seed);

/// Normal numbers truncated at ±2 standard deviations, from (seed, name): the same on every machine.
at::Tensor truncatedNormal(const std::string& name, const std::vector<int64_t>& shape, double stddev,
                           uint64_t seed);

/// Zeros for a bias, ones for the weight of a norm, the variance of its fan-in for a patch embedding; all else truncated normal.
at::Tensor initialWeight(const std::string& name, const std::vector<int64_t>& shape, double stddev, uint64_t seed);

/// The seed of "untrained" (0) or "untrained:SEED"; empty if `weights` names a checkpoint. Throws UsageError for an invalid seed.
std::optional<uint64_t> untrainedSeed(const std::string& weights);

}
