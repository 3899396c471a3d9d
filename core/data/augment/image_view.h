// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace attnscope {

/// 8-bit RGB rows without gaps, in someone else's buffer, that an operation changes in place.
struct ImageView {
    std::uint8_t* pixels = nullptr;  ///< (H,W,3)
    std::int64_t width = 0, height = 0;

    std::int64_t count() const { return width * height; }
    std::int64_t bytes() const { return width * height * 3; }
};

}  // namespace attnscope
