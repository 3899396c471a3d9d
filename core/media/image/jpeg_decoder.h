#pragma once

#include "core/media/image/pixel_decoder.h"

#include <optional>
#include <span>
#include <string>

namespace attnscope {

/// Decodes a JPEG by libjpeg-turbo directly, without OpenCV's detour over BGR: `pixels` is the image's memory, of size.bytes(), of which
/// only `window` is guaranteed to be written. There the pixels are bit-identical to those of the whole image: for an image in one scan the
/// area around the window is read but not transformed. CMYK becomes RGB without a profile, as in Pillow. Empty if not a JPEG. Damage after
/// the window's last row is not noticed. A size of 1/2, 1/4 or 1/8 of the image's, rounded up, is one to which it is decoded.
std::optional<DecodeOutcome> decodeJpeg(std::span<const uint8_t> encoded, const ImageSize& size,
                                        const PixelWindow& window, std::span<uint8_t> pixels);

/// "libjpeg-turbo 2.1.5", as built with.
std::string jpegVersion();

}
