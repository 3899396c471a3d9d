#pragma once

#include "core/data/preprocess/transform_window.h"
#include "core/kernels/cuda/resize_images.h"

/// Independent of torch.
namespace attnscope {

/// A decoded image as core/kernels/cuda/resize_images.h takes it: its description, the weights of both axes, and the pixels that its crop
/// shows. The crop made of it is bit-identical to resizeAndCrop's.
class PackedImage {
public:
    /// Throws UsageError like resizeAndCrop.
    PackedImage(int64_t width, int64_t height, const Transform& transform);

    int64_t bytes() const { return m_bytes; }  ///< a multiple of 8
    /// Of memory that the device needs for it in addition.
    int64_t betweenBytes() const { return m_description.betweenBytes(); }
    /// `image`: rows of the whole image, of which only what the crop shows is read, once. `to`: `bytes` bytes, aligned to 8.
    void write(RgbView<const uint8_t> image, uint8_t* to) const;

private:
    AxisWeights m_across, m_down;
    kernels::cuda::PackedImage m_description;
    int64_t m_bytes = 0;
};

}
