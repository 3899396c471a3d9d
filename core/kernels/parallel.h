#pragma once

#include <cstdint>
#include <functional>

namespace attnscope::kernels {

/// Calls work(begin, end, thread) for consecutive chunks of [0, count), each on a thread of the OpenMP team that LibTorch uses too, with as
/// many threads as get at least `grain` items. Inside a parallel region: all of it on the calling thread. work must not throw.
void forEachChunk(int64_t count, int64_t grain,
                  const std::function<void(int64_t begin, int64_t end, int thread)>& work);

/// Calls work(task, thread) for each task below `count`, on the same team and under the same conditions; a free thread takes the next task.
/// Tasks of unequal cost finish together if the expensive ones come first.
void forEachTaken(int64_t count, int64_t grain, const std::function<void(int64_t task, int thread)>& work);

/// Whether a team has all the threads that were asked for, whatever OpenMP's environment says (OMP_THREAD_LIMIT, OMP_DYNAMIC). oneDNN divides
/// its work beforehand, and leaves undone what a thread that does not come was to do.
bool teamsAreWhole();

/// Minimum number of items of `cost` multiply-adds each that justifies a thread: about 10 µs of work, several times the cost of handing it
/// to a waiting thread.
int64_t grainOf(double cost);

}
