#pragma once

#include "core/device/environment.h"

#include <cstdint>
#include <string>
#include <vector>

/// Independent of torch.
namespace attnscope {

struct DeviceInfo {
    std::string name;         ///< "cpu", "cuda:0"
    std::string description;  ///< "AMD EPYC, 2 threads"
    bool available = true;
    std::string reason;  ///< one sentence if it is not available, with the remedy
    int64_t memoryBytes = 0;
    int64_t freeBytes = 0;
};

DeviceInfo cpuDevice();

/// The CPU first, then every GPU that NVIDIA's driver lists; if there is none, one unavailable entry "cuda" with the reason.
std::vector<DeviceInfo> devices();

/// Resolves "auto", "cpu", "cuda" or "cuda:N" to the name of a working device. "auto" takes a GPU, else the CPU; if no GPU is named, it is
/// the first one, or the next for each further process on a machine. Throws Unsupported (never falls back silently) if the requested device
/// is not available, UsageError for another name.
std::string resolveDevice(const std::string& name);

/// Sets the number of threads that models may use; 0 keeps the default: one per core, or fewer by a CPU quota.
/// Returns the number in effect.
int64_t setThreads(int64_t threads);

/// The file of LibTorch that was loaded; empty if the system does not say.
std::string torchLibrary();

DeviceSummary summarise(const std::string& device);
Environment environment();

}
