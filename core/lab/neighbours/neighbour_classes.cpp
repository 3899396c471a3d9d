#include "core/lab/neighbours/neighbour_classes.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

std::vector<double> neighbourWeights(std::span<const double> distances, double temperature)
{
    std::vector<double> weights;
    if (distances.empty())
        return weights;
    // Relative to the nearest: exp(−40/0.07) of each alone would be zero for all.
    const double nearest = *std::ranges::min_element(distances);
    double sum = 0;
    for (const double distance : distances)
        sum += weights.emplace_back(std::exp((nearest - distance) / temperature));
    for (double& weight : weights)
        weight /= sum;
    return weights;
}

std::vector<double> neighbourProbabilities(std::span<const double> distances, std::span<const int64_t> labels,
                                           double temperature, int64_t classes)
{
    std::vector<double> probabilities(static_cast<size_t>(classes));
    const auto weights = neighbourWeights(distances, temperature);
    for (size_t i = 0; i < weights.size(); ++i)
        probabilities.at(size_t(labels[i])) += weights[i];
    return probabilities;
}

std::vector<double> mixedProbabilities(std::span<const double> neighbours, std::span<const double> model,
                                       double mix)
{
    std::vector<double> mixed(neighbours.begin(), neighbours.end());
    for (size_t i = 0; i < model.size(); ++i)
        mixed[i] = mix * neighbours[i] + (1 - mix) * model[i];
    return mixed;
}

int64_t firstClass(std::span<const double> probabilities)
{
    return std::ranges::max_element(probabilities) - probabilities.begin();
}

at::Tensor gatedRetrieval(const at::Tensor& features, const at::Tensor& neighbourLabels, const at::Tensor& weight,
                          const at::Tensor& bias, double gate)
{
    const at::Tensor h = features.to(at::kDouble), w = weight.to(at::kDouble);
    const at::Tensor rows = w.index({neighbourLabels});                                   // (Q,k,C)
    const at::Tensor scores = at::matmul(rows, h.unsqueeze(-1)).squeeze(-1).softmax(-1);  // (Q,k)
    const at::Tensor retrieved = at::matmul(scores.unsqueeze(-2), rows).squeeze(-2);      // (Q,C)
    return at::linear((1 - gate) * retrieved + gate * h, w, bias.to(at::kDouble)).softmax(-1);
}

}
