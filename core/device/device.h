// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/device/environment.h"

#include <cstdint>
#include <string>
#include <vector>

/// Free of torch.
namespace attnscope {

struct DeviceInfo {
    std::string name;            ///< "cpu", "cuda:0"
    std::string description;     ///< "AMD EPYC, 2 threads"
    bool available = true;
    std::string reason;          ///< one sentence when it is not available, with what would make it so
    std::int64_t memoryBytes = 0;
    std::int64_t freeBytes = 0;
};

/// The CPU first, then every CUDA device; where there is none, one unavailable entry "cuda" that says why.
std::vector<DeviceInfo> devices();

/// Turns "auto", "cpu", "cuda" or "cuda:N" into the name of a device that works. "auto" takes a GPU, else the CPU; which GPU, where
/// none is named, is the first, or the next of each further process of a machine.
/// Throws Unsupported (never falls back silently) when the device asked for is not there, UsageError for another name.
std::string resolveDevice(const std::string& name);

/// Sets the number of threads that models may use; 0 keeps the default (one a core). Returns the number in force.
std::int64_t setThreads(std::int64_t threads);

DeviceSummary summarise(const std::string& device);
Environment environment();

}  // namespace attnscope
