#include "core/lab/exits/exit_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace attnscope {

namespace {

BlockPrediction predictionOf(std::span<const double> logits, int64_t label)
{
    BlockPrediction prediction{.logLikelihood = -std::numeric_limits<double>::infinity()};
    if (!std::ranges::all_of(logits, [](double logit) { return std::isfinite(logit); }))
        return prediction;
    const auto first = std::ranges::max_element(logits);
    double sum = 0;
    for (const double logit : logits)
        sum += std::exp(logit - *first);
    prediction.confidence = 1 / sum;
    prediction.logLikelihood = logits[size_t(label)] - *first - std::log(sum);
    prediction.label = first - logits.begin();
    return prediction;
}

}

void ExitScores::add(const at::Tensor& logits, const std::vector<int64_t>& labels)
{
    const at::Tensor rows = logits.to(at::kCPU, at::kDouble).transpose(0, 1).contiguous();  // (B,L,K)
    const auto classes = size_t(rows.size(2));
    const auto* row = rows.const_data_ptr<double>();
    for (const int64_t label : labels) {
        m_labels.push_back(label);
        for (size_t block = 0; block < m_blocks; ++block, row += classes)
            m_predictions.push_back(predictionOf({row, classes}, label));
    }
}

Exits confidenceExits(const ExitScores& scores, double threshold)
{
    Exits exits(scores.samples(), scores.blocks());
    for (size_t sample = 0; sample < exits.size(); ++sample)
        for (size_t block = scores.blocks(); block-- > 1;)
            if (scores.prediction(sample, block).confidence > threshold)
                exits[sample] = block;
    return exits;
}

Exits oracleExits(const ExitScores& scores, OracleScore score, double penalty)
{
    Exits exits(scores.samples(), 1);
    for (size_t sample = 0; sample < exits.size(); ++sample) {
        double best = -std::numeric_limits<double>::infinity();
        for (size_t block = 1; block <= scores.blocks(); ++block) {
            const double reached = score == OracleScore::Likelihood
                                       ? scores.prediction(sample, block).logLikelihood
                                   : scores.isCorrect(sample, block) ? 1
                                                                     : 0;
            const double value = reached - penalty * double(block);
            if (value > best) {
                best = value;
                exits[sample] = block;
            }
        }
    }
    return exits;
}

Exits fixedExits(const ExitScores& scores, size_t block)
{
    return Exits(scores.samples(), block);
}

ExitOutcome outcomeOf(const ExitScores& scores, const Exits& exits)
{
    ExitOutcome outcome{{std::ssize(exits)}, 0, std::vector<int64_t>(scores.blocks())};
    for (size_t sample = 0; sample < exits.size(); ++sample) {
        const int64_t label = scores.prediction(sample, exits[sample]).label;
        outcome.correct += scores.isCorrect(sample, exits[sample]) ? 1 : 0;
        outcome.agreeing += label >= 0 && label == scores.prediction(sample, scores.blocks()).label ? 1 : 0;
        ++outcome.perBlock[exits[sample] - 1];
    }
    return outcome;
}

double meanMultiplyAdds(const ExitOutcome& outcome, const ExitCost& cost, Predictions predictions)
{
    double through = cost.embedding, sum = 0;
    for (size_t i = 0; i < cost.blocks.size(); ++i) {
        through += cost.blocks[i] + (predictions == Predictions::EveryBlock || i == 0 ? cost.head : 0);
        sum += through * double(outcome.perBlock[i]);
    }
    return outcome.samples > 0 ? sum / double(outcome.samples) : 0;
}

}
