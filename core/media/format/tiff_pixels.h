// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/format/tiff_layout.h"

#include <bit>
#include <cstdint>
#include <functional>
#include <span>

namespace attnscope {

/// The samples of one block as they were before compression, all of its rows; false when that fails.
using TiffBlockReader = std::function<bool(std::int64_t block, std::span<std::uint8_t> samples)>;

/// Makes (H,W,3) RGB of a TIFF's blocks, as Pillow's convert("RGB") does: shades of 1 to 8 bits are spread over 0 … 255; of 16 bits a channel
/// the high byte is kept in colour; grey of more than 8 bits, signed or floating point keeps 0 … 255, and what lies beyond becomes black or white;
/// CMYK without a profile; alpha is dropped, and colours premultiplied by it are divided by it. `order` is that of samples of several bytes.
/// `pixels` has width × height × 3 bytes. Not for pictures that need conversion. False when a block cannot be read.
bool placeTiffBlocks(const TiffLayout& layout, const TiffPalette& palette, std::endian order,
                     const TiffBlockReader& read, std::span<std::uint8_t> pixels);

/// Reads the blocks of an uncompressed TIFF from the file itself.
TiffBlockReader plainTiffBlocks(const HeaderReader& file, const TiffLayout& layout);

}  // namespace attnscope
