#include "core/evaluate/device/device_crops.h"

#include "core/base/error.h"
#include "core/device/cuda/cuda_support.h"
#include "core/device/torch_problem.h"
#include "core/kernels/cuda/kernel_table.h"
#include "core/run/classifier.h"

#include <c10/core/DeviceGuard.h>

#include <algorithm>

namespace attnscope {

ImageResizer imageResizer(const at::Device& device)
{
    const kernels::cuda::KernelTable* const loaded = device.is_cuda() ? cudaSupport().kernels() : nullptr;
    if (loaded == nullptr)
        return {};
    return [loaded](const kernels::cuda::ResizeImages& images, const at::Device& where) {
        const int error = loaded->resize(images, cudaSupport().library->currentStream(where.index()));
        if (error == 0)
            return;
        const std::string text = loaded->errorText(error);
        throwIfGpuIsLost(text);
        throw Unsupported("", "the GPU refused to resize images: " + text, "choose a smaller batch");
    };
}

std::function<std::shared_ptr<uint8_t>(size_t bytes)> pinnedMemory(const at::Device& device)
{
    return [pinned = device.is_cuda()](size_t bytes) {
        const at::Tensor memory = at::empty({int64_t(bytes)}, at::TensorOptions(at::kByte).pinned_memory(pinned));
        return std::shared_ptr<uint8_t>(memory.mutable_data_ptr<uint8_t>(), [memory](uint8_t*) {});
    };
}

at::Tensor deviceCrops(const LoadedBatchOf<uint8_t>& images, const Transform& transform, const at::Device& device,
                       const ImageResizer& resize)
{
    const c10::OptionalDeviceGuard guard(device);
    const at::Tensor packed = onDevice(at::from_blob(images.memory.get(), images.input.shape, at::kByte), device);
    const at::Tensor places = onDevice(at::tensor(images.packed, at::kLong), device);
    int64_t betweenBytes = 0;
    for (const int64_t place : images.packed)
        if (place >= 0)
            betweenBytes = std::max(
                betweenBytes,
                reinterpret_cast<const kernels::cuda::PackedImage*>(images.memory.get() + place)->betweenBytes());
    const int64_t count = std::ssize(images.packed);
    const at::Tensor between = at::empty({count, betweenBytes}, packed.options());
    const at::Tensor crops = at::empty({count, transform.cropHeight, transform.cropWidth, 3}, packed.options());
    resize({packed.const_data_ptr<uint8_t>(), places.const_data_ptr<int64_t>(), count, int(transform.cropHeight),
            int(transform.cropWidth), between.mutable_data_ptr<uint8_t>(), betweenBytes,
            crops.mutable_data_ptr<uint8_t>()},
           device);
    return crops;
}

}
