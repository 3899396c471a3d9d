#pragma once

#include "core/media/container/video_validator.h"

#include <cstdint>
#include <functional>
#include <span>

namespace attnscope {

/// Reads up to out.size() bytes at an offset; returns how many were available.
using ReadAt = std::function<size_t(int64_t at, std::span<uint8_t> out)>;

/// What the structure of a file claims, checked before any demuxer allocates memory accordingly.
struct VideoOutline {
    bool breaksOff = false;   ///< a part claims to extend beyond the end of the file
    bool lacksIndex = false;  ///< MP4, QuickTime: nothing says where the frames are, so that it can't be decoded
    bool hasPackedIndex = false;  ///< QuickTime: the index is compressed, so that its claims can't be checked
    int64_t streams = 0;          ///< MP4, Matroska: number of described streams; 0 for others
    int64_t samples = 0;          ///< MP4: the largest number of frames that any table claims
};

/// Walks boxes (MP4), elements (Matroska) or the first chunk (AVI), reading only their headers. Stops after 65 536 of them, 512 top-level
/// ones, or at the first frames of Matroska; unread parts count as sound.
VideoOutline outlineOf(const VideoContainer& container, const ReadAt& read, int64_t fileBytes);

}
