#pragma once

#include "core/data/preprocess/transform_window.h"
#include "core/kernels/cuda/resize_images.h"

#include <functional>

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

/// Enough for any image that `writePacked` writes for this transform.
int64_t packedRoom(const Transform& transform);

/// Writes a decoded image for the device to `place(bytes)`; one that needs more room than there is as its crop.
void writePacked(RgbView<const uint8_t> image, int64_t width, int64_t height, const Transform& transform,
                 const std::function<uint8_t*(int64_t bytes)>& place);

}
