#include "core/kernels/parallel.h"

#include <algorithm>
#include <atomic>

// at::parallel_for is a header template that only runs in parallel if the file that uses it is compiled for OpenMP, and fails to do so
// silently. Hence this one file, which is.
#if defined(_OPENMP)
#include <omp.h>
#elif defined(__GNUC__) && !defined(__clang__)
#error "core/kernels/parallel.cpp must be compiled with -fopenmp"
#endif

namespace attnscope::kernels {

namespace {

#if defined(_OPENMP)

/// Whether `count` items in chunks of at least `grain` justify a team of threads.
bool isWorthATeam(int64_t count, int64_t grain)
{
    return omp_in_parallel() == 0 && omp_get_max_threads() > 1 && count > grain;
}

/// Number of threads of the calling team that get work. A team may be smaller than requested (OMP_DYNAMIC, OMP_THREAD_LIMIT,
/// OMP_MAX_ACTIVE_LEVELS), so work is only divided once the team exists.
int64_t workingThreads(int64_t count, int64_t grain)
{
    return std::min<int64_t>(omp_get_num_threads(), (count + grain - 1) / grain);
}

#endif

}

void forEachChunk(int64_t count, [[maybe_unused]] int64_t grain,
                  const std::function<void(int64_t, int64_t, int)>& work)
{
#if defined(_OPENMP)
    if (isWorthATeam(count, grain)) {
        // Always the full team: GNU OpenMP recreates threads when their number changes.
#pragma omp parallel
        {
            const int64_t threads = workingThreads(count, grain), chunk = (count + threads - 1) / threads;
            const int64_t begin = omp_get_thread_num() * chunk;
            if (begin < count)
                work(begin, std::min(begin + chunk, count), omp_get_thread_num());
        }
        return;
    }
#endif
    if (count > 0)
        work(0, count, 0);
}

void forEachTaken(int64_t count, [[maybe_unused]] int64_t grain, const std::function<void(int64_t, int)>& work)
{
    std::atomic<int64_t> next{0};
    const auto takeAll = [&](int thread) {
        for (int64_t task = next++; task < count; task = next++)
            work(task, thread);
    };
#if defined(_OPENMP)
    if (isWorthATeam(count, grain)) {
#pragma omp parallel
        {
            if (omp_get_thread_num() < workingThreads(count, grain))
                takeAll(omp_get_thread_num());
        }
        return;
    }
#endif
    takeAll(0);
}

bool teamsAreWhole()
{
#if defined(_OPENMP)
    int threads = 1;
#pragma omp parallel
    {
#pragma omp single
        threads = omp_get_num_threads();
    }
    return omp_get_dynamic() == 0 && threads == omp_get_max_threads();
#else
    return true;
#endif
}

int64_t grainOf(double cost)
{
    constexpr double worthAThread = 7e5;
    return int64_t(std::max(worthAThread / std::max(cost, 1.0), 1.0));
}

}
