#pragma once

#include "core/kernels/cuda/cuda_kernels.h"
#include "core/kernels/cuda/resize_images.h"

namespace attnscope::kernels::cuda {

/// The functions of cuda_kernels.h and resize_images.h, which lie in a library that is loaded when there is a GPU.
struct KernelTable {
    bool (*fits)(const FusedAttention& fused);
    int64_t (*scratchSize)(const FusedAttention& fused);
    int (*fused)(const FusedAttention& fused, void* stream);
    int (*draw)(const DrawKeys& draws, void* stream);
    int (*balance)(const Balance& balance, void* stream);
    int (*resize)(const ResizeImages& images, void* stream);
    const char* (*errorText)(int error);
};

}
