// SPDX-License-Identifier: Apache-2.0
// A file for each type of numbers: they compile side by side.
#include "core/kernels/cuda/sweep_types.cuh"

namespace attnscope::kernels::cuda {

int sweepFloat32(const Sweep& task, const DeviceStarter& starter)
{
    return sweepOf<DeviceStarter, float>(task, starter);
}

}  // namespace attnscope::kernels::cuda
