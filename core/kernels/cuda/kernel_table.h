#pragma once

#include "core/kernels/cuda/cuda_kernels.h"

namespace attnscope::kernels::cuda {

/// The functions of cuda_kernels.h, which lie in a library that is loaded when there is a GPU.
struct KernelTable {
    bool (*fits)(const FusedAttention& fused);
    int64_t (*scratchSize)(const FusedAttention& fused);
    int (*fused)(const FusedAttention& fused, void* stream);
    int (*draw)(const DrawKeys& draws, void* stream);
    int (*balance)(const Balance& balance, void* stream);
    const char* (*errorText)(int error);
};

}
