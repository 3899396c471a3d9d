// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/cuda/sweep_types.cuh"

namespace attnscope::kernels::cuda {

std::int64_t scratchSize(const Sweep& sweep)
{
    return scratchFor(sweep);
}

int run(const Sweep& sweep, void* stream)
{
    const DeviceStarter starter{static_cast<cudaStream_t>(stream)};
    return sweep.number == Number::Float32 ? sweepFloat32(sweep, starter) : sweepBfloat16(sweep, starter);
}

int run(const DrawKeys& draws, void* stream)
{
    const DeviceStarter starter{static_cast<cudaStream_t>(stream)};
    return draws.number == Number::Float32 ? drawOf<DeviceStarter, float>(draws, starter) : drawOf<DeviceStarter, Bfloat16>(draws, starter);
}

int run(const Balance& balance, void* stream)
{
    return balanceOf(balance, DeviceStarter{static_cast<cudaStream_t>(stream)});
}

const char* errorText(int error)
{
    return cudaGetErrorString(static_cast<cudaError_t>(error));
}

}  // namespace attnscope::kernels::cuda
