// core/kernels/cuda/cuda_kernels.h on an emulated device, in place of a GPU's.
#include "tests/core/kernels/cuda_emulation.h"

#include "core/kernels/cuda/launch.cuh"

#include <utility>

namespace attnscope::kernels::cuda {

using emulated::Starter;

int64_t sharedLimit = Starter{}.limit;
int nextError = 0;

namespace {

Starter starter()
{
    return {.limit = sharedLimit};
}

}

bool fits(const FusedAttention& fused)
{
    const Starter asking{.limit = sharedLimit, .onlyAsks = true};
    return (fused.number == ElementType::Float32 ? fusedAttentionOf<Starter, float>(fused, asking)
                                                 : fusedAttentionOf<Starter, Bfloat16>(fused, asking))
           == 0;
}

int64_t scratchSize(const FusedAttention& fused)
{
    return scratchFor(fused);
}

int run(const FusedAttention& fused, void*)
{
    if (const int error = std::exchange(nextError, 0))
        return error;
    return fused.number == ElementType::Float32 ? fusedAttentionOf<Starter, float>(fused, starter())
                                                : fusedAttentionOf<Starter, Bfloat16>(fused, starter());
}

int run(const DrawKeys& draws, void*)
{
    return draws.number == ElementType::Float32 ? drawOf<Starter, float>(draws, starter())
                                                : drawOf<Starter, Bfloat16>(draws, starter());
}

int run(const Balance& balance, void*)
{
    return balanceOf(balance, starter());
}

const char* errorText(int error)
{
    return error == 700 ? "an illegal memory access was encountered" : "not there";
}

}
