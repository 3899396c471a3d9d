#include "core/attention/fused/cuda_attention.h"
#include "core/device/cuda/cuda_support.h"
#include "core/kernels/cuda/kernel_table.h"

namespace attnscope {

namespace {

/// The oldest GPUs that the kernels are compiled for.
constexpr int oldestWithKernels = 80;

const kernels::cuda::KernelTable& loadedKernels()
{
    return *cudaSupport().kernels();
}

}

const CudaAttention* cudaAttention(const AttentionInput& in)
{
    if (!in.q.is_cuda() || !fitsCudaKernels(in))
        return nullptr;
    const CudaSupport& cuda = cudaSupport();
    const auto gpu = size_t(in.q.device().index());
    return cuda.kernels() != nullptr && gpu < cuda.driver.gpus.size()
                   && cuda.driver.gpus[gpu].computeCapability >= oldestWithKernels
               ? &cudaKernels()
               : nullptr;
}

void* currentStream(const at::Device& device)
{
    return cudaSupport().library->currentStream(device.index());
}

namespace kernels::cuda {

bool fits(const FusedAttention& fused)
{
    return loadedKernels().fits(fused);
}

int64_t scratchSize(const FusedAttention& fused)
{
    return loadedKernels().scratchSize(fused);
}

int run(const FusedAttention& fused, void* stream)
{
    return loadedKernels().fused(fused, stream);
}

int run(const DrawKeys& draws, void* stream)
{
    return loadedKernels().draw(draws, stream);
}

int run(const Balance& balance, void* stream)
{
    return loadedKernels().balance(balance, stream);
}

const char* errorText(int error)
{
    return loadedKernels().errorText(error);
}

}

}
