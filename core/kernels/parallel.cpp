// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/parallel.h"

#include <algorithm>

// at::parallel_for is a header's template: it only runs in parallel where the file that uses it is compiled for OpenMP, and says nothing
// where it is not. Hence one file that is.
#if defined(_OPENMP)
#    include <omp.h>
#elif defined(__GNUC__) && !defined(__clang__)
#    error "core/kernels/parallel.cpp must be compiled with -fopenmp"
#endif

namespace attnscope::kernels {

void forEachShare(std::int64_t count, std::int64_t grain, const std::function<void(std::int64_t, std::int64_t, int)>& work)
{
#if defined(_OPENMP)
    const std::int64_t threads = std::min<std::int64_t>(omp_get_max_threads(), (count + grain - 1) / grain);
    if (threads > 1 && omp_in_parallel() == 0) {
        const std::int64_t share = (count + threads - 1) / threads;
        // Always the whole team: GNU's makes threads anew when their number changes.
#    pragma omp parallel
        {
            const std::int64_t begin = omp_get_thread_num() * share;
            if (begin < count)
                work(begin, std::min(begin + share, count), omp_get_thread_num());
        }
        return;
    }
#endif
    if (count > 0)
        work(0, count, 0);
}

std::int64_t grainOf(double cost)
{
    constexpr double worthAThread = 7e5;
    return static_cast<std::int64_t>(std::max(worthAThread / std::max(cost, 1.0), 1.0));
}

}  // namespace attnscope::kernels
