// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/image/pixel_decoder.h"

#include <cstdint>
#include <span>
#include <string>

namespace attnscope {

class HeaderReader;

/// The first picture of a TIFF as (H,W,3) RGB into `pixels`, which has as many bytes as the picture. libtiff uncompresses blocks, and converts YCbCr;
/// everything else is our own (tiff_layout.h, tiff_pixels.h). The orientation is not applied. Throws FileError for what the gate refuses.
DecodeOutcome decodeTiff(const HeaderReader& file, std::span<std::uint8_t> pixels);

/// "libtiff 4.5.0", as this was built with.
std::string tiffVersion();

}  // namespace attnscope
