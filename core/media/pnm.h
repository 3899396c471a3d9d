// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/header_reader.h"

#include <cstdint>
#include <vector>

namespace attnscope {

/// The samples of a PBM, PGM or PPM, text or binary (P1 … P6), as (H,W,3) RGB. Values are scaled from the file's maximum to
/// 255 and rounded half to even, as Pillow does for colour; of several pictures in one file the first is read.
std::vector<std::uint8_t> decodePnm(const HeaderReader& file);

}  // namespace attnscope
