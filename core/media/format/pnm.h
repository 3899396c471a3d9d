// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/format/header_reader.h"

#include <cstdint>
#include <vector>

namespace attnscope {

/// The samples of a PBM, PGM or PPM, text or binary (P1 … P6), or of a PFM of one channel, as (H,W,3) RGB, as Pillow reads them: values are scaled
/// from the file's maximum to 255 and rounded half to even; grey with a maximum above 255 is scaled to 65535, and it and floating point keep
/// 0 … 255, beyond which they become black or white. Of several pictures in one file the first is read.
std::vector<std::uint8_t> decodePnm(const HeaderReader& file);

}  // namespace attnscope
