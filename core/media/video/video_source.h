// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/video/video_reader.h"

#include <memory>

namespace attnscope {

/// The implementation of a VideoReader; its functions are described there.
class VideoSource {
public:
    virtual ~VideoSource() = default;

    const VideoInfo& info() const { return m_info; }
    virtual bool isLive() const { return false; }
    virtual bool advance() = 0;
    virtual std::int64_t pts() const = 0;
    virtual void writeRgb(std::uint8_t* rgb, std::int64_t stride, FrameSize size) = 0;
    virtual void seek(std::int64_t pts) = 0;
    virtual std::string damage() const = 0;

protected:
    VideoInfo m_info;
};

}  // namespace attnscope
