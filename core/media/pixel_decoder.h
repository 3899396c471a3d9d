// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace attnscope {

/// What our own reading of a header promises; pixels.
struct PictureSize {
    std::int64_t width = 0;
    std::int64_t height = 0;

    std::size_t bytes() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3; }
};

enum class DecodeOutcome : std::uint32_t { Done, Damaged, NoMemory };

/// Where a picture that passed the gate becomes (H,W,3) RGB: in this process or in another.
using PixelDecoder = std::function<DecodeOutcome(std::span<const std::uint8_t> encoded, const PictureSize& size,
                                                 std::vector<std::uint8_t>& pixels)>;

/// Decodes JPEG, PNG, WebP, BMP and TIFF with OpenCV into `pixels`, which has room for size.bytes(). Colours as
/// stored (no colour management), 16 bits reduced to 8 by their high byte, orientation ignored. The library behind
/// it is to be trusted with nothing: callers have the picture pass `inspectImage` before.
DecodeOutcome decodePixels(std::span<const std::uint8_t> encoded, const PictureSize& size,
                           std::span<std::uint8_t> pixels);

/// Decodes a tiny picture of each format, so that nothing is loaded or opened later, and keeps OpenCV from
/// starting threads. For a process that is about to give up its rights.
void warmUpDecoders();

}  // namespace attnscope
