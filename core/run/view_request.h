#pragma once

#include "core/base/error.h"
#include "core/data/preprocess/reading_options.h"
#include "core/run/run_record.h"

#include <algorithm>
#include <cstdint>

namespace attnscope {

/// The views of a video for this model: its clips and its transform, in the published grid of 10 × 3 views.
inline ViewRequest viewRequestOf(const ModelSummary& model, const Transform& transform)
{
    ViewRequest request;
    if (model.input.size() == 4) {
        request.frames = model.input[1];
        request.interval = std::max<int64_t>(model.frameInterval, 1);
    }
    request.transform = transform;
    return request;
}

/// Without `grid` it is `usual`; Something-Something's rule has one clip. Throws UsageError.
inline void applyReading(const ReadingOptions& reading, SamplingRule rule, const std::optional<ViewGrid>& grid,
                         ViewGrid usual, ViewRequest& request)
{
    request.rule = reading.sampling.value_or(rule);
    if (request.rule == SamplingRule::Segments)
        usual.clips = 1;
    request.grid = grid.value_or(usual);
    request.startTime = reading.startTime;
    request.rotation = reading.rotation;
    if (request.rule == SamplingRule::Segments && request.frames > 0 && request.grid.clips != 1)
        throw UsageError("views", "--sampling ssv2 has one clip, over the whole video",
                         "give --views 1x3 or 1x1, or --sampling published");
}

}
