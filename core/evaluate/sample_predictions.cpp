#include "core/evaluate/sample_predictions.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace attnscope {

SamplePrediction noPrediction(int64_t classes)
{
    SamplePrediction prediction;
    prediction.labelRank = int32_t(classes);
    return prediction;
}

SamplePrediction predictionOf(std::span<const double> scores, std::span<const double> probabilities, int64_t label)
{
    if (!std::ranges::all_of(scores, [](double score) { return std::isfinite(score); }))
        return noPrediction(std::ssize(scores));
    std::vector<int32_t> order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    const size_t kept = std::min(SamplePrediction::kept, scores.size());
    const auto score = [&](int32_t index) { return scores[size_t(index)]; };
    std::partial_sort(order.begin(), order.begin() + ptrdiff_t(kept), order.end(),
                      [&](int32_t a, int32_t b) { return score(a) != score(b) ? score(a) > score(b) : a < b; });
    SamplePrediction prediction;
    for (size_t i = 0; i < kept; ++i) {
        prediction.classes[i] = order[i];
        prediction.probabilities[i] = float(probabilities[size_t(order[i])]);
    }
    const auto own = size_t(label);
    prediction.labelProbability = float(probabilities[own]);
    for (size_t i = 0; i < scores.size(); ++i)
        prediction.labelRank += scores[i] > scores[own] || (i < own && scores[i] == scores[own]) ? 1 : 0;
    return prediction;
}

bool looksLikeChance(const Accuracy& accuracy, int64_t classes)
{
    const auto samples = double(accuracy.samples);
    const double chance = 1 / double(classes);
    return double(accuracy.correct) <= samples * chance + 1.96 * std::sqrt(samples * chance * (1 - chance)) + 1;
}

}
