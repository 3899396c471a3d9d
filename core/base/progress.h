// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace attnscope {

/// How far a job is. `total` is 0 while it is unknown.
struct Progress {
    std::string what;  ///< "lara:samples=49 · attention time"
    std::int64_t done = 0;
    std::int64_t total = 0;
};

using ProgressCallback = std::function<void(const Progress&)>;

}  // namespace attnscope
