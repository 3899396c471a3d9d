// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/container/video_validator.h"

#include <cstdint>
#include <functional>
#include <span>

namespace attnscope {

/// Reads up to out.size() bytes at an offset; how many were there.
using ReadAt = std::function<std::size_t(std::int64_t at, std::span<std::uint8_t> out)>;

/// What the structure of a file says of it before any reader allocates by it.
struct VideoOutline {
    bool breaksOff = false;   ///< a part says that it ends behind the end of the file
    bool lacksIndex = false;  ///< MP4, QuickTime: nothing says where the frames are, and no decoder can read it
    bool hasPackedIndex = false;  ///< QuickTime: the index is compressed, so that its claims cannot be seen
    std::int64_t streams = 0;     ///< MP4, Matroska: as many as are described; 0 elsewhere
    std::int64_t samples = 0;     ///< MP4: the greatest number of frames that one table claims
};

/// Walks boxes (MP4), elements (Matroska) or the first part (AVI), reading what stands at their starts alone.
/// Stops after 65 536 of them, 512 of the outermost and the first frames of Matroska; what was not looked at
/// counts as sound.
VideoOutline outlineOf(const VideoContainer& container, const ReadAt& read, std::int64_t fileBytes);

}  // namespace attnscope
