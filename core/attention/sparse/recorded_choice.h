#pragma once

#include "core/attention/noise.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

/// Choices that a pattern makes at random, or reads from a file: lists of blocks, permutations, starts.
namespace attnscope {

/// Whole numbers that were given instead of drawn.
struct RecordedChoice {
    std::vector<int64_t> sizes, values;
};

/// The recorded tensor `name`; a size of −1 may be any. Throws UsageError for another shape, and for values
/// that are not whole numbers in the range, both ends included.
RecordedChoice recordedChoice(NoiseSource& noise, std::string_view name, const std::vector<int64_t>& sizes,
                              std::pair<int64_t, int64_t> range);

/// Uniform numbers `first` … of the stream `name` that all samples of a batch share (sample 0).
std::vector<double> uniformNumbers(NoiseSource& noise, std::string_view name, int64_t first, int64_t count);

/// Picks `count` of `size` things by a partial Fisher–Yates shuffle: pick t is at t + ⌊u_t·(size − t)⌋ of
/// what is left.
std::vector<int64_t> partialShuffle(int64_t size, int64_t count, const std::vector<double>& uniform);

}
