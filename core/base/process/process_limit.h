#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attnscope {

/// The system limit that prevented a process, thread, file or memory allocation, and the remedy.
struct ReachedLimit {
    std::string problem, remedy;
};

/// The meaning of an error number (errno) of fork, thread creation, open, socket or mmap; empty for errors not caused by a limit.
std::optional<ReachedLimit> reachedLimit(int error);

/// Of a file that could not be opened or read: throws Unsupported where that is for lack of file descriptors or memory, which is no fault of
/// the file and passes.
void refuseWithoutResources(int error, std::string_view file);

/// Bytes of address space that this process has in use, 0 where the system does not say: a limit (RLIMIT_AS) counts from there. Sanitizers
/// and drivers of GPUs reserve terabytes.
uint64_t addressSpaceInUse();

/// How many of `wanted` threads, including this one, can run at once: libraries abort the program if one of theirs can't start.
int64_t threadsThatStart(int64_t wanted);

}
