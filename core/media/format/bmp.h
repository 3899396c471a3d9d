// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/format/header_reader.h"

#include <cstdint>
#include <span>

namespace attnscope {

/// Decodes a BMP as (H,W,3) RGB into `pixels`, which has exactly that many bytes: 1, 4 and 8 bits with a palette, uncompressed or
/// run-length encoded, 24 bits, and 16 and 32 bits with any contiguous masks; alpha is dropped. A value of n bits becomes value · 255 /
/// (2^n − 1), rounded down, and an index beyond the palette black, as in Pillow. Throws FileError for what the validator rejects and for
/// damaged runs.
void decodeBmp(const HeaderReader& file, std::span<std::uint8_t> pixels);

}  // namespace attnscope
