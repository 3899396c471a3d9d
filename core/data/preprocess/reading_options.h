#pragma once

#include "core/data/preprocess/video_views.h"

#include <optional>

namespace attnscope {

/// How files are read, where that is a choice.
struct ReadingOptions {
    JpegDecoding decoding = JpegDecoding::Exact;  ///< of images
    bool orientation = false;                     ///< images are rotated as the camera recorded
    std::optional<SamplingRule> sampling = {};  ///< of videos; empty: that of the data set's published evaluation
    StartTime startTime = StartTime::Subtract;  ///< of videos
    Rotation rotation = Rotation::Ignore;       ///< of videos
};

}
