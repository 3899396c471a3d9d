#pragma once

#include "core/kernels/cuda/launch.cuh"
#include "core/kernels/cuda/resize_images.h"

namespace attnscope::kernels::cuda {

/// A pixel: the weighted sum of those at `from` and every `step` bytes on, rounded and clipped to 8 bits.
ATTNSCOPE_DEVICE void sumPixels(const uint8_t* from, int64_t step, const int32_t* weights, int count, uint8_t* to)
{
    constexpr int fractionBits = 22;
    int32_t red = 1 << (fractionBits - 1), green = red, blue = red;
    for (int i = 0; i < count; ++i, from += step) {
        red += from[0] * weights[i];
        green += from[1] * weights[i];
        blue += from[2] * weights[i];
    }
    const auto clipped = [](int32_t sum) { return uint8_t(min(max(sum >> fractionBits, 0), 255)); };
    to[0] = clipped(red);
    to[1] = clipped(green);
    to[2] = clipped(blue);
}

ATTNSCOPE_DEVICE const int32_t* rowOf(const PackedImage* image, const PackedAxis& axis, int64_t output)
{
    return reinterpret_cast<const int32_t*>(reinterpret_cast<const uint8_t*>(image) + axis.at)
           + output * axis.stride;
}

/// The description of a block's image; null if there is none.
ATTNSCOPE_DEVICE const PackedImage* imageOf(const ResizeImages& task)
{
    const int64_t place = task.places[blockIdx.x];
    return place < 0 ? nullptr : reinterpret_cast<const PackedImage*>(task.packed + place);
}

ATTNSCOPE_DEVICE int64_t firstPixel()
{
    return int64_t(blockIdx.y) * blockDim.x + threadIdx.x;
}

ATTNSCOPE_DEVICE int64_t pixelsAtOnce()
{
    return int64_t(gridDim.y) * blockDim.x;
}

/// pixels (rows,columns,3) → between (rows,across.count,3). Several blocks an image, a thread every so many pixels.
__global__ void resizeAcrossKernel(const ResizeImages task)
{
    const PackedImage* const image = imageOf(task);
    if (image == nullptr)
        return;
    const uint8_t* const pixels = reinterpret_cast<const uint8_t*>(image) + image->at;
    uint8_t* const between = task.between + blockIdx.x * task.betweenBytes;
    const int columns = image->across.count;
    for (int64_t i = firstPixel(); i < int64_t(image->rows) * columns; i += pixelsAtOnce()) {
        const int32_t* const row = rowOf(image, image->across, i % columns);
        sumPixels(pixels + (i / columns * image->columns + row[0]) * 3, 3, row + 2, row[1], between + 3 * i);
    }
}

/// between (rows,across.count,3) → crop (height,width,3).
__global__ void resizeDownKernel(const ResizeImages task)
{
    const PackedImage* const image = imageOf(task);
    const uint8_t* const between = task.between + blockIdx.x * task.betweenBytes;
    const int64_t pixels = int64_t(task.height) * task.width;
    uint8_t* const crop = task.crops + blockIdx.x * pixels * 3;
    for (int64_t i = firstPixel(); i < pixels; i += pixelsAtOnce()) {
        const int64_t y = image == nullptr ? -1 : i / task.width - image->down.offset;
        const int64_t x = image == nullptr ? -1 : i % task.width - image->across.offset;
        if (y < 0 || x < 0 || y >= image->down.count || x >= image->across.count) {
            crop[3 * i] = crop[3 * i + 1] = crop[3 * i + 2] = 0;
            continue;
        }
        const int64_t rowBytes = int64_t(image->across.count) * 3;
        const int32_t* const row = rowOf(image, image->down, y);
        sumPixels(between + row[0] * rowBytes + x * 3, rowBytes, row + 2, row[1], crop + 3 * i);
    }
}

template <typename Starter>
int resizeImages(const ResizeImages& task, const Starter& starter)
{
    constexpr int threads = 256;
    constexpr int64_t blocksOfImage = 4;  // a batch of 32 reaches every multiprocessor
    const Grid grid{task.images, blocksOfImage, threads, 0};
    const int error = starter.launch(resizeAcrossKernel, grid, task);
    return error != 0 ? error : starter.launch(resizeDownKernel, grid, task);
}

}
