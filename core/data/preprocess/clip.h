#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace attnscope {

struct FrameSize {
    int64_t width = 0, height = 0;
    friend bool operator==(const FrameSize&, const FrameSize&) = default;
};

/// A part of an image, in its pixels.
struct PixelWindow {
    int64_t left = 0, top = 0, width = 0, height = 0;
    friend bool operator==(const PixelWindow&, const PixelWindow&) = default;
};

/// The result of decoding, whatever the container: 8-bit RGB frames in our own buffer. An image has one frame.
struct Clip {
    int64_t frames = 0;
    int64_t height = 0;
    int64_t width = 0;
    std::vector<uint8_t> pixels;  ///< (T, H, W, 3), row-major
    std::string format;           ///< "JPEG", "PNG" …, as found in the content, never from the suffix
    /// Decisions of the reader that the user should know about (rotation ignored, 16 bit reduced).
    std::vector<std::string> notes;
    int orientation = 1;  ///< EXIF orientation that the reader did not apply; 1: nothing to apply

    const uint8_t* frame(int64_t t) const { return pixels.data() + t * height * width * 3; }
    uint8_t* frame(int64_t t) { return pixels.data() + t * height * width * 3; }
    /// Whether `pixels` has the size that the others state.
    bool isWhole() const { return int64_t(pixels.size()) == frames * height * width * 3; }
};

inline Clip blankClip(int64_t frames, int64_t height, int64_t width)
{
    Clip clip{frames, height, width, {}, {}, {}};
    clip.pixels.resize(size_t(frames * height * width * 3));
    return clip;
}

/// A dense array outside LibTorch.
template <typename T>
requires std::is_arithmetic_v<T>
struct DenseArray {
    std::vector<int64_t> shape;
    std::vector<T> values;  ///< row-major
};
/// The result of a transform, and the contents of a preprocessed input file.
using FloatArray = DenseArray<float>;
/// Crops of images before normalisation.
using ByteArray = DenseArray<uint8_t>;

}
