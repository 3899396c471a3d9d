#pragma once

#include "core/data/preprocess/clip.h"
#include "core/data/preprocess/clip_sampling.h"
#include "core/data/preprocess/transform.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Plain values: a video as the views that a network sees.
namespace attnscope {

enum class Rotation {
    Ignore,  ///< as in the published evaluation
    Apply,   ///< as in players
};

/// How views are made from a video.
struct ViewRequest {
    int64_t frames = 0;    ///< per clip; 0: an image network, which uses single frames
    int64_t interval = 1;  ///< distance between frames of a clip, in frames of a video at 30 per second
    Transform transform;   ///< of the network
    ViewGrid grid;         ///< image networks always have one crop
    SamplingRule rule = SamplingRule::Published;  ///< image networks always use evenly spaced frames
    StartTime startTime = StartTime::Subtract;
    Rotation rotation = Rotation::Ignore;
    double start = 0;                ///< seconds since the first frame: the video before it is ignored
    std::optional<double> duration;  ///< seconds from `start` on; empty: to the end
    bool mayRepeat = false;  ///< a last frame that is repeated is no shortfall: the part is shorter than a clip
    friend bool operator==(const ViewRequest&, const ViewRequest&) = default;
};

/// One view: a clip in time and a crop in space.
struct ViewPlan {
    int64_t clip = 0;
    int64_t crop = 0;
    std::vector<int64_t> frames;  ///< numbers in the order of presentation, from 0
    std::vector<double> seconds;  ///< their times since the first frame of the video
};

struct VideoViews {
    int64_t width = 0, height = 0;  ///< of the frames as stored, or as rotated if rotation is applied
    double rate = 0;                ///< average frames per second
    double seconds = 0;             ///< of the video, if known; 0: unknown
    ViewGrid grid;
    std::string sampling;  ///< "published protocol, 16 frames, every 4th at 30 a second"
    std::vector<std::string> notes;
    /// Those of them that say why the clips are not of the whole video, or repeat frames; empty: they are.
    std::string partial;
    std::vector<ViewPlan> views;  ///< clip · crops + crop
    /// View i → (C,T,H,W), or (C,H,W) for image networks. Cheap for all views of a video: its frames are decoded once and kept, within
    /// limits.clipBytes. Not thread-safe. Throws FileError, Cancelled.
    std::function<FloatArray(size_t)> view;
};

}
