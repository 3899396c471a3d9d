#pragma once

#include "core/data/preprocess/video_views.h"
#include "core/media/views/frame_walk.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace attnscope {

/// Selects the frames of a video to use: first from the container's metadata, then from the actual frames.
class ViewPlanner {
public:
    /// Throws FileError if the requested part is beyond the end of the video, UsageError for a request that fits no video.
    ViewPlanner(const VideoInfo& info, const ViewRequest& request, std::string path);

    /// The time intervals that must be read.
    std::vector<Stretch> stretches() const;
    /// Whether this frame is likely to be used; never, if the container doesn't state how many there are.
    bool expects(const FrameMark& mark) const;
    /// Whether it belongs to the requested part of the video.
    bool contains(const FrameMark& mark) const { return mark.time >= m_begin && mark.time < m_end; }

    /// The frames of each clip of a video with these frames, all within the part, in order. Throws FileError if there are none.
    std::vector<std::vector<FrameMark>> clips(const std::vector<FrameMark>& marks) const;

    /// After the end of a video: whether it is truncated, so that other stretches must be read, once.
    bool shorten(const std::vector<FrameMark>& marks);

    /// Length of the part in seconds, if known; else 0.
    double seconds() const;
    const VideoTiming& timing() const { return m_timing; }
    const std::vector<std::string>& notes() const { return m_notes; }
    /// "published protocol, 10 clips of 16 frames, every 4th of 30 a second"
    std::string name() const;

private:
    bool byTime() const;
    void restrictTo(const VideoInfo& info, const ViewRequest& request);
    void expectFrames();
    VideoTiming timingOfFrames(const std::vector<FrameMark>& marks) const;
    [[noreturn]] void refusePart(const std::string& problem) const;

    std::string m_path;
    VideoTiming m_timing;
    std::optional<int64_t> m_length;  // as the container states it
    ClipSampling m_sampling;
    int64_t m_begin, m_end;                  // of the requested part; the end is exclusive
    std::vector<int64_t> m_frameTimes;       // single frames located by their times
    std::unordered_set<int64_t> m_expected;  // as multiples of the timing's unit
    std::vector<std::string> m_notes;
};

}
