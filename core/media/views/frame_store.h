#pragma once

#include "core/data/preprocess/video_transform.h"
#include "core/data/preprocess/video_views.h"
#include "core/media/video/video_reader.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace attnscope {

/// The transformed frames of a video by their times. Frames are transformed in batches, with one thread per core.
class FrameStore {
public:
    /// Throws UsageError if the transform does not fit.
    FrameStore(const VideoInfo& info, const ViewRequest& request);

    int64_t bytesPerFrame() const;
    bool has(int64_t time) const { return m_frames.contains(time); }
    size_t size() const { return m_frames.size() + m_waiting.size(); }

    /// Adds the reader's current frame.
    void add(int64_t time, VideoReader& reader);
    /// Transforms pending frames.
    void flush();
    /// Forgets all other frames.
    void keep(const std::unordered_set<int64_t>& times);

    /// A clip of these frames, one crop: (3,T,cropHeight,cropWidth); (3,cropHeight,cropWidth) for image networks.
    FloatArray assemble(const std::vector<int64_t>& times, int64_t crop) const;

    int64_t width() const { return m_width; }
    int64_t height() const { return m_height; }

private:
    std::vector<float> transformed(Clip& clip) const;

    ViewRequest m_request;
    int m_turn = 0;
    int64_t m_width = 0, m_height = 0;  ///< after rotation
    size_t m_batch = 1;
    std::optional<VideoTransform> m_transform;        ///< for video networks
    std::vector<std::pair<int64_t, Clip>> m_waiting;  ///< by their times
    std::unordered_map<int64_t, std::vector<float>> m_frames;
};

}
