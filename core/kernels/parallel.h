// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace attnscope::kernels {

/// Calls work(begin, end, thread) for consecutive shares of [0, count), each by a thread of the OpenMP team that LibTorch uses too; as
/// many threads as get at least `grain`. Inside a parallel region: all of it, at once. work must not throw.
void forEachChunk(std::int64_t count, std::int64_t grain, const std::function<void(std::int64_t begin, std::int64_t end, int thread)>& work);

/// Calls work(task, thread) for each task below `count`, of the same team and under the same conditions; whoever is free takes the next.
/// Tasks of unlike costs end together where the dear ones come first.
void forEachTaken(std::int64_t count, std::int64_t grain, const std::function<void(std::int64_t task, int thread)>& work);

/// So many pieces of `cost` multiply-adds are worth a thread: some 10 µs, several times what handing them to one that waits takes.
std::int64_t grainOf(double cost);

}  // namespace attnscope::kernels
