#pragma once

#include "core/kernels/cuda/device_starter.cuh"

namespace attnscope::kernels::cuda {

int fusedAttentionFloat32(const FusedAttention& task, const DeviceStarter& starter);
int fusedAttentionBfloat16(const FusedAttention& task, const DeviceStarter& starter);

}
