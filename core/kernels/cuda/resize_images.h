#pragma once

#include <cstdint>

/// Resize and crop of decoded images on NVIDIA GPUs, independent of torch: two passes in the integer arithmetic of the CPU's
/// (core/data/preprocess/resize.h), whose bytes they give, with the weights that it computes.
namespace attnscope::kernels::cuda {

/// One axis of a resize. For each output, `stride` numbers of int32_t: its first input, how many it reads, and their weights in units of
/// 2^-22.
struct PackedAxis {
    int64_t at = 0;  ///< bytes from the image's description; a multiple of 4
    int32_t count = 0, stride = 0;
    int32_t offset = 0;  ///< of the first output in the crop; around outputs the crop is black
};

/// Describes a decoded image, in front of its weights and pixels.
struct PackedImage {
    PackedAxis across, down;
    int64_t at = 0;                 ///< of the pixels (rows,columns,3): bytes from here
    int32_t rows = 0, columns = 0;  ///< of the part that the crop shows

    /// Of the first pass's result (rows,across.count,3).
    int64_t betweenBytes() const { return int64_t{rows} * across.count * 3; }
};

/// The crops (images,height,width,3) of images of any sizes. All pointers are to device memory.
struct ResizeImages {
    const uint8_t* packed = nullptr;
    /// Where in `packed` an image's description is: a multiple of 8. Below 0: there is none, and its crop is black.
    const int64_t* places = nullptr;
    int64_t images = 0;
    int height = 0, width = 0;
    uint8_t* between = nullptr;  ///< scratch
    int64_t betweenBytes = 0;    ///< of each image: the largest of them
    uint8_t* crops = nullptr;
};

/// The stream is a cudaStream_t. Returns 0, or the cudaError_t of the launch, which errorText() explains.
int run(const ResizeImages& images, void* stream);

}
