// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// What decoding yields, whatever the container: 8-bit RGB frames in our own buffer. An image has one frame.
struct Clip {
    std::int64_t frames = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<std::uint8_t> pixels;  ///< (T, H, W, 3), row-major
    std::string format;                ///< "JPEG", "PNG" …, as found in the content, never from the suffix
    std::vector<std::string> notes;    ///< what the reader decided and the user should know (rotation ignored, 16 bit reduced)
    int orientation = 1;               ///< EXIF orientation that the reader left unapplied; 1: there is none to apply

    const std::uint8_t* frame(std::int64_t t) const { return pixels.data() + t * height * width * 3; }
};

/// A dense array outside LibTorch.
template <typename T>
struct DenseArray {
    std::vector<std::int64_t> shape;
    std::vector<T> values;  ///< row-major
};
/// What a transform yields and what a preprocessed input file holds.
using FloatArray = DenseArray<float>;
/// Crops of pictures, not normalised yet.
using ByteArray = DenseArray<std::uint8_t>;

}  // namespace attnscope
