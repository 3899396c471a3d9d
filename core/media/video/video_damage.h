// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace attnscope {

/// What could not be decoded of a video, counted while it is read.
struct VideoDamage {
    std::int64_t skipped = 0;               ///< packets, or pictures of a folder, that gave no frame
    std::int64_t concealed = 0;             ///< frames whose missing parts the decoder made up
    bool resized = false;                   ///< frames changed their size on the way
    std::optional<std::int64_t> endsAfter;  ///< the file broke off after so many frames
    std::optional<std::int64_t> expected;   ///< of about so many
    std::optional<double> leftOutAfter;     ///< seconds: the limit of a video's length was reached

    /// "clip.mp4 breaks off after frame 212 of about 300; what could be decoded was used." Empty when all is well.
    std::string sentence(const std::string& name) const;
};

}  // namespace attnscope
