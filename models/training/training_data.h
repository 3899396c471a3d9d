// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/limits.h"
#include "core/data/dataset/labelled_folder.h"
#include "core/data/preprocess/transform.h"
#include "core/train/trainer.h"

#include <optional>

namespace attnscope {

/// How samples of a set are read for a network.
struct ReadingPlan {
    Transform transform;           ///< the network's own, of evaluation
    std::int64_t frames = 0;       ///< of a clip; 0: a network of pictures, which learns from single frames of videos
    std::int64_t interval = 1;     ///< frames of a video of 30 a second from one frame of a clip to the next
    std::optional<AugmentPlan> augment;  ///< empty: as evaluation reads them (of videos the middle crop of one clip)
    std::uint64_t seed = 0;
    Limits limits;
};

/// The files of a set as a training reads them: pictures by a decoder process a thread, videos in this process. Of a video a network of
/// pictures sees any one frame in training, and the middle one in evaluation.
/// Throws UsageError where the set holds pictures and the network wants videos, Unsupported in a build that cannot decode.
TrainingData trainingData(const LabelledSet& set, const ReadingPlan& plan);

}  // namespace attnscope
