#include "core/kernels/cuda/fused_attention_types.cuh"

namespace attnscope::kernels::cuda {

int fusedAttentionBfloat16(const FusedAttention& task, const DeviceStarter& starter)
{
    return fusedAttentionOf<DeviceStarter, Bfloat16>(task, starter);
}

}
