// core/kernels/cuda/cuda_kernels.h on an emulated device, in place of a GPU's.
#include "tests/core/kernels/cuda_emulation.h"

#include "core/kernels/cuda/launch.cuh"

#include <utility>

namespace attnscope::kernels::cuda {

using emulated::Starter;

int64_t sharedLimit = Starter{}.limit;
int nextError = 0, launchesBefore = 0, launches = 0;

namespace {

Starter starter()
{
    return {.limit = sharedLimit};
}

/// The error of this launch, or what `launch` returns.
template <typename Launch>
int failingOr(const Launch& launch)
{
    if (nextError != 0 && launchesBefore-- == 0)
        return std::exchange(nextError, 0);
    ++launches;
    return launch();
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
    return failingOr([&] {
        return fused.number == ElementType::Float32 ? fusedAttentionOf<Starter, float>(fused, starter())
                                                    : fusedAttentionOf<Starter, Bfloat16>(fused, starter());
    });
}

int run(const DrawKeys& draws, void*)
{
    return failingOr([&] {
        return draws.number == ElementType::Float32 ? drawOf<Starter, float>(draws, starter())
                                                    : drawOf<Starter, Bfloat16>(draws, starter());
    });
}

int run(const Balance& balance, void*)
{
    return failingOr([&] { return balanceOf(balance, starter()); });
}

/// CUDA's own words.
const char* errorText(int error)
{
    switch (error) {
    case 9:
        return "invalid configuration argument";
    case 700:
        return "an illegal memory access was encountered";
    case 702:
        return "the launch timed out and was terminated";
    case 714:
        return "hardware stack error";
    case 715:
        return "an illegal instruction was encountered";
    case 716:
        return "misaligned address";
    case 717:
        return "operation not supported on global/shared address space";
    case 718:
        return "invalid program counter";
    case 719:
        return "unspecified launch failure";
    default:
        return "operation not supported";
    }
}

}
