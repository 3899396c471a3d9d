#pragma once

#include "core/store/store_records.h"

#include <cstdint>
#include <span>

/// From a network's output for a sample to what is stored of it. Independent of torch.
namespace attnscope {

/// `scores` determine the order (logits, or the mean of a video's probabilities); ties go to the lower class. If scores are not finite
/// there is no prediction: see `noPrediction`. Of several right classes the one with the highest score counts. `choices`: the classes among
/// which it is made; empty: all.
SamplePrediction predictionOf(std::span<const double> scores, std::span<const double> probabilities, int64_t label,
                              std::span<const int64_t> otherLabels = {}, std::span<const int64_t> choices = {});

/// Without classes, and with every class ranked before the true one: it counts as wrong.
SamplePrediction noPrediction(int64_t classes);

inline bool isPrediction(const SamplePrediction& prediction)
{
    return prediction.classes.front() >= 0;
}

/// Whether so many right ones of so many samples are no more than guessing among `classes` would give (95 %
/// interval).
bool looksLikeChance(const Accuracy& accuracy, int64_t classes);

}
