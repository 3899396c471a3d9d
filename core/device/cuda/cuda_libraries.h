#pragma once

#include <filesystem>
#include <string>

/// Where LibTorch's libraries for CUDA lie. Independent of torch: the programs that set up a process look here before LibTorch is loaded.
namespace attnscope {

struct CudaLibraries {
    std::filesystem::path torch;    ///< the folder that has lib/libtorch_cuda.so; empty: none that fits
    std::filesystem::path runtime;  ///< the folder of libcudart.so.13 and libcupti.so.13
    std::string problem;            ///< a clause: why there is none
    std::string remedy;

    std::filesystem::path library() const { return torch / "lib/libtorch_cuda.so"; }
};

/// Looks in this order: the folder that ATTNSCOPE_LIBTORCH_CUDA names (and nowhere else, where it is set), the PyTorch of the active
/// environment (VIRTUAL_ENV, CONDA_PREFIX, then that of `python3`), and `installedCudaFolder()`. Only torch 2.11.0 for CUDA 13 is taken: its
/// libraries join the CPU's of this program. Others are named in `problem`.
CudaLibraries findCudaLibraries();

/// What `attnscope-cli gpu install` fills, in the cache folder. Empty without a home folder.
std::filesystem::path installedCudaFolder();

/// Installed packages contain stand-ins for CUDA's runtime and profiler libraries. Where there are a driver and libraries for GPUs, the real
/// ones must come first, which the loader decides as a program starts: sets the environment for that. True if the program, which lies in the
/// installation's bin, is to start (again) in it.
bool prepareForCuda();
/// Takes that environment back, so that further programs start without it.
void restoreEnvironment();

}
