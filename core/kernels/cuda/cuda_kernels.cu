#include "core/kernels/cuda/fused_attention_types.cuh"

namespace attnscope::kernels::cuda {

int64_t scratchSize(const FusedAttention& fused)
{
    return scratchFor(fused);
}

bool fits(const FusedAttention& fused)
{
    const DeviceStarter starter{.onlyAsks = true};
    return (fused.number == ElementType::Float32 ? fusedAttentionFloat32(fused, starter)
                                                 : fusedAttentionBfloat16(fused, starter))
           == 0;
}

int run(const FusedAttention& fused, void* stream)
{
    const DeviceStarter starter{static_cast<cudaStream_t>(stream)};
    return fused.number == ElementType::Float32 ? fusedAttentionFloat32(fused, starter)
                                                : fusedAttentionBfloat16(fused, starter);
}

int run(const DrawKeys& draws, void* stream)
{
    const DeviceStarter starter{static_cast<cudaStream_t>(stream)};
    return draws.number == ElementType::Float32 ? drawOf<DeviceStarter, float>(draws, starter)
                                                : drawOf<DeviceStarter, Bfloat16>(draws, starter);
}

int run(const Balance& balance, void* stream)
{
    return balanceOf(balance, DeviceStarter{static_cast<cudaStream_t>(stream)});
}

const char* errorText(int error)
{
    return cudaGetErrorString(static_cast<cudaError_t>(error));
}

}
