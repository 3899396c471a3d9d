// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace attnscope {

/// Contiguous 8-bit RGB rows in a buffer owned by somebody else, changed in place by an operation.
struct ImageView {
    std::uint8_t* pixels = nullptr;  ///< (H,W,3)
    std::int64_t width = 0, height = 0;

    std::int64_t count() const { return width * height; }
    std::int64_t bytes() const { return width * height * 3; }
};

}  // namespace attnscope
