#pragma once

#include "core/media/format/header_reader.h"

#include <cstdint>
#include <span>
#include <vector>

/// Formats that our own code decodes.
namespace attnscope {

/// Decodes a BMP as (H,W,3) RGB into `pixels`, which has exactly that many bytes: 1, 4 and 8 bits with a palette, uncompressed or
/// run-length encoded, 24 bits, and 16 and 32 bits with any contiguous masks; alpha is dropped. A value of n bits becomes value · 255 /
/// (2^n − 1), rounded down, and an index beyond the palette black, as in Pillow. Throws FileError for what the validator rejects and for
/// damaged runs.
void decodeBmp(const HeaderReader& file, std::span<uint8_t> pixels);

/// Decodes a PBM, PGM or PPM, text or binary (P1 … P6), or a PFM of one channel, as (H,W,3) RGB like Pillow: values are scaled from the
/// file's maximum to 255 and rounded half to even; grey with a maximum above 255 is scaled to 65535, and both it and floating point are
/// clipped to 0 … 255. Of several images in one file the first is read.
std::vector<uint8_t> decodePnm(const HeaderReader& file);

}
