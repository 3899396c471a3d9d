#pragma once

#include "core/media/format/tiff_layout.h"

#include <bit>
#include <cstdint>
#include <functional>
#include <span>

namespace attnscope {

/// Reads the uncompressed samples of all rows of one block; returns false on failure.
using TiffBlockReader = std::function<bool(int64_t block, std::span<uint8_t> samples)>;

/// Converts a TIFF's blocks to (H,W,3) RGB like Pillow's convert("RGB"): shades of 1 to 8 bits are scaled to 0 … 255; colour of 16 bits per
/// channel keeps the high byte; grey of more than 8 bits, signed or floating point, is clipped to 0 … 255; CMYK without a profile; alpha is
/// dropped, and colours premultiplied by it are divided by it. `order` is the byte order of samples of several bytes. `pixels` has width ×
/// height × 3 bytes. Not for images that need conversion. Returns false if a block can't be read.
[[nodiscard]] bool placeTiffBlocks(const TiffLayout& layout, const TiffPalette& palette, std::endian order,
                                   const TiffBlockReader& read, std::span<uint8_t> pixels);

/// Reads the blocks of an uncompressed TIFF directly from the file.
TiffBlockReader plainTiffBlocks(const HeaderReader& file, const TiffLayout& layout);

}
