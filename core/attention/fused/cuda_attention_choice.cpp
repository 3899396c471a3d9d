#include "core/attention/fused/cuda_attention.h"

#ifdef ATTNSCOPE_CUDA_KERNELS
#include <ATen/cuda/CUDAContext.h>
#endif

namespace attnscope {

#ifdef ATTNSCOPE_CUDA_KERNELS

const CudaAttention* cudaAttention(const AttentionInput& in)
{
    if (!in.q.is_cuda() || !fitsCudaKernels(in))
        return nullptr;
    return at::cuda::getDeviceProperties(in.q.device().index())->major >= 8 ? &cudaKernels() : nullptr;
}

void* currentStream(const at::Device& device)
{
    return at::cuda::getCurrentCUDAStream(device.index()).stream();
}

#else

const CudaAttention* cudaAttention(const AttentionInput&)
{
    return nullptr;
}

#endif

}
