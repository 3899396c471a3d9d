// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/preprocess/clip.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// How many clips in time and crops in space a video is looked at through: "10x3".
struct ViewGrid {
    std::int64_t clips = 10;
    std::int64_t crops = 3;  ///< 1: the centre alone; 3: left, centre, right (top, centre, bottom)

    std::int64_t count() const { return clips * crops; }
    /// "10x3". Throws UsageError.
    static ViewGrid parse(const std::string& text);
    std::string name() const;
    friend bool operator==(const ViewGrid&, const ViewGrid&) = default;
};

}  // namespace attnscope
