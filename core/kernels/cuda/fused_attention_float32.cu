// One file per element type, so that they compile in parallel.
#include "core/kernels/cuda/fused_attention_types.cuh"

namespace attnscope::kernels::cuda {

int fusedAttentionFloat32(const FusedAttention& task, const DeviceStarter& starter)
{
    return fusedAttentionOf<DeviceStarter, float>(task, starter);
}

}
