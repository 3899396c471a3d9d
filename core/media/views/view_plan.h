// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/video_views.h"
#include "core/media/views/frame_walk.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace attnscope {

/// One clip as the frames that were found for it.
struct ClipFrames {
    std::vector<FrameMark> frames;
};

/// Decides which frames of a video are looked at: first from what the container says, then from the frames that came.
class ViewPlanner {
public:
    /// Throws FileError when the part asked for lies behind the video, UsageError for a request that fits no video.
    ViewPlanner(const VideoInfo& info, const ViewRequest& request, std::string path);

    /// The times that must be gone through.
    std::vector<Stretch> stretches() const;
    /// Whether this frame is likely to be looked at; never, where the container does not say how many there are.
    bool expects(const FrameMark& mark) const;
    /// Whether it belongs to the part of the video that was asked for.
    bool contains(const FrameMark& mark) const { return mark.time >= m_begin && mark.time < m_end; }

    /// The clips of a video of which these frames came, all inside the part, in order. Throws FileError when there are none.
    std::vector<ClipFrames> clips(const std::vector<FrameMark>& marks) const;

    /// After a video that ended: whether it breaks off, so that other stretches are to be gone through. Then they are, once.
    bool shorten(const std::vector<FrameMark>& marks);

    std::int64_t clipCount() const { return m_sampling.clips; }
    /// Seconds of the part, as far as they are known; else 0.
    double seconds() const;
    const VideoTiming& timing() const { return m_timing; }
    const std::vector<std::string>& notes() const { return m_notes; }
    /// "published protocol, 10 clips of 16 frames, every 4th of 30 a second"
    std::string name() const;

private:
    bool byTime() const;
    void restrictTo(const VideoInfo& info, const ViewRequest& request);
    void expectFrames();
    [[noreturn]] void refusePart(const std::string& problem) const;

    std::string m_path;
    VideoTiming m_timing;
    ClipSampling m_sampling;
    std::int64_t m_begin, m_end;                  // of the part asked for; its end is outside
    std::vector<std::int64_t> m_moments;          // single frames that are looked for by their times
    std::unordered_set<std::int64_t> m_expected;  // as multiples of the timing's unit
    std::vector<std::string> m_notes;
};

}  // namespace attnscope
