// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/format/header_reader.h"

#include <cstdint>
#include <vector>

namespace attnscope {

/// Decodes a PBM, PGM or PPM, text or binary (P1 … P6), or a PFM of one channel, as (H,W,3) RGB like Pillow: values are scaled from the
/// file's maximum to 255 and rounded half to even; grey with a maximum above 255 is scaled to 65535, and both it and floating point are
/// clipped to 0 … 255. Of several images in one file the first is read.
std::vector<std::uint8_t> decodePnm(const HeaderReader& file);

}  // namespace attnscope
