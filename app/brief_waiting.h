// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <unistd.h>

namespace attnscope {

/// How long OpenMP's threads look for new work before they sleep. Long, as by default, a pass takes 10 times as long as soon as other
/// processes want the cores; not at all, and a hundred wake-ups cost a small network 40 % when nothing else runs. About 10 µs loses
/// little either way. libgomp reads it once, while it is loaded, before `main`: so the program starts itself again with it set.
/// A policy that the user set is left alone. Call first thing in `main`.
inline void waitBriefly(char** arguments)
{
    constexpr const char* count = "GOMP_SPINCOUNT";
    if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv(count) != nullptr)
        return;
    ::setenv(count, "1000", 1);
    ::execv("/proc/self/exe", arguments);
    // Only reached when the program cannot be started again: it then runs as it is.
}

}  // namespace attnscope
