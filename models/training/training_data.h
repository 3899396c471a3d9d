#pragma once

#include "core/base/limits.h"
#include "core/data/dataset/labelled_folder.h"
#include "core/data/preprocess/transform.h"
#include "core/train/trainer.h"

#include <optional>

namespace attnscope {

/// How samples of a set are read for a network.
struct ReadingPlan {
    Transform transform;   ///< the network's own, for evaluation
    int64_t frames = 0;    ///< per clip; 0: an image network, which learns from single frames of videos
    int64_t interval = 1;  ///< distance between frames of a clip, in frames of a video at 30 per second
    std::optional<AugmentPlan> augment;  ///< empty: as in evaluation (for videos the middle crop of one clip)
    uint64_t seed = 0;
    Limits limits;
};

/// The files of a set as read for training: images by one decoder process per thread, videos in this process. Of a video an image network
/// sees any one frame in training, and the middle one in evaluation. Throws UsageError if the set contains images and the network needs
/// videos, Unsupported in a build without decoders.
TrainingData trainingData(const LabelledSet& set, const ReadingPlan& plan);

}
