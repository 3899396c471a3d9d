// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace attnscope {

/// The order in which an epoch visits `count` samples: a permutation of 0 … count − 1 from (seed, epoch) alone.
std::vector<std::int64_t> epochOrder(std::int64_t count, std::uint64_t seed, std::uint64_t epoch);

/// How many batches of `batch` samples an epoch has: the last incomplete one is left out, unless it is the only one.
std::int64_t batchesOf(std::int64_t count, std::int64_t batch);

/// The samples of batch `index` that belong to process `rank` of `size`: a contiguous share of the batch, begun at an even place so
/// that pairs (mixup) stay together, however many processes there are.
std::vector<std::int64_t> batchPart(const std::vector<std::int64_t>& order, std::int64_t batch, std::int64_t index, std::int64_t rank,
                                     std::int64_t size);

}  // namespace attnscope
