// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/clip.h"
#include "core/data/preprocess/clip_sampling.h"
#include "core/data/preprocess/transform.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Plain values: a video as the views that a network looks at it through.
namespace attnscope {

enum class Rotation {
    Ignore,  ///< as the published evaluation does
    Apply,   ///< as players do
};

/// How a video is to be looked at.
struct ViewRequest {
    std::int64_t frames = 0;      ///< of a clip; 0: a network of pictures, which looks at single frames
    std::int64_t interval = 1;    ///< frames of a video of 30 a second from one frame of a clip to the next
    Transform transform;          ///< of the network
    ViewGrid grid;                ///< networks of pictures have one crop, whatever it says
    SamplingRule rule = SamplingRule::Published;  ///< networks of pictures: evenly spread frames, whatever it says
    StartTime startTime = StartTime::Subtract;
    Rotation rotation = Rotation::Ignore;
    double start = 0;                 ///< seconds since the first frame: what lies before is no part of the video
    std::optional<double> duration;   ///< seconds from `start` on; empty: to the end
    friend bool operator==(const ViewRequest&, const ViewRequest&) = default;
};

/// One view: a clip in time and a crop in space.
struct ViewPlan {
    std::int64_t clip = 0;
    std::int64_t crop = 0;
    std::vector<std::int64_t> frames;  ///< numbers in the order of presentation, from 0
    std::vector<double> seconds;       ///< their times since the first frame of the video
};

struct VideoViews {
    std::int64_t width = 0, height = 0;  ///< of the frames as stored, or as turned where rotation is applied
    double rate = 0;                     ///< average frames a second
    double seconds = 0;                  ///< of the video, as far as it is known; 0: not known
    ViewGrid grid;
    std::string sampling;                ///< "published protocol, 16 frames, every 4th at 30 a second"
    std::vector<std::string> notes;
    std::vector<ViewPlan> views;         ///< clip · crops + crop
    /// View i → (C,T,H,W), or (C,H,W) for networks of images. Cheap for all views of a video: its frames are decoded once and kept,
    /// within limits.clipBytes. Not safe from two threads. Throws FileError, Cancelled.
    std::function<FloatArray(std::size_t)> view;
};

}  // namespace attnscope
