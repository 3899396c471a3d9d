#pragma once

#include "core/data/preprocess/transform_window.h"

#include <cstdint>
#include <functional>
#include <span>

namespace attnscope {

/// Pixel size promised by our own parsing of the header.
struct ImageSize {
    int64_t width = 0;
    int64_t height = 0;

    size_t bytes() const { return size_t(width) * size_t(height) * 3; }
};

enum class DecodeOutcome : uint32_t { Done, Damaged, NoMemory };

/// Decodes a validated image to (H,W,3) RGB, in this process or in another. `use` is called with the pixels of the whole image in rows, of
/// which only the window is guaranteed to be valid. They may be shared with another process, and change while they are read.
using PixelUse = std::function<void(std::span<const uint8_t> pixels)>;
using PixelDecoder = std::function<DecodeOutcome(std::span<const uint8_t> encoded, const ImageSize& size,
                                                 const PixelWindow& window, const PixelUse& use)>;

/// Decodes JPEG by libjpeg-turbo, PNG and WebP by OpenCV, TIFF by libtiff and BMP by our own code into `pixels`, which has size.bytes()
/// bytes; at least the window of it. Pixels equal those of Pillow's convert("RGB"): no colour management, orientation ignored. The
/// libraries are not to be trusted: callers pass the image through `inspectImage` first.
DecodeOutcome decodePixels(std::span<const uint8_t> encoded, const ImageSize& size, const PixelWindow& window,
                           std::span<uint8_t> pixels);

/// Decodes a tiny image of each format, so that nothing is loaded or opened later, and keeps OpenCV from starting threads. For a process
/// that is about to drop its privileges.
void warmUpDecoders();

}
