// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/image/pixel_decoder.h"

#include <optional>
#include <span>
#include <string>

namespace attnscope {

/// Decodes a JPEG by libjpeg-turbo itself, without OpenCV's way over BGR: `pixels` is the picture's memory, of size.bytes(), of
/// which only `window` is sure to be written. There the pixels are those of the whole picture to the bit: of a picture in one scan
/// what lies around the window is read but not transformed. CMYK becomes RGB without a profile, as in Pillow. Empty for what is no JPEG.
/// Of damage behind the window's last row nothing is noticed.
std::optional<DecodeOutcome> decodeJpeg(std::span<const std::uint8_t> encoded, const ImageSize& size,
                                        const PixelWindow& window, std::span<std::uint8_t> pixels);

/// "libjpeg-turbo 2.1.5", as this was built with.
std::string jpegVersion();

}  // namespace attnscope
