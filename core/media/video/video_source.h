#pragma once

#include "core/media/video/video_reader.h"

#include <cstdint>
#include <optional>
#include <string>

namespace attnscope {

/// What could not be decoded in a video, counted while it is read.
struct VideoDamage {
    int64_t skipped = 0;                 ///< packets, or images of a folder, without a frame
    int64_t concealed = 0;               ///< frames with missing parts that the decoder concealed
    bool resized = false;                ///< the frame size changed within the video
    std::optional<int64_t> endsAfter;    ///< the file was truncated after this many frames
    std::optional<int64_t> expected;     ///< of about this many
    std::optional<double> leftOutAfter;  ///< seconds: the maximum length of a video was reached

    /// "clip.mp4 is truncated after frame 212 of about 300; what could be decoded was used." Empty if nothing is damaged.
    std::string sentence(const std::string& name) const;
};

/// The implementation of a VideoReader; its functions are described there.
class VideoSource {
public:
    virtual ~VideoSource() = default;

    const VideoInfo& info() const { return m_info; }
    virtual bool isLive() const { return false; }
    virtual bool advance() = 0;
    virtual int64_t pts() const = 0;
    virtual void writeRgb(uint8_t* rgb, int64_t stride, FrameSize size) = 0;
    virtual void seek(int64_t pts) = 0;
    virtual VideoDamage damage() const = 0;
    /// In one sentence; empty if nothing is damaged.
    std::string damageSentence() const { return damage().sentence(m_label); }

protected:
    VideoInfo m_info;
    VideoDamage m_damage;
    std::string m_label;  ///< its name in that sentence
};

}
