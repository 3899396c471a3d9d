// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace attnscope {

/// EXIF tag 0x0112 of a JPEG, PNG or WebP: 1 (upright) to 8; 1 where there is none or it is damaged.
int exifOrientation(std::span<const std::uint8_t> file);

}  // namespace attnscope
