#pragma once

#include "core/live/clip_scheduler.h"
#include "core/live/live_window.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <string>
#include <vector>

/// The predictions of backends while a video plays: plain values, independent of torch.
namespace attnscope {

/// One backend on one clip.
struct BackendPrediction {
    std::string attention;  ///< canonical specification, as requested
    std::string backend;    ///< its name, which determines colour and mark
    WeightsKind weights = WeightsKind::Untrained;
    /// Head by head if there are several; without class names if the weights are untrained.
    std::vector<Prediction> top;
    double latencyMs = 0;   ///< of this one forward pass, while decoding and drawing go on
    int64_t peakBytes = 0;  ///< tensors during it, above the level before
    bool agrees = false;    ///< its first class equals the reference's, in every head
    std::string failure;    ///< one sentence if it could not predict; the others continue
};

/// All of them on the same clip.
struct LivePrediction {
    ClipRequest request;
    double seconds = 0;  ///< of the clip's newest frame
    std::vector<double> frameSeconds;
    std::vector<BackendPrediction> predictions;  ///< in the order in which they were requested
    size_t reference = 0;                        ///< the one with which the others are compared
};

}
