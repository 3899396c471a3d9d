#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What NVIDIA's driver says, without CUDA's runtime and LibTorch.
namespace attnscope {

/// A GPU under CUDA's number, which is its place in the list.
struct InstalledGpu {
    std::string model;          ///< "NVIDIA H200"
    int computeCapability = 0;  ///< 90 for 9.0
    int64_t memoryBytes = 0;
    int64_t freeBytes = 0;                  ///< 0: NVIDIA's management library does not say
    std::optional<int> clockMhz;            ///< of its multiprocessors, at this moment
    std::optional<double> powerLimitWatts;  ///< that is in force
};

struct NvidiaDriver {
    std::string version;             ///< "580.65.06"; empty: not said
    int cudaVersion = 0;             ///< the latest CUDA that it supports, 13000 for 13.0
    std::vector<InstalledGpu> gpus;  ///< those that CUDA_VISIBLE_DEVICES leaves
    std::string problem;             ///< a clause: why no GPU can be used; empty: they can
    std::string remedy;              ///< likewise a clause
};

/// "9.0" of 90.
std::string capabilityText(int computeCapability);
/// "13.0" of 13000.
std::string cudaVersionText(int cudaVersion);

/// Whether the driver's library can be loaded, which takes a millisecond; nothing is initialised.
bool hasNvidiaDriver();

/// Asks the driver. Memory, clock and limit are of this moment. Never throws.
NvidiaDriver nvidiaDriver();

}
