#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace attnscope::kernels::cuda {
struct KernelTable;
}

/// What libattnscope-cuda.so gives to the program: the code that needs CUDA's headers. It is loaded after LibTorch's CUDA libraries, when a
/// GPU is used for the first time (cuda_support.h).
namespace attnscope {

/// Work of a GPU that is recorded as one unit (a CUDA graph) and launched as a whole. Functions throw c10::Error.
class DeviceGraph {
public:
    struct Timing {
        double totalMs = 0;
        std::vector<double> betweenMarksMs;  ///< from the first mark to the second, from the third to the fourth …
    };
    virtual ~DeviceGraph() = default;

    /// Does `work` on the graph's stream and waits for it. What it allocates stays with that stream.
    virtual void run(const std::function<void()>& work) = 0;
    /// Records what `work` queues, without doing it. Another thread may use the GPU meanwhile.
    virtual void record(const std::function<void()>& work) = 0;
    /// A point in time of the work that is being recorded.
    virtual void mark() = 0;
    /// Launches what was recorded and waits for it.
    virtual Timing launch() = 0;
};

struct CudaLibrary {
    const char* version = nullptr;  ///< of Attnscope; others do not fit
    /// The cudaStream_t to which work of LibTorch on this GPU is queued.
    void* (*currentStream)(int gpu) = nullptr;
    /// Waits until the GPU has done what was queued, and takes a stream of its own.
    std::unique_ptr<DeviceGraph> (*newGraph)(int gpu) = nullptr;
    const kernels::cuda::KernelTable* kernels = nullptr;  ///< null: it was built without a CUDA compiler
};

/// The library's one symbol.
inline constexpr const char* cudaLibrarySymbol = "attnscopeCudaLibrary";
using CudaLibraryFunction = const CudaLibrary* (*)();

}
