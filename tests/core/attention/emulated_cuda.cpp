// SPDX-License-Identifier: Apache-2.0
// core/kernels/cuda/cuda_kernels.h on an emulated device, in place of a GPU's.
#include "tests/core/kernels/cuda_emulation.h"

#include "core/kernels/cuda/launch.cuh"

namespace attnscope::kernels::cuda {

using emulated::Starter;

std::int64_t scratchSize(const FusedAttention& fused)
{
    return scratchFor(fused);
}

int run(const FusedAttention& fused, void*)
{
    return fused.number == ElementType::Float32 ? fusedAttentionOf<Starter, float>(fused, {}) : fusedAttentionOf<Starter, Bfloat16>(fused, {});
}

int run(const DrawKeys& draws, void*)
{
    return draws.number == ElementType::Float32 ? drawOf<Starter, float>(draws, {}) : drawOf<Starter, Bfloat16>(draws, {});
}

int run(const Balance& balance, void*)
{
    return balanceOf(balance, Starter{});
}

const char* errorText(int)
{
    return "not there";
}

}  // namespace attnscope::kernels::cuda
