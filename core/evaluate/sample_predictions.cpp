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

SamplePrediction predictionOf(std::span<const double> scores, std::span<const double> probabilities, int64_t label,
                              std::span<const int64_t> otherLabels, std::span<const int64_t> choices)
{
    if (!std::ranges::all_of(scores, [](double score) { return std::isfinite(score); }))
        return noPrediction(std::ssize(scores));
    std::vector<int32_t> order(choices.begin(), choices.end());
    if (choices.empty()) {
        order.resize(scores.size());
        std::iota(order.begin(), order.end(), 0);
    }
    const size_t kept = std::min(SamplePrediction::kept, order.size());
    const auto isBefore = [&](int64_t a, int64_t b) {
        const double first = scores[size_t(a)], second = scores[size_t(b)];
        return first != second ? first > second : a < b;
    };
    int64_t right = label;
    for (const int64_t other : otherLabels)
        right = isBefore(other, right) ? other : right;
    SamplePrediction prediction;
    prediction.labelProbability = float(probabilities[size_t(right)]);
    prediction.labelRank = int32_t(
        std::ranges::count_if(order, [&](int32_t one) { return isBefore(one, right); }));
    std::partial_sort(order.begin(), order.begin() + ptrdiff_t(kept), order.end(), isBefore);
    for (size_t i = 0; i < kept; ++i) {
        prediction.classes[i] = order[i];
        prediction.probabilities[i] = float(probabilities[size_t(order[i])]);
    }
    prediction.squaredProbabilities = float(
        std::inner_product(probabilities.begin(), probabilities.end(), probabilities.begin(), 0.0));
    return prediction;
}

bool looksLikeChance(const Accuracy& accuracy, int64_t classes)
{
    const auto samples = double(accuracy.samples);
    const double chance = 1 / double(classes);
    return double(accuracy.correct) <= samples * chance + 1.96 * std::sqrt(samples * chance * (1 - chance)) + 1;
}

}
