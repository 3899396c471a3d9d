// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/cuda/sweep_types.cuh"

namespace attnscope::kernels::cuda {

int sweepBfloat16(const Sweep& task, const DeviceStarter& starter)
{
    return sweepOf<DeviceStarter, Bfloat16>(task, starter);
}

}  // namespace attnscope::kernels::cuda
