#pragma once

#include "core/media/video/video_reader.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace attnscope {

/// A visited frame.
struct FrameMark {
    int64_t number = 0;  ///< in presentation order
    int64_t time = 0;    ///< in the stream's time base
};

/// An interval of times, including its end.
struct Stretch {
    int64_t begin = 0, end = 0;
};

/// Goes through the frames of a video, seeking over long stretches that are not needed.
class FrameWalk {
public:
    FrameWalk(std::filesystem::path path, VideoReadOptions options, std::stop_token stop);

    const VideoInfo& info() const { return m_info; }
    const std::string& damage() const { return m_damage; }

    /// Visits every frame of the stretches, which are sorted and may overlap, and the first one after each; also others where seeking would
    /// not pay off. A visitor may take the frame's pixels. Returns true if the video ended before the last stretch did.
    using Visitor = std::function<void(const FrameMark&, VideoReader&)>;
    bool walk(const std::vector<Stretch>& stretches, const Visitor& visit);

    /// Visits the frames of these times, which are sorted. Throws FileError if one is not found again.
    void fetch(const std::vector<int64_t>& times, const Visitor& visit);

    /// Closes the file, whose decoder uses memory; the next walk reopens it.
    void rest();

private:
    VideoReader& fromTheBeginning();
    /// Seeks to `time` if that skips much.
    void leapTo(int64_t time);
    /// Takes note of the reader's next frame.
    void mark();
    void noteDamage();
    int64_t estimatedNumber(int64_t time) const;

    std::filesystem::path m_path;
    VideoReadOptions m_options;
    std::stop_token m_stop;
    std::unique_ptr<VideoReader> m_reader;
    VideoInfo m_info;
    std::string m_damage;
    FrameMark m_at{-1, 0};  ///< number −1: nothing read yet
    bool m_leapt = false;
};

}
