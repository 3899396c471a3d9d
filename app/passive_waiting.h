// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <unistd.h>

namespace attnscope {

/// OpenMP's threads spin while they wait for work; as soon as another process wants a core, a forward pass then takes 3 to 10
/// times as long. libgomp reads the policy once, while it is loaded, before `main`: so the program starts itself again with it set.
/// A policy that the user set is left alone. Call first thing in `main`.
inline void waitPassively(char** arguments)
{
    constexpr const char* policy = "OMP_WAIT_POLICY";
    if (std::getenv(policy) != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr)
        return;
    ::setenv(policy, "PASSIVE", 1);
    ::execv("/proc/self/exe", arguments);
    // Only reached when the program cannot be started again: it then runs as it is.
}

}  // namespace attnscope
