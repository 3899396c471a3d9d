#pragma once

#include <cstdint>
#include <optional>
#include <string>

/// Where something was measured, as plain values independent of torch.
namespace attnscope {

struct DeviceSummary {
    std::string name;         ///< "cpu", "cuda:0"
    std::string description;  ///< processor or GPU
    int64_t threads = 0;
    std::optional<int> clockMhz = {};  ///< of a GPU's multiprocessors, at this moment, where the driver says
    std::optional<double> powerLimitWatts = {};  ///< likewise
};

/// What a measurement depends on besides the request itself.
struct Environment {
    std::string attnscope, torch, compiler;
    std::string instructionSet;  ///< of LibTorch's operators
    std::string started;
    double loadAverage = 0;
    /// Instruction set of our own kernels, and which layers oneDNN computes (kernels::kernelsInUse).
    std::string kernels;
};

}
