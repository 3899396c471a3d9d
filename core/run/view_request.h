// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/video_views.h"
#include "core/run/run_record.h"

#include <algorithm>
#include <cstdint>

namespace attnscope {

/// The views of a video for this model: its clips and its transform, in the published grid of 10 × 3 views.
[[nodiscard]] inline ViewRequest viewRequestOf(const ModelSummary& model, const Transform& transform)
{
    ViewRequest request;
    if (model.input.size() == 4) {
        request.frames = model.input[1];
        request.interval = std::max<std::int64_t>(model.frameInterval, 1);
    }
    request.transform = transform;
    return request;
}

}  // namespace attnscope
