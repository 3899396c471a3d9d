#pragma once

#include <cstdint>
#include <vector>

namespace attnscope {

/// The order in which an epoch visits `count` samples: a permutation of 0 … count − 1, determined by (seed, epoch).
std::vector<int64_t> epochOrder(int64_t count, uint64_t seed, uint64_t epoch);

/// The number of batches of `batch` samples in an epoch: an incomplete last one is dropped, unless it is the only one.
int64_t batchesOf(int64_t count, int64_t batch);

/// The samples of batch `index` for process `rank` of `size`: a contiguous part of the batch, starting at an even position so that pairs
/// (mixup) stay together for any number of processes.
std::vector<int64_t> batchPart(const std::vector<int64_t>& order, int64_t batch, int64_t index, int64_t rank,
                               int64_t size);

}
