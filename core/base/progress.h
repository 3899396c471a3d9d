#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace attnscope {

/// The progress of a job. `total` is 0 while unknown.
struct Progress {
    std::string what;  ///< "lara:samples=49 · attention time"
    int64_t done = 0;
    int64_t total = 0;
};

using ProgressCallback = std::function<void(const Progress&)>;

}
