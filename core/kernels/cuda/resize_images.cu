#include "core/kernels/cuda/resize_images.cuh"

#include "core/kernels/cuda/device_starter.cuh"

namespace attnscope::kernels::cuda {

int run(const ResizeImages& images, void* stream)
{
    return resizeImages(images, DeviceStarter{static_cast<cudaStream_t>(stream)});
}

}
