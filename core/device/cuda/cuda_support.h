#pragma once

#include "core/device/cuda/cuda_library.h"
#include "core/device/cuda/nvidia_driver.h"

#include <string>

namespace attnscope {

/// The way to NVIDIA GPUs: the driver, LibTorch's libraries for CUDA, our own.
struct CudaSupport {
    NvidiaDriver driver;
    std::string torch;  ///< the file of LibTorch's library that was loaded
    std::string
        runtime;  ///< the file of CUDA's runtime in this process; in packages a stand-in, unless there is a GPU
    const CudaLibrary* library =
        nullptr;                  ///< ours; null: attention is LibTorch's operators, and passes are not recorded
    std::string libraryFile;      ///< of `library`
    std::string libraryProblem;   ///< a clause: why it is not there
    std::string problem, remedy;  ///< clauses: why no GPU can be used; empty: they can
    int64_t gpus = 0;             ///< that can be used

    bool works() const { return problem.empty(); }
    /// Why no GPU can be used, and what would change that.
    std::string reason() const { return works() ? std::string() : problem + "; " + remedy; }
    const kernels::cuda::KernelTable* kernels() const { return library == nullptr ? nullptr : library->kernels; }
};

/// Asks the driver and loads the libraries, once, where there is one (a third of a second; gigabytes of address space, little memory). LibTorch
/// keeps its first impression of whether there are GPUs: call before it is asked to do anything on one. Never throws.
const CudaSupport& cudaSupport();

}
