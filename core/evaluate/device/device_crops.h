#pragma once

#include "core/data/loading/batch_loader.h"
#include "core/data/preprocess/transform.h"
#include "core/kernels/cuda/resize_images.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <memory>

/// Crops of images that the CPU has only decoded.
namespace attnscope {

/// Runs the kernels on the device's current stream; all pointers are to its memory. Throws Error.
using ImageResizer = std::function<void(const kernels::cuda::ResizeImages& images, const at::Device& device)>;

/// Empty for a processor, and in a build without kernels.
ImageResizer imageResizer(const at::Device& device);

/// Provides memory of the CPU from which such a device copies while the CPU continues.
std::function<std::shared_ptr<uint8_t>(size_t bytes)> pinnedMemory(const at::Device& device);

/// The crops (B,H,W,3) of a batch of packed images, on the device; black where there is no image.
at::Tensor deviceCrops(const LoadedBatchOf<uint8_t>& images, const Transform& transform, const at::Device& device,
                       const ImageResizer& resize);

}
