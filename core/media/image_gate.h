// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/limits.h"

#include <cstdint>
#include <span>
#include <string>

namespace attnscope {

/// What the header of a picture says.
struct ImageHeader {
    std::string format;  ///< "JPEG", "PNG", "WebP", "BMP", "PNM", "TIFF"
    std::int64_t width = 0;
    std::int64_t height = 0;
    bool sixteenBit = false;
};

/// The gate in front of every decoder: signature, dimensions and completeness are checked by our own code, so that nothing that
/// is no picture, claims to be huge, breaks off or would bring the decoder down is given to it.
/// Throws FileError; `name` stands in the message.
ImageHeader inspectImage(std::span<const std::uint8_t> bytes, const std::string& name, const Limits& limits);

}  // namespace attnscope
