#pragma once

#include "core/kernels/cuda/launch.cuh"

#include <cuda_runtime.h>

#include <limits>
#include <tuple>

namespace attnscope::kernels::cuda {

/// Launches kernels on a stream of the current device.
struct DeviceStarter {
    cudaStream_t stream = nullptr;
    bool onlyAsks = false;  ///< whether a launch can be configured

    template <typename Kernel, typename... Arguments>
    int launch(Kernel kernel, const Grid& grid, const Arguments&... arguments) const
    {
        constexpr int64_t freeForAll = 48 * 1024;  // bytes of shared memory available without opting in
        if (grid.blocks > std::numeric_limits<int>::max())
            return cudaErrorInvalidConfiguration;
        if (grid.shared > freeForAll && grid.shared > sharedLimit())
            return refuse();
        if (onlyAsks)
            return cudaSuccess;
        std::ignore = cudaGetLastError();  // of somebody else, earlier
        if (grid.shared > freeForAll)
            if (const auto error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                        int(grid.shared)))
                return error;
        kernel<<<dim3(unsigned(grid.blocks), unsigned(grid.chunks)), grid.threads, size_t(grid.shared), stream>>>(
            arguments...);
        return cudaGetLastError();
    }
    int64_t sharedLimit() const
    {
        int device = 0, bytes = 0;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
        return bytes;
    }
    int64_t busyWarps() const { return 2 * enoughWarps; }
    int refuse() const { return cudaErrorNotSupported; }
};

}
