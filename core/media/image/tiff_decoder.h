#pragma once

#include "core/media/image/pixel_decoder.h"

#include <cstdint>
#include <span>
#include <string>

namespace attnscope {

class HeaderReader;

/// Decodes the first image of a TIFF as (H,W,3) RGB into `pixels`, which has the size of the image. libtiff decompresses blocks and
/// converts YCbCr; everything else is our own code (tiff_layout.h, tiff_pixels.h). The orientation is not applied. Throws FileError for
/// what the validator rejects.
DecodeOutcome decodeTiff(const HeaderReader& file, std::span<uint8_t> pixels);

/// "libtiff 4.5.0", as built with.
std::string tiffVersion();

}
