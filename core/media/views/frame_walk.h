// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/media/video/video_reader.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace attnscope {

/// A frame that was passed.
struct FrameMark {
    std::int64_t number = 0;  ///< in the order of presentation
    std::int64_t time = 0;    ///< in units of the stream's times
};

/// A stretch of times; its end belongs to it.
struct Stretch {
    std::int64_t begin = 0, end = 0;
};

/// Goes through the frames of a video, over stretches that no one looks at by seeking where they are long.
class FrameWalk {
public:
    FrameWalk(std::filesystem::path path, VideoReadOptions options, std::stop_token stop);

    const VideoInfo& info() const { return m_info; }
    const std::string& damage() const { return m_damage; }

    /// Visits every frame of the stretches, which are sorted and may overlap, and the first one behind each; others too where seeking
    /// would not pay. A visitor may take the frame's pixels. True when the video ended before the last stretch did.
    using Visitor = std::function<void(const FrameMark&, VideoReader&)>;
    bool walk(const std::vector<Stretch>& stretches, const Visitor& visit);

    /// Visits the frames of these times, which are sorted. Throws FileError when one is not found again.
    void fetch(const std::vector<std::int64_t>& times, const Visitor& visit);

    /// Closes the file, whose decoder holds memory; the next walk opens it again.
    void rest();

private:
    VideoReader& fromTheBeginning();
    /// Goes to `time` where that skips much.
    void leapTo(std::int64_t time);
    void noteDamage();
    std::int64_t estimatedNumber(std::int64_t time) const;

    std::filesystem::path m_path;
    VideoReadOptions m_options;
    std::stop_token m_stop;
    std::unique_ptr<VideoReader> m_reader;
    VideoInfo m_info;
    std::string m_damage;
    FrameMark m_at{-1, 0};  ///< number −1: nothing was read yet
    bool m_leapt = false;
};

}  // namespace attnscope
