// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace attnscope {

/// Which limit of the system stood against a process, thread, file or memory, and what helps.
struct ReachedLimit {
    std::string problem, remedy;
};

/// What an error number (errno) of fork, thread creation, open, socket or mmap means; nothing for errors that are no limit's.
std::optional<ReachedLimit> reachedLimit(int error);

/// How many threads, this one included, run at once when `wanted` are: libraries end the program where one of theirs cannot start.
std::int64_t threadsThatStart(std::int64_t wanted);

}  // namespace attnscope
