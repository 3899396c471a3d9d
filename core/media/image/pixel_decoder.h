// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/transform_window.h"

#include <cstdint>
#include <functional>
#include <span>

namespace attnscope {

/// What our own reading of a header promises; pixels.
struct ImageSize {
    std::int64_t width = 0;
    std::int64_t height = 0;

    std::size_t bytes() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3; }
};

enum class DecodeOutcome : std::uint32_t { Done, Damaged, NoMemory };

/// Where a picture that passed the gate becomes (H,W,3) RGB: in this process or in another. `use` sees the pixels once they are
/// there: those of the whole picture in rows, of which the window alone is sure to be valid. They may be another process's too, and
/// change while they are looked at.
using PixelUse = std::function<void(std::span<const std::uint8_t> pixels)>;
using PixelDecoder = std::function<DecodeOutcome(std::span<const std::uint8_t> encoded, const ImageSize& size,
                                                 const PixelWindow& window, const PixelUse& use)>;

/// Decodes JPEG by libjpeg-turbo, PNG and WebP by OpenCV, TIFF with libtiff and BMP by our own code into `pixels`, which has room for size.bytes();
/// at least the window of it. Pixels are those of Pillow's convert("RGB"): no colour management, orientation ignored. The
/// libraries behind it are to be trusted with nothing: callers have the picture pass `inspectImage` before.
DecodeOutcome decodePixels(std::span<const std::uint8_t> encoded, const ImageSize& size, const PixelWindow& window,
                           std::span<std::uint8_t> pixels);

/// Decodes a tiny picture of each format, so that nothing is loaded or opened later, and keeps OpenCV from
/// starting threads. For a process that is about to give up its rights.
void warmUpDecoders();

}  // namespace attnscope
