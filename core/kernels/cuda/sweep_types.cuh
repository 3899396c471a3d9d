// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/cuda/device_starter.cuh"

namespace attnscope::kernels::cuda {

int sweepFloat32(const Sweep& task, const DeviceStarter& starter);
int sweepBfloat16(const Sweep& task, const DeviceStarter& starter);

}  // namespace attnscope::kernels::cuda
