// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/live/live_window.h"
#include "core/live/clip_scheduler.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <string>
#include <vector>

/// What backends say while a video plays: plain values, free of torch.
namespace attnscope {

/// One backend on one clip.
struct BackendPrediction {
    std::string attention;  ///< canonical specification, as asked for
    std::string backend;    ///< its name: colour and mark go by this
    WeightsKind weights = WeightsKind::Untrained;
    std::vector<Prediction> top;  ///< head by head where there are several; without names of classes where the weights are untrained
    double latencyMs = 0;         ///< this one forward pass, beside decoding and drawing
    std::int64_t peakBytes = 0;   ///< tensors during it, above the level before
    bool agrees = false;          ///< its first class is the reference's, in every head
    std::string failure;          ///< one sentence when it could not answer; the others go on
};

/// All of them on the same clip.
struct LivePrediction {
    ClipRequest moment;
    double seconds = 0;  ///< of the clip's newest frame
    std::vector<double> frameSeconds;
    std::vector<BackendPrediction> predictions;  ///< in the order in which they were asked for
    std::size_t reference = 0;        ///< which of them the others are compared with
};

}  // namespace attnscope
